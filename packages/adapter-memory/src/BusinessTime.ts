/**
 * The offset of business time from wall time, and the process that moves it.
 * Source: ports/Store.ts (moveTime); D-100, D-102.
 */
import type { ClockChange } from "@countersign/core/store"

export interface BusinessTime {
  readonly aheadMillis: number
  readonly mover: string
  /** Until this wall time (ms) only the mover may move it. */
  readonly heldUntil: number
}

export const empty: BusinessTime = { aheadMillis: 0, mover: "", heldUntil: 0 }

/** Moves the offset forward, never back; `undefined` while another process may move it. */
export const move = (time: BusinessTime, { aheadMillis, heldUntil, mover, wallNow }: ClockChange) =>
  time.mover === mover || time.heldUntil <= wallNow
    ? { aheadMillis: Math.max(time.aheadMillis, aheadMillis), mover, heldUntil }
    : undefined
