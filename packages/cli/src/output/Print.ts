/** Prints the answer of a command: as JSON, or as lines for people. */
import { Console, type Effect } from "effect"

/** Encodes big integers as strings, which every JSON reader keeps exact. */
export const asJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? String(part) : part), 2)

export const print = (json: boolean, answer: unknown, lines: () => string): Effect.Effect<void> =>
  Console.log(json ? asJson(answer) : lines())
