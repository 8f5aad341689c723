/** Steps of the tests of policy comparisons: compare, submit, and assert that an evaluation is what happened. */
import { AgentActions, Agents, PolicyComparisons } from "@countersign/core"
import type { AgentPolicyEvaluation, AgentResource } from "@countersign/core/models"
import { Effect, Result } from "effect"
import { expect } from "vitest"
import type { AgentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { attempt, attemptOut } from "./AgentSteps.ts"

export type Update = Parameters<Agents["Service"]["updatePolicy"]>[1]
export type Move = readonly [type: "TRANSFER_IN" | "TRANSFER_OUT", amount: number]

const comparedOf = (pay: AgentWorld, [type, amount]: Move) => {
  const outside = pay.sources["000"] ?? ""
  const [source, destination] = type === "TRANSFER_IN" ? [outside, pay.accountId] : [pay.accountId, outside]
  return {
    action: { type, source: { accountId: source }, destination: { accountId: destination }, amount },
    requested: { type, order: { sourceAccountId: source, destinationAccountId: destination, amount } },
  } as const
}

export const compare = (pay: AgentWorld, policy: Update | undefined, moves: ReadonlyArray<Move>, recent?: number) =>
  pay.run(
    Effect.result(
      PolicyComparisons.use((all) =>
        all.compare(pay.agentId, {
          ...(policy === undefined ? {} : { policy }),
          actions: moves.map((move) => comparedOf(pay, move)),
          ...(recent === undefined ? {} : { recent }),
        }),
      ),
    ),
  )

/** Everything that a comparison must leave as it is. */
interface State {
  readonly agent: AgentResource
  readonly actions: unknown
  readonly books: unknown
  readonly due: number
}

export const state = async (pay: AgentWorld): Promise<State> => ({
  agent: await pay.run(Agents.use((agents) => agents.get(pay.agentId))),
  actions: await pay.run(
    AgentActions.use((actions) => actions.mine({})),
    pay.agent,
  ),
  books: await pay.books(),
  due: await pay.settle(),
})

export const submitMove = (pay: AgentWorld, [type, amount]: Move) =>
  type === "TRANSFER_IN" ? attempt(pay, amount) : attemptOut(pay, amount)

/** The one row that decides, with the outcome that it must have; every row before it passed, and none behind it was reached. */
export const expectRowsToDecide = ({ details, outcome, rows }: AgentPolicyEvaluation) => {
  const deciding = rows.findIndex(({ result }) => result === "DECIDED")
  const end = deciding < 0 ? rows.length : deciding
  expect(rows.map(({ result }) => result)).toEqual(
    rows.map((_, at) => (at < end ? "PASSED" : at === end ? "DECIDED" : "NOT_REACHED")),
  )
  expect(deciding < 0).toBe(outcome === "APPROVED")
  if (details?.["rule"] !== undefined) expect(rows[deciding]?.rule).toBe(details["rule"])
  for (const { amount, remaining, used, value } of rows.flatMap(({ compared = [] }) => compared)) {
    expect(remaining).toBe(value - used - amount)
  }
  for (const { compared = [], result } of rows) {
    if (result === "DECIDED" && compared.length > 0)
      expect(Math.min(...compared.map((each) => each.remaining))).toBeLessThan(0)
    if (result === "PASSED") expect(compared.every(({ remaining }) => remaining >= 0)).toBe(true)
  }
}

export const expectToBe = (evaluation: AgentPolicyEvaluation, done: Awaited<ReturnType<typeof submitMove>>) => {
  expectRowsToDecide(evaluation)
  if (Result.isSuccess(done)) {
    const { details, status } = done.success.body
    expect([evaluation.outcome, evaluation.details]).toEqual([status, details])
    return
  }
  const { failure } = done
  if (failure._tag === "StoreUnavailable") throw failure
  expect(evaluation).toMatchObject({ outcome: "REFUSED", error: { code: failure.code, status: failure.status } })
  expect(evaluation.details).toEqual(failure.details)
}
