/**
 * How answers and failures of the core become responses.
 * Spec: Errors; wire contract 0.2 (204), 0.4 (replays), 8.1 and 8.2 (`Retry-After`).
 */
import { bodyOf, type Refusal, type ServiceError } from "@countersign/core"
import { statusOf } from "@countersign/core/models"
import type { StoreUnavailable } from "@countersign/core/store"
import { Cause, Effect } from "effect"
import { HttpServerResponse } from "effect/http"

/** The expected failures of every service. */
export type Failure = ServiceError | StoreUnavailable

type Headers = Readonly<Record<string, string>>

const replayedHeader = "idempotency-replayed"
const retryAfterSeconds = 1

/** When a refused caller may try again. Whoever refuses may say it in `details.retryAfterSeconds`. */
const retryAfter = ({ code, details }: Refusal): Headers => {
  const status = statusOf(code)
  const seconds = details?.["retryAfterSeconds"]
  return status === 429 || status === 503
    ? { "retry-after": String(typeof seconds === "number" ? seconds : retryAfterSeconds) }
    : {}
}

/** The response of a refusal: exactly the specified body. */
export const refuse = (refusal: Refusal, headers: Headers = {}): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(bodyOf(refusal), {
    status: statusOf(refusal.code),
    headers: { ...retryAfter(refusal), ...headers },
  })

const storeIsAway: Refusal = { code: "SERVICE_UNAVAILABLE", message: "The service cannot answer now. Try again." }

const failed = (failure: Failure): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  failure._tag === "ServiceError"
    ? Effect.succeed(refuse(failure, failure.replayed === true ? { [replayedHeader]: "true" } : {}))
    : // As a cause it is logged by its message: what else an error of a database holds may be data of a record.
      Effect.as(Effect.logWarning("the store is unavailable", Cause.die(failure.cause)), refuse(storeIsAway))

/** Every expected failure becomes its response. */
export const answerFailures = <R>(
  effect: Effect.Effect<HttpServerResponse.HttpServerResponse, Failure, R>,
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> => Effect.catch(effect, failed)

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

/** The response of an answer or of an expected failure. The body is sent as it is. */
export const respond = <R>(
  answer: Effect.Effect<AnyAnswer, Failure, R>,
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> => answerFailures(Effect.map(answer, responseOf))
