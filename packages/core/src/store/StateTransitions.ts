/**
 * Returns the states of a record and the state transitions of a change, read from the fields that `Kinds` declares.
 * Source: D-194.
 */
import { type Kind, Kinds } from "./Kinds.ts"

/** A field of a kind that went from one state to another; `from` is empty for a new record. */
export interface StateTransition {
  readonly kind: Kind
  readonly field: string
  readonly from: string
  readonly to: string
}

/** The state fields of each kind, with their paths split. */
const stateFields = new Map(
  Kinds.entries.map(([kind, { states }]) => [
    kind,
    Object.keys(states).map((field) => ({ field, path: field.split(".") })),
  ]),
)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** The state at a path; empty where the data has none. */
const stateAt = (data: unknown, path: ReadonlyArray<string>): string => {
  let value = data
  for (const name of path) value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return typeof value === "string" ? value : ""
}

/** The states that the data has, in the order of the declared fields. */
export const statesOf = (
  kind: Kind,
  data: unknown,
): ReadonlyArray<{ readonly field: string; readonly state: string }> =>
  (stateFields.get(kind) ?? []).flatMap(({ field, path }) => {
    const state = stateAt(data, path)
    return state === "" ? [] : [{ field, state }]
  })

/** `before`: `undefined` for a new record. */
export const stateTransitions = (kind: Kind, before: unknown, after: unknown): ReadonlyArray<StateTransition> =>
  (stateFields.get(kind) ?? []).flatMap(({ field, path }) => {
    const from = stateAt(before, path)
    const to = stateAt(after, path)
    return to === "" || from === to ? [] : [{ kind, field, from, to }]
  })
