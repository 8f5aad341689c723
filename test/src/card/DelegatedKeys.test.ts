/** Delegated keys: registered, activated, revoked, by decisions; listed, read and revoked over HTTP. Wire contract 4.1 and 4.11; D-177. */
import { DelegatedKeyDecision as Delegating, Operation, Store } from "@countersign/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { activeCard, cardHarness, membersOf } from "../harness/CardWorld.ts"
import { provePrecedence, proveRow } from "../proof/RulesProof.ts"

const publicKey = `02${"ab".repeat(32)}`

/** A card that an embedded wallet funds. */
const ready = async () => {
  const pay = await cardHarness({}, 0)
  const page = membersOf(await pay.send("GET", `/internal-accounts?customerId=${pay.customerId}&type=EMBEDDED_WALLET`))
  const [walletId = ""] = (page["data"] as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
  return Object.assign(pay, { walletId, cardId: await activeCard(pay, { fundingSources: [walletId] }) })
}
type Ready = Awaited<ReturnType<typeof ready>>

const factsOf = (cardId: string, accountId: string) =>
  Effect.gen(function* () {
    const read = yield* Store.use((store) =>
      store.read({
        records: [
          { kind: "Card", id: cardId },
          { kind: "InternalAccount", id: accountId },
        ],
      }),
    )
    const card = read.record("Card", cardId)
    const facts: Delegating.DelegationFacts = {
      card,
      account: read.record("InternalAccount", accountId),
      isTaken: false,
    }
    return facts
  })

/** The second call, signed, as the signed retry will decide it. */
const register = (pay: Ready) =>
  pay.run(
    Effect.gen(function* () {
      const request = { cardId: pay.cardId, internalAccountId: pay.walletId, nickname: "Settlement" }
      const answered = yield* Operation.run({
        name: "test.register",
        load: () => factsOf(pay.cardId, pay.walletId),
        decide: Delegating.registerKey(request, publicKey),
      })
      return answered.body
    }),
  )

/** The third call, signed. */
const activate = (pay: Ready, keyId: string) =>
  pay.run(
    Operation.run({
      name: "test.activate",
      load: () =>
        Effect.gen(function* () {
          const read = yield* Store.use((store) => store.read({ records: [{ kind: "DelegatedKey", id: keyId }] }))
          const key = read.record("DelegatedKey", keyId)
          if (key === undefined) throw new Error("no key")
          return { key, facts: yield* factsOf(pay.cardId, pay.walletId) }
        }),
      decide: ({ facts, key }, context) => Delegating.activateKey(key, facts, context),
    }).pipe(Effect.result),
  )

describe("a delegated key", () => {
  it("is PENDING, then ACTIVE, then REVOKED, and one of a funding source is active at a time", async () => {
    await using pay = await ready()
    const first = await register(pay)
    await pay.clock.advance("1 second")
    const second = await register(pay)
    expect(first).toMatchObject({ cardId: pay.cardId, accountId: pay.walletId, publicKey, status: "PENDING" })
    expect(first.fundingSourceId).toMatch(/^CardFundingSource:/u)
    expect(await activate(pay, first.id)).toMatchObject({ success: { status: 201, body: { status: "ACTIVE" } } })
    expect(await activate(pay, second.id)).toMatchObject({
      failure: { code: "CONFLICT", details: { reason: "DELEGATED_KEY_EXISTS" } },
    })
    const path = `/auth/delegated-keys/${first.id}`
    expect((await pay.send("GET", path)).body).toMatchObject({ id: first.id, status: "ACTIVE", nickname: "Settlement" })
    const list = async (query: string) =>
      (membersOf(await pay.send("GET", `/auth/delegated-keys?${query}`))["data"] as ReadonlyArray<{ id: string }>).map(
        ({ id }) => id,
      )
    expect(await list(`accountId=${pay.walletId}`)).toEqual([second.id, first.id])
    expect(await list(`fundingSourceId=${first.fundingSourceId}`)).toEqual([second.id, first.id])
    expect((await pay.send("DELETE", path)).status).toBe(204)
    expect((await pay.send("GET", path)).body).toMatchObject({ status: "REVOKED" })
    expect(await pay.send("DELETE", path)).toMatchObject({
      status: 400,
      body: { details: { reason: "KEY_NOT_ACTIVE", status: "REVOKED" } },
    })
    expect(await activate(pay, first.id)).toMatchObject({ failure: { code: "CONFLICT" } })
    expect(await activate(pay, second.id)).toMatchObject({ success: { body: { status: "ACTIVE" } } })
  })

  it("keeps its funding source through a replacement, and ends with its customer", async () => {
    await using pay = await ready()
    const key = await register(pay)
    await activate(pay, key.id)
    await pay.send("PATCH", `/cards/${pay.cardId}`, { body: { fundingSources: [pay.walletId] } })
    expect((await register(pay)).fundingSourceId).toBe(key.fundingSourceId)
    expect((await pay.send("DELETE", `/customers/${pay.customerId}`)).status).toBe(200)
    expect((await pay.send("GET", `/auth/delegated-keys/${key.id}`)).body).toMatchObject({ status: "REVOKED" })
  })

  it("is found by one filter at least", async () => {
    await using pay = await ready()
    expect(await pay.send("GET", "/auth/delegated-keys")).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT" },
    })
    expect((await pay.send("GET", "/auth/delegated-keys/x")).status).toBe(404)
    expect((await pay.send("DELETE", "/auth/delegated-keys/x")).status).toBe(404)
  })
})

