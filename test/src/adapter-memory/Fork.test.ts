/**
 * Snapshots and forks: another store continues from the same state and is independent from then on.
 * Source: architecture, "The Store port" (Memory: a fork is an overlay on a frozen base).
 */
import { type Memory, MemoryStore, type Snapshot } from "@countersign/adapter-memory"
import { WallTime } from "@countersign/core/ports"
import type { Store } from "@countersign/core/store"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { changeSet, replayRecord } from "../../../packages/test/src/conformance/ChangeSets.ts"
import {
  account,
  ann,
  customer,
  customerUpdate,
  id,
  job,
  newEvent,
  transfer,
} from "../../../packages/test/src/conformance/Examples.ts"
import {
  balance,
  claim,
  commit,
  committed,
  conflicts,
  counter,
  delivery,
  event,
  history,
  jobs,
  list,
  record,
  replay,
} from "../../../packages/test/src/conformance/Suite.ts"
import { attempt } from "../store/Attempts.ts"

/** Runs an effect on one of several stores. */
const on =
  (memory: Memory) =>
  <A, E>(conversation: Effect.Effect<A, E, Store>): Effect.Effect<A, E> =>
    Effect.provide(conversation, MemoryStore.layerOf(memory), { local: true })

const test = (name: string, body: () => Effect.Effect<void, unknown, WallTime>) =>
  it.effect(name, () => body().pipe(Effect.provide(WallTime.layerClock)))

const filling = changeSet({
  inserts: [customer(1), customer(2)],
  claims: [{ scope: "global", key: "k", record: { kind: "Customer", id: ann } }],
  ledgerAccounts: [account("outside", { floor: null }), account("a")],
  transfers: [transfer("outside", "a", 100)],
  counters: [{ key: "k", delta: 3 }],
  events: [newEvent(1)],
  jobs: [job(1), job(2, { lane: "lane", laneHoldMillis: 50 }), job(3, { lane: "lane" }), job(4, { queue: "webhook" })],
  replay: replayRecord("key"),
})

/** A store with every kind of state: a running job, a job in back-off, an old version, a stored response. */
const filled = Effect.gen(function* () {
  const memory = yield* MemoryStore.make
  yield* on(memory)(
    Effect.gen(function* () {
      yield* committed(filling)
      yield* committed(changeSet({ at: 2000, updates: [customerUpdate(1, 1, { fullName: "Ann" })] }))
      yield* claim()
      yield* committed(
        changeSet({
          returns: [{ id: id("Job", 2), attempt: 1, outcome: "retry", notBefore: 5000, error: "no answer" }],
          attempts: [{ eventId: id("Webhook", 1), attempt }],
        }),
      )
    }),
  )
  return memory
})

const everything = Effect.gen(function* () {
  return {
    listed: yield* list("Customer", {}, { limit: 10, order: "desc" }),
    history: yield* history({ kind: "Customer", id: ann }),
    balance: yield* balance("a"),
    counter: yield* counter("k"),
    delivery: yield* delivery(id("Webhook", 1)),
    event: yield* event(id("Webhook", 1)),
    jobs: yield* jobs(),
    replay: yield* replay("key"),
  }
})

/** Behaviour that only a store with its complete state shows. */
const goesOn = Effect.gen(function* () {
  yield* committed(filling)
  assert.strictEqual((yield* commit(changeSet({ replay: replayRecord("key") })))._tag, "Replayed")
  const key = { scope: "global", key: "k", record: { kind: "Customer", id: id("Customer", 2) } } as const
  assert.strictEqual((yield* commit(changeSet({ claims: [key] })))._tag, "Taken")
  yield* conflicts(changeSet({ updates: [customerUpdate(1, 1)] }))
  yield* conflicts(changeSet({ finishes: [{ id: id("Job", 2), attempt: 1 }] }))
  yield* committed(changeSet({ finishes: [{ id: id("Job", 1), attempt: 1 }] }))
  yield* committed(changeSet({ jobs: [job(5, { lane: "lane" })] }))
  // The head of the lane is in back-off, and its hold expires at 1050.
  assert.deepStrictEqual(yield* claim({ wallNow: 1049 }), [])
  const passed = yield* claim({ wallNow: 1050 })
  assert.deepStrictEqual(
    passed.map(({ attempt, id }) => [id, attempt]),
    [[id("Job", 3), 1]],
  )
})

test("a snapshot survives JSON, and the loaded store continues from it", () =>
  Effect.gen(function* () {
    const memory = yield* filled
    const text = JSON.stringify(memory.snapshot())
    const loaded = yield* MemoryStore.load(JSON.parse(text))
    const saved = JSON.parse(text) as Snapshot
    // No worker of the loaded store runs the job that was running.
    const savedJobs = saved.jobs.map((each) =>
      each.state === "running" ? { ...each, state: "overdue", notBefore: 0 } : each,
    )
    assert.deepStrictEqual(loaded.snapshot() as unknown, { ...saved, jobs: savedJobs })
    const states = { jobs: yield* on(loaded)(jobs()) }
    assert.deepStrictEqual(yield* on(loaded)(everything), { ...(yield* on(memory)(everything)), ...states })
    assert.deepStrictEqual(
      states.jobs.map(({ state }) => state),
      saved.jobs.map(() => "waiting"),
    )
    assert.deepStrictEqual(loaded.ledger(), memory.ledger())
    yield* on(loaded)(goesOn)
    assert.strictEqual(JSON.stringify(memory.snapshot()), text)
  }))

