/** A bank that remembers its instructions, and the same bank with one fault. */
import { type RailInstruction, type RailOutcome, Rails } from "@countersign/core/ports"
import { Clock, Effect, Layer } from "effect"

export const bankFaults = [
  "forgets what it has executed",
  "looks for a repetition before it waits for its own bank",
  "takes equal amounts for repetitions",
  "executes by inquiry",
  "has never received anything",
  "has received everything",
  "names times by the system's clock",
  "names times in seconds",
  "refuses a repetition",
  "executes what it refuses",
  "answers before it executes, and never does",
  "changes its mind after a day",
  "cancels what it has delivered",
  "delivers what it has cancelled",
  "refuses to cancel again",
  "pulls to see whether it can",
  "pays back when asked",
  "throws",
] as const
export type BankFault = (typeof bankFaults)[number]

interface Entry {
  readonly outcome: RailOutcome
  readonly at: number
  readonly isCancelled?: boolean
}

/** The last digits of the amount decide: 1 is refused, 2 takes half a minute, 3 is accepted and its answer lost, 4 never arrives. */
const kindOf = (amount: number) => amount % 10

const delayMillis = 30_000
const dayMillis = 24 * 60 * 60 * 1000

export const faultyBank = (fault?: BankFault) => {
  let executed = 0
  const entries = new Map<string, Entry>()
  const amounts = new Set<number>()
  const keyOf = ({ request: { amount, reference } }: RailInstruction) =>
    fault === "takes equal amounts for repetitions" ? String(amount) : reference

  const outcomeOf = ({ at, isCancelled = false, outcome }: Entry, now: number): RailOutcome => {
    if (isCancelled && fault !== "delivers what it has cancelled") return { _tag: "Cancelled" }
    if (outcome._tag !== "Later") {
      const isOld = fault === "changes its mind after a day" && now >= at + dayMillis
      return isOld && outcome._tag === "Done" ? { _tag: "Refused", reason: "BANK_REJECTED" } : outcome
    }
    if (now >= at + delayMillis) return { _tag: "Done" }
    if (fault === "names times by the system's clock") return { _tag: "Later", at: Date.now() + delayMillis }
    return { _tag: "Later", at: fault === "names times in seconds" ? (at + delayMillis) / 1000 : at + delayMillis }
  }

  const decide = (amount: number): RailOutcome => {
    if (kindOf(amount) === 1) return { _tag: "Refused", reason: "BANK_REJECTED" }
    return kindOf(amount) === 2 ? { _tag: "Later", at: 0 } : { _tag: "Done" }
  }

  const execute = Effect.fnUntraced(function* (asked: RailInstruction) {
    const { amount } = asked.request
    const now = yield* Clock.currentTimeMillis
    const key = keyOf(asked)
    const known = fault === "forgets what it has executed" ? undefined : entries.get(key)
    if (fault === "looks for a repetition before it waits for its own bank") yield* Effect.yieldNow
    if (fault === "throws") return yield* Effect.die(new Error("no connection"))
    if (known !== undefined) {
      const refused: RailOutcome = { _tag: "Refused", reason: "BANK_REJECTED" }
      return fault === "refuses a repetition" ? refused : outcomeOf(known, now)
    }
    const lost: RailOutcome = { _tag: "Unknown", cause: "no answer" }
    if (kindOf(amount) === 4) return lost
    const outcome = decide(amount)
    entries.set(key, { outcome, at: now })
    amounts.add(amount)
    if (outcome._tag !== "Refused" && fault !== "answers before it executes, and never does") executed += 1
    if (outcome._tag === "Refused" && fault === "executes what it refuses") executed += 1
    return kindOf(amount) === 3 ? lost : outcomeOf({ outcome, at: now }, now)
  })

  const inquire = Effect.fnUntraced(function* (asked: RailInstruction) {
    if (fault === "executes by inquiry") executed += 1
    const known = entries.get(keyOf(asked))
    if (fault === "has received everything" && known === undefined) return { _tag: "Done" } as const
    if (known === undefined || fault === "has never received anything") return { _tag: "NotReceived" } as const
    return outcomeOf(known, yield* Clock.currentTimeMillis)
  })

  const layer = Layer.succeed(Rails, {
    inspectPull: () => {
      if (fault === "pulls to see whether it can") executed += 1
      return Effect.succeed({ pullable: true, funds: "unknown" })
    },
    pull: (request) => execute({ _tag: "Pull", request }),
    push: (request) => execute({ _tag: "Push", request }),
    inquire,
    refund: () => {
      if (fault === "pays back when asked") executed += 1
      return Effect.succeed({ _tag: "Done" })
    },
    cancel: Effect.fnUntraced(function* ({ reference }) {
      const now = yield* Clock.currentTimeMillis
      const known = entries.get(reference)
      const tooLate: RailOutcome = { _tag: "Refused", reason: "BANK_REJECTED" }
      if (known === undefined) return tooLate
      if (known.isCancelled) return fault === "refuses to cancel again" ? tooLate : { _tag: "Done" as const }
      const isOpen = known.outcome._tag === "Later" && now < known.at + delayMillis
      if (!isOpen && fault !== "cancels what it has delivered") return tooLate
      entries.set(reference, { ...known, isCancelled: true })
      return { _tag: "Done" as const }
    }),
  })
  return { layer, executed: Effect.sync(() => executed) }
}
