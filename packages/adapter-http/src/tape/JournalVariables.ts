/**
 * The values that a tape of the journal does not have: each gets a name, which the program reads from its environment.
 * Source: D-479.
 */
import { References } from "@countersign/client/tape"
import type { RequestTapeVariable } from "@countersign/core/models"

export interface JournalVariables {
  /** Returns the reference of a value, the same for the same key. */
  readonly refer: (key: string, name: string, what: Omit<RequestTapeVariable, "name">) => string
  /** Returns the name of an `Authorization` header. */
  readonly header: (key: string, description: string) => string
  readonly named: ReadonlyMap<string, RequestTapeVariable>
}

const nameMax = 50

const upperSnake = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/gu, "$1_$2")
    .replaceAll(/\W+/gu, "_")
    .toUpperCase()
    .slice(0, nameMax)
    .replace(/^(?=[^A-Z])/u, "VALUE_")

export const journalVariables = (): JournalVariables => {
  const named = new Map<string, RequestTapeVariable>()
  const counts = new Map<string, number>()
  const nameOf = (key: string, name: string, what: Omit<RequestTapeVariable, "name">): string => {
    const known = named.get(key)
    if (known !== undefined) return known.name
    const base = upperSnake(name)
    const count = (counts.get(base) ?? 0) + 1
    counts.set(base, count)
    const made = { name: `${base}_${count}`, ...what }
    named.set(key, made)
    return made.name
  }
  return {
    named,
    refer: (key, name, what) => References.referVariable(nameOf(key, name, what)),
    header: (key, description) => nameOf(`header ${key}`, "AUTHORIZATION", { reason: "CREDENTIALS", description }),
  }
}
