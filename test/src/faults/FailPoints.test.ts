/**
 * Every fail point, hit by a crash, an error and a delay: whatever falls between two commits, the work is done once in the
 * end, the books balance, and each event arrives.
 */
import { AgentActions, type FailPoint, FailPoints } from "@countersign/core"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { type AgentWorld, agentWorld } from "../harness/AgentWorld.ts"
import { Auditor } from "../model/Auditor.ts"

type Fault = "crash" | "error" | "delay"

/** What a fault does to the fiber that meets it. */
const harm: { readonly [fault in Fault]: Effect.Effect<void> } = {
  crash: Effect.interrupt,
  error: Effect.die(new Error("a fault of the test")),
  delay: Effect.repeat(Effect.yieldNow, { times: 100 }),
}

const hits = new Map<string, number>()

/** Does harm at some passages of one point, while it is on. */
const switchboard = (point: FailPoint, fault: Fault, passages: ReadonlyArray<number>) => {
  let seen = 0
  const board = {
    isOn: false,
    at: (at: FailPoint): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (!board.isOn || at !== point) return Effect.void
        seen += 1
        if (!passages.includes(seen)) return Effect.void
        hits.set(`${point} ${fault}`, (hits.get(`${point} ${fault}`) ?? 0) + 1)
        return harm[fault]
      }),
  }
  return board
}

/** Tries until there is an answer: a client whose connection broke asks again. */
const insist = async <A>(attempt: () => Promise<A>): Promise<A> => {
  for (let left = 10; ; left--) {
    try {
      return await attempt()
    } catch (cause) {
      if (left === 0) throw cause
    }
  }
}

const transferIn = (pay: AgentWorld, auditor: Auditor, key: string, suffix: string, amount: number) => {
  const request = { sourceAccountId: pay.sources[suffix] ?? "", destinationAccountId: pay.accountId, amount }
  const keyed = { key, method: "POST", path: "/agents/me/transfer-in", body: request }
  return insist(async () => {
    const submit = Effect.result(AgentActions.use((actions) => actions.submitTransferIn(request, keyed)))
    auditor.submitted(undefined, await pay.run(submit, pay.agent))
  })
}

const approve = (pay: AgentWorld, auditor: Auditor, index: number) => {
  const actionId = auditor.actionAt(index) ?? ""
  return insist(async () =>
    auditor.decided(
      actionId,
      await pay.run(Effect.result(AgentActions.use((actions) => actions.approve(pay.agentId, actionId)))),
    ),
  )
}

/** A worker that may die: whoever comes next goes on when its leases have run out. */
const work = (pay: AgentWorld) => pay.settle().catch(() => 0)

const history = async (point: FailPoint, fault: Fault, passages: ReadonlyArray<number>) => {
  const board = switchboard(point, fault, passages)
  await using pay = await agentWorld(
    { approvalThresholds: { currency: "USD", amount: 1000 } },
    { suffixes: ["000", "002"], failPoints: board.at, interleave: 5 },
  )
  const auditor = new Auditor(pay)
  board.isOn = true
  await transferIn(pay, auditor, "automatic", "000", 100)
  await transferIn(pay, auditor, "held", "000", 2000)
  await transferIn(pay, auditor, "refused by the bank", "002", 300)
  // An endpoint that is away at first makes the workers give jobs back.
  pay.inbox.answerNext(500, 500)
  await work(pay)
  await approve(pay, auditor, 1)
  for (let round = 0; round < 4; round++) {
    await work(pay)
    await pay.clock.advance("3 minutes").catch(() => undefined)
  }
  board.isOn = false
  await pay.clock.advance("30 minutes")
  await auditor.checkEnd()
  expect(
    await pay.run(
      AgentActions.use((actions) => actions.mine({})),
      pay.agent,
    ),
  ).toMatchObject({ totalCount: 3 })
  for (const type of ["INCOMING_PAYMENT.COMPLETED", "INTERNAL_ACCOUNT.BALANCE_UPDATED"]) {
    expect(new Set(pay.inbox.ofType(type).map(({ id }) => id)).size).toBe(2)
  }
  expect(new Set(pay.inbox.ofType("INCOMING_PAYMENT.FAILED").map(({ id }) => id)).size).toBe(1)
}

describe.each(FailPoints.keys)("at %s", (point) => {
  it.each<Fault>(["crash", "error", "delay"])("a %s changes nothing in the end", async (fault) => {
    for (const passages of [[1], [2], [1, 2, 3], [4, 6]]) await history(point, fault, passages)
  })
})

afterAll(() => {
  const missed = FailPoints.keys.flatMap((point) =>
    ["crash", "error", "delay"].filter((fault) => !hits.has(`${point} ${fault}`)).map((fault) => `${point} ${fault}`),
  )
  expect(missed).toEqual([])
})
