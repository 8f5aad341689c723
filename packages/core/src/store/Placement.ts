/**
 * Where the parts of a change set belong: a record, event or job has the slot of its owner in its identifier, so that all that an owner has
 * is in one place.
 * Source: D-513.
 */
import { slotOf } from "../foundation/ids/Slot.ts"
import type { Caller } from "./Caller.ts"
import type { ChangeSet } from "./ChangeSet.ts"

/** Returns the identifiers of a set that do not have the slot of their owner. An owner without a UUID has no slot. */
export const misplacedIn = (set: ChangeSet, { platformId }: Caller): ReadonlyArray<string> =>
  [...set.inserts, ...set.events, ...set.jobs].flatMap(({ customerId, id }) => {
    const slot = slotOf(id)
    const expected = slotOf(customerId ?? platformId)
    return slot === undefined || expected === undefined || slot === expected ? [] : [id]
  })
