/**
 * Compares the service over HTTP with the model: every response, every action's state and the usage must be as predicted. A
 * failing history prints the curl commands that replay it.
 */

import { asCurl } from "@countersign/client/tape"
import fc from "fast-check"
import { search } from "../arbitraries/Search.ts"
import { agentHarness } from "../harness/AgentHarness.ts"
import type { AgentParts } from "../harness/AgentWorld.ts"
import { expect } from "../harness/Expect.ts"
import type { Harness } from "../harness/Harness.ts"
import { AgentModel, type ModelPolicy, type Predicted } from "./AgentModel.ts"
import type { HistoryOptions } from "./HistoryOptions.ts"

type Pay = Harness & AgentParts

const usual: ModelPolicy = {
  permissions: ["CREATE_TRANSFERS", "VIEW_TRANSACTIONS"],
  defaultExecutionMode: "AUTO",
  perTransactionLimit: 2000,
  dailyLimit: 5000,
  monthlyLimit: 9000,
  dailyTransactionLimit: 5,
  threshold: 1000,
}

const wirePolicy = ({ defaultExecutionMode, permissions, threshold, ...spendingLimits }: Partial<ModelPolicy>) => ({
  ...(permissions === undefined ? {} : { permissions }),
  ...(defaultExecutionMode === undefined ? {} : { defaultExecutionMode }),
  ...(threshold === undefined ? {} : { approvalThresholds: { currency: "USD", amount: threshold } }),
  ...(Object.keys(spendingLimits).length === 0 ? {} : { spendingLimits }),
})

const limit = fc.option(fc.integer({ min: 1, max: 9000 }))
const change: fc.Arbitrary<Partial<ModelPolicy>> = fc
  .record(
    {
      permissions: fc.constantFrom(["CREATE_TRANSFERS", "VIEW_TRANSACTIONS"], ["VIEW_TRANSACTIONS"]),
      defaultExecutionMode: fc.constantFrom("AUTO" as const, "AUTO" as const, "APPROVAL_REQUIRED" as const),
      perTransactionLimit: fc.integer({ min: 500, max: 3000 }),
      dailyLimit: limit,
      monthlyLimit: limit,
      dailyTransactionLimit: fc.integer({ min: 1, max: 8 }),
      threshold: fc.option(fc.integer({ min: 1, max: 2500 })),
    },
    { requiredKeys: [] },
  )
  .filter((fields) => Object.keys(fields).length > 0)

const index = fc.nat({ max: 12 })
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      _tag: fc.constant("Submit" as const),
      amount: fc.oneof(fc.integer({ min: 1, max: 2500 }), fc.constantFrom(-1, 0, 1, 999, 1000, 1001, 2000, 2001)),
      suffix: fc.constantFrom("000", "000", "002", "003", "004", "005"),
    }),
  },
  { weight: 4, arbitrary: fc.record({ _tag: fc.constant("Approve" as const), index }) },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Reject" as const), index }) },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Pause" as const), isPaused: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Change" as const), change }) },
  {
    weight: 3,
    arbitrary: fc.record({
      _tag: fc.constant("Advance" as const),
      seconds: fc.constantFrom(1, 29, 31, 3600, 43_200, 86_400, 8 * 86_400),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

/** Converts the service's response to the form of the model. */
const observed = (
  ids: Array<string>,
  { body, status }: { readonly status: number; readonly body: unknown },
): Predicted => {
  const { code, id, status: state } = body as { readonly code?: string; readonly id?: string; readonly status: string }
  if (code !== undefined || id === undefined) return { status, code: code ?? "" }
  if (!ids.includes(id)) ids.push(id)
  return { status, action: ids.indexOf(id), state } as Predicted
}

const play = async (pay: Pay, policy: ModelPolicy, steps: ReadonlyArray<Step>): Promise<void> => {
  const model = new AgentModel(policy)
  const ids: Array<string> = []
  const decide = async (verdict: "approve" | "reject", at: number) => {
    const actionId = ids[at] ?? "AgentAction:01a1fdfa-4600-7000-8000-000000000000"
    const now = await pay.clock.now()
    const answer = await pay.send("POST", `/agents/${pay.agentId}/actions/${actionId}/${verdict}`)
    expect(observed(ids, answer)).toEqual(verdict === "approve" ? model.approve(now, at) : model.reject(at))
  }
  for (const each of steps) {
    switch (each._tag) {
      case "Submit": {
        const now = await pay.clock.now()
        const answer = await pay.send("POST", "/agents/me/transfer-in", {
          as: { token: pay.accessToken },
          body: {
            source: { accountId: pay.sources[each.suffix] },
            destination: { accountId: pay.accountId },
            amount: each.amount,
          },
        })
        expect(observed(ids, answer)).toEqual(model.submit(now, each.amount, each.suffix))
        break
      }
      case "Approve":
        await decide("approve", each.index)
        break
      case "Reject":
        await decide("reject", each.index)
        break
      case "Pause":
        await pay.send("PATCH", `/agents/${pay.agentId}`, { body: { isPaused: each.isPaused } })
        model.pause(each.isPaused)
        break
      case "Change":
        expect(
          (await pay.send("PATCH", `/agents/${pay.agentId}/policy`, { body: wirePolicy(each.change) })).status,
        ).toBe(200)
        model.change(each.change)
        break
      case "Advance":
        await pay.clock.advance(`${each.seconds} seconds`)
    }
    await pay.settle()
    const now = await pay.clock.now()
    model.arrive(now)
    const { body } = await pay.send("GET", `/agents/${pay.agentId}`)
    expect((body as { readonly usage: unknown }).usage).toEqual(model.usage(now))
    const mine = await pay.call((client) => client.agentsMe.agentListActions({ query: { limit: 100 } }), {
      token: pay.accessToken,
    })
    const states = new Map(mine.data.map(({ id, status }) => [id, status]))
    expect(ids.map((id) => states.get(id))).toEqual(model.actions.map(({ status }) => status))
  }
}

/** The options of every history, and the policy that the service and the model begin with. */
export interface AgentPredictionOptions extends HistoryOptions {
  /** The initial policy of agent and model; the history changes both. */
  readonly policy?: ModelPolicy
}

/**
 * Returns the smallest history that the model predicts differently, with the requests that replay it; an empty list if none
 * exists.
 */
export const agentPredictions = ({ policy = usual, world: own, ...options }: AgentPredictionOptions = {}) =>
  search(
    fc.array(step, { minLength: 1, maxLength: 25, size: "max" }),
    async (steps) => {
      const { defaultExecutionMode, permissions, threshold, ...limits } = policy
      await using pay = await agentHarness(
        {
          permissions,
          defaultExecutionMode,
          spendingLimits: { currency: "USD", ...limits },
          approvalThresholds: { currency: "USD", amount: threshold },
        },
        { ...own, suffixes: ["000", "002", "003", "004", "005"], startsAt: "2026-12-29T20:00:00Z" },
      )
      try {
        await play(pay, policy, steps)
      } catch (error) {
        throw new Error(`${error instanceof Error ? error.message : error}\n\n${asCurl(pay.tape())}`, { cause: error })
      }
    },
    options,
  )
