/** A call that the service did not answer with a success. Spec: Errors; wire contract 8.1. */
import type { ErrorResource } from "@countersign/core/models"

/** What the error body says, and the request's name in the service's logs. */
export class CallRefused extends Error {
  override readonly name = "CallRefused"
  readonly status: number
  readonly code: ErrorResource["code"]
  /** 401 only: the check that failed. */
  readonly reason: string | undefined
  readonly details: ErrorResource["details"]
  readonly requestId: string | undefined
  /** How long to wait before another try, where the service says it. */
  readonly retryAfterSeconds: number | undefined
  constructor({ code, details, message, reason, status }: ErrorResource, headers: Headers) {
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
