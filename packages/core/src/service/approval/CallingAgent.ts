/**
 * The agent that calls, for operations that only an agent's transport offers.
 * Source: wire contract 1.1.
 */
import { Effect } from "effect"
import { CurrentCaller } from "../../store/Caller.ts"

/** Returns the calling agent. Another caller is a defect, because the handlers of these operations admit agents only. */
export const callingAgent = Effect.gen(function* () {
  const caller = yield* CurrentCaller
  return caller._tag === "Agent" ? caller : yield* Effect.die(new Error("the caller must be an agent"))
})
