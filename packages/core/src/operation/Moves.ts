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
const stateFields = ["status", "state", "verificationStatus", "kycStatus", "kybStatus", "refund.status"] as const

const at = (data: unknown, field: string): string => {
  const found = field
    .split(".")
    .reduce<unknown>(
      (value, name) =>
        typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined,
      data,
    )
  return typeof found === "string" ? found : ""
}

/** `before`: `undefined` for a record that is new. */
export const moves = (kind: Kind, before: unknown, after: unknown): ReadonlyArray<Move> =>
  stateFields.flatMap((field) => {
    const [from, to] = [at(before, field), at(after, field)]
    return from === to || to === "" ? [] : [{ kind, field, from, to }]
  })
