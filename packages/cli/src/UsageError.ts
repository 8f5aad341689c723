/** An error of the command's usage: one line on standard error, and exit code 1. */
import { CliError } from "effect/cli"

export const usageError = (message: string): CliError.UserError => new CliError.UserError({ cause: new Error(message) })
