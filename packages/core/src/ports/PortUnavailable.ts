/**
 * A port that has no outcome for it cannot be asked now. It is a defect of the port's effect: a request answers 503, and a job is retried.
 * Source: D-527.
 */
import { Data } from "effect"

export class PortUnavailable extends Data.TaggedError("PortUnavailable")<{
  /** What was asked. */
  readonly operation: string
  /** Contains no secret. */
  readonly cause: string
}> {
  override get message(): string {
    return `${this.operation}: ${this.cause}`
  }
}
