/**
 * The body of a request: UTF-8 JSON of at most 1 MiB.
 * Source: wire contract 0.2 (content types, optional bodies), 11 (54, 58, 59).
 */
import { JsonDepth, type Refusal, ServiceError } from "@countersign/core"
import { ByteSize, Effect, Result } from "effect"
import { HttpIncomingMessage, HttpServerError, type HttpServerRequest } from "effect/http"

const bodyBytesMax = ByteSize.mebibytes(1)

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

/** Returns the body as text; empty if there is no body. */
export const textOf = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const bytes = yield* request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, bodyBytesMax),
    Effect.mapError(({ reason }) =>
      unreadable(
        reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
          ? "The body is larger than 1 MiB."
          : "The body could not be read to its end.",
      ),
    ),
  )
  if (bytes.byteLength === 0) return ""
  const refused = unsupportedType(request.headers["content-type"], request.headers["content-encoding"]?.toLowerCase())
  if (refused !== undefined) return yield* unreadable(refused)
  const text = yield* Effect.fromResult(attempt(() => utf8.decode(bytes), "The body is not valid UTF-8."))
  if (JsonDepth.isTooDeep(text))
    return yield* unreadable(`The body is nested deeper than ${JsonDepth.depthMax} levels.`)
  return text
})

/** Parses a body's text; an empty text is an empty object. */
export const parse = (text: string): Result.Result<unknown, ServiceError> =>
  text === "" ? Result.succeed({}) : attempt((): unknown => JSON.parse(text), "The body is not valid JSON.")

/** JSON escapes of U+0000 and of surrogates: no store keeps U+0000 or half of a surrogate pair. */
const suspicious = /\\u(?:0000|d[89a-f][0-9a-f]{2})/iu

const isStorable = (text: string): boolean => !text.includes("\u0000") && text.isWellFormed()

/** Returns the dot paths of strings and keys that no store can keep. */
export const notStorable = (text: string): ReadonlyArray<string> => {
  if (!suspicious.test(text)) return []
  const found: Array<string> = []
  const pending: Array<readonly [string, unknown]> = [["", Result.getOrUndefined(parse(text))]]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [path, value] = next
    if (typeof value === "string" && !isStorable(value)) found.push(path === "" ? "body" : path)
    if (typeof value !== "object" || value === null) continue
    for (const [key, member] of Object.entries(value)) {
      const at = path === "" ? key : `${path}.${key}`
      if (isStorable(key)) pending.push([at, member])
    }
  }
  return found.toReversed()
}

/** Whether the request caused a failure of the HTTP layer. */
export const isRequestFailure = (error: unknown): error is HttpServerError.HttpServerError =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RequestParseError"

/** The refusal of a request that could not be read. */
export const unreadableRequest: Refusal = {
  code: "INVALID_REQUEST_FORMAT",
  message: "The request could not be read.",
}
