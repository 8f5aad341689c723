/**
 * Claims compared with a model that visits every job each time and implements only the rules of the port.
 * Source: ports/Store.ts (claim); ports/ChangeSet.ts (NewJob).
 */
import { MemoryStore } from "@countersign/adapter-memory"
import { WallTime } from "@countersign/core/ports"
import type { NewJob, Store } from "@countersign/core/store"
import { assert, it } from "@effect/vitest"
import { Arbitrary, Effect, Fiber, Layer, Schema } from "effect"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { alpha, beta, job } from "../../../packages/test/src/conformance/Examples.ts"
import { claim, commit, committed, jobs } from "../../../packages/test/src/conformance/Suite.ts"

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
const Command = Schema.Union([
  Schema.TaggedStruct("Add", { lane: upTo(2), hold: upTo(2), dueIn: upTo(60), platform: upTo(1) }),
  Schema.TaggedStruct("Claim", { later: upTo(40), limit: upTo(9), leavesReserve: Schema.Boolean, lease: upTo(50) }),
  Schema.TaggedStruct("Finish", { which: upTo(20) }),
  Schema.TaggedStruct("Return", { which: upTo(20), wait: upTo(60), park: Schema.Boolean }),
])
const commands = Arbitrary.array(Arbitrary.schema(Command), { maxLength: 60 })

const callers = [alpha, beta] as const

interface Known {
  readonly job: NewJob
  readonly platform: number
  attempt: number
  leasedUntil: number | undefined
  notBefore: number
  firstClaimedAt: number | undefined
  parked: boolean
}

/** Whether it blocks the later jobs of its lane. */
const holds = (known: Known, now: number): boolean => {
  const { laneHoldMillis } = known.job
  if (laneHoldMillis === undefined || known.firstClaimedAt === undefined) return true
  if (known.parked) return false
  if (known.leasedUntil !== undefined && known.leasedUntil > now) return true
  return known.firstClaimedAt + laneHoldMillis > now
}

const isClaimable = (all: ReadonlyArray<Known>, known: Known, now: number): boolean => {
  if (known.parked || known.job.dueAt > now || known.notBefore > now) return false
  if (known.leasedUntil !== undefined && known.leasedUntil > now) return false
  if (known.job.lane === undefined) return true
  const earlier = all.slice(0, all.indexOf(known))
  return !earlier.some((e) => e.platform === known.platform && e.job.lane === known.job.lane && holds(e, now))
}

interface Request {
  readonly limit: number
  readonly leavesReserve: boolean
  readonly lease: number
}

/** Claims one job after another, each for the platform with the fewest running jobs. */
const claimAll = (all: ReadonlyArray<Known>, now: number, request: Request, turns: Map<number, number>) => {
  const taken: Array<Known> = []
  while (taken.length < request.limit) {
    const lines = [...callers.keys()].flatMap((platform) => {
      const own = all.filter((known) => known.platform === platform)
      const running = own.filter(({ leasedUntil }) => leasedUntil !== undefined && leasedUntil > now).length
      const [next] = own.filter((known) => isClaimable(all, known, now)).sort((a, b) => a.job.dueAt - b.job.dueAt)
      return next === undefined ? [] : [{ running, next, turn: turns.get(platform) ?? 0 }]
    })
    const [first] = lines.sort(
      (a, b) =>
        a.running - b.running ||
        a.turn - b.turn ||
        a.next.job.dueAt - b.next.job.dueAt ||
        all.indexOf(a.next) - all.indexOf(b.next),
    )
    if (first === undefined) break
    const leaves = request.limit - taken.length - 1
    if (request.leavesReserve && leaves < first.running.toString(2).replace(/^0$/u, "").length) break
    const { next } = first
    next.attempt += 1
    next.leasedUntil = now + request.lease
    next.firstClaimedAt ??= now
    turns.set(next.platform, Math.max(0, ...turns.values()) + 1)
    taken.push(next)
  }
  return taken.sort((a, b) => a.job.dueAt - b.job.dueAt || all.indexOf(a) - all.indexOf(b))
}

const Memory = Layer.provide(MemoryStore.layer, WallTime.layerClock)
const fence = ({ attempt, job }: Known) => `${job.id} ${attempt}`

