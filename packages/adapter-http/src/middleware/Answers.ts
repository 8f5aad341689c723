/**
 * How answers and failures of the core become responses.
 * Spec: Errors; wire contract 0.2 (204), 0.4 (replays), 8.1 and 8.2 (`Retry-After`).
 */
import {
  bodyOf,
  type Operation,
  type Refusal,
  type ServiceError,
  type StoreUnavailable,
  statusOf,
} from "@countersign/core"
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

const json = (status: number, body: unknown, headers: Headers = {}) =>
  status === 204
    ? HttpServerResponse.empty({ status, headers })
    : HttpServerResponse.jsonUnsafe(body, { status, headers })

/** The response of a write: its own status and body, marked when it is the answer of an earlier request. */
export const respond = <R>(answered: Effect.Effect<Operation.Answered<unknown>, Failure, R>) =>
  answerFailures(
    Effect.map(answered, ({ body, replayed, status }) =>
      json(status, body, replayed ? { [replayedHeader]: "true" } : {}),
    ),
  )

/** The 200 of a read. */
export const respondOk = <R>(body: Effect.Effect<unknown, Failure, R>) =>
  answerFailures(Effect.map(body, (value) => json(200, value)))

/** The 204 of a call that answers nothing. */
export const respondEmpty = <R>(done: Effect.Effect<unknown, Failure, R>) =>
  answerFailures(Effect.map(done, () => json(204, undefined)))
