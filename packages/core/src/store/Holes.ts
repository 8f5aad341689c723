/** Fills the holes of a body from a commit's facts: at the first answer, at a replay, and at delivery. */
import type { Json } from "../foundation/kit/CanonicalJson.ts"
import type { Facts, Hole, Template } from "./ChangeSet.ts"

const filling = (hole: Hole, facts: Facts): number =>
  hole.counter === undefined
    ? (hole.balances ?? []).reduce((sum, account) => sum + (facts.balances[account]?.balance ?? 0), 0)
    : (facts.counters[hole.counter] ?? 0)

const put = (json: Json, path: ReadonlyArray<string | number>, value: number): Json => {
  const [head, ...rest] = path
  if (head === undefined) return value
  if (Array.isArray(json)) return json.map((item: Json, index) => (index === head ? put(item, rest, value) : item))
  if (json === null || typeof json !== "object") return json
  const members = json as { readonly [key: string]: Json }
  return { ...members, [head]: put(members[head] ?? null, rest, value) }
}

const none: Facts = Object.freeze({ balances: Object.freeze({}), counters: Object.freeze({}) })

/** What is kept of a commit's facts beside a body: all of them where it has holes, and none where it has not. */
export const kept = (template: Template, facts: Facts): Facts => (template.holes.length === 0 ? none : facts)

/** The body with every hole filled. */
export const fill = (template: Template, facts: Facts): Json =>
  template.holes.reduce<Json>((body, hole) => put(body, hole.path, filling(hole, facts)), template.body)

/** A body without holes. */
export const plain = (body: Json): Template => ({ body, holes: [] })

/** A template inside a larger body: its holes move under `path`. */
export const nest = (path: ReadonlyArray<string | number>, holes: ReadonlyArray<Hole>): ReadonlyArray<Hole> =>
  holes.map((hole) => ({ ...hole, path: [...path, ...hole.path] }))
