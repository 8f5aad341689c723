/**
 * The server or the folder could not be used. The message has codes, and no text of the server, no content and no secret.
 * Source: D-536.
 */
import { Data } from "effect"

export class SftpProblem extends Data.TaggedError("SftpProblem")<{
  readonly operation: string
  readonly reason: string
  /** The status of the server's answer; absent: it did not answer. */
  readonly status?: number
}> {
  override get message(): string {
    return `${this.operation}: ${this.reason}`
  }
}
