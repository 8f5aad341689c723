/**
 * Describes a command in its help with the exit codes that it can have, and in one sentence in lists of commands and in completions.
 * Source: D-458.
 */
import { Command } from "effect/cli"
import { ExitCodes, type ExitReason } from "./ExitCodes.ts"

/** The reasons for which the commands of a kind end; each command can also be done, be used wrongly, or meet a defect. */
export const exitReasons = {
  any: ["negative", "store", "address", "unsafe", "schema", "server", "access"],
  /** Talks to a running server. */
  server: ["negative", "server", "access"],
  /** Talks to a running server and listens on a port. */
  listening: ["negative", "address", "server", "access"],
  /** Writes files. */
  files: ["negative"],
  /** Uses a token. */
  secrets: ["unsafe"],
  keys: ["negative", "unsafe", "server", "access"],
  /** Reports findings instead of failing. */
  checks: ["negative"],
  serve: ["store", "address", "unsafe", "schema"],
  migration: ["store", "schema"],
  books: ["negative", "store", "schema"],
  /** Works on a store as its operator. */
  operator: ["negative", "store", "unsafe", "schema"],
} as const satisfies Readonly<Record<string, ReadonlyArray<ExitReason>>>

/** The rows of the table of exit codes, in its order. */
const exitCodeLines = (reasons: ReadonlyArray<ExitReason>): ReadonlyArray<string> => {
  const possible: ReadonlyArray<string> = [...reasons, "done", "usage", "defect"]
  return Object.entries(ExitCodes).flatMap(([reason, { code, meaning }]) =>
    possible.includes(reason) ? [`${String(code).padStart(2)}  ${meaning}`] : [],
  )
}

export const withHelp =
  (description: string, reasons: ReadonlyArray<ExitReason>, more: ReadonlyArray<string> = []) =>
  <const Name extends string, Input, E, R, ContextInput>(
    self: Command.Command<Name, Input, ContextInput, E, R>,
  ): Command.Command<Name, Input, ContextInput, E, R> => {
    const [sentence = description] = description.split(/\. /u, 1)
    const text = [description, "", ...more, "Exit codes:", ...exitCodeLines(reasons)].join("\n")
    return self.pipe(Command.withDescription(text), Command.withShortDescription(sentence))
  }
