/** Fills the placeholders of a body from a commit's facts: at the first answer, at a replay, and at delivery. */
import type { Json } from "../foundation/kit/CanonicalJson.ts"
import type { CommitFacts, Placeholder, Template } from "./ChangeSet.ts"

const filling = (placeholder: Placeholder, facts: CommitFacts): number =>
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

/** What is kept of a commit's facts beside a body: all of them where it has placeholders, and none where it has not. */
export const factsToStore = (template: Template, facts: CommitFacts): CommitFacts =>
  template.placeholders.length === 0 ? none : facts

/** The body with every placeholder filled. */
export const fill = (template: Template, facts: CommitFacts): Json =>
  template.placeholders.reduce<Json>(
    (body, placeholder) => put(body, placeholder.path, filling(placeholder, facts)),
    template.body,
  )

/** A body without placeholders. */
export const withoutPlaceholders = (body: Json): Template => ({ body, placeholders: [] })

/** A template inside a larger body: its placeholders move under `path`. */
export const nestPlaceholders = (
  path: ReadonlyArray<string | number>,
  placeholders: ReadonlyArray<Placeholder>,
): ReadonlyArray<Placeholder> =>
  placeholders.map((placeholder) => ({ ...placeholder, path: [...path, ...placeholder.path] }))
