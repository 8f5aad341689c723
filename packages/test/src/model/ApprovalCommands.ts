/** Generates the commands of a history of several agents and approvers, and runs them. A `Storm` runs its parts concurrently. */
import { AgentActions, Agents, InternalAccounts, type Keyed } from "@countersign/core"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import type { ApprovalAuditor } from "./ApprovalAuditor.ts"
import { type ApprovalWorld, suffixes } from "./ApprovalWorld.ts"

const process = fc.nat({ max: 1 })
const agent = fc.nat({ max: 2 })
/** Mostly the latest actions, so that approvers decide the same one concurrently. */
const index = fc.oneof({ weight: 4, arbitrary: fc.nat({ max: 3 }) }, { weight: 1, arbitrary: fc.nat({ max: 40 }) })
const limit = fc.option(fc.integer({ min: 500, max: 6000 }))

const part = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      _tag: fc.constant("Submit" as const),
      process,
      agent,
      isOut: fc.boolean(),
      suffix: fc.constantFrom("000", "000", "000", ...suffixes),
      amount: fc.oneof(fc.integer({ min: 1, max: 2500 }), fc.constantFrom(1000, 1001, 2000, 2001)),
      key: fc.option(fc.integer({ min: 0, max: 2 }), { freq: 3 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ _tag: fc.constant("Decide" as const), process, index, isApproved: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ _tag: fc.constant("Pause" as const), process, agent, isPaused: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("Policy" as const),
      process,
      agent,
      mode: fc.constantFrom("AUTO" as const, "AUTO" as const, "APPROVAL_REQUIRED" as const),
      threshold: limit,
      dailyLimit: limit,
      monthlyLimit: limit,
      dailyTransactionLimit: fc.integer({ min: 2, max: 9 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Tick" as const), process, millis: fc.nat({ max: 1500 }) }) },
)
/** A call that a storm makes at the same time as others. */
export type Part = typeof part extends fc.Arbitrary<infer A> ? A : never

/** Concurrent submissions and approvals of one agent: each is within its budgets, together they exceed them. */
const burst: fc.Arbitrary<ReadonlyArray<Part>> = fc
  .tuple(agent, fc.integer({ min: 300, max: 1300 }), fc.boolean(), fc.integer({ min: 3, max: 6 }), fc.nat({ max: 3 }))
  .map(([of, amount, isOut, submissions, approvals]) => [
    ...Array.from({ length: submissions }, (_, n) => {
      return { _tag: "Submit" as const, process: n % 2, agent: of, isOut, suffix: "000" as const, amount, key: null }
    }),
    ...Array.from({ length: approvals }, (_, n) => {
      return { _tag: "Decide" as const, process: n % 2, index: n, isApproved: true }
    }),
  ])

/** A step of a history of several agents. `process` numbers the process that takes it. */
export type Command =
  | { readonly _tag: "Storm"; readonly parts: ReadonlyArray<Part> }
  /** Advances to the last half second of a day or a month. */
  | { readonly _tag: "Edge"; readonly isMonth: boolean }
  | { readonly _tag: "Advance"; readonly millis: number }
  | { readonly _tag: "Settle"; readonly process: number }
  | { readonly _tag: "Fund"; readonly customer: number; readonly amount: number }

/** Generates a step, of which most are storms. */
export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      _tag: fc.constant("Storm" as const),
      parts: fc.oneof(fc.array(part, { minLength: 1, maxLength: 7, size: "max" }), burst),
    }),
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Edge" as const), isMonth: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("Advance" as const),
      millis: fc.constantFrom(500, 1000, 3_600_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Settle" as const), process }) },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("Fund" as const),
      customer: fc.nat({ max: 1 }),
      amount: fc.integer({ min: 1, max: 4000 }),
    }),
  },
)

