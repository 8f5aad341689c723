/**
 * The offset of business time from wall time: stored in one row, and learned by each process from reads that it makes anyway.
 * Source: ports/Store.ts (aheadMillis, moveTime); D-102.
 */
import type { ClockChange } from "@countersign/core/store"
import type { Statement } from "../connection/Connection.ts"

/** Reads the offset in milliseconds. */
export const aheadStatement: Statement = {
  text: "select coalesce((select clock.ahead_millis from countersign.business_time as clock), 0)::text",
  values: [],
}

/** Moves business time and returns the offset; returns no row while another process may move it. */
export const moveStatement = ({ aheadMillis, heldUntil, mover, wallNow }: ClockChange): Statement => ({
  text: `insert into countersign.business_time as t (ahead_millis, mover, held_until) values ($1::bigint, $2, $3::bigint)
    on conflict (one) do update set ahead_millis = greatest(t.ahead_millis, excluded.ahead_millis), mover = excluded.mover,
      held_until = excluded.held_until where t.mover = excluded.mover or t.held_until <= $4::bigint
    returning t.ahead_millis::text`,
  values: [aheadMillis, mover, heldUntil, wallNow],
})

/** The offset that this process has learned. */
export interface ClockOffset {
  readonly aheadMillis: () => number
  /** Raises the offset. A smaller one is ignored: reads may be answered out of order, and time only moves forward. */
  readonly update: (aheadMillis: number) => void
  /** Takes the offset of another state, which may be smaller. */
  readonly replace: (aheadMillis: number) => void
}

/** Starts at zero. `onMove` is called after each move, because jobs may have become due. */
export const make = (onMove: () => void = () => undefined): ClockOffset => {
  let ahead = 0
  return {
    aheadMillis: () => ahead,
    update: (aheadMillis) => {
      if (aheadMillis <= ahead) return
      ahead = aheadMillis
      onMove()
    },
    replace: (aheadMillis) => {
      ahead = aheadMillis
      onMove()
    },
  }
}
