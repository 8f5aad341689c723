/**
 * How far business time is ahead of wall time, and who moves it.
 * Source: ports/Store.ts (moveTime); D-100, D-102.
 */
import type { ClockChange } from "@countersign/core/store"

export interface BusinessTime {
  readonly aheadMillis: number
  readonly mover: string
  /** Wall time (ms) until which nobody but the mover moves it. */
  readonly heldUntil: number
}

export const empty: BusinessTime = { aheadMillis: 0, mover: "", heldUntil: 0 }

/** Moved forward, never back; `undefined`: somebody else moves it. */
export const moved = (time: BusinessTime, { aheadMillis, heldUntil, mover, wallNow }: ClockChange) =>
  time.mover === mover || time.heldUntil <= wallNow
    ? { aheadMillis: Math.max(time.aheadMillis, aheadMillis), mover, heldUntil }
    : undefined
