/**
 * The money of one customer under any mixture of deposits, holds, pulls, payouts, returns, refunds and an operator's decisions, several at
 * once, in memory and on PostgreSQL: nothing appears or is lost, debts come first, and what is shown is what the books say.
 * Source: architecture, "The Store port" (ledger); wire contract areas 2.13; D-092, D-114, D-398, D-399, D-416, D-427.
 */
import { Deposits, InternalAccounts, Transactions, UnappliedMoney } from "@countersign/core"
import type { TransactionResource } from "@countersign/core/models"
import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { type AgentWorld, agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { pullFrom, pushTo, report } from "../../../packages/test/src/harness/TransferCalls.ts"
import type { WorldStore } from "../../../packages/test/src/harness/World.ts"
import { listAll, sum } from "../../../packages/test/src/model/Auditing.ts"
import { bookProblems } from "../../../packages/test/src/model/Books.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"

const database = TestDatabase.create(8)
afterAll(async () => (await database).close())

const stores: ReadonlyArray<readonly [string, number, WorldStore | undefined]> = [
  ["in memory", 60, undefined],
  ["on PostgreSQL", 5, TestDatabase.emptyWorld(database)],
]

const amount = fc.integer({ min: 1, max: 1000 })
const index = fc.nat({ max: 5 })
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("deposit" as const),
      amount,
      suffix: fc.constantFrom("000", "000", "001", "002", "003", "005"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("pull" as const), amount, suffix: fc.constantFrom("000", "002", "005") }),
  },
  // Without an amount all that is available is paid out, so that what comes back later is a debt.
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("pay" as const), amount: fc.option(amount, { nil: undefined, freq: 2 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("report" as const),
      index,
      outcome: fc.constantFrom("Done" as const, "Refused" as const, "Returned" as const, "Returned" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("apply" as const, "giveBack" as const, "retry" as const), index }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
const round = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  millis: fc.constantFrom(0, 0, 1500, 31_000),
})

const transactionsOf = (pay: AgentWorld) =>
  listAll((query) => pay.run(Transactions.use((all) => all.list({ ...query, sortOrder: "asc" }))))

/** What an operator gave back by a payment of its own. */
type GivenBack = ReadonlySet<string>

/** Money of a transaction that is with the service, and the part of it that is held. */
const moneyOf = (one: TransactionResource, givenBack: GivenBack, resolved: ReadonlySet<string>) => {
  if (one.type === "CARD") throw new Error("there are no cards")
  const isOut = one.type === "OUTGOING"
  const size = isOut ? one.sentAmount.amount : one.receivedAmount.amount
  const isDeposit = !isOut && one.source.sourceType === "REALTIME_FUNDING"
  if (isOut) {
    const isGone = one.status === "COMPLETED"
    return { inside: isGone ? 0 - size : 0, held: one.status === "PENDING" ? size : 0 }
  }
  if (one.status === "COMPLETED") return { inside: size, held: 0 }
  if (one.status === "PENDING") return isDeposit ? { inside: size, held: size } : { inside: 0, held: 0 }
  const isHere = one.status === "FAILED" && one.refund !== undefined && !givenBack.has(one.id)
  return { inside: isHere ? size : 0, held: isHere && !resolved.has(one.id) ? size : 0 }
}

const property = async (
  rounds: ReadonlyArray<typeof round extends fc.Arbitrary<infer R> ? R : never>,
  seed: number,
  store?: WorldStore,
) => {
  await using pay = await agentWorld(
    {},
    { suffixes: ["000", "002", "005"], seed, interleave: seed, ...(store && { store }) },
  )
  const { accountId, customerId } = pay
  const givenBack = new Set<string>()
  const resolved = new Set<string>()
  let number = 0

  const run = async (one: Step): Promise<unknown> => {
    const known = (await transactionsOf(pay)).toReversed()
    const id = "index" in one ? (known[one.index % Math.max(1, known.length)]?.id ?? "none") : "none"
    switch (one.do) {
      case "deposit": {
        const source = { accountIdentifier: `000123456${one.suffix}` }
        const deposit = { accountId, amount: one.amount, source, depositId: `bank-${++number}` }
        return pay.run(Deposits.use((deposits) => deposits.report(deposit)))
      }
      case "pull":
        return pullFrom(pay, one.suffix, one.amount)
      case "pay":
        return pushTo(pay, "000", one.amount === undefined ? {} : { amount: one.amount })
      case "report":
        return report(
          pay,
          id,
          one.outcome === "Refused" ? { _tag: "Refused", reason: "BANK_REJECTED" } : { _tag: one.outcome },
        )
      case "apply":
        await pay.run(UnappliedMoney.use((money) => money.apply(id, undefined)))
        return resolved.add(id)
      case "giveBack":
        await pay.run(UnappliedMoney.use((money) => money.giveBack(id, "wire 1")))
        givenBack.add(id)
        return resolved.add(id)
      case "retry":
        return pay.run(UnappliedMoney.use((money) => money.retryRefund(id)))
    }
  }

  const check = async () => {
    const books = await pay.books()
    expect(bookProblems(books)).toEqual([])
    const of = (name: string) => books.find((book) => book.id === name)?.balance ?? 0
    const [available, held] = [of(`available:${accountId}`), of(`held:${accountId}`)]
    const [transit, owed] = [of(`transit:${customerId}:USD`), 0 - of(`receivable:${customerId}:USD`)]
    const money = (await transactionsOf(pay)).map((one) => moneyOf(one, givenBack, resolved))
    expect({ inside: available + held + transit - owed, held }).toEqual({
      inside: sum(money.map(({ inside }) => inside)),
      held: sum(money.map((each) => each.held)),
    })
    expect(Math.min(available, owed)).toBe(0)
    const shown = await pay.run(InternalAccounts.use((accounts) => accounts.get(accountId)))
    expect([shown.balance.amount, shown.totalBalance.amount]).toEqual([available, available + held])
    return { available, held }
  }

  for (const { millis, steps } of rounds) {
    // A refusal (no funds, nothing to resolve) changes nothing, which the check shows.
    await Promise.all(steps.map((one) => run(one).catch((refusal: unknown) => expect(refusal).toHaveProperty("code"))))
    await check()
    await pay.clock.advance(millis)
    await pay.settle()
    await check()
  }
  await pay.clock.advance("1 minute")
  await pay.settle()
  const { available, held } = await check()
  const last = pay.inbox.ofType("INTERNAL_ACCOUNT.BALANCE_UPDATED").findLast(({ data }) => data["id"] === accountId)
  if (last !== undefined) {
    expect(last.data).toMatchObject({ balance: { amount: available }, totalBalance: { amount: available + held } })
  }
}

describe.each(stores)("the money of a customer %s", (_name, numRuns, store) => {
  it("is what its transactions say, and no debt stands beside money to spend", { timeout: 200_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 3, maxLength: 12 }), fc.integer(), (rounds, seed) =>
        property(rounds, seed, store),
      ),
      { numRuns },
    )
  })
})
