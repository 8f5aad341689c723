/** The commands of a history of transfers, and how each is run against the services. */
import { ExternalAccounts, ServiceError } from "@countersign/core"
import fc from "fast-check"
import { expect } from "vitest"
import type { AgentWorld } from "../harness/AgentWorld.ts"
import { cancel, fund, pullFrom, pushTo, report } from "../harness/PayWorld.ts"
import type { TransferAuditor } from "./TransferAuditor.ts"

export const suffixes = ["000", "002", "003", "004", "005"]

/** What succeeds, and what waits to be called back, more often than the ways to fail. */
const suffix = fc.constantFrom("000", "000", "000", "005", "005", ...suffixes)

const rails = ["ACH", "WIRE", "ACH", "RTP"] as const

const transfer = fc.oneof(
  fc.record({
    _tag: fc.constant("In" as const),
    suffix,
    amount: fc.integer({ min: 0, max: 2000 }),
  }),
  fc.record({
    _tag: fc.constant("Out" as const),
    suffix,
    /** `undefined`: the whole balance. */
    amount: fc.option(fc.integer({ min: 0, max: 2000 }), { nil: undefined, freq: 2 }),
    paymentRail: fc.constantFrom(...rails),
  }),
)

/** Mostly the latest ones: what is done to a transfer soon after it began meets it under way. */
const index = fc.oneof({ weight: 4, arbitrary: fc.nat({ max: 3 }) }, { weight: 1, arbitrary: fc.nat({ max: 40 }) })
const touch = fc.oneof(
  fc.record({ _tag: fc.constant("Cancel" as const), index }),
  fc.record({ _tag: fc.constant("Return" as const), index }),
  fc.record({ _tag: fc.constant("Report" as const), index, isDone: fc.boolean() }),
)

/** An external account stops being usable, or is usable again. */
const turn = fc.record({
  _tag: fc.constant("Turn" as const),
  suffix,
  status: fc.constantFrom("ACTIVE", "ACTIVE", "INACTIVE", "UNDER_REVIEW"),
})

type Move = typeof transfer extends fc.Arbitrary<infer A> ? A : never
type Touch = typeof touch extends fc.Arbitrary<infer A> ? A : never
type Turn = typeof turn extends fc.Arbitrary<infer A> ? A : never

export type Command =
  | { readonly _tag: "All"; readonly parts: ReadonlyArray<Move | Touch | Turn> }
  | { readonly _tag: "Fund"; readonly amount: number }
  | { readonly _tag: "Advance"; readonly seconds: number }
  | { readonly _tag: "Settle" }

/** Several at once, a fund, time, or work. */
export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      _tag: fc.constant("All" as const),
      parts: fc.array(
        fc.oneof({ weight: 6, arbitrary: transfer }, { weight: 4, arbitrary: touch }, { weight: 1, arbitrary: turn }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ _tag: fc.constant("Fund" as const), amount: fc.integer({ min: 1, max: 3000 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constant("Advance" as const),
      seconds: fc.constantFrom(0.4, 0.4, 1, 29, 31, 3600),
    }),
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Settle" as const) }) },
)

/** What a caller may be refused with, whatever it tries. */
const expected = [
  "INVALID_AMOUNT",
  "INVALID_INPUT",
  "INVALID_BANK_ACCOUNT",
  "INVALID_STATE_TRANSITION",
  "TRANSACTION_NOT_CANCELLABLE",
]

const orRefused = async (attempt: () => Promise<unknown>): Promise<void> => {
  try {
    await attempt()
  } catch (failure) {
    if (!(failure instanceof ServiceError)) throw failure
    expect(expected).toContain(failure.code)
  }
}

const touched = async (world: AgentWorld, id: string | undefined, part: Touch): Promise<void> => {
  if (id === undefined) return
  if (part._tag === "Cancel") await orRefused(() => cancel(world, id))
  else if (part._tag === "Return") await report(world, id, { _tag: "Returned" })
  else await report(world, id, part.isDone ? { _tag: "Done" } : { _tag: "Refused", reason: "BANK_REJECTED" })
}

const turned = (world: AgentWorld, { status, suffix }: Turn): Promise<void> =>
  orRefused(() =>
    world.run(ExternalAccounts.use((accounts) => accounts.setStatus(world.sources[suffix] ?? "", status))),
  )

const ran = (world: AgentWorld, auditor: TransferAuditor, part: Move | Touch | Turn): Promise<void> => {
  switch (part._tag) {
    case "In":
      return orRefused(async () => auditor.began(await pullFrom(world, part.suffix, part.amount)))
    case "Out": {
      const { amount, paymentRail, suffix } = part
      const terms = { paymentRail, ...(amount === undefined ? {} : { amount }) }
      return orRefused(async () => auditor.began(await pushTo(world, suffix, terms)))
    }
    case "Turn":
      return turned(world, part)
    default:
      return touched(world, auditor.at(part.index), part)
  }
}

/** Runs one command; the parts of one run all at once. */
export const run = async (step: Command, world: AgentWorld, auditor: TransferAuditor): Promise<void> => {
  switch (step._tag) {
    case "All":
      await Promise.all(step.parts.map((part) => ran(world, auditor, part)))
      return
    case "Fund":
      await fund(world, step.amount)
      auditor.funded(step.amount)
      return
    case "Advance":
      await world.clock.advance(`${step.seconds} seconds`)
      return
    case "Settle":
      await world.settle()
  }
}
