/**
 * Conformance: data of another platform or customer does not exist for the caller.
 * Source: architecture, "The Store port" (Caller).
 */

import assert from "node:assert/strict"
import type { Caller } from "@countersign/core"
import type { AccountRef, RecordInsert } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet, replayRecord } from "./ChangeSets.ts"
import {
  account,
  agentOf,
  alpha,
  alphaId,
  ann,
  beta,
  betaId,
  bob,
  customer,
  id,
  job,
  newEvent,
  ownerOf,
  platform,
  transfer,
} from "./Examples.ts"
import {
  balance,
  claim,
  commit,
  committed,
  conflicts,
  counter,
  dies,
  event,
  history,
  jobs,
  list,
  read,
  record,
  replay,
  type Suite,
} from "./Suite.ts"

const page = { limit: 10, order: "desc" } as const
const annsAgent = agentOf(ann)
const bobsAgent = agentOf(bob)
const atOnce = { concurrency: "unbounded" } as const

const internalAccount = (n: number, customerId: string | null): RecordInsert => ({
  kind: "InternalAccount",
  id: id("InternalAccount", n, customerId),
  ...ownerOf(customerId),
  data: { type: "INTERNAL_FIAT", status: "ACTIVE", currency: "USD" },
})

/** An account of each customer of `alpha` and one of its own, and an external account of the second customer. */
const ownedAccounts: ReadonlyArray<RecordInsert> = [
  internalAccount(1, ann),
  internalAccount(2, bob),
  internalAccount(3, null),
  {
    kind: "ExternalAccount",
    id: id("ExternalAccount", 1, bob),
    ...ownerOf(bob),
    data: {
      currency: "USD",
      status: "ACTIVE",
      defaultUmaDepositAccount: false,
      accountInfo: { accountType: "USD_ACCOUNT" },
      isDeleted: false,
    },
  },
]

/** Writes one of everything that has an owner for the first customer of `alpha`. */
const everything = Effect.gen(function* () {
  yield* committed(
    changeSet({
      inserts: [customer(1)],
      claims: [{ scope: "platform", key: "k", record: { kind: "Customer", id: ann } }],
      ledgerAccounts: [account("outside", { floor: null }), account("a")],
      transfers: [transfer("outside", "a", 10)],
      counters: [{ key: "k", delta: 3 }],
      events: [newEvent(1)],
      jobs: [job(1)],
      replay: replayRecord("key"),
    }),
  )
  yield* claim()
})

/** Returns what a caller can read of `everything`. */
const view = Effect.fnUntraced(function* (caller: Caller) {
  const listed = yield* list("Customer", {}, page, caller)
  return {
    record: (yield* record("Customer", ann, caller))?.version,
    listed: listed.data.map(({ id }) => id),
    counted: listed.totalCount,
    asked: (yield* list("Customer", { customerId: { eq: ann } }, page, caller)).totalCount,
    history: (yield* history({ kind: "Customer", id: ann }, caller)).length,
    balance: yield* balance("a", caller),
    event: (yield* event(id("Webhook", 1), caller))?.subject,
    jobs: (yield* jobs(caller)).length,
  }
})

const whole = {
  record: 1,
  listed: [ann],
  counted: 1,
  asked: 1,
  history: 1,
  balance: { balance: 10, sequence: 1 },
  event: ann,
  jobs: 1,
}
const nothing = {
  record: undefined,
  listed: [],
  counted: 0,
  asked: 0,
  history: 0,
  balance: { balance: 0, sequence: 0 },
  event: undefined,
  jobs: 0,
}

