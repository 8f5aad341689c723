/**
 * Whose records an operation makes: its identifiers have the slot of this owner. It is the agent's customer, otherwise the first customer whose
 * records it reads, otherwise the platform.
 * Source: D-513.
 */
import { Effect } from "effect"
import type { Caller } from "../store/Caller.ts"
import type { ReadQuery, ReadResult } from "../store/Store.ts"

/** The first customer of what was read. */
const customerIn = ({ ownersOf = [], records = [] }: ReadQuery, found: ReadResult): string | undefined => {
  for (const account of ownersOf) {
    const customer = found.owner(account)
    if (customer !== undefined) return customer.id
  }
  for (const { id, kind } of records) {
    const stored = found.record(kind, id)
    const customerId = stored?.kind === "Customer" ? stored.id : stored?.customerId
    if (customerId !== undefined && customerId !== null) return customerId
  }
  return undefined
}

export interface OperationOwner {
  readonly id: () => string
  /** The same read, whose results the owner is learned from. */
  readonly watching: <E, R>(
    read: (query: ReadQuery) => Effect.Effect<ReadResult, E, R>,
  ) => (query: ReadQuery) => Effect.Effect<ReadResult, E, R>
}

/** `named`: the owner that the operation names itself. */
export const make = (caller: Caller, named?: string): OperationOwner => {
  let owner = named ?? (caller._tag === "Agent" ? caller.customerId : undefined)
  return {
    id: () => owner ?? caller.platformId,
    watching: (read) => (query) =>
      Effect.map(read(query), (found) => {
        owner ??= customerIn(query, found)
        return found
      }),
  }
}
