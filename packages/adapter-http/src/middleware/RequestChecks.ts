/**
 * Decodes a request whose caller has access, and reports all problems of its body, query and headers in one response.
 * Source: wire contract 8.1 and 11 (30, 32, 58).
 */

import { RequestReading, Upload } from "@countersign/client/api"
import {
  type BoundedProblems,
  type FieldProblem,
  invalidInputOf,
  notFound,
  type ProblemList,
  problemList,
  type Refusal,
} from "@countersign/core"
import { spellingsOf } from "@countersign/core/models"
import { serviceNameOf, WireNames } from "@countersign/core/ports"
import { Context, Effect, Layer, Result, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { type HttpApiEndpoint, HttpApiError } from "effect/http-api"
import { spellingByEndpoint } from "./AnswerSpelling.ts"
import { answerFailures, refuse } from "./Answers.ts"
import { neutralRequests, withBody } from "./NeutralRequest.ts"
import { addProblems } from "./Problems.ts"
import * as RequestBody from "./RequestBody.ts"
import { note } from "./RequestNotes.ts"
import { refusalOfHeaders } from "./UploadParts.ts"

type Decode = (list: ProblemList, value: unknown) => void

/** The decoders of an endpoint's parts. They are built once, when the first request fails to decode. */
interface Decoders {
  readonly headers: Decode
  readonly query: Decode
  readonly body: Decode | undefined
}

const everyProblem =
  (schema: Schema.Top | undefined): Decode =>
  (list, value) => {
    if (schema === undefined || !Schema.isSchema(schema)) return
    const decoded = decode(schema)(value)
    if (Result.isFailure(decoded)) addProblems(list, decoded.failure.issue, value)
  }

const decodersBySchema = new WeakMap<Schema.Top, (value: unknown) => Result.Result<unknown, Schema.SchemaError>>()
const decode = (schema: Schema.Top) => {
  const cached = decodersBySchema.get(schema)
  if (cached !== undefined) return cached
  const pure = schema as Schema.Codec<unknown, unknown>
  const decoder = Schema.decodeUnknownResult(pure, { errors: "all" })
  decodersBySchema.set(schema, decoder)
  return decoder
}

const decodersByEndpoint = new WeakMap<HttpApiEndpoint.Top, Decoders>()
const decodersOf = (endpoint: HttpApiEndpoint.Top): Decoders => {
  const cached = decodersByEndpoint.get(endpoint)
  if (cached !== undefined) return cached
  const payload = endpoint.payload.get("application/json")
  const body = payload?.encoding._tag === "Json" ? payload.schemas[0] : undefined
  const decoders: Decoders = {
    headers: everyProblem(endpoint.headers),
    query: everyProblem(endpoint.query && Schema.toCodecArrayFromSingle(endpoint.query)),
    body: body && everyProblem(body),
  }
  decodersByEndpoint.set(endpoint, decoders)
  return decoders
}

/** Writes a header's name in its usual case: `Idempotency-Key` for `idempotency-key`. */
const withHeaderCase = (problem: FieldProblem): FieldProblem => ({
  ...problem,
  field: problem.field.replace(/(^|-)[a-z]/gu, (letter) => letter.toUpperCase()),
})

const refusalOf = (
  endpoint: HttpApiEndpoint.Top,
  request: HttpServerRequest.HttpServerRequest,
  query: unknown,
  text: string,
): Refusal => {
  const { body, headers, query: queryProblems } = decodersOf(endpoint)
  const value = body === undefined ? Result.succeed({}) : RequestBody.parse(text)
  if (Result.isFailure(value)) return value.failure
  const list = problemList()
  body?.(list, value.success)
  queryProblems(list, query)
  const ofHeaders = problemList()
  headers(ofHeaders, request.headers)
  for (const problem of ofHeaders.bounded().problems) list.add(() => withHeaderCase(problem))
  const bounded = list.bounded()
  return bounded.problems.length === 0 ? RequestBody.unreadableRequest : invalidInputOf(bounded)
}

const hasNul = (value: unknown): boolean =>
  typeof value === "string" ? value.includes("\u0000") : Array.isArray(value) && value.some(hasNul)

/** The fields of a request that no store can keep. */
const notStorableIn = (text: string, query: Readonly<Record<string, unknown>>): BoundedProblems => {
  const list = problemList()
  RequestBody.addNotStorable(list, text)
  for (const name of Object.keys(query)) {
    if (hasNul(query[name])) list.add(() => ({ field: name, message: RequestBody.notStorable }))
  }
  return list.bounded()
}

/** Whether a part of the request did not decode. A response that does not encode is a defect of the service. */
const isRequestError = (error: unknown): boolean =>
  HttpApiError.HttpApiSchemaError.is(error) && error.kind !== "Body" && error.kind !== "ResponseHeaders"

/** Decodes the requests of all endpoints. */
export const layer = Layer.effect(
  RequestReading,
  Effect.map(WireNames, (names) => {
    const spellings = spellingsOf(serviceNameOf(names))
    const spellingOf = spellingByEndpoint(spellings)
    return (handled, { endpoint }) => {
      const neutral = neutralRequests(endpoint, spellings)
      const refused = (refusal: Refusal) =>
        refuse(refusal, {}, neutral === undefined ? undefined : spellingOf(endpoint).error)
      return Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const query = yield* HttpServerRequest.ParsedSearchParams
        // No record has an id with U+0000.
        if (Object.values(yield* HttpRouter.params).some(hasNul)) return refuse(notFound("record"))
        const upload = Context.get(endpoint.annotations, Upload)
        const refusedUpload = upload && refusalOfHeaders(request.headers, upload)
        if (refusedUpload !== undefined) return refuse(refusedUpload)
        // The handler reads the body of an upload as it arrives.
        const takesBody = endpoint.payload.size > 0 && upload === undefined
        const body = yield* Effect.result(takesBody ? RequestBody.textOf(request) : Effect.succeed(""))
        if (Result.isFailure(body)) return yield* answerFailures(Effect.fail(body.failure))
        const text = body.success
        yield* note({ endpoint, text })
        yield* RequestBody.endTurn(text)
        const notStorable = notStorableIn(text, query)
        if (notStorable.problems.length > 0) return refused(invalidInputOf(notStorable))
        yield* RequestBody.endTurn(text)
        // A missing body is an empty object.
        const received = { request: takesBody && text === "" ? withBody(request, "{}") : request, query, text }
        const read = neutral === undefined ? received : neutral(received)
        if (read !== received) yield* RequestBody.endTurn(text)
        const response =
          read.request === request
            ? handled
            : Effect.provideService(handled, HttpServerRequest.HttpServerRequest, read.request)
        return yield* (
          read.query === query
            ? response
            : Effect.provideService(response, HttpServerRequest.ParsedSearchParams, read.query)
        ).pipe(
          Effect.catchIf(isRequestError, () =>
            Effect.map(RequestBody.endTurn(read.text), () =>
              refused(refusalOf(endpoint, read.request, read.query, read.text)),
            ),
          ),
        )
      })
    }
  }),
)