test("a running job that blocks its lane is released when its store is loaded", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryStore.make
    const ids = Effect.map((claimed: ReadonlyArray<{ readonly id: string }>) => claimed.map(({ id }) => id))
    yield* on(memory)(
      Effect.gen(function* () {
        const lane = "lane"
        yield* committed(
          changeSet({ jobs: [job(1, { lane, laneHoldMillis: 0 }), job(2, { lane }), job(3, { dueAt: 9000 })] }),
        )
        yield* claim({ wallNow: 1000 })
        const fence = { id: id("Job", 1), attempt: 1 }
        yield* committed(changeSet({ returns: [{ ...fence, outcome: "retry", notBefore: 1100, error: "no answer" }] }))
        assert.deepStrictEqual(yield* ids(claim({ wallNow: 1001, leaseMillis: 8999 })), [id("Job", 2)])
        assert.deepStrictEqual(yield* ids(claim({ wallNow: 1100, leaseMillis: 90_000 })), [id("Job", 1)])
      }),
    )
    const loaded = yield* MemoryStore.load(memory.snapshot())
    const claims = ids(claim({ businessNow: 9000, wallNow: 1101 }))
    assert.deepStrictEqual(yield* on(memory)(claims), [id("Job", 3)])
    assert.deepStrictEqual(yield* on(loaded)(claims), [id("Job", 1), id("Job", 3)])
  }))

test("the jobs of a lane keep the order in which they were added, whatever their ids", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryStore.make
    const lane = "lane"
    for (const n of [3, 1, 2]) yield* on(memory)(committed(changeSet({ jobs: [job(n, { lane })] })))
    const loaded = yield* MemoryStore.load(memory.snapshot())
    for (const n of [3, 1, 2]) {
      const claimed = yield* on(loaded)(claim())
      assert.deepStrictEqual(
        claimed.map((each) => each.id),
        [id("Job", n)],
      )
      yield* on(loaded)(committed(changeSet({ finishes: [{ id: id("Job", n), attempt: 1 }] })))
    }
  }))

test("the sums that an event and an answer show survive a snapshot", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryStore.make
    const shows = (n: number) => ({
      body: { n },
      placeholders: [
        { path: ["balance"], balances: ["a"] },
        { path: ["count"], counter: "k" },
      ],
    })
    yield* on(memory)(
      committed(
        changeSet({
          ledgerAccounts: [account("outside", { floor: null }), account("a")],
          transfers: [transfer("outside", "a", 100)],
          counters: [{ key: "k", delta: 3 }],
          events: [newEvent(1, { data: shows(1) })],
          replay: replayRecord("key", { answer: shows(2) }),
        }),
      ),
    )
    const loaded = yield* MemoryStore.load(JSON.parse(JSON.stringify(memory.snapshot())))
    const shown = Effect.all([event(id("Webhook", 1)), replay("key")])
    const before = yield* on(memory)(shown)
    assert.deepStrictEqual(yield* on(loaded)(shown), before)
    assert.deepStrictEqual(before[0]?.facts.balances["a"], { balance: 100, sequence: 1 })
    assert.deepStrictEqual(before[0]?.facts.counters, { k: 3 })
  }))

test("later commits do not change a snapshot", () =>
  Effect.gen(function* () {
    const memory = yield* filled
    const snapshot = memory.snapshot()
    const text = JSON.stringify(snapshot)
    yield* on(memory)(committed(changeSet({ updates: [customerUpdate(1, 2)], counters: [{ key: "k", delta: 1 }] })))
    assert.strictEqual(JSON.stringify(snapshot), text)
  }))

test("data that is not a snapshot is rejected with the place of the problem", () =>
  Effect.gen(function* () {
    const memory = yield* filled
    const snapshot = memory.snapshot()
    const facts = (amount: unknown) => ({ balances: { a: { balance: amount, sequence: 1 } }, counters: {} })
    const broken = JSON.parse(JSON.stringify(snapshot).replace('"INDIVIDUAL"', '"ROBOT"'))
    for (const [data, where] of [
      [undefined, "object"],
      [{}, "format"],
      [{ ...snapshot, format: 1 }, "format"],
      [{ ...snapshot, counters: [["k", "many"]] }, "counters"],
      [{ ...snapshot, operations: [["o", { value: facts("much"), expiresAt: 1 }]] }, "balance"],
      [broken, "customerType"],
    ] as const) {
      const refused = yield* Effect.flip(MemoryStore.load(data))
      assert.strictEqual(refused._tag, "SnapshotInvalid")
      assert.include(refused.message, where)
    }
  }))

