/**
 * Payment rails that answer by the suffix of the account's main identifier. They keep no state: the answer follows from
 * the request and the clock, so that asking again gives the same one.
 * Spec: 4.6 Sandbox endpoints and magic values; wire contract 5.6 and 7.3.
 */
import { Clock, Effect, Layer } from "effect"
import { hasBankRail, mainIdentifier } from "../account/AccountReach.ts"
import * as Suffix from "../kit/Suffix.ts"
import { type PullInspection, type PullRequest, type RailOutcome, Rails } from "../ports/Rails.ts"
import { TransferSuffixes } from "./TransferSuffixes.ts"

/** What every account is said to hold, in the smallest unit: the amount of a transfer-in that names none. */
export const reportedAmount = 10_000

const done: RailOutcome = { _tag: "Done" }
const pullable: PullInspection = { pullable: true, reported: reportedAmount, funds: "unknown" }
const notPullable: PullInspection = { pullable: false, funds: "unknown" }

const pull = Effect.fnUntraced(function* ({ source, submittedAt }: PullRequest) {
  const behaviour = TransferSuffixes.find(Suffix.of(mainIdentifier(source.accountInfo) ?? ""))
  if (behaviour === undefined) return done
  const at = submittedAt + behaviour.delayMillis
  const isOpen = behaviour.delayMillis > 0 && (yield* Clock.currentTimeMillis) < at
  const outcome: RailOutcome = isOpen ? { _tag: "Later", at } : { _tag: "Refused", reason: behaviour.refusal }
  return outcome
})

export const layer: Layer.Layer<Rails> = Layer.succeed(Rails, {
  inspectPull: ({ accountInfo }) => Effect.succeed(hasBankRail(accountInfo) ? pullable : notPullable),
  pull,
})
