/**
 * Assertions that need no test runner, for the auditors. A failed assertion throws an error that shows the actual value.
 * The names and meanings are those of Vitest and Jest.
 */
import { inspect, isDeepStrictEqual } from "node:util"

const shown = (value: unknown) => inspect(value, { depth: 8, breakLength: 120, maxStringLength: 2000 })

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Copies a value without its prototypes and without members that are `undefined`. */
const plain = (value: unknown): unknown => {
  if (value instanceof Map) return new Map([...value].map(([key, member]) => [key, plain(member)]))
  if (value instanceof Set || value instanceof Date) return value
  if (Array.isArray(value)) return value.map(plain)
  if (!isRecord(value)) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]))
}

const isEqual = (actual: unknown, expected: unknown) => isDeepStrictEqual(plain(actual), plain(expected))

/** Whether the actual value has all expected members; further members are allowed. */
const matches = (actual: unknown, expected: unknown): boolean => {
  if (!isRecord(expected) || Array.isArray(expected)) return isEqual(actual, expected)
  return isRecord(actual) && Object.entries(expected).every(([name, member]) => matches(actual[name], member))
}

const contains = (actual: unknown, item: unknown): boolean => {
  if (typeof actual === "string") return actual.includes(String(item))
  return [...(actual as Iterable<unknown>)].some((one) => Object.is(one, item))
}

const compared = (actual: unknown, test: (number: number) => boolean) => typeof actual === "number" && test(actual)

export interface Expectation {
  readonly toBe: (expected: unknown) => void
  readonly toEqual: (expected: unknown) => void
  readonly toMatchObject: (expected: object) => void
  readonly toMatch: (pattern: RegExp) => void
  readonly toContain: (item: unknown) => void
  readonly toHaveLength: (length: number) => void
  readonly toHaveProperty: (name: string) => void
  readonly toBeLessThan: (bound: number) => void
  readonly toBeLessThanOrEqual: (bound: number) => void
  readonly toBeGreaterThan: (bound: number) => void
  readonly toBeGreaterThanOrEqual: (bound: number) => void
}

const expectation = (actual: unknown, label: string | undefined, isExpected: boolean): Expectation => {
  const must = (isTrue: boolean, words: string, ...rest: ReadonlyArray<unknown>) => {
    if (isTrue === isExpected) return
    const message = [shown(actual), isExpected ? "should" : "should not", words, ...rest.map(shown)].join(" ")
    throw new Error(label === undefined ? message : `${label}: ${message}`)
  }
  return {
    toBe: (expected) => must(Object.is(actual, expected), "be", expected),
    toEqual: (expected) => must(isEqual(actual, expected), "equal", expected),
    toMatchObject: (expected) => must(matches(actual, expected), "have all of", expected),
    toMatch: (pattern) => must(typeof actual === "string" && pattern.test(actual), "match", pattern),
    toContain: (item) => must(contains(actual, item), "contain", item),
    toHaveLength: (length) => must(isRecord(actual) && actual["length"] === length, "be as long as", length),
    toHaveProperty: (name) => must(isRecord(actual) && actual[name] !== undefined, "have", name),
    toBeLessThan: (bound) =>
      must(
        compared(actual, (number) => number < bound),
        "be less than",
        bound,
      ),
    toBeLessThanOrEqual: (bound) =>
      must(
        compared(actual, (number) => number <= bound),
        "be at most",
        bound,
      ),
    toBeGreaterThan: (bound) =>
      must(
        compared(actual, (number) => number > bound),
        "be more than",
        bound,
      ),
    toBeGreaterThanOrEqual: (bound) =>
      must(
        compared(actual, (number) => number >= bound),
        "be at least",
        bound,
      ),
  }
}

/** Asserts on a value; messages start with the label: `expect(balance, "the account").toBe(0)`. */
export const expect = (actual: unknown, label?: string): Expectation & { readonly not: Expectation } => ({
  ...expectation(actual, label, true),
  not: expectation(actual, label, false),
})
