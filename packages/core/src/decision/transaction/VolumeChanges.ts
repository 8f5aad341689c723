/**
 * Counts an outgoing payment towards the volume of its day when it begins, and gives it back when it fails or is refunded on that day.
 * Source: wire contract 8.2 (`DAILY_VOLUME_LIMIT_EXCEEDED`); D-339.
 */
import { volumeCounters } from "../../model/limit/DailyVolume.ts"
import type { OutgoingTransaction } from "../../model/transaction/Transaction.ts"
import { payingOwnerOf, type StoredOutgoing } from "../../model/transaction/TransactionResource.ts"
import type * as Changes from "../../store/Changes.ts"
import type { DecisionScope } from "./DecisionScope.ts"

export interface VolumeChange {
  readonly data: OutgoingTransaction
  readonly changes: Changes.Changes
}

/** Counts a payment that begins. Without limits nothing is counted. */
export const countVolume = ({ now, volumeLimits }: DecisionScope, stored: StoredOutgoing): VolumeChange => {
  const { data } = stored
  if (volumeLimits === undefined) return { data, changes: {} }
  const { amount, currency } = data
  const { counters, endsAt } = volumeCounters(payingOwnerOf(stored), currency, volumeLimits, now)
  if (counters.length === 0) return { data, changes: {} }
  return {
    data: { ...data, volume: { keys: counters.map(({ key }) => key), amount, currency, endsAt } },
    changes: { counters: counters.map(({ key, max }) => ({ key, delta: amount, max })) },
  }
}

const isOver = ({ refund, status }: OutgoingTransaction): boolean =>
  refund !== undefined || status === "FAILED" || status === "EXPIRED"

/** Gives back the volume of a payment that does not take place. The counters of an earlier day have no use any more. */
export const returnVolume = ({ now }: DecisionScope, { data }: StoredOutgoing): VolumeChange => {
  if (data.volume === undefined || !isOver(data)) return { data, changes: {} }
  const { volume, ...rest } = data
  if (volume.endsAt <= now) return { data: rest, changes: {} }
  return { data: rest, changes: { counters: volume.keys.map((key) => ({ key, delta: -volume.amount })) } }
}
