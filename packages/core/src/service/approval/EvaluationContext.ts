/**
 * The context of decisions that are not committed.
 * Source: D-212, D-475.
 */
import { Clock, Effect } from "effect"
import type { DecisionContext } from "../../decision/Decision.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import { idsMax } from "../quote/QuoteCreationSteps.ts"

/** Returns a function that makes the context of one decision. No decision is committed, so that all use the same identifiers. */
export const evaluationContexts = Effect.gen(function* () {
  const pool = yield* IdPool.make(idsMax)
  const now = yield* Clock.currentTimeMillis
  const caller = yield* CurrentCaller
  return (): DecisionContext => ({ now, ids: pool.source(), caller, requestId: undefined, rejections: [] })
})
