/**
 * A row or a lock that a plain SQL session holds blocks the commits that need it, and nobody else.
 * Source: D-318, D-319.
 */
import type { ChangeSet } from "@countersign/core/store"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { customer, customerUpdate, id, job } from "../../../packages/test/src/conformance/Examples.ts"
import { eventually } from "../e2e/Deadline.ts"
import { type FaultServer, faultServer } from "../faults/FaultServer.ts"
import { from, lockedWorld, move, platform, processOn, setOf, to, usualCommits } from "./LockedTraffic.ts"

let server: FaultServer
beforeAll(async () => {
  server = await faultServer()
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

const lockRow = (table: string, row: string) => `select from countersign.${table} where id = '${row}' for update`
const many = (make: () => ChangeSet, count = 20): ReadonlyArray<ChangeSet> => Array.from({ length: count }, make)
const committed = (outcomes: ReadonlyArray<string>) => outcomes.filter((outcome) => outcome === "Committed").length
/** The part of the usual rate that others must keep. A blocked process has none; a busy machine has less than all. */
const part = 0.3

describe("a locked row", { timeout: 120_000 }, () => {
  it("that stays locked for 10 seconds leaves 16 other accounts their rate of commits", async () => {
    await using world = await lockedWorld(server)
    const before = await world.usualRate(2000)
    const { release } = await world.lock(lockRow("ledger_account", to(1)))
    const sets = many(() => move(1))
    // They arrive one after another, so that each of them meets the lock anew.
    const arriving = sets.map(async (set, n) => {
      await world.pause(n * 400)
      return world.commit(set)
    })
    const during = await world.trafficRate(10_000)
    await world.audit(sets, 0)
    await release()
    expect(await Promise.all(arriving)).toEqual(sets.map(() => "Committed"))
    const after = await world.usualRate(2000)
    expect(during / ((before + after) / 2)).toBeGreaterThan(part)
    await world.audit(sets, 1)
  })

  const counter = `insert into countersign.counter (owner_id, platform_id, key, value)`
  const cases: ReadonlyArray<
    readonly [name: string, lock: ReadonlyArray<string>, set: (n: number) => ChangeSet, count: number]
  > = [
    [
      "two accounts",
      [lockRow("ledger_account", from(3)), lockRow("ledger_account", to(4))],
      (n) => move(n < 10 ? 3 : 4),
      20,
    ],
    [
      "the advisory lock of a guarded record",
      [`select pg_advisory_xact_lock(hashtextextended('record ${platform(1)} Customer ${id("Customer", 1)}', 0))`],
      () => setOf({ guards: [{ kind: "Customer", id: id("Customer", 1), version: 1 }] }),
      20,
    ],
    [
      "the advisory lock of a lane",
      [`select pg_advisory_xact_lock_shared(hashtextextended('lane work ${platform(1)} lane', 0))`],
      (n) => setOf({ jobs: [job(1000 + n, { lane: "lane", customerId: null })] }),
      20,
    ],
    ["a record", [lockRow("customer", id("Customer", 1))], () => setOf({ updates: [customerUpdate(1, 1)] }), 1],
    [
      "a counter",
      [`${counter} values ('x', '${platform(1)}', 'counted', 1)`],
      () => setOf({ counters: [{ key: "counted", delta: 1 }] }),
      20,
    ],
    [
      "a unique key that another transaction inserts",
      [`insert into countersign.unique_key values ('key', '', 'Customer', 'x', 'x')`],
      (n) =>
        setOf({
          inserts: [customer(100 + n, {}, platform(1))],
          claims: [{ scope: "global", key: "key", record: { kind: "Customer", id: id("Customer", 100 + n) } }],
        }),
      1,
    ],
    [
      "an identifier that another transaction inserts, which no search finds",
      [`insert into countersign.operation values ('${platform(1)}', '${platform(1)}', 'known', '', 0)`],
      () => setOf({ operationId: "known", transfers: [] }),
      20,
    ],
  ]
  it.each(cases)("blocks only those that need it, if it is %s", async (_, statements, set, expected) => {
    await using world = await lockedWorld(server)
    expect(await world.commit(setOf({ inserts: [customer(1, {}, platform(1))] }))).toBe("Committed")
    const { release } = await world.lock(...statements)
    const sets = Array.from({ length: 20 }, (__, n) => set(n))
    const tenantOf = (n: number) => (sets[n]?.transfers.length === 1 ? (n < 10 ? 3 : 4) : 1)
    const outcomes = Promise.all(sets.map((each, n) => world.commit(each, tenantOf(n))))
    expect(await world.usualCommits()).toBe(usualCommits)
    await release()
    expect(committed(await outcomes)).toBe(expected)
    await world.audit([], 0)
  })

  it("of each of 40 tenants leaves the others their commits", async () => {
    await using world = await lockedWorld(server)
    const tenants = Array.from({ length: 38 }, (_, n) => n + 3)
    const locks = await Promise.all(tenants.map((n) => world.lock(lockRow("ledger_account", to(n)))))
    const sets = tenants.map((n) => move(n))
    const outcomes = Promise.all(sets.map((set, n) => world.commit(set, tenants[n])))
    expect(await world.usualCommits()).toBe(usualCommits)
    for (const { release } of locks) await release()
    expect(await outcomes).toEqual(sets.map(() => "Committed"))
    await world.audit(sets, 1)
  })

  it("leaves a store with one connection able to commit for others", async () => {
    await using world = await lockedWorld(server, 1)
    const { release } = await world.lock(lockRow("ledger_account", to(1)))
    const sets = many(() => move(1), 5)
    const outcomes = Promise.all(sets.map((set) => world.commit(set)))
    expect(await world.usualCommits()).toBe(usualCommits)
    await world.audit(sets, 0)
    await release()
    expect(await outcomes).toEqual(sets.map(() => "Committed"))
    await world.audit(sets, 1)
  })
})

describe("commits that wait for a locked row", { timeout: 120_000 }, () => {
  it("hold no session, no lock and no row of their own", async () => {
    await using world = await lockedWorld(server)
    const { release } = await world.lock(lockRow("ledger_account", to(1)))
    const set = move(1, { inserts: [customer(7, {}, platform(1))] })
    const outcome = world.commit(set)
    await world.noSessionWaits()
    const free = await world.lock(
      "set local lock_timeout = 1000",
      lockRow("ledger_account", from(1)),
      `select pg_advisory_xact_lock(hashtextextended('operation ${platform(1)} ${set.operationId}', 0))`,
    )
    await free.release()
    await release()
    expect(await outcome).toBe("Committed")
  })

  it("are bounded for each tenant: the store refuses the others and applies nothing of them", async () => {
    await using world = await lockedWorld(server)
    const { release } = await world.lock(lockRow("ledger_account", to(1)), lockRow("ledger_account", to(2)))
    const sets = many(() => move(1), 300)
    const refused: Array<string> = []
    const outcomes = Promise.all(
      sets.map(async (set) => {
        const outcome = await world.commit(set)
        if (outcome !== "Committed") refused.push(outcome)
        return outcome
      }),
    )
    await eventually(
      "refusals",
      () => refused.length,
      (length) => length === 300 - 256,
    )
    expect(new Set(refused)).toEqual(new Set(["unavailable"]))
    // Another tenant has places of its own.
    const other = world.commit(move(2), 2)
    expect(await world.usualCommits()).toBe(usualCommits)
    await release()
    expect(committed(await outcomes)).toBe(256)
    expect(await other).toBe("Committed")
    await world.audit([], 0)
  })

  it("continue when the session that holds the row is ended", async () => {
    await using world = await lockedWorld(server)
    const { abandon, pid } = await world.lock(lockRow("ledger_account", to(1)))
    const sets = many(() => move(1))
    const outcomes = Promise.all(sets.map((set) => world.commit(set)))
    await world.noSessionWaits()
    // Longer than a commit waits in the database, so that the store holds them all.
    await world.pause(600)
    await world.outside.query("select pg_terminate_backend($1)", [pid])
    abandon()
    expect(await outcomes).toEqual(sets.map(() => "Committed"))
    await world.audit(sets, 1)
  })

  it("continue when another session takes the row and leaves it", async () => {
    await using world = await lockedWorld(server)
    const sets = many(() => move(1))
    let holder = await world.lock(lockRow("ledger_account", to(1)))
    const outcomes = Promise.all(sets.map((set) => world.commit(set)))
    for (let n = 0; n < 5; n++) {
      const next = world.lock(lockRow("ledger_account", to(1)))
      await world.pause(300)
      await holder.release()
      holder = await next
    }
    await holder.release()
    expect(await outcomes).toEqual(sets.map(() => "Committed"))
    await world.audit(sets, 1)
  })

  it("are not applied when their process ends, and another process applies them once", async () => {
    await using world = await lockedWorld(server)
    const ending = await processOn(world.database.pool())
    const { release } = await world.lock(lockRow("ledger_account", to(1)))
    const sets = many(() => move(1))
    const outcomes = Promise.all(sets.map((set) => ending.commit(set)))
    await world.noSessionWaits()
    // Longer than a commit waits in the database, so that the store holds them all.
    await world.pause(600)
    await ending[Symbol.asyncDispose]()
    expect(await outcomes).toEqual(sets.map(() => "unavailable"))
    await release()
    await world.audit(sets, 0)
    expect(await Promise.all(sets.map((set) => world.commit(set)))).toEqual(sets.map(() => "Committed"))
    await world.audit(sets, 1)
  })

  it("have the outcome of a restarted database, and are applied once", async () => {
    await using restarted = await faultServer()
    await using world = await lockedWorld(restarted)
    const { abandon } = await world.lock(lockRow("ledger_account", to(1)))
    const sets = many(() => move(1))
    const outcomes = sets.map(async (set) => {
      const first = await world.commit(set)
      return first === "Committed" ? first : world.commit(set)
    })
    await world.noSessionWaits()
    await restarted.restart("immediate")
    abandon()
    for (const outcome of await Promise.all(outcomes)) expect(["Committed", "unavailable"]).toContain(outcome)
    await eventually(
      "all commits",
      () => Promise.all(sets.map((set) => world.commit(set))),
      (all) => all.every((outcome) => outcome === "Committed"),
    )
    await world.audit(sets, 1)
  })
})