export const tenancy = ({ test }: Suite): void => {
  test("the owner's platform and the customer's agent read everything", () =>
    Effect.gen(function* () {
      yield* everything
      assert.deepStrictEqual(yield* view(alpha), whole)
      assert.deepStrictEqual(yield* view(annsAgent), whole)
      assert.strictEqual(yield* counter("k", annsAgent), 3)
    }))

  for (const [name, caller] of [
    ["another platform", beta],
    ["an agent of another customer", bobsAgent],
  ] as const) {
    test(`${name} reads nothing of this tenant`, () =>
      Effect.gen(function* () {
        yield* everything
        assert.deepStrictEqual(yield* view(caller), nothing)
      }))
  }

  test("keeps counters and idempotency keys separate for each platform", () =>
    Effect.gen(function* () {
      yield* everything
      assert.strictEqual(yield* counter("k", beta), 0)
      assert.strictEqual(yield* replay("key", beta), undefined)
      yield* committed(changeSet({ counters: [{ key: "k", delta: 1, expected: 0, max: 1 }] }), beta)
      assert.strictEqual(yield* counter("k"), 3)
    }))

  test("does not recognize an operation id of another platform", () =>
    Effect.gen(function* () {
      const set = changeSet({ counters: [{ key: "k", delta: 3 }] })
      yield* committed(set)
      const facts = yield* committed({ ...set, counters: [{ key: "k", delta: 1 }] }, beta)
      assert.deepStrictEqual(facts.counters, { k: 1 })
    }))

  test("reads 0 for an observed or asserted account of another tenant", () =>
    Effect.gen(function* () {
      yield* everything
      const facts = yield* committed(changeSet({ observes: ["a"] }), beta)
      assert.deepStrictEqual(facts.balances, { a: { balance: 0, sequence: 0 } })
      yield* conflicts(changeSet({ assertions: [{ account: "a", sequence: 1 }] }), beta)
    }))

  test("reveals nothing of another tenant's account to an agent in the same batch of commits", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ ledgerAccounts: [account("outside", { floor: null }), account("a")] }))
      const writers = Array.from({ length: 9 }, () => commit(changeSet({ transfers: [transfer("outside", "a", 5)] })))
      const observers = Array.from({ length: 9 }, () => committed(changeSet({ observes: ["a"] }), bobsAgent))
      const [, observed] = yield* Effect.all([Effect.all(writers, atOnce), Effect.all(observers, atOnce)], atOnce)
      for (const facts of observed) assert.deepStrictEqual(facts.balances, { a: { balance: 0, sequence: 0 } })
      assert.strictEqual((yield* balance("a")).balance, 45)
    }))

  test("allows an agent to write for its own customer only", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ events: [newEvent(1)], jobs: [job(1)], inserts: [customer(1)] }), annsAgent)
      for (const customerId of [bob, null]) {
        yield* dies(commit(changeSet({ events: [newEvent(2, { customerId })] }), annsAgent))
        yield* dies(commit(changeSet({ jobs: [job(2, { customerId })] }), annsAgent))
        yield* dies(commit(changeSet({ inserts: [{ ...customer(2), customerId }] }), annsAgent))
        yield* dies(commit(changeSet({ ledgerAccounts: [account("b", ownerOf(customerId))] }), annsAgent))
      }
      assert.strictEqual((yield* jobs()).length, 1)
    }))

  test("reads the customers of accounts, for those who may read the accounts", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [customer(1), customer(2), ...ownedAccounts] }))
      const all = ownedAccounts.map(({ id, kind }) => ({ kind, id }) as AccountRef)
      const unknown: AccountRef = { kind: "InternalAccount", id: id("InternalAccount", 9) }
      const ownersFor = (caller: Caller) =>
        Effect.map(read({ ownersOf: [...all, unknown] }, caller), ({ owner }) => [...all, unknown].map(owner))
      const [annsRecord, bobsRecord] = [yield* record("Customer", ann), yield* record("Customer", bob)]
      assert.deepStrictEqual(yield* ownersFor(alpha), [annsRecord, bobsRecord, undefined, bobsRecord, undefined])
      assert.deepStrictEqual(yield* ownersFor(bobsAgent), [undefined, bobsRecord, undefined, bobsRecord, undefined])
      assert.deepStrictEqual(yield* ownersFor(beta), [undefined, undefined, undefined, undefined, undefined])
    }))

  test("reads the owners of many concurrent reads apart from each other", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [customer(1), customer(2), ...ownedAccounts] }))
      const [annsAccount, bobsAccount] = ownedAccounts.map(({ id, kind }) => ({ kind, id }) as AccountRef)
      assert.ok(annsAccount !== undefined && bobsAccount !== undefined)
      const found = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? annsAccount : bobsAccount)),
        (account) => Effect.map(read({ ownersOf: [account] }), ({ owner }) => owner(account)?.id),
        atOnce,
      )
      assert.deepStrictEqual(
        found,
        Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? ann : bob)),
      )
    }))

  test("reads the caller's platform for its agents, too, and no other", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [platform(alphaId)] }))
      yield* committed(changeSet({ inserts: [platform(betaId)] }), beta)
      const records = [{ kind: "Platform", id: alphaId } as const]
      for (const [caller, platformId] of [
        [alpha, alphaId],
        [annsAgent, alphaId],
        [beta, betaId],
      ] as const) {
        assert.strictEqual((yield* read({ platform: true }, caller)).platform?.id, platformId)
      }
      const found = yield* read({ records }, annsAgent)
      assert.deepStrictEqual([found.platform, found.record("Platform", alphaId)], [undefined, undefined])
      assert.strictEqual((yield* read({ records })).platform, undefined)
    }))
}
