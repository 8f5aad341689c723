/**
 * A rule over several fields of one object. A schema tests it after every single field is valid. The error list of a request tests
 * it on the raw body as well, so that one response lists all failures.
 * Source: wire contract 8.1 (all failures in one answer).
 */
import { Schema } from "effect"
import type { Json } from "./CanonicalJson.ts"

/** A broken rule: the field to which it is attached, relative to the object, and what the field must be. */
export interface CrossFieldProblem {
  readonly path: ReadonlyArray<string>
  readonly message: string
  readonly constraint?: { readonly [key: string]: Json }
}

/** Tests an object whose members may be missing or of any type: a rule must check a member's type before it uses it. */
export type CrossFieldRule = (members: Readonly<Record<string, unknown>>) => ReadonlyArray<CrossFieldProblem>

const key = "countersign/crossField"

/** Whether a value is an object: not `null`, and not a list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The check of a rule, for `Schema.Struct(...).check(...)`. */
export const check = (rule: CrossFieldRule) =>
  Schema.makeFilter(
    (value: object) => {
      const problems = isObject(value) ? rule(value) : []
      return problems.map(({ path, message }) => ({ path, issue: message }))
    },
    { [key]: rule },
  )

/** Returns the rule in a check's annotations, or `undefined` for any other check. */
export const ruleOf = (annotations: unknown): CrossFieldRule | undefined => {
  const rule = isObject(annotations) ? annotations[key] : undefined
  return typeof rule === "function" ? (members) => rule(members) : undefined
}
