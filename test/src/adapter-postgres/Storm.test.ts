/**
 * Concurrent commits from several processes on few accounts, budgets, keys and records: no bound is violated, nothing is applied twice, the
 * books balance, and callers see no race.
 * Source: architecture, "The Store port" (PostgreSQL).
 */
import { PoolConnection, PostgresStore } from "@countersign/adapter-postgres"
import { CurrentCaller } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { type ChangeSet, type CommitOutcome, Store } from "@countersign/core/store"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { afterAll } from "vitest"
import { changeSet, replayRecord } from "../../../packages/test/src/conformance/ChangeSets.ts"
import {
  account,
  alpha,
  customer,
  customerUpdate,
  id,
  job,
  newEvent,
  transfer,
} from "../../../packages/test/src/conformance/Examples.ts"
import { randomInts } from "./Histories.ts"
import * as TestDatabase from "./TestDatabase.ts"

const database = TestDatabase.create(4)
afterAll(async () => (await database).close())

const accounts = Array.from({ length: 8 }, (_, n) => `account ${n}`)
const budget = 60
const processes = 3
const callers = 24
const rounds = 12

const processStore = Effect.gen(function* () {
  const { another } = yield* Effect.promise(() => database)
  const made = PostgresStore.layer({ connection: PoolConnection.make(another(5)) }).pipe(
    Layer.provide(WallTime.layerClock),
    Layer.fresh,
  )
  const context = yield* Layer.build(made)
  return yield* Effect.provide(Store, context)
})

let lastNumber = 1000
const nextNumber = () => {
  lastNumber += 1
  return lastNumber
}

/** A random set of any parts, most of which can be committed. */
const setOf = (randomInt: (below: number) => number): ChangeSet => {
  const n = nextNumber()
  const from = randomInt(accounts.length)
  const to = (from + 1 + randomInt(accounts.length - 1)) % accounts.length
  const target = randomInt(6)
  return changeSet({
    inserts: [customer(n)],
    updates: randomInt(4) === 0 ? [customerUpdate(100 + randomInt(6), 1 + randomInt(3), { fullName: `${n}` })] : [],
    guards: [{ kind: "Customer", id: id("Customer", 100 + target), version: 1 + randomInt(2) }],
    claims:
      randomInt(3) === 0
        ? [{ scope: "platform", key: `key ${randomInt(40)}`, record: { kind: "Customer", id: id("Customer", n) } }]
        : [],
    transfers: [transfer(accounts[from] ?? "", accounts[to] ?? "", 1 + randomInt(30))],
    counters: [{ key: `budget ${randomInt(5)}`, delta: 1, max: budget }],
    events: [newEvent(n)],
    jobs: [job(n, { lane: `lane ${randomInt(4)}` })],
    ...(randomInt(3) === 0 ? { replay: replayRecord(`replay ${randomInt(30)}`, { expiresAt: 1e15 }) } : {}),
  })
}

it.live(
  "bounds, keys, versions and books hold in a storm of three processes",
  () =>
    Effect.gen(function* () {
      const { connection } = yield* Effect.promise(() => database)
      const stores = yield* Effect.forEach(Array.from({ length: processes }), () => processStore, {
        concurrency: "unbounded",
      })
      const [first] = stores
      if (first === undefined) return assert.fail("no store")
      const commit = (store: Store["Service"], set: ChangeSet) =>
        Effect.provideService(store.commit(set), CurrentCaller, alpha)
      yield* commit(
        first,
        changeSet({
          inserts: Array.from({ length: 6 }, (_, n) => customer(100 + n)),
          ledgerAccounts: [account("outside", { floor: null }), ...accounts.map((name) => account(name))],
          transfers: accounts.map((name) => transfer("outside", name, 100)),
        }),
      )

      const committed: Array<ChangeSet> = []
      const outcomes = new Map<CommitOutcome["_tag"], number>()
      yield* Effect.forEach(
        stores.flatMap((store) => Array.from({ length: callers }, (_, n) => [store, n] as const)),
        ([store, n]) =>
          Effect.gen(function* () {
            const randomInt = randomInts(n * 7919 + stores.indexOf(store))
            for (let round = 0; round < rounds; round++) {
              const old = randomInt(10) === 0 ? committed[randomInt(Math.max(committed.length, 1))] : undefined
              const set = old ?? setOf(randomInt)
              const { _tag } = yield* commit(store, set)
              outcomes.set(_tag, (outcomes.get(_tag) ?? 0) + 1)
              if (old !== undefined) assert.strictEqual(_tag, "Committed")
              else if (_tag === "Committed") committed.push(set)
            }
          }),
        { concurrency: "unbounded", discard: true },
      )

      for (const tag of ["Committed", "Conflict", "BoundViolated", "Taken", "Replayed"] as const) {
        assert.isAbove(outcomes.get(tag) ?? 0, 0, `no ${tag}: the storm is too calm`)
      }
      const queryRows = (text: string) => Effect.promise(() => connection.query({ text, values: [] }))
      const total = String(committed.length)
      assert.deepStrictEqual(yield* queryRows("select count(*)::text from countersign.event"), [total])
      assert.deepStrictEqual(yield* queryRows("select count(*)::text from countersign.job"), [total])
      // The set that opened the accounts also has a receipt.
      const receipts = "(select count(*) from countersign.operation) + (select count(*) from countersign.replay)"
      assert.deepStrictEqual(yield* queryRows(`select (${receipts} - 1)::text`), [total])
      assert.deepStrictEqual(yield* queryRows("select sum(value)::text from countersign.counter"), [total])
      assert.deepStrictEqual(
        yield* queryRows(`select count(*)::text from countersign.counter where value > ${budget}`),
        ["0"],
      )
      assert.deepStrictEqual(yield* queryRows("select sum(amount)::text from countersign.ledger_entry"), ["0"])
      assert.deepStrictEqual(
        yield* queryRows(`select a.id from countersign.ledger_account a left join lateral (
            select count(*) n, max(e.sequence) last, sum(e.amount) total from countersign.ledger_entry e where e.account_id = a.id) e on true
          where a.balance < a.floor or a.sequence <> e.n or a.sequence <> e.last or a.balance <> e.total`),
        [],
      )
      assert.deepStrictEqual(
        yield* queryRows(`select e.account_id from (select account_id, balance_after - amount - lag(balance_after, 1, 0) over (
            partition by account_id order by sequence) gap from countersign.ledger_entry) e where e.gap <> 0`),
        [],
      )
      const replays = new Set(committed.flatMap(({ replay }) => (replay === undefined ? [] : [replay.key])))
      assert.deepStrictEqual(yield* queryRows("select count(*)::text from countersign.replay"), [String(replays.size)])
    }).pipe(Effect.scoped),
  60_000,
)
