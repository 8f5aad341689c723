/**
 * Turns answers and failures of the core into responses.
 * Spec: Errors; wire contract 0.2 (204), 0.4 (replays), 8.1 and 8.2 (`Retry-After`); D-335.
 */
import { bodyOf, type Refusal, type ServiceError } from "@countersign/core"
import { statusOf } from "@countersign/core/models"
import type { StoreUnavailable } from "@countersign/core/store"
import { Cause, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { AnswerSpelling, ErrorBodyOf } from "./AnswerSpelling.ts"

/** The expected failures of every service. */
export type Failure = ServiceError | StoreUnavailable

type Headers = Readonly<Record<string, string>>

const replayedHeader = "idempotency-replayed"
const retryAfterSecondsDefault = 1

/** What is left of a limit, in the fields that clients know: `remaining` requests until `resetSeconds` from now. */
export const limitHeaders = (limit: number, remaining: number, resetSeconds: number): Headers => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(resetSeconds),
})

/** The headers of a refusal that can be repeated later: `details.retryAfterSeconds` where the refusal has it, else a default. */
const retryHeaders = ({ code, details }: Refusal): Headers => {
  const status = statusOf(code)
  if (status !== 429 && status !== 503) return {}
  const { limit, retryAfterSeconds = retryAfterSecondsDefault } = details ?? {}
  const seconds = typeof retryAfterSeconds === "number" ? retryAfterSeconds : retryAfterSecondsDefault
  return {
    "retry-after": String(seconds),
    ...(typeof limit === "number" ? limitHeaders(limit, 0, seconds) : {}),
  }
}

/** The response of a refusal: exactly the specified body. */
export const refuse = (
  refusal: Refusal,
  headers: Headers = {},
  errorBodyOf: ErrorBodyOf = bodyOf,
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(errorBodyOf(refusal), {
    status: statusOf(refusal.code),
    headers: { ...retryHeaders(refusal), ...headers },
  })

const storeUnavailable: Refusal = { code: "SERVICE_UNAVAILABLE", message: "The service cannot answer now. Try again." }

const responseOfFailure = (
  failure: Failure,
  errorBodyOf?: ErrorBodyOf,
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  failure._tag === "ServiceError"
    ? Effect.succeed(refuse(failure, failure.replayed === true ? { [replayedHeader]: "true" } : {}, errorBodyOf))
    : // Logged as a cause, which prints the message only: other fields of a database error may hold record data.
      Effect.as(Effect.logWarning("the store is unavailable", Cause.die(failure.cause)), refuse(storeUnavailable))

/** Turns every expected failure into its response. */
export const answerFailures = <R>(
  effect: Effect.Effect<HttpServerResponse.HttpServerResponse, Failure, R>,
  errorBodyOf?: ErrorBodyOf,
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.catch(
    effect,
    errorBodyOf === undefined ? responseOfFailure : (failure) => responseOfFailure(failure, errorBodyOf),
  )

/** An answer before it is a response: a status, a wire resource, and whether it replays an earlier request. */
export interface AnyAnswer {
  readonly status: number
  readonly body: unknown
  readonly replayed?: boolean
}

const responseOf = ({ body, replayed, status }: AnyAnswer): HttpServerResponse.HttpServerResponse => {
  const headers: Headers = replayed === true ? { [replayedHeader]: "true" } : {}
  return status === 204
    ? HttpServerResponse.empty({ status, headers })
    : HttpServerResponse.jsonUnsafe(body, { status, headers })
}

/** The response of an answer or of an expected failure. Without a spelling the body is sent as it is. */
export const respond = <R>(
  answer: Effect.Effect<AnyAnswer, Failure, R>,
  spelling?: AnswerSpelling,
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  spelling === undefined
    ? answerFailures(Effect.map(answer, responseOf))
    : answerFailures(
        Effect.map(answer, ({ body, ...rest }) => responseOf({ ...rest, body: spelling.body(body) })),
        spelling.error,
      )
