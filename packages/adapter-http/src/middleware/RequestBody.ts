/**
 * The body of a request: UTF-8 JSON of at most 1 MiB.
 * Source: wire contract 0.2 (content types, optional bodies), 11 (54, 58, 59).
 */
import { cut, JsonLimits, Outside, type ProblemList, type Refusal, ServiceError } from "@countersign/core"
import { ByteSize, Effect, Result } from "effect"
import { HttpIncomingMessage, HttpServerError, type HttpServerRequest } from "effect/http"
import { whileClientSends } from "./RequestsInFlight.ts"

const bodyBytesMax = ByteSize.mebibytes(1)

const limitSentences: { readonly [limit in JsonLimits.ExceededLimit]: string } = {
  depth: `The body is nested deeper than ${JsonLimits.depthMax} levels.`,
  values: `The body has more than ${JsonLimits.valuesMax} values.`,
  nameLength: `A name in the body is longer than ${JsonLimits.nameLengthMax} characters.`,
}

const unreadable = (message: string): ServiceError => new ServiceError({ code: "INVALID_REQUEST_FORMAT", message })

/** The reason for refusing a content type or encoding; `undefined` for a supported one. */
const unsupportedType = (contentType: string | undefined, encoding: string | undefined): string | undefined => {
  if (encoding !== undefined && encoding !== "identity")
    return "Content-Encoding is not supported: send the body as it is."
  if (contentType === undefined) return undefined
  const [type = "", ...parameters] = contentType.split(";").map((part) => part.trim().toLowerCase())
  if (type !== "application/json") return "Content-Type must be application/json."
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length)
  return charset === undefined || charset.replaceAll('"', "") === "utf-8" ? undefined : "The charset must be utf-8."
}

const utf8 = new TextDecoder("utf-8", { fatal: true })
const attempt = <A>(run: () => A, message: string): Result.Result<A, ServiceError> =>
  Result.try({ try: run, catch: () => unreadable(message) })

/** Returns the body as text; empty if there is no body. The request itself refuses a declared length above the limit unread. */
export const textOf = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const bytes = yield* whileClientSends(request.arrayBuffer).pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, bodyBytesMax),
    Effect.mapError((error) =>
      error._tag === "ServiceError"
        ? error
        : unreadable(
            error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
              ? "The body is larger than 1 MiB."
              : "The body could not be read to its end.",
          ),
    ),
  )
  if (bytes.byteLength === 0) return ""
  const refused = unsupportedType(request.headers["content-type"], request.headers["content-encoding"]?.toLowerCase())
  if (refused !== undefined) return yield* unreadable(refused)
  const text = yield* Effect.fromResult(attempt(() => utf8.decode(bytes), "The body is not valid UTF-8."))
  const exceeded = JsonLimits.exceededLimit(text)
  return exceeded === undefined ? text : yield* unreadable(limitSentences[exceeded])
})

/** Maximum length of a body whose steps share a turn of the event loop. A step over a longer one may take milliseconds. */
const sharedTurnLengthMax = 8192

/** Ends the turn of the event loop after a step over a long body, so that other requests are answered before the next step. */
export const endTurn = (text: string): Effect.Effect<void> =>
  text.length > sharedTurnLengthMax ? Effect.yieldNow : Effect.void

/** Parses a body's text; an empty text is an empty object. */
export const parse = (text: string): Result.Result<unknown, ServiceError> =>
  text === "" ? Result.succeed({}) : attempt((): unknown => JSON.parse(text), "The body is not valid JSON.")

/** JSON escapes of U+0000 and of surrogates: no store keeps U+0000 or half of a surrogate pair. */
const suspicious = /\\u(?:0000|d[89a-f][0-9a-f]{2})/iu

/** A value, and the names that lead to it. */
interface Member {
  readonly value: unknown
  readonly name?: string
  readonly parent?: Member
}

/** Maximum length of a name in a path, in characters. */
const nameLengthMax = 100

const pathOf = (member: Member): string => {
  const names: Array<string> = []
  for (let at: Member | undefined = member; at?.name !== undefined; at = at.parent) {
    names.push(cut(at.name, nameLengthMax))
  }
  return names.length === 0 ? "body" : names.toReversed().join(".")
}

export const notStorable = "must not contain U+0000 or half of a surrogate pair"

/** Adds a problem for each string that no store can keep, and for each object with a member of such a name. */
export const addNotStorable = (list: ProblemList, text: string): void => {
  if (!suspicious.test(text)) return
  const pending: Array<Member> = [{ value: Result.getOrUndefined(parse(text)) }]
  for (let member = pending.pop(); member !== undefined; member = pending.pop()) {
    const { value } = member
    const found = member
    if (typeof value === "string" && !Outside.isStorableText(value)) {
      list.add(() => ({ field: pathOf(found), message: notStorable }))
    }
    if (typeof value !== "object" || value === null) continue
    for (const [name, inner] of Object.entries(value).toReversed()) {
      if (Outside.isStorableText(name)) pending.push({ value: inner, name, parent: member })
      else list.add(() => ({ field: pathOf(found), message: notStorable }))
    }
  }
}

/** Whether the request caused a failure of the HTTP layer. */
export const isRequestFailure = (error: unknown): error is HttpServerError.HttpServerError =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RequestParseError"

/** The refusal of a request that could not be read. */
export const unreadableRequest: Refusal = {
  code: "INVALID_REQUEST_FORMAT",
  message: "The request could not be read.",
}
