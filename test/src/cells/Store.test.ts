/**
 * What a store in cells does at its edges: a first start that was interrupted, the embedder's transaction, misplaced records, and books whose
 * cells do not agree.
 * Source: D-513, D-514.
 */
import {
  CellMigrations,
  type Connection,
  Migrations,
  PoolConnection,
  PostgresStore,
} from "@countersign/adapter-postgres"
import { WallTime } from "@countersign/core/ports"
import { Store, StoreUnavailable } from "@countersign/core/store"
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { afterEach, beforeEach } from "vitest"
import * as CellPlaces from "../../../packages/adapter-postgres/src/cells/CellPlaces.ts"
import { schemaOf } from "../../../packages/adapter-postgres/src/cells/Cells.ts"
import { changeSet, replayRecord } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { account, ann, bob, customer, id, job, transfer } from "../../../packages/test/src/conformance/Examples.ts"
import {
  balance,
  claim,
  commit,
  committed,
  dies,
  meets,
  record,
  trialBalance,
} from "../../../packages/test/src/conformance/Suite.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { inStore } from "./InStore.ts"

let database: TestDatabase.TestDatabase
beforeEach(async () => {
  database = await TestDatabase.create(6)
}, 60_000)
afterEach(() => database.close())

const cellsOf = (count: number) => CellPlaces.onOneServer(database.connection, count).cells
const query = (text: string) => Effect.promise(() => database.pool.query(text))

it.live("continues a first start that ended between two cells", () =>
  Effect.gen(function* () {
    const [first] = cellsOf(3)
    if (first === undefined) return assert.fail("no cell")
    yield* Migrations.run(first)
    assert.strictEqual((yield* CellMigrations.run(database.connection)).cells.length, 3)
    yield* inStore(database.connection, 3, committed(changeSet({ inserts: [customer(1), customer(2)] })))
  }),
)

it.live("joins no transaction of the embedder", () =>
  Effect.gen(function* () {
    yield* CellMigrations.run(database.connection, 2)
    const client = yield* Effect.promise(() => database.pool.connect())
    yield* Effect.promise(() => client.query("begin"))
    const error = yield* Effect.flip(PostgresStore.transaction(client)).pipe(Effect.provide(WallTime.layerClock))
    client.release(true)
    assert.strictEqual(error.message, "the database has a store in cells, which joins no transaction")
  }),
)

it.live.each([0, -1, 1.5, 257, Number.NaN])("refuses %d cells", (count) =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(CellMigrations.run(database.connection, count))
    assert.strictEqual(error.message, `a store has 1 to 256 cells, not ${count}`)
  }),
)

it.live("treats a record, an event and a job that are not in the cell of their owner as defects", () =>
  inStore(
    database.connection,
    4,
    Effect.gen(function* () {
      yield* dies(commit(changeSet({ jobs: [{ ...job(1), customerId: bob }] })))
      yield* dies(commit(changeSet({ inserts: [{ ...customer(3), id: id("Customer", 2) }] })))
      yield* committed(changeSet({ jobs: [job(1)] }))
    }),
  ),
)

it.live("moves money between two cells, balances each, and reports a cell that another does not match", () =>
  inStore(
    database.connection,
    4,
    Effect.gen(function* () {
      const [from, to] = [`available:${ann}`, `available:${bob}`]
      const outside = `outside:${ann}`
      yield* committed(
        changeSet({
          ledgerAccounts: [account(outside, { floor: null }), account(from), account(to, { customerId: bob })],
          transfers: [transfer(outside, from, 100), transfer(from, to, 30), transfer(from, to, 5)],
        }),
      )
      const overdraw = yield* commit(changeSet({ transfers: [transfer(to, from, 10), transfer(from, to, 500)] }))
      assert.deepStrictEqual(overdraw, { _tag: "BoundViolated", bound: { _tag: "Floor", account: from } })
      assert.deepStrictEqual([(yield* balance(from)).balance, (yield* balance(to)).balance], [65, 35])
      for (const cell of [1, 2]) {
        const { rows } = yield* query(`select sum(balance)::int as sum from ${schemaOf(cell, 4)}.ledger_account`)
        assert.deepStrictEqual(rows, [{ sum: 0 }])
      }
      const roles = Effect.map(trialBalance, (lines) => lines.map(({ balance: sum, role }) => [role, sum]))
      const expected = [
        ["available", 100n],
        ["outside", -100n],
      ]
      assert.deepStrictEqual(yield* roles, expected)
      // As after a restore of one cell from an older backup.
      yield* query(`update ${schemaOf(2, 4)}.ledger_account set balance = 0 where id like 'bridge:%'`)
      assert.deepStrictEqual(yield* roles, [expected[0], ["bridge", 35n], expected[1]])
    }),
  ),
)

