/**
 * The error responses of an endpoint: one body for all of them.
 * Spec: Errors; wire contract 8.1.
 */
import { ErrorResource } from "@countersign/core/models"
import { HttpApiSchema } from "effect/http-api"

const statuses = {
  400: "The request is malformed or a value is not allowed.",
  401: "Credentials are missing or wrong; `reason` names the check.",
  403: "The credentials, the agent's policy or one of its limits do not permit this.",
  404: "There is no such record for this caller.",
  409: "The state of the record does not allow this.",
  410: "The record has been deleted.",
  412: "The other side speaks no version that is supported.",
  423: "Too many failures: locked until `details.lockedUntil`, or for good.",
  424: "Something failed on the other side.",
  429: "Too many attempts; try again after `Retry-After` seconds.",
  500: "Something failed inside the service.",
  501: "This is not offered.",
  503: "The service cannot answer now; try again after `Retry-After` seconds.",
} as const
type FailureStatus = keyof typeof statuses

type Particular = Exclude<FailureStatus, 401 | 403 | 500 | 503>

const failure = (status: FailureStatus) => ErrorResource.pipe(HttpApiSchema.status(status))

/** The failures of an endpoint that needs credentials, beside those given. */
export const failures = (...more: ReadonlyArray<Particular>) =>
  ([401, 403, 500, 503, ...more] as const).toSorted((a, b) => a - b).map(failure)

/** The failures of an endpoint without credentials. */
export const openFailures = (...more: ReadonlyArray<Particular>) =>
  ([500, 503, ...more] as const).toSorted((a, b) => a - b).map(failure)

/** The description of an error status. */
export const describedFailure = (status: string): string | undefined =>
  Object.entries(statuses).find(([known]) => known === status)?.[1]
