/**
 * How far business time is ahead of wall time: kept in one row, and heard by each process with reads that it makes anyway.
 * Source: ports/Store.ts (aheadMillis, moveTime); D-102.
 */
import type { ClockChange } from "@countersign/core/store"
import type { Statement } from "../connection/Connection.ts"

/** As a scalar of any statement. */
export const aheadText = "coalesce((select t.ahead_millis from countersign.business_time t), 0)"

export const aheadStatement: Statement = { text: `select ${aheadText}::text`, values: [] }

/** Answers how far ahead it is, or no row where somebody else moves it. */
export const moveStatement = ({ aheadMillis, heldUntil, mover, wallNow }: ClockChange): Statement => ({
  text: `insert into countersign.business_time as t (ahead_millis, mover, held_until) values ($1::bigint, $2, $3::bigint)
    on conflict (one) do update set ahead_millis = greatest(t.ahead_millis, excluded.ahead_millis), mover = excluded.mover,
      held_until = excluded.held_until where t.mover = excluded.mover or t.held_until <= $4::bigint
    returning t.ahead_millis::text`,
  values: [aheadMillis, mover, heldUntil, wallNow],
})

/** What this process has heard. */
export interface Heard {
  readonly aheadMillis: () => number
  /** Answers of several reads may arrive in another order: time goes forward only. */
  readonly hear: (aheadMillis: number) => void
}

/** `onMove`: what was not due before may be now. */
export const make = (onMove: () => void = () => undefined): Heard => {
  let ahead = 0
  return {
    aheadMillis: () => ahead,
    hear: (aheadMillis) => {
      if (aheadMillis <= ahead) return
      ahead = aheadMillis
      onMove()
    },
  }
}
