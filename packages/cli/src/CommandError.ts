/** An expected failure of a command: lines on standard error, and the exit code of its reason. */
import { Data } from "effect"
import { CliError } from "effect/cli"
import { ExitCodes, type ExitReason } from "./ExitCodes.ts"

export class CommandError extends Data.TaggedError("CommandError")<{
  readonly reason: ExitReason
  readonly message: string
}> {
  /** The command line prints this text. */
  override get [CliError.userMessage](): string {
    return this.message
  }
}

const failure =
  (reason: ExitReason) =>
  (message: string): CommandError =>
    new CommandError({ reason, message })

export const usageError = failure("usage")
export const storeError = failure("store")
export const schemaError = failure("schema")
export const addressError = failure("address")
export const unsafeError = failure("unsafe")
export const serverError = failure("server")
export const accessError = failure("access")
/** The command ran, and what it was asked is not so. */
export const negativeAnswer = failure("negative")

/** Returns the exit code for the error that ended a command. An error without a reason is a defect. */
export const exitCodeOf = (error: unknown): number => {
  if (error instanceof CommandError) return ExitCodes[error.reason].code
  return CliError.isCliError(error) ? ExitCodes.usage.code : ExitCodes.defect.code
}