test("a fork continues from the state of its parent", () =>
  Effect.gen(function* () {
    const parent = yield* filled
    const fork = parent.fork()
    assert.deepStrictEqual(yield* on(fork)(everything), yield* on(parent)(everything))
    yield* on(fork)(goesOn)
    yield* on(parent)(goesOn)
  }))

/** Changes every kind of state. */
const changes = (n: number) =>
  Effect.gen(function* () {
    yield* committed(
      changeSet({
        inserts: [customer(10 + n)],
        updates: [customerUpdate(1, 2, { fullName: `Ann ${n}` })],
        transfers: [transfer("outside", "a", n)],
        counters: [{ key: "k", delta: n }],
        events: [newEvent(10 + n)],
        jobs: [job(10 + n)],
        finishes: [{ id: id("Job", 1), attempt: 1 }],
        replay: replayRecord(`key ${n}`),
      }),
    )
    yield* claim({ wallNow: 2000 })
  })

test("a parent and its forks do not see each other's writes", () =>
  Effect.gen(function* () {
    const parent = yield* filled
    const before = yield* on(parent)(everything)
    const one = parent.fork()
    const two = parent.fork()
    yield* on(one)(changes(1))
    assert.deepStrictEqual(yield* on(parent)(everything), before)
    assert.deepStrictEqual(yield* on(two)(everything), before)
    yield* on(parent)(changes(2))
    assert.deepStrictEqual(yield* on(two)(everything), before)
    const nested = one.fork()
    yield* on(one)(committed(changeSet({ counters: [{ key: "k", delta: 40 }] })))
    for (const [memory, name, total] of [
      [parent, "Ann 2", 5],
      [one, "Ann 1", 44],
      [nested, "Ann 1", 4],
      [two, "Ann", 3],
    ] as const) {
      assert.strictEqual((yield* on(memory)(record("Customer", ann)))?.data.fullName, name)
      assert.strictEqual(yield* on(memory)(counter("k")), total)
    }
    assert.isUndefined(yield* on(one)(event(id("Webhook", 12))))
    assert.isUndefined(yield* on(parent)(event(id("Webhook", 11))))
  }))

test("a fork shares the records that it does not change", () =>
  Effect.gen(function* () {
    const parent = yield* MemoryStore.make
    const inserts = Array.from({ length: 3000 }, (_, n) => customer(n + 1))
    yield* on(parent)(committed(changeSet({ inserts })))
    const forks = Array.from({ length: 500 }, () => parent.fork())
    const stored = yield* on(parent)(record("Customer", id("Customer", 1500)))
    assert.isDefined(stored)
    for (const fork of forks) {
      assert.strictEqual(yield* on(fork)(record("Customer", id("Customer", 1500))), stored)
    }
  }))

test("a worker that waits on one store is not woken by another", () =>
  Effect.gen(function* () {
    const parent = yield* MemoryStore.make
    const fork = parent.fork()
    const waiting = yield* Effect.forkChild(fork.store.awaitWork("work"), { startImmediately: true })
    yield* on(parent)(committed(changeSet({ jobs: [job(1)] })))
    yield* Effect.yieldNow
    assert.isUndefined(waiting.pollUnsafe())
    yield* on(fork)(committed(changeSet({ jobs: [job(1)] })))
    yield* Fiber.join(waiting)
  }))

test("a fork that begins with jobs wakes its worker at once", () =>
  Effect.gen(function* () {
    const parent = yield* filled
    yield* parent.fork().store.awaitWork("work")
  }))

test("a fork can have another wall clock", () =>
  Effect.gen(function* () {
    const parent = yield* filled
    const fork = parent.fork({ now: Effect.succeed(100_000), sleep: () => Effect.void })
    assert.isUndefined(yield* on(fork)(replay("key")))
    assert.isDefined(yield* on(parent)(replay("key")))
    yield* TestClock.setTime(100_000)
    assert.isUndefined(yield* on(parent)(replay("key")))
  }))

test("a fork inherits the moved time, and each store then moves its own", () =>
  Effect.gen(function* () {
    const parent = yield* filled
    const move = { mover: "one", aheadMillis: 5000, wallNow: 0, heldUntil: 10 }
    yield* parent.store.moveTime(move)
    const fork = parent.fork()
    const loaded = yield* MemoryStore.load(JSON.parse(JSON.stringify(parent.snapshot())))
    yield* parent.store.moveTime({ ...move, aheadMillis: 6000 })
    for (const memory of [fork, loaded]) {
      assert.strictEqual(memory.store.aheadMillis(), 5000)
      assert.isUndefined(yield* memory.store.moveTime({ ...move, mover: "two", aheadMillis: 7000 }))
    }
    assert.strictEqual(parent.store.aheadMillis(), 6000)
  }))
