/**
 * A rule over several fields of one object. Schemas test it when every single field is sound; whoever lists the problems of
 * a request can test it on what was sent as well, so that it is listed together with the problems of single fields.
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

/** Looks at an object whose members may be missing or of any type: it must not assume what it did not test. */
export type CrossFieldRule = (members: Readonly<Record<string, unknown>>) => ReadonlyArray<CrossFieldProblem>

const key = "countersign/crossField"

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

/** The rule of a check's annotations, where it is one. */
export const ruleOf = (annotations: unknown): CrossFieldRule | undefined => {
  const rule = isObject(annotations) ? annotations[key] : undefined
  return typeof rule === "function" ? (members) => rule(members) : undefined
}
