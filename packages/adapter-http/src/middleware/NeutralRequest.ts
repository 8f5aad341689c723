/**
 * A request with the neutral names, whichever spelling it was sent in, so that handlers, stored answers and comparisons know these only.
 * Source: wire contract areas 2.5 (incoming, idempotency comparison); D-371.
 */
import { inwardRequests } from "@countersign/client/api"
import type { Respell, Spellings } from "@countersign/core/models"
import { Result } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { standsFor } from "./ReceivedSource.ts"
import * as RequestBody from "./RequestBody.ts"

type Query = Readonly<Record<string, string | Array<string>>>

/** What a request is decoded from. */
export interface Incoming {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly query: Query
  readonly text: string
}

/** Returns the request with another body, from the same client and socket. */
export const withBody = (request: HttpServerRequest.HttpServerRequest, text: string) => {
  const headers = { "content-type": "application/json" }
  const sent = new Request("http://localhost/", { method: request.method, headers, body: text })
  standsFor(sent, request)
  return HttpServerRequest.fromWeb(sent).modify({
    url: request.url,
    headers: { ...request.headers, ...headers },
    remoteAddress: request.remoteAddress,
    peerAddress: request.peerAddress,
  })
}

/** Renames the members of a body; a text that is no JSON stays, and is refused later. */
const neutralText = (respell: Respell | undefined, text: string): string => {
  if (respell === undefined || text === "") return text
  const parsed = Result.getOrUndefined(RequestBody.parse(text))
  const neutral = respell(parsed)
  return neutral === parsed ? text : JSON.stringify(neutral)
}

const isQuery = (value: unknown): value is Query => typeof value === "object" && value !== null

/** Returns the renaming of an endpoint's requests, which is made at the first one; `undefined` under the default name. */
export const neutralRequests = (endpoint: HttpApiEndpoint.Top, spellings: Spellings) => {
  if (spellings.size === 0) return undefined
  let made: ReturnType<typeof inwardRequests> | "nothing"
  return (incoming: Incoming): Incoming => {
    made ??= inwardRequests(endpoint, spellings) ?? "nothing"
    if (made === "nothing") return incoming
    const { query, request, text } = incoming
    const neutral = neutralText(made.body, text)
    const renamed = made.headers?.(request.headers) ?? request.headers
    const isRenamed = renamed !== request.headers
    // A request of the Fetch API whose body has been read cannot be copied with other headers.
    const sent = neutral !== text || (isRenamed && text !== "") ? withBody(request, neutral) : request
    const respelled = made.query?.(query)
    return {
      request: isRenamed ? sent.modify({ headers: { ...sent.headers, ...renamed } }) : sent,
      query: isQuery(respelled) ? respelled : query,
      text: neutral,
    }
  }
}
