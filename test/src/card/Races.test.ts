/**
 * Concurrent requests on a card, in memory and on PostgreSQL: at most one closes it, and no later request changes it, reveals it
 * or spends with it.
 * Spec: States: Card; wire contract 3.3 and 11 (47).
 */
import { CardReveals, CardSimulations, Cards, type ServiceError } from "@countersign/core"
import { Effect, Result } from "effect"
import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import * as Operation from "../../../packages/core/src/operation/Operation.ts"
import * as Changes from "../../../packages/core/src/store/Changes.ts"
import { fund } from "../../../packages/test/src/harness/TransferCalls.ts"
import type { WorldStore } from "../../../packages/test/src/harness/World.ts"
import { cardModelWorld } from "../../../packages/test/src/model/CardCommands.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { atFailPoints } from "../agent/AtFailPoints.ts"

const database = TestDatabase.create(4)
afterAll(async () => (await database).close())
const onPostgres = TestDatabase.emptyWorld(database)

const stores: ReadonlyArray<readonly [string, number, WorldStore | undefined]> = [
  ["in memory", 15, undefined],
  ["on PostgreSQL", 4, onPostgres],
]

const update = fc.constantFrom(
  { state: "CLOSED" as const },
  { state: "CLOSED" as const },
  { state: "FROZEN" as const },
  { state: "ACTIVE" as const },
  { maxSpendPerTransaction: 5 },
)

const mayFollow: { readonly [state: string]: ReadonlyArray<string> } = {
  ACTIVE: ["FROZEN", "CLOSED"],
  FROZEN: ["ACTIVE", "CLOSED"],
  CLOSED: [],
}

describe.each(stores)("concurrent card updates %s", (_name, numRuns, store) => {
  it("close a card once and change nothing afterwards", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(update, { minLength: 2, maxLength: 8 }), fc.integer(), async (updates, seed) => {
        await using pay = await cardModelWorld({ seed, interleave: seed, ...(store && { store }) })
        const [cardId] = pay.cards
        pay.inbox.clear()
        const answers = await Promise.all(
          updates.map((body) => pay.run(Effect.result(Cards.use((cards) => cards.update(cardId, body))))),
        )
        await pay.settle()
        const closes = answers.filter(
          (each, at) =>
            Result.isSuccess(each) && updates[at] && "state" in updates[at] && updates[at].state === "CLOSED",
        )
        expect(closes.length).toBe(updates.some((each) => "state" in each && each.state === "CLOSED") ? 1 : 0)
        for (const each of answers) {
          if (Result.isSuccess(each)) continue
          expect(["INVALID_STATE_TRANSITION", "CARD_ALREADY_CLOSED", "CARD_NOT_MUTABLE"]).toContain(
            (each.failure as ServiceError).code,
          )
        }
        const states = pay.inbox.ofType("CARD.STATE_CHANGE").map(({ data }) => String(data["state"]))
        const path = ["ACTIVE", ...states]
        for (const [at, state] of states.entries()) expect(mayFollow[path[at] ?? ""]).toContain(state)
        const card = await pay.run(Cards.use((cards) => cards.get(cardId)))
        expect(card.state).toBe(path.at(-1))
        if (closes.length === 1) expect(card).toMatchObject({ state: "CLOSED", stateReason: "CLOSED_BY_PLATFORM" })
      }),
      { numRuns },
    )
  })
})

describe("card closed between a decision and its commit", () => {
  const close = (pay: Awaited<ReturnType<typeof cardModelWorld>>) => () =>
    pay.run(Cards.use((cards) => cards.update(pay.cards[0], { state: "CLOSED" })))

  it("declines an authorization of a card that is closed before its commit", async () => {
    const { failPoints, allRan, during } = atFailPoints()
    await using pay = await cardModelWorld({ failPoints })
    await fund({ ...pay, accountId: pay.accounts[0], sources: {} }, 1000)
    during(["operation.decided", close(pay)])
    const reply = await pay.run(
      CardSimulations.use((network) =>
        network.authorize(
          pay.cards[0],
          { amount: 10, currency: "USDB", merchant: { descriptor: "Shop" } },
          { direction: "DEBIT", isFinancial: false },
        ),
      ),
    )
    expect([allRan(), reply.declineReason]).toEqual([true, "CARD_CLOSED"])
  })

  it("declines an authorization whose cardholder is put on hold before its commit", async () => {
    const { failPoints, allRan, during } = atFailPoints()
    await using pay = await cardModelWorld({ failPoints })
    await fund({ ...pay, accountId: pay.accounts[0], sources: {} }, 1000)
    const hold = Operation.run({
      name: "test",
      load: (read) => read({ records: [{ kind: "Customer", id: pay.customerId }] }),
      decide: ({ record }) => {
        const customer = record("Customer", pay.customerId)
        const changes = customer && Changes.update(customer, { ...customer.data, checkStatus: "HOLD" })
        return Operation.answer(200, null, changes)
      },
    })
    during(["operation.decided", () => pay.run(hold)])
    const order = { amount: 10, currency: "USDB", merchant: { descriptor: "Shop" } } as const
    const kind = { direction: "DEBIT", isFinancial: false } as const
    const reply = await pay.run(CardSimulations.use((network) => network.authorize(pay.cards[0], order, kind)))
    expect([allRan(), reply.declineReason]).toEqual([true, "CARDHOLDER_NOT_APPROVED"])
  })

  it("refuses a replacement of funding sources of a card that is closed before its commit", async () => {
    const { failPoints, during } = atFailPoints()
    await using pay = await cardModelWorld({ failPoints })
    during(["operation.decided", close(pay)])
    const replace = Cards.use((cards) => cards.update(pay.cards[0], { fundingSources: [pay.accounts[1]] }))
    expect(await pay.run(Effect.flip(replace))).toMatchObject({ code: "CARD_NOT_MUTABLE" })
  })

  it("refuses a reveal of a card that is closed before its commit", async () => {
    const { failPoints, during } = atFailPoints()
    await using pay = await cardModelWorld({ failPoints })
    during(["operation.decided", close(pay)])
    const reveal = CardReveals.use((reveals) => reveals.reveal(pay.cards[0], "https://pay.example"))
    const caller = {
      _tag: "Platform",
      platformId: pay.platformId,
      tokenId: "Token:00000000-0000-7000-8000-000000000000",
      permissions: ["MANAGE"],
    } as const
    expect(await pay.run(Effect.flip(reveal), caller)).toMatchObject({ code: "CARD_NOT_MUTABLE" })
  })
})
