/**
 * A rail is instructed once. When an earlier attempt may have instructed it, it is asked first, and instructed only if it received nothing.
 * Source: architecture, "Jobs, external calls and time"; D-321.
 */
import { Effect } from "effect"
import type { RailInstruction, RailOutcome, Rails } from "../../ports/Rails.ts"

/** `isFirst`: no earlier attempt can have instructed the rail. */
export const instructOnce = Effect.fnUntraced(function* (
  rails: Rails["Service"],
  instruction: RailInstruction,
  isFirst: boolean,
) {
  if (!isFirst) {
    const known = yield* rails.inquire(instruction)
    if (known._tag !== "NotReceived") return known
  }
  const outcome: RailOutcome =
    instruction._tag === "Push" ? yield* rails.push(instruction.request) : yield* rails.pull(instruction.request)
  return outcome
})
