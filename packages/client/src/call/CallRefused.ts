/** A call that the service did not answer with a success. Spec: Errors; wire contract 8.1. */
import { ErrorResource } from "@countersign/core/models"
import { Schema, Struct } from "effect"

/** The body of an error, of a later version too: its list of codes may have grown. */
export const AnyError = ErrorResource.mapFields(Struct.assign({ code: Schema.String }))
type AnyError = typeof AnyError.Type

/** A code that this version knows, or another. */
type Code = ErrorResource["code"] | (string & Record<never, never>)

/** What the error body says, and the request's name in the service's logs. */
export class CallRefused extends Error {
  override readonly name = "CallRefused"
  readonly status: number
  readonly code: Code
  /** 401 only: the check that failed. */
  readonly reason: string | undefined
  readonly details: AnyError["details"]
  readonly requestId: string | undefined
  /** How long to wait before another try, where the service says it. */
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
