/**
 * The laws of the port: what a failure of the suite says in its first line.
 * Source: D-518.
 */
import assert from "node:assert/strict"

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** What the store did breaks a law, which is one sentence. */
export class BrokenLaw extends Error {
  readonly law: string

  constructor(law: string, cause: unknown) {
    super(`${law}\n${messageOf(cause)}`, { cause })
    this.name = "BrokenLaw"
    this.law = law
  }
}

/** Requires two values to be equal, by a law. */
export const equal = (law: string, found: unknown, expected: unknown): void => {
  try {
    assert.deepStrictEqual(found, expected)
  } catch (cause) {
    throw new BrokenLaw(law, cause)
  }
}

/** Requires a list of exceptions from a law to be empty. */
export const never = (law: string, exceptions: ReadonlyArray<unknown>): void => equal(law, exceptions.slice(0, 5), [])

/** The failure of a check for its author's eyes: the law, which is the title unless the cause names another one, and where it was broken. */
export const failureOf = (cause: unknown, title: string, place: string): Error => {
  const [law, first] = cause instanceof BrokenLaw ? [cause.law, cause.cause] : [title, cause]
  return new Error(`The store breaks a law: ${law}.\n${place}\n${messageOf(first)}`, { cause: first })
}
