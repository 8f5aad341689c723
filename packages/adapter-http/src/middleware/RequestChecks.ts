/**
 * Reads a request that was let in, and answers all problems of its body, query and headers at once.
 * Source: wire contract 8.1 and 11 (30, 32, 58).
 */

import { RequestReading } from "@countersign/client/api"
import { type FieldProblem, invalidInput, notFound, type Refusal } from "@countersign/core"
import { Effect, Layer, Result, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { type HttpApiEndpoint, HttpApiError } from "effect/http-api"
import { answerFailures, refuse } from "./Answers.ts"
import { problemsOf } from "./Problems.ts"
import * as RequestBody from "./RequestBody.ts"

type Decode = (value: unknown) => ReadonlyArray<FieldProblem>

/** The decoders of an endpoint's parts, made once, when a first request fails to decode. */
interface Decoders {
  readonly headers: Decode
  readonly query: Decode
  readonly body: Decode | undefined
}

const everyProblem =
  (schema: Schema.Top | undefined): Decode =>
  (value) => {
    if (schema === undefined || !Schema.isSchema(schema)) return []
    const decoded = decode(schema)(value)
    return Result.isFailure(decoded) ? problemsOf(decoded.failure.issue, value) : []
  }

const known = new WeakMap<Schema.Top, (value: unknown) => Result.Result<unknown, Schema.SchemaError>>()
const decode = (schema: Schema.Top) => {
  const made = known.get(schema)
  if (made !== undefined) return made
  const pure = schema as Schema.Codec<unknown, unknown>
  const decoder = Schema.decodeUnknownResult(pure, { errors: "all" })
  known.set(schema, decoder)
  return decoder
}

const prepared = new WeakMap<HttpApiEndpoint.Top, Decoders>()
const decodersOf = (endpoint: HttpApiEndpoint.Top): Decoders => {
  const made = prepared.get(endpoint)
  if (made !== undefined) return made
  const payload = endpoint.payload.get("application/json")
  const body = payload?.encoding._tag === "Json" ? payload.schemas[0] : undefined
  const decoders: Decoders = {
    headers: everyProblem(endpoint.headers),
    query: everyProblem(endpoint.query && Schema.toCodecArrayFromSingle(endpoint.query)),
    body: body && everyProblem(body),
  }
  prepared.set(endpoint, decoders)
  return decoders
}

/** Header names as they are written, rather than as they are compared. */
const written = (problem: FieldProblem): FieldProblem => ({
  ...problem,
  field: problem.field.replace(/(^|-)[a-z]/gu, (letter) => letter.toUpperCase()),
})

const refusalOf = (
  endpoint: HttpApiEndpoint.Top,
  request: HttpServerRequest.HttpServerRequest,
  query: unknown,
  text: string,
): Refusal => {
  const { body, headers, query: ofQuery } = decodersOf(endpoint)
  const value = body === undefined ? Result.succeed({}) : RequestBody.parse(text)
  if (Result.isFailure(value)) return value.failure
  const problems = [...(body?.(value.success) ?? []), ...ofQuery(query), ...headers(request.headers).map(written)]
  return problems.length === 0 ? RequestBody.unreadableRequest : invalidInput(problems)
}

const notKeepable = (field: string): FieldProblem => ({
  field,
  message: "must not contain U+0000 or half of a surrogate pair",
})

const hasNul = (value: unknown): boolean =>
  typeof value === "string" ? value.includes("\u0000") : Array.isArray(value) && value.some(hasNul)

/** The same request with an empty object for the body that was not sent. */
const withEmptyObject = (request: HttpServerRequest.HttpServerRequest) => {
  const headers = { "content-type": "application/json" }
  const sent = new Request("http://localhost/", { method: request.method, headers, body: "{}" })
  return HttpServerRequest.fromWeb(sent).modify({
    url: request.url,
    headers: { ...request.headers, ...headers },
  })
}

/** Whether a part of the request did not decode. That our own answer does not encode is a defect, and not this. */
const isOfTheRequest = (error: unknown): boolean =>
  HttpApiError.HttpApiSchemaError.is(error) && error.kind !== "Body" && error.kind !== "ResponseHeaders"

/** Decodes the requests of every endpoint. */
export const layer = Layer.succeed(RequestReading, (handled, { endpoint }) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const query = yield* HttpServerRequest.ParsedSearchParams
    // A path with U+0000 names no record.
    if (Object.values(yield* HttpRouter.params).some(hasNul)) return refuse(notFound("record"))
    const takesBody = endpoint.payload.size > 0
    const read = yield* Effect.result(takesBody ? RequestBody.textOf(request) : Effect.succeed(""))
    if (Result.isFailure(read)) return yield* answerFailures(Effect.fail(read.failure))
    const text = read.success
    const foul = [...RequestBody.unkeepable(text), ...Object.keys(query).filter((name) => hasNul(query[name]))]
    if (foul.length > 0) return refuse(invalidInput(foul.map(notKeepable)))
    const sent = takesBody && text === "" ? withEmptyObject(request) : request
    const asked = sent === request ? handled : Effect.provideService(handled, HttpServerRequest.HttpServerRequest, sent)
    return yield* asked.pipe(
      Effect.catchIf(isOfTheRequest, () => Effect.succeed(refuse(refusalOf(endpoint, request, query, text)))),
    )
  }),
)