const play = Effect.fnUntraced(function* (commands: ReadonlyArray<typeof Command.Type>) {
  const all: Array<Known> = []
  const fences: Array<{ readonly known: Known; readonly attempt: number }> = []
  let lastNumber = 0
  let now = 0

  const turns = new Map<number, number>()

  const claims = Effect.fnUntraced(function* ({ lease, leavesReserve, limit }: Request) {
    const expected = claimAll(all, now, { lease, leavesReserve, limit }, turns)
    const claimed = yield* claim({ businessNow: now, wallNow: now, limit, leavesReserve, leaseMillis: lease })
    assert.deepStrictEqual(
      claimed.map(({ attempt, id }) => `${id} ${attempt}`),
      expected.map(fence),
    )
    for (const known of expected) fences.push({ known, attempt: known.attempt })
  })

  for (const command of commands) {
    if (command._tag === "Add") {
      lastNumber += 1
      const { dueIn, hold, lane, platform } = command
      const added = job(lastNumber, {
        customerId: null,
        dueAt: now + dueIn,
        ...(lane === 0 ? {} : { lane: `lane ${lane}` }),
        ...(hold === 0 ? {} : { laneHoldMillis: (hold - 1) * 45 }),
      })
      yield* committed(changeSet({ jobs: [added] }), callers[platform])
      const fresh = { attempt: 0, leasedUntil: undefined, notBefore: 0, firstClaimedAt: undefined, parked: false }
      all.push({ job: added, platform, ...fresh })
    } else if (command._tag === "Claim") {
      now += command.later
      yield* claims({ ...command, limit: command.limit + 1, lease: command.lease + 1 })
    } else {
      const held = fences[command.which % Math.max(fences.length, 1)]
      if (held === undefined) continue
      const { attempt, known } = held
      const { id } = known.job
      const isHeld = all.includes(known) && known.attempt === attempt && known.leasedUntil !== undefined
      const notBefore = now + (command._tag === "Return" ? command.wait : 0)
      const outcome = command._tag === "Return" && command.park ? "parked" : "retry"
      const set =
        command._tag === "Finish"
          ? changeSet({ finishes: [{ id, attempt }] })
          : changeSet({ returns: [{ id, attempt, outcome, notBefore, error: "no answer" }] })
      const { _tag } = yield* commit(set, callers[known.platform === 0 ? 0 : 1])
      assert.strictEqual(_tag, isHeld ? "Committed" : "Conflict")
      if (!isHeld) continue
      if (command._tag === "Finish") all.splice(all.indexOf(known), 1)
      else Object.assign(known, { leasedUntil: undefined, notBefore, parked: outcome === "parked" })
    }
  }
  return {
    unfinished: callers.map((_, platform) =>
      all.filter((known) => known.platform === platform).map(({ job }) => job.id),
    ),
    /** All jobs that can still be claimed at some later time; those that ran are released. */
    drain: Effect.suspend(() => {
      now += 30
      for (const known of all) known.leasedUntil = undefined
      return claims({ limit: 5, leavesReserve: false, lease: 100 })
    }),
  }
})

it.effect.prop(
  "a claim hands out exactly what the rules allow, also from a store that was loaded in between",
  { commands },
  ({ commands }) =>
    Effect.gen(function* () {
      const memory = yield* MemoryStore
      const { drain, unfinished } = yield* play(commands)
      for (const [platform, caller] of callers.entries()) {
        assert.deepStrictEqual(
          (yield* jobs(caller)).map(({ id }) => id),
          unfinished[platform],
        )
      }
      const loaded = yield* MemoryStore.load(JSON.parse(JSON.stringify(memory.snapshot())))
      yield* Effect.provide(drain satisfies Effect.Effect<void, unknown, Store>, MemoryStore.layerOf(loaded))
    }).pipe(Effect.provide([Memory, WallTime.layerClock], { local: true })),
  { arbitrary: { runs: 300 } },
)

it.effect("platforms take turns even if each job is finished before the next claim", () =>
  Effect.gen(function* () {
    yield* committed(changeSet({ jobs: Array.from({ length: 4 }, (_, n) => job(n + 1, { dueAt: 1 })) }))
    const theirs = Array.from({ length: 2 }, (_, n) => job(n + 11, { dueAt: 2, customerId: null }))
    yield* committed(changeSet({ jobs: theirs }), beta)
    const turns: Array<string> = []
    for (let n = 0; n < 6; n++) {
      for (const { attempt, id, platformId } of yield* claim({ limit: 1 })) {
        turns.push(platformId === alpha.platformId ? "alpha" : "beta")
        const finished = changeSet({ finishes: [{ id, attempt }] })
        yield* committed(finished, platformId === alpha.platformId ? alpha : beta)
      }
    }
    assert.deepStrictEqual(turns, ["alpha", "beta", "alpha", "beta", "alpha", "alpha"])
  }).pipe(Effect.provide(Memory)),
)

it.effect("a worker whose claim was filled does not wait, because more jobs may be due", () =>
  Effect.gen(function* () {
    const { store } = yield* MemoryStore
    yield* committed(changeSet({ jobs: [job(1), job(2)] }))
    yield* claim({ limit: 1 })
    yield* store.awaitWork("work")
    yield* claim({ limit: 2 })
    const waiting = yield* Effect.forkChild(store.awaitWork("work"), { startImmediately: true })
    assert.isUndefined(waiting.pollUnsafe())
    yield* Fiber.interrupt(waiting)
  }).pipe(Effect.provide(Memory)),
)

it.effect("claiming and finishing a backlog takes a few steps per job, not one per waiting job", () =>
  Effect.gen(function* () {
    const count = 3000
    const added = Array.from({ length: count }, (_, n) => job(n + 1, { lane: `lane ${n % 3}`, dueAt: n % 7 }))
    yield* committed(changeSet({ jobs: added }))
    let finished = 0
    while (finished < count) {
      const claimed = yield* claim({ limit: 10 })
      assert.strictEqual(claimed.length, Math.min(3, count - finished))
      yield* committed(changeSet({ finishes: claimed.map(({ attempt, id }) => ({ id, attempt })) }))
      finished += claimed.length
    }
    assert.deepStrictEqual(yield* jobs(), [])
  }).pipe(Effect.provide(Memory)),
)
