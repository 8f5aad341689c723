/**
 * The error responses of endpoints. All of them have the same body.
 * Spec: Errors; wire contract 8.1.
 */
import { ErrorResource } from "@countersign/core/models"
import { HttpApiSchema } from "effect/http-api"

const statuses = {
  400: "The request is malformed or a value is not allowed.",
  401: "Credentials are missing or wrong; `reason` names the check.",
  403: "The credentials, the agent's policy or one of its limits do not permit this.",
  404: "There is no such record for this caller.",
  405: "The path does not have this method; `Allow` lists those that it has.",
  409: "The state of the record does not allow this.",
  410: "The record has been deleted.",
  412: "The counterparty supports no common protocol version.",
  423: "Too many failures: locked until `details.lockedUntil`, or permanently.",
  424: "The counterparty failed.",
  429: "Too many attempts; try again after `Retry-After` seconds.",
  500: "An internal error occurred.",
  501: "The service does not support this.",
  503: "The service is unavailable; try again after `Retry-After` seconds.",
} as const
type FailureStatus = keyof typeof statuses

/** Statuses of every endpoint that requires credentials and a permission. */
const common = [400, 401, 403, 429, 500, 503] as const
/** Statuses of an endpoint that every caller with credentials may use. */
const unrestricted = [400, 401, 429, 500, 503] as const
type OptionalStatus = Exclude<FailureStatus, (typeof common)[number]>

const failure = (status: FailureStatus) => ErrorResource.pipe(HttpApiSchema.status(status))

/** Returns the error schemas of an endpoint that requires credentials and a permission: the common statuses and those of `more`. */
export const failures = (...more: ReadonlyArray<OptionalStatus>) =>
  [...common, ...more].toSorted((a, b) => a - b).map(failure)

/** Returns the error schemas of an endpoint that requires credentials only. */
export const unrestrictedFailures = (...more: ReadonlyArray<OptionalStatus>) =>
  [...unrestricted, ...more].toSorted((a, b) => a - b).map(failure)

/** Returns the error schemas of an endpoint without credentials. */
export const openFailures = (...more: ReadonlyArray<OptionalStatus>) =>
  ([400, 429, 500, 503, ...more] as const).toSorted((a, b) => a - b).map(failure)

/** Returns the description of an error status. */
export const describedFailure = (status: string): string | undefined =>
  Object.entries(statuses).find(([listed]) => listed === status)?.[1]
