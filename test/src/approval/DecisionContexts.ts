/** Contexts of decisions in tests: identifiers that count up, and the platform as the caller. */
import { tenant } from "@countersign/core"
import type { DecisionContext } from "../../../packages/core/src/decision/Decision.ts"

/** The context of a decision at this business time (ms). */
export const contextAt = (now: number, more: Partial<DecisionContext> = {}): DecisionContext => {
  let count = 0
  const ids = (type: string) => `${type}:${++count}`
  return { now, ids, caller: tenant("Platform:1"), requestId: undefined, rejections: [], ...more }
}
