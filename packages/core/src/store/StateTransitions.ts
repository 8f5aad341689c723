/**
 * Which states a change leaves and reaches: seen in the record itself, so that every machine of every room counts.
 * Source: D-194.
 */
import type { Kind } from "./Kinds.ts"

/** A field of a kind that went from one state to another; `from` is empty for a record that is new. */
export interface StateTransition {
  readonly kind: Kind
  readonly field: string
  readonly from: string
  readonly to: string
}

/** Where records keep the state of a machine. */
const stateFields = ["status", "state", "verificationStatus", "kycStatus", "kybStatus", "refund.status"].map(
  (field) => ({ field, path: field.split(".") }),
)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const at = (data: unknown, path: ReadonlyArray<string>): string => {
  let found = data
  for (const name of path) found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined
  return typeof found === "string" ? found : ""
}

/** `before`: `undefined` for a record that is new. */
export const stateTransitions = (kind: Kind, before: unknown, after: unknown): ReadonlyArray<StateTransition> => {
  const found: Array<StateTransition> = []
  for (const { field, path } of stateFields) {
    const to = at(after, path)
    const from = at(before, path)
    if (to !== "" && from !== to) found.push({ kind, field, from, to })
  }
  return found
}
