/** For random policies, updates and actions, a comparison predicts what happens after the update and explains what has happened. D-475, D-476. */
import { Agents } from "@countersign/core"
import type { AgentActionResource, AgentPolicy, AgentPolicyComparison } from "@countersign/core/models"
import { Effect, Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type AgentWorld, agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { fund } from "../../../packages/test/src/harness/TransferCalls.ts"
import { approve } from "./AgentSteps.ts"
import {
  compare,
  expectRowsToDecide,
  expectToBe,
  type Move,
  state,
  submitMove,
  type Update,
} from "./ComparisonSteps.ts"

const currency = fc.constantFrom("USD" as const, "EUR" as const)
const limits = fc.record(
  {
    currency,
    perTransactionLimit: fc.integer({ min: 300, max: 3000 }),
    dailyLimit: fc.option(fc.integer({ min: 1, max: 3000 })),
    monthlyLimit: fc.option(fc.integer({ min: 1, max: 3000 })),
    dailyTransactionLimit: fc.integer({ min: 1, max: 4 }),
  },
  { requiredKeys: ["currency", "perTransactionLimit"] },
)
const members = {
  permissions: fc.constantFrom<AgentPolicy["permissions"]>(["CREATE_TRANSFERS"], ["CREATE_TRANSFERS"], []),
  defaultExecutionMode: fc.constantFrom("AUTO", "AUTO", "APPROVAL_REQUIRED"),
  approvalThresholds: fc.record({ currency, amount: fc.option(fc.integer({ min: 300, max: 2000 }), { nil: null }) }),
} as const
const present = fc.record({
  ...members,
  permissions: fc.constant(["CREATE_TRANSFERS"] as const),
  spendingLimits: limits,
})
const accountMode = fc.constantFrom("AUTO" as const, "APPROVAL_REQUIRED" as const)
/** The accounts of an update: `own` is the agent's account, anything else a stranger's, which both must refuse alike. */
const restricted = fc.record({
  isOwn: fc.boolean(),
  mode: accountMode,
  limit: fc.option(fc.integer({ min: 1, max: 2000 })),
})
const proposed = fc.tuple(
  fc.record({ ...members, spendingLimits: limits }, { requiredKeys: [] }),
  fc.option(restricted, { freq: 2 }),
)
const move = fc.tuple(
  fc.constantFrom("TRANSFER_IN" as const, "TRANSFER_OUT" as const),
  fc.integer({ min: -1, max: 2500 }),
)
const past = fc.array(fc.tuple(move, fc.boolean()), { maxLength: 5 })
const next = fc.array(move, { minLength: 1, maxLength: 3 })

const stranger = "InternalAccount:00000000-0000-7000-8000-00000000dead"
const updateOf = (
  pay: AgentWorld,
  [update, restrictions]: typeof proposed extends fc.Arbitrary<infer A> ? A : never,
) => {
  if (restrictions === null) return update as Update
  const { isOwn, limit, mode } = restrictions
  const rule = { accountId: isOwn ? pay.accountId : stranger, executionMode: mode, perTransactionLimit: limit }
  return { ...update, accountRestrictions: { accountRules: [rule] } } as Update
}

/** The agent's world at this moment, which a submission in it does not change. */
const forkOf = async (pay: AgentWorld): Promise<AgentWorld> => {
  const { accessToken, accountId, agent, agentId, customerId, sources } = pay
  return Object.assign(await pay.fork(), { accessToken, accountId, agent, agentId, customerId, sources })
}

/** Submits the moves, of which some are approved when they are held. Returns what each that was not refused was answered. */
const submitAll = async (pay: AgentWorld, moves: ReadonlyArray<readonly [Move, boolean]>) => {
  const answered: Array<AgentActionResource> = []
  for (const [each, isApproved] of moves) {
    await pay.clock.advance("1 second")
    const done = await submitMove(pay, each)
    await pay.settle()
    if (Result.isFailure(done)) continue
    answered.push(done.success.body)
    if (isApproved && done.success.body.status === "PENDING_APPROVAL") await approve(pay, done.success.body.id)
    await pay.settle()
  }
  return answered
}

/** Asserts that the present policy decides on each recent action as it did when the action was submitted. */
const expectPast = (recent: AgentPolicyComparison["recent"], answered: ReadonlyArray<AgentActionResource>) => {
  expect(recent.map(({ actionId }) => actionId)).toEqual(answered.map(({ id }) => id).toReversed())
  for (const [at, submitted] of answered.toReversed().entries()) {
    const { asOf, createdAt, present: again } = recent[at] ?? {}
    if (again === undefined) throw new Error("the action is not compared")
    expectRowsToDecide(again)
    expect([asOf, createdAt]).toEqual([submitted.createdAt, submitted.createdAt])
    // Missing funds fail an action that the policy allows.
    const expected = submitted.status === "FAILED" ? ["APPROVED", undefined] : [submitted.status, submitted.details]
    expect([again.outcome, again.details]).toEqual(expected)
  }
}

const failureOf = <A, E extends { readonly _tag: string; readonly message: string }>(result: Result.Result<A, E>) => {
  if (Result.isSuccess(result)) return "success"
  const { code, details, message, status } = Object(result.failure)
  return { code, details, message, status }
}

/** One history with each outcome: executed, held, refused, and failed for missing funds. */
const everyOutcome = {
  spendingLimits: { currency: "USD", perTransactionLimit: 3000 },
  defaultExecutionMode: "AUTO",
  approvalThresholds: { currency: "USD", amount: 500 },
} as const

describe("a comparison of policies", () => {
  it("predicts the update and every submission under both policies, explains the past, and writes nothing", async () => {
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(present, past, proposed, next, async (before, moves, wanted, coming) => {
        await using pay = await agentWorld(before)
        await fund(pay, 700)
        await pay.settle()
        const answered = await submitAll(pay, moves)
        const unchanged = await state(pay)
        const update = updateOf(pay, wanted)
        const compared = await compare(pay, update, coming, 100)
        expect(await state(pay)).toEqual(unchanged)
        await using changed = await forkOf(pay)
        const updated = await changed.run(
          Effect.result(Agents.use((agents) => agents.updatePolicy(pay.agentId, update))),
        )
        if (Result.isFailure(updated) || Result.isFailure(compared)) {
          expect(failureOf(compared)).toEqual(failureOf(updated))
          seen.add("update refused")
          return
        }
        const { actions, present: now, proposed: after, recent } = compared.success
        expect(now).toEqual({ policy: unchanged.agent.policy, usage: unchanged.agent.usage })
        expect(after).toEqual({ policy: updated.success.body.policy, usage: updated.success.body.usage })
        expectPast(recent, answered)
        for (const [at, each] of coming.entries()) {
          const { present: today, proposed: then } = actions[at] ?? {}
          if (today === undefined || then === undefined) throw new Error("the action is not compared")
          for (const [origin, evaluation] of [
            [pay, today],
            [changed, then],
          ] as const) {
            await using fork = await forkOf(origin)
            expectToBe(evaluation, await submitMove(fork, each))
            seen.add(evaluation.outcome)
          }
        }
      }),
      {
        numRuns: 50,
        examples: [
          [
            { ...everyOutcome, permissions: ["CREATE_TRANSFERS"] },
            [[["TRANSFER_IN", 600], true]],
            [{ defaultExecutionMode: "AUTO" }, null],
            [
              ["TRANSFER_IN", 100],
              ["TRANSFER_IN", 600],
              ["TRANSFER_IN", 3001],
            ],
          ],
          [
            {
              ...everyOutcome,
              approvalThresholds: { currency: "USD", amount: null },
              permissions: ["CREATE_TRANSFERS"],
            },
            [[["TRANSFER_OUT", 700], true]],
            [{}, null],
            [["TRANSFER_OUT", 700]],
          ],
          [
            { ...everyOutcome, permissions: ["CREATE_TRANSFERS"] },
            [],
            [{}, { isOwn: false, mode: "AUTO", limit: null }],
            [["TRANSFER_IN", 1]],
          ],
        ],
      },
    )
    expect([...seen].toSorted()).toEqual(["APPROVED", "FAILED", "PENDING_APPROVAL", "REFUSED", "update refused"])
  }, 180_000)
})