it.live("claims from the cells that can be asked, and fails when none can", () =>
  Effect.gen(function* () {
    const second = schemaOf(1, 2)
    let failing = [second]
    const partly: Connection = {
      ...database.connection,
      query: (statement) =>
        failing.some((schema) => statement.name === `countersign_claim_${schema}`)
          ? Promise.reject(Object.assign(new Error("too many clients"), { code: "53300", severity: "FATAL" }))
          : database.connection.query(statement),
    }
    const jobs = [job(1, { customerId: ann }), job(2, { customerId: bob })]
    yield* inStore(
      partly,
      2,
      Effect.gen(function* () {
        yield* committed(changeSet({ jobs }))
        const claimed: Array<string> = []
        for (let round = 0; round < 4; round++) {
          const exit = yield* Effect.exit(claim())
          if (Exit.isSuccess(exit)) claimed.push(...exit.value.map((each) => each.id))
        }
        assert.deepStrictEqual(claimed, [jobs[1]?.id])
        failing = [schemaOf(0, 2), second]
        assert.instanceOf(yield* Effect.flip(claim()), StoreUnavailable)
        failing = []
        assert.deepStrictEqual(
          (yield* claim()).map((each) => each.id),
          [jobs[0]?.id],
        )
      }),
    )
  }),
)

it.live("leaves no connection inside a transaction, whatever becomes of a set or of a move of time", () =>
  inStore(
    database.connection,
    4,
    Effect.gen(function* () {
      const store = yield* Store
      const move = { aheadMillis: 1000, wallNow: 0, heldUntil: 100 }
      yield* query(
        `insert into ${schemaOf(2, 4)}.business_time (ahead_millis, mover, held_until) values (0, 'other', 50)`,
      )
      assert.strictEqual(yield* store.moveTime({ ...move, mover: "own" }), undefined)
      assert.strictEqual(store.aheadMillis(), 0)
      assert.strictEqual(yield* store.moveTime({ ...move, mover: "own", wallNow: 60 }), 1000)
      yield* committed(changeSet({ inserts: [customer(1), customer(2)] }))
      yield* meets(changeSet({ inserts: [customer(3), customer(2)] }), { _tag: "Conflict", on: `Customer ${bob}` })
      yield* dies(commit(changeSet({ inserts: [customer(4)], transfers: [transfer("none", "nothing", 1)] })))
      const { rows } = yield* query(
        "select count(*)::int as open from pg_stat_activity where datname = current_database() and state like 'idle in%'",
      )
      assert.deepStrictEqual(rows, [{ open: 0 }])
      assert.strictEqual(yield* record("Customer", id("Customer", 4)), undefined)
    }),
  ),
)

it.live("claims no more jobs than it is asked for, and begins with another cell each time", () =>
  inStore(
    database.connection,
    2,
    Effect.gen(function* () {
      const of = (owner: string, ...ns: ReadonlyArray<number>) => ns.map((n) => job(n, { customerId: owner }))
      yield* committed(changeSet({ jobs: [...of(ann, 1, 2, 3, 4), ...of(bob, 5, 6, 7, 8)] }))
      const owners = Effect.map(claim({ limit: 2 }), (jobs) => jobs.map(({ customerId }) => customerId))
      const [first, second] = [yield* owners, yield* owners]
      assert.sameDeepMembers(
        [first, second],
        [
          [ann, ann],
          [bob, bob],
        ],
      )
      assert.lengthOf(yield* claim({ limit: 3 }), 3)
      assert.lengthOf(yield* claim({ limit: 3 }), 1)
    }),
  ),
)

it.live.each(["without a key", "under a key", "under a key whose answer shows a balance"] as const)(
  "refuses a set over several cells %s that has expired, unless it was committed before",
  (kind) =>
    inStore(
      database.connection,
      4,
      Effect.gen(function* () {
        const answer = { body: { amount: 0 }, placeholders: [{ path: ["amount"], balances: [`available:${ann}`] }] }
        const replay = replayRecord("key", { expiresAt: 1e15, ...(kind.endsWith("balance") ? { answer } : {}) })
        const set = changeSet({
          inserts: [customer(1), customer(2)],
          observes: [`available:${ann}`],
          ...(kind === "without a key" ? {} : { replay }),
        })
        yield* meets({ ...set, validUntil: 1 }, { _tag: "Conflict", on: "validUntil" })
        assert.strictEqual(yield* record("Customer", ann), undefined)
        yield* committed({ ...set, validUntil: 1e15 })
        assert.strictEqual((yield* record("Customer", bob))?.version, 1)
        yield* committed({ ...set, validUntil: 1 })
        assert.strictEqual((yield* record("Customer", bob))?.version, 1)
      }),
    ),
)

it.live("is made once by processes that start at once with different numbers of cells", () =>
  Effect.gen(function* () {
    for (let round = 0; round < 3; round++) {
      const own = yield* Effect.promise(() => TestDatabase.create(4))
      const connections = [2, 3, 4].map(() => PoolConnection.make(own.another(2)))
      const exits = yield* Effect.all(
        connections.map((connection, n) => Effect.exit(CellMigrations.run(connection, n + 2))),
        { concurrency: "unbounded" },
      )
      const made = exits.filter(Exit.isSuccess)
      assert.strictEqual(made.length, 1)
      const [first] = made
      const count = first?.value.cells.length ?? 0
      for (const exit of exits) {
        if (Exit.isFailure(exit))
          assert.include(String(Cause.squash(exit.cause)), `has a store of ${count} cells, not of`)
      }
      const { rows } = yield* Effect.promise(() =>
        own.pool.query<{ readonly name: string }>(
          "select nspname as name from pg_namespace where nspname like 'countersign%'",
        ),
      )
      assert.deepStrictEqual(
        rows.map(({ name }) => name).toSorted(),
        Array.from({ length: count }, (_, cell) => schemaOf(cell, count)),
      )
      yield* Effect.promise(() => own.close())
    }
  }),
)
