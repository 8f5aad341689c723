/**
 * A request and its answer as a sandbox keeps them: without credentials, and with a mask in place of each secret.
 * Source: D-464.
 */
import type { Caller, RequestTrace } from "@countersign/core"
import { iso, type RequestCaller, type RequestDetail, type RequestRule } from "@countersign/core/models"
import type { Headers, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { endpointMasks } from "./EndpointMasks.ts"
import { keptBody } from "./KeptBody.ts"
import { addCredentials, keptAnswerHeaders, keptHeaders } from "./KeptHeaders.ts"
import { keptPath } from "./KeptPath.ts"
import { type KnownSecrets, knownSecrets } from "./KnownSecrets.ts"
import { type MaskedMembers, maskedMembers } from "./MaskedMembers.ts"
import { notSendableOf } from "./NotSendable.ts"
import type { RequestNotes } from "./RequestNotes.ts"

export interface AnsweredRequest {
  /** Without its connection, so that it can be kept. */
  readonly request: Pick<HttpServerRequest.HttpServerRequest, "headers" | "method" | "url">
  readonly response: HttpServerResponse.HttpServerResponse
  readonly requestId: string
  readonly sentAgainFrom?: string | undefined
  readonly notes: RequestNotes & { readonly endpoint: HttpApiEndpoint.Top }
  readonly trace: Pick<RequestTrace, "rules" | "commits">
  /** Business time and real time (ms) of its arrival. */
  readonly at: number
  readonly receivedAt: number
  readonly durationMillis: number
  /** Returns the contract's name of a member that the deployment spells with its own name. */
  readonly neutralOf: (name: string) => string
}

/** What the masks of a request and of its answer hide. */
export interface MaskedTexts {
  readonly sent: MaskedMembers
  readonly received: MaskedMembers
  /** The client secret or the access token. */
  readonly credential: string | undefined
}

const callerOf = (caller: Caller | undefined): RequestCaller => {
  if (caller?._tag === "Agent") return { kind: "AGENT", id: caller.agentId }
  if (caller?.approver !== undefined) return { kind: "APPROVER", id: caller.approver.id, name: caller.approver.name }
  const tokenId = caller?.tokenId ?? undefined
  return tokenId === undefined ? { kind: "NOBODY" } : { kind: "API_TOKEN", id: tokenId }
}

const utf8 = { encode: new TextEncoder(), decode: new TextDecoder() }

const codeOf = (text: string | undefined): string | undefined => {
  const [, code] = /"code":"(\w{1,64})"/u.exec(text ?? "") ?? []
  return code
}

/** What a rule or a written record of a trace takes. */
const traceCharacters = 150

const headerCharacters = (headers: Headers.Headers): number => {
  let sum = 0
  for (const name in headers) sum += name.length + (headers[name]?.length ?? 0)
  return sum
}

/** About how many characters an answered request takes before it is masked. */
export const charactersOf = ({ notes: { text = "" }, request, response, trace }: AnsweredRequest): number => {
  const bytes = response.body._tag === "Uint8Array" ? response.body.body.length : 0
  const writes = trace.commits.reduce(
    (sum, { events, jobs, records, transfers }) =>
      sum + events.length + jobs.length + records.length + transfers.length,
    trace.rules.length,
  )
  const headers = headerCharacters(request.headers) + headerCharacters(response.headers)
  return request.url.length + text.length + bytes + headers + writes * traceCharacters
}

const textsOf = (entries: ReadonlyArray<readonly [string, string]>, secrets: KnownSecrets) =>
  Object.fromEntries(entries.map(([name, value]) => [name, secrets.inText(value)]))

const shownFacts = ({ facts, ...rule }: RequestRule, secrets: KnownSecrets): RequestRule => ({
  ...rule,
  facts: Object.fromEntries(Object.entries(facts).map(([path, fact]) => [path, secrets.inText(fact)])),
})

export const keptRequest = (
  answered: AnsweredRequest,
): { readonly request: RequestDetail; readonly secrets: MaskedTexts } => {
  const { at, durationMillis, neutralOf, notes, receivedAt, request, requestId, response, sentAgainFrom, trace } =
    answered
  const { caller, endpoint, text = "" } = notes
  const masks = endpointMasks(endpoint, neutralOf)
  const secrets = knownSecrets()
  const members = { sent: maskedMembers(), received: maskedMembers() }
  const credential = addCredentials(request.headers, secrets)
  const path = keptPath(request.url, endpoint, masks, secrets, members.sent)
  const headers = keptHeaders(request.headers, masks, neutralOf, secrets, members.sent)
  const sent =
    text === "" ? undefined : keptBody(text, utf8.encode.encode(text).length, masks.body, secrets, members.sent)
  const bytes = response.body._tag === "Uint8Array" ? response.body.body : undefined
  const isError = response.status >= 400
  const received =
    bytes === undefined || bytes.length === 0
      ? undefined
      : keptBody(
          utf8.decode.decode(bytes),
          bytes.length,
          isError ? masks.error : masks.answer,
          secrets,
          members.received,
        )
  // From here on all secrets of the request are known.
  const requestBody = sent?.()
  const responseBody = received?.()
  const code = isError ? codeOf(responseBody?.text) : undefined
  const requestHeaders = textsOf(headers, secrets)
  for (const [name, value] of headers) if (requestHeaders[name] !== value) members.sent.add(`header.${name}`)
  const shownPath = secrets.inText(path)
  if (shownPath !== path) members.sent.add("path")
  const notSendable = notSendableOf({ endpoint, path, headers, requestBody, response, masked: members.sent })
  const refusing = trace.rules.find(({ isRefusal }) => isRefusal)
  const { "idempotency-key": idempotencyKey } = requestHeaders
  const kept: RequestDetail = {
    id: requestId,
    receivedAt: iso(receivedAt),
    at: iso(at),
    method: request.method,
    path: shownPath,
    operation: endpoint.identifier,
    caller: callerOf(caller),
    status: response.status,
    durationMillis,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    isReplay: response.headers["idempotency-replayed"] === "true",
    ...(code === undefined ? {} : { code }),
    ...(refusing === undefined ? {} : { rule: refusing.rule }),
    ...(sentAgainFrom === undefined ? {} : { sentAgainFrom }),
    requestHeaders,
    ...(requestBody === undefined ? {} : { requestBody }),
    responseHeaders: textsOf(keptAnswerHeaders(response.headers), secrets),
    ...(responseBody === undefined ? {} : { responseBody }),
    rules: trace.rules.map((rule) => shownFacts(rule, secrets)),
    commits: trace.commits,
    ...(notSendable === undefined ? {} : { notSendable }),
  }
  return { request: kept, secrets: { ...members, credential } }
}
