/**
 * Why a kept request cannot be sent again, if it cannot: what the sandbox does not know of it, and what it must not repeat.
 * Source: D-478.
 */
import { Upload } from "@countersign/client/api"
import { type NotSendable, notSendable, type RecordedBody } from "@countersign/core/models"
import { Context } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { valueMax } from "./KeptHeaders.ts"
import { pathMax } from "./KeptPath.ts"
import type { MaskedMembers } from "./MaskedMembers.ts"

interface Parts {
  readonly endpoint: HttpApiEndpoint.Top
  readonly path: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly requestBody: RecordedBody | undefined
  readonly response: HttpServerResponse.HttpServerResponse
  readonly masked: MaskedMembers
}

const sendingOperation = "sandboxSendRequest"

/** Whether a successful answer of the endpoint stays open. */
const streams = ({ success }: HttpApiEndpoint.Top): boolean =>
  [...success].some((schema) => "~stream" in Object(schema))

export const notSendableOf = (parts: Parts): NotSendable | undefined => {
  const { endpoint, headers, masked, path, requestBody, response } = parts
  if (endpoint.identifier === sendingOperation) return notSendable("SENDING")
  if (Context.get(endpoint.annotations, Upload) !== undefined) return notSendable("UPLOAD")
  if (response.body._tag === "Stream" || streams(endpoint)) return notSendable("STREAM")
  const members = [...masked.members.keys()]
  if (members.length > 0) return notSendable("MASKED", members)
  if (requestBody !== undefined && requestBody.text === undefined) return notSendable("NOT_KEPT", ["body"])
  const cut = [
    ...(path.length >= pathMax ? ["path"] : []),
    ...headers.flatMap(([name, value]) => (value.length >= valueMax ? [`header.${name}`] : [])),
    ...(requestBody?.isCut === true ? ["body"] : []),
  ]
  return cut.length === 0 ? undefined : notSendable("CUT", cut)
}
