/**
 * Fills the placeholders of a body from a commit's facts: at the first answer, at a replay, and at delivery of an event.
 * Source: architecture, "A change set is the only way to write".
 */
import type { Json } from "../foundation/kit/CanonicalJson.ts"
import type { CommitFacts, Placeholder, Template } from "./ChangeSet.ts"

const placeholderValue = (placeholder: Placeholder, facts: CommitFacts): number =>
  placeholder.counter === undefined
    ? (placeholder.balances ?? []).reduce((sum, account) => sum + (facts.balances[account]?.balance ?? 0), 0)
    : (facts.counters[placeholder.counter] ?? 0)

const put = (json: Json, path: ReadonlyArray<string | number>, value: number): Json => {
  const [head, ...rest] = path
  if (head === undefined) return value
  if (Array.isArray(json)) return json.map((item: Json, index) => (index === head ? put(item, rest, value) : item))
  if (json === null || typeof json !== "object") return json
  const members = json as { readonly [key: string]: Json }
  return { ...members, [head]: put(members[head] ?? null, rest, value) }
}

const none: CommitFacts = Object.freeze({ balances: Object.freeze({}), counters: Object.freeze({}) })

/** Returns the facts to store with a body: all of them if it has placeholders, otherwise none. */
export const factsToStore = (template: Template, facts: CommitFacts): CommitFacts =>
  template.placeholders.length === 0 ? none : facts

/** Returns the body with every placeholder filled. */
export const fill = (template: Template, facts: CommitFacts): Json =>
  template.placeholders.reduce<Json>(
    (body, placeholder) => put(body, placeholder.path, placeholderValue(placeholder, facts)),
    template.body,
  )

/** A body without placeholders. */
export const withoutPlaceholders = (body: Json): Template => ({ body, placeholders: [] })

/** Returns the placeholders of a template that is nested in a larger body at `path`. */
export const nestPlaceholders = (
  path: ReadonlyArray<string | number>,
  placeholders: ReadonlyArray<Placeholder>,
): ReadonlyArray<Placeholder> =>
  placeholders.map((placeholder) => ({ ...placeholder, path: [...path, ...placeholder.path] }))