const owner = { platformId: "p", customerId: "c", version: 1, createdAt: 0, updatedAt: 0 }
const account: Delegating.DelegationFacts["account"] = {
  ...owner,
  kind: "InternalAccount",
  id: "wallet",
  data: { type: "EMBEDDED_WALLET", status: "ACTIVE", currency: "USDB" },
}
const card: NonNullable<Delegating.DelegationFacts["card"]> = {
  ...owner,
  kind: "Card",
  id: "card",
  data: {
    platformCardId: "card-1",
    form: "VIRTUAL",
    state: "ACTIVE",
    fundingSources: [{ id: "binding", accountId: "wallet" }],
    maxSpendPerTransaction: null,
    currency: "USDB",
  },
}
const elsewhere = { ...card, data: { ...card.data, state: "CLOSED" as const, fundingSources: [] } }
const closed = { ...card, data: { ...card.data, state: "CLOSED" as const } }
const fiat = { ...account, data: { ...account.data, type: "INTERNAL_FIAT" as const } }

const delegationRulesBroken: Delegating.DelegationFacts = { card: undefined, account: undefined, isTaken: true }

provePrecedence(Delegating.DelegationRules, {
  broken: delegationRulesBroken,
  masked: {
    ACCOUNT_IS_WALLET: "needs the account, which an earlier row misses",
    ACCOUNT_FUNDS_CARD: "needs both, which earlier rows miss",
    CARD_OPEN: "needs the card, which an earlier row misses",
  },
  steps: [
    ["CARD_EXISTS", { card: elsewhere }, { code: "REFERENCE_NOT_FOUND" }],
    ["ACCOUNT_EXISTS", { account: fiat }, { code: "REFERENCE_NOT_FOUND" }],
    ["ACCOUNT_IS_WALLET", { account }, { code: "INVALID_INPUT" }],
    ["ACCOUNT_FUNDS_CARD", { card: closed }, { code: "INVALID_INPUT" }],
    ["CARD_OPEN", { card }, { code: "CARD_NOT_MUTABLE" }],
    ["KEY_FREE", { isTaken: false }, { code: "CONFLICT" }],
  ],
})
proveRow(Delegating.DelegationRules, "CARD_OPEN", [
  ["an active card", { card, account, isTaken: false }, "holds"],
  ["a closed card", { card: closed, account, isTaken: false }, "fails"],
])
