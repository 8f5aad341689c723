/**
 * Which states a change leaves and reaches: seen in the record itself, so that every machine of every room counts.
 * Source: D-194.
 */
import type { Kind } from "../ports/Kinds.ts"

/** A field of a kind that went from one state to another; `from` is empty for a record that is new. */
export interface Move {
  readonly kind: Kind
  readonly field: string
  readonly from: string
  readonly to: string
}

/** Where records keep the state of a machine. */
const stateFields = ["status", "state", "verificationStatus", "kycStatus", "kybStatus", "refund.status"].map(
  (field) => ({ field, path: field.split(".") }),
)

const at = (data: unknown, path: ReadonlyArray<string>): string => {
  const found = path.reduce<unknown>(
    (value, name) =>
      typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined,
    data,
  )
  return typeof found === "string" ? found : ""
}

/** `before`: `undefined` for a record that is new. */
export const moves = (kind: Kind, before: unknown, after: unknown): ReadonlyArray<Move> =>
  stateFields.flatMap(({ field, path }) => {
    const [from, to] = [at(before, path), at(after, path)]
    return from === to || to === "" ? [] : [{ kind, field, from, to }]
  })
