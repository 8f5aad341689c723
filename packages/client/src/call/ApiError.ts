/**
 * The error of a call: the service's answer was no success.
 * Spec: Errors; wire contract 8.1.
 */
import { ErrorResource } from "@countersign/core/models"
import { Schema, Struct } from "effect"

/** The body of an error. A later version of the service may add codes. */
export const ErrorBody = ErrorResource.mapFields(Struct.assign({ code: Schema.String }))
type AnyError = typeof ErrorBody.Type

/** A known code, or one of a later version. */
type Code = ErrorResource["code"] | (string & Record<never, never>)

/** The members of the error body, and the request id in the service's logs. */
export class ApiError extends Error {
  override readonly name = "CallRefused"
  readonly status: number
  readonly code: Code
  /** The failed check; 401 only. */
  readonly reason: string | undefined
  readonly details: AnyError["details"]
  readonly requestId: string | undefined
  /** Delay before a retry, if the service sends one. */
  readonly retryAfterSeconds: number | undefined
  constructor({ code, details, message, reason, status }: AnyError, headers: Headers) {
    super(message)
    this.status = status
    this.code = code
    this.reason = reason
    this.details = details
    this.requestId = headers.get("x-request-id") ?? undefined
    const seconds = headers.get("retry-after")
    this.retryAfterSeconds = seconds === null ? undefined : Number(seconds)
  }
}