const submitted = async (world: ApprovalWorld, auditor: ApprovalAuditor, asked: Extract<Part, { _tag: "Submit" }>) => {
  const { amount, isOut, key, process: of, suffix } = asked
  const acting = world.agents[asked.agent]
  if (acting === undefined) return
  const outside = acting.customer.sources[suffix] ?? ""
  const inside = acting.customer.accountId
  const body = { amount, suffix }
  const path = `/agents/me/transfer-${isOut ? "out" : "in"}`
  const keyed: Keyed | undefined = key === null ? undefined : { key: `key-${key}`, method: "POST", path, body }
  const result = await world
    .process(of)
    .run(
      Effect.result(
        AgentActions.use((actions) =>
          isOut
            ? actions.submitTransferOut({ sourceAccountId: inside, destinationAccountId: outside, amount }, keyed)
            : actions.submitTransferIn({ sourceAccountId: outside, destinationAccountId: inside, amount }, keyed),
        ),
      ),
      acting.caller,
    )
  auditor.submitted(acting, keyed && { key: `${path} ${keyed.key}`, body: JSON.stringify(body) }, result)
}

const decided = async (world: ApprovalWorld, auditor: ApprovalAuditor, asked: Extract<Part, { _tag: "Decide" }>) => {
  const known = auditor.actionAt(asked.index)
  if (known === undefined) return
  const result = await world
    .process(asked.process)
    .run(
      Effect.result(
        AgentActions.use((actions) =>
          asked.isApproved
            ? actions.approve(known.agentId, known.id)
            : actions.reject(known.agentId, known.id, "not today"),
        ),
      ),
    )
  auditor.decided(known.id, result)
}

const ran = async (world: ApprovalWorld, auditor: ApprovalAuditor, asked: Part): Promise<void> => {
  const at = world.process(asked.process)
  switch (asked._tag) {
    case "Submit":
      return submitted(world, auditor, asked)
    case "Decide":
      return decided(world, auditor, asked)
    case "Tick":
      return at.run(TestClock.adjust(`${asked.millis} millis`))
    default: {
      const agentId = world.agents[asked.agent]?.agentId ?? ""
      if (asked._tag === "Pause") {
        await at.run(Agents.use((agents) => agents.update(agentId, { isPaused: asked.isPaused })))
        return
      }
      const { dailyLimit, dailyTransactionLimit, mode, monthlyLimit, threshold } = asked
      const changed = await at.run(
        Agents.use((agents) =>
          agents.updatePolicy(agentId, {
            defaultExecutionMode: mode,
            spendingLimits: { dailyLimit, monthlyLimit, dailyTransactionLimit },
            approvalThresholds: { currency: "USD", amount: threshold },
          }),
        ),
      )
      auditor.limited(agentId, changed.body.policy)
    }
  }
}

const dayMillis = 86_400_000

/** Returns the time half a second before the next UTC day or month. */
const edgeAfter = (now: number, isMonth: boolean): number => {
  const date = new Date(now)
  const next = isMonth
    ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
    : Math.floor(now / dayMillis) * dayMillis + dayMillis
  return Math.max(now, next - 500)
}

/** Runs a step against the services, and reports to the auditor what it has to count. */
export const run = async (step: Command, world: ApprovalWorld, auditor: ApprovalAuditor): Promise<void> => {
  const [first] = world.processes
  switch (step._tag) {
    case "Storm":
      await Promise.all(step.parts.map((each) => ran(world, auditor, each)))
      await world.synchronizeClocks()
      return
    case "Edge": {
      const now = await first.clock.now()
      await world.advance(edgeAfter(now, step.isMonth) - now)
      return
    }
    case "Advance":
      await world.advance(step.millis)
      return
    case "Settle":
      await world.process(step.process).settle()
      return
    case "Fund": {
      const accountId = world.customers[step.customer]?.accountId ?? ""
      await first.run(InternalAccounts.use((accounts) => accounts.fund(accountId, step.amount)))
      auditor.funded(accountId, step.amount)
    }
  }
}
