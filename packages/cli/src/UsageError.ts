/** What a person at the command line did wrong, or has to know: one line, and exit code 1. */
import { CliError } from "effect/cli"

export const usageError = (message: string): CliError.UserError => new CliError.UserError({ cause: new Error(message) })
