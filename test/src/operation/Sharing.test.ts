/**
 * How platforms share the slots of the workers: simulated arrivals and durations in memory, on several processes.
 * Source: D-325; store/Sharing.ts.
 */
import { MemoryStore } from "@countersign/adapter-memory"
import { CurrentCaller, tenant } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { type ClaimedJob, reserveFor, Store } from "@countersign/core/store"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Layer, Schema } from "effect"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { id, job } from "../../../packages/test/src/conformance/Examples.ts"

const Memory = Layer.provide(MemoryStore.layer, WallTime.layerClock)
const platformOf = (n: number) => `PlatformConfig:${n}`
const lease = 1_000_000_000

interface Running {
  readonly job: ClaimedJob
  readonly endsAt: number
}

interface Options {
  readonly slots: number
  readonly processes: number
  /** How long each job of this platform takes. */
  readonly durationOf: (platform: number) => number
}

/** Workers of several processes on one store, in steps of time. It records how long a platform with due jobs had none running. */
const workers = Effect.fnUntraced(function* ({ durationOf, processes, slots }: Options) {
  const store = yield* Store
  const running: Array<Array<Running>> = Array.from({ length: processes }, () => [])
  const due = new Map<number, number>()
  const waitingSince = new Map<number, number>()
  let now = 0
  let operations = 0
  let jobs = 0
  let longestWait = 0

  const commit = (platform: number, set: Parameters<typeof changeSet>[0]) =>
    store
      .commit(changeSet({ operationId: `op-${operations++}`, ...set }))
      .pipe(Effect.provideService(CurrentCaller, tenant(platformOf(platform))))
  const countOf = (platform: number) =>
    running.flat().filter((each) => each.job.platformId === platformOf(platform)).length
  const numberOf = ({ platformId }: ClaimedJob) => Number(platformId.split(":")[1])

  const add = Effect.fnUntraced(function* (platform: number, count: number) {
    const added = Array.from({ length: count }, () => job(++jobs, { id: id("Job", jobs), customerId: null }))
    yield* commit(platform, { jobs: added })
    due.set(platform, (due.get(platform) ?? 0) + count)
  })

  const claim = Effect.fnUntraced(function* (process: number) {
    const own = running[process] ?? []
    const limit = slots - own.length
    if (limit === 0) return
    const before = new Map([...due.keys()].map((platform) => [platform, countOf(platform)]))
    const request = { queue: "work", worker: "w", businessNow: 1000, wallNow: 0, leaseMillis: lease } as const
    const claimed = yield* store.claim({ ...request, limit, leavesReserve: true })
    for (const each of claimed) {
      const platform = numberOf(each)
      own.push({ job: each, endsAt: now + durationOf(platform) })
      due.set(platform, (due.get(platform) ?? 0) - 1)
    }
    const free = limit - claimed.length
    const took = new Set(claimed.map(numberOf))
    for (const [platform, left] of due) {
      if (left === 0) continue
      const count = countOf(platform)
      // Work conserving up to the reserve: a job that could run waits only if its platform must leave the free slots.
      assert.isBelow(free - 1, reserveFor(count), `platform ${platform} runs ${count}, waits for ${left}, ${free} free`)
      // Even: no other platform got a slot in this claim while it had two more than this one ends with.
      for (const other of took) {
        if ((before.get(other) ?? 0) < countOf(other))
          assert.isAtMost(countOf(other), Math.max(count + 1, before.get(other) ?? 0))
      }
    }
  })

  const step = Effect.gen(function* () {
    now += 1
    for (const own of running) {
      const ended = own.filter(({ endsAt }) => endsAt <= now)
      for (const { job } of ended) {
        own.splice(
          own.findIndex((each) => each.job === job),
          1,
        )
        yield* commit(numberOf(job), { finishes: [{ id: job.id, attempt: job.attempt }] })
      }
    }
    for (let process = 0; process < processes; process++) yield* claim((process + now) % processes)
    for (const [platform, left] of due) {
      if (left > 0 && countOf(platform) === 0) {
        const since = waitingSince.get(platform) ?? now
        waitingSince.set(platform, since)
        longestWait = Math.max(longestWait, now - since)
      } else waitingSince.delete(platform)
    }
  })
  return {
    add,
    step,
    countOf,
    longestWait: () => longestWait,
    left: () => [...due.values()].reduce((a, b) => a + b, 0),
  }
})

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const Arrival = Schema.Struct({ platform: between(1, 6), count: between(1, 40), steps: between(0, 12) })

describe("platforms that share workers", () => {
  it.effect.prop(
    "leave no slot idle beyond the reserve, share evenly, and wait for no longer than a job takes",
    {
      arrivals: Arbitrary.array(Arbitrary.schema(Arrival), { minLength: 1, maxLength: 25 }),
      durations: Arbitrary.array(Arbitrary.schema(between(1, 20)), { minLength: 6, maxLength: 6 }),
      shape: Arbitrary.schema(Schema.Struct({ slots: between(8, 40), processes: between(1, 3) })),
    },
    ({ arrivals, durations, shape }) =>
      Effect.gen(function* () {
        const durationOf = (platform: number) => durations[platform - 1] ?? 1
        const simulated = yield* workers({ ...shape, durationOf })
        for (const { count, platform, steps } of arrivals) {
          yield* simulated.add(platform, count)
          for (let n = 0; n < steps; n++) yield* simulated.step
        }
        while (simulated.left() > 0) yield* simulated.step
        // Six platforms and eight slots: once the longest job has ended, each has had a turn.
        assert.isAtMost(simulated.longestWait(), Math.max(...durations))
      }).pipe(Effect.provide(Memory, { local: true })),
    { arbitrary: { runs: 60 } },
  )

  it.effect("have a slot at once although the jobs of three others hang", () =>
    Effect.gen(function* () {
      const simulated = yield* workers({
        slots: 128,
        processes: 1,
        durationOf: (platform) => (platform < 4 ? lease : 1),
      })
      for (const hanging of [1, 2, 3]) {
        yield* simulated.add(hanging, 500)
        yield* simulated.step
      }
      assert.deepStrictEqual([1, 2, 3].map(simulated.countOf), [121, 4, 2])
      yield* simulated.add(4, 50)
      for (let n = 0; n < 50; n++) {
        yield* simulated.step
        assert.strictEqual(simulated.countOf(4), 1)
      }
    }).pipe(Effect.provide(Memory, { local: true })),
  )

  it.effect("come to even shares in all processes together as the jobs of the first one end", () =>
    Effect.gen(function* () {
      const simulated = yield* workers({ slots: 64, processes: 3, durationOf: () => 10 })
      yield* simulated.add(1, 2000)
      yield* simulated.step
      assert.isAbove(simulated.countOf(1), 0.85 * 3 * 64)
      for (const late of [2, 3, 4]) yield* simulated.add(late, 2000)
      for (let n = 0; n < 30; n++) yield* simulated.step
      const counts = [1, 2, 3, 4].map(simulated.countOf)
      assert.isAtMost(Math.max(...counts) - Math.min(...counts), 2)
      assert.isAbove(Math.min(...counts), (0.85 * 3 * 64) / 4)
    }).pipe(Effect.provide(Memory, { local: true })),
  )
})
