/**
 * A lane, a job or the turn of a platform that a plain SQL session holds stops the claims of no other lane and platform.
 * Source: D-327.
 */
import { CurrentCaller, tenant } from "@countersign/core"
import { type ChangeSet, type NewJob, Store } from "@countersign/core/store"
import { Effect, ManagedRuntime } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { id, job } from "../../../packages/test/src/conformance/Examples.ts"
import { eventually } from "../e2e/Deadline.ts"
import { type FaultServer, faultServer, liveStoreOn } from "../faults/FaultServer.ts"

let server: FaultServer
beforeAll(async () => {
  server = await faultServer()
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

const platform = (n: number): string => id("PlatformConfig", n)
const platforms = [1, 2, 3]
const leaseMillis = 1000
const holdMillis = 10

/**
 * Each platform has two jobs in lane "a", two in lane "b" and two in none. The first job of lane "a" of platform 1 was claimed and
 * lost, so that its hold has expired.
 */
const jobsOf = (n: number): ReadonlyArray<NewJob> =>
  ["a", "b", undefined].flatMap((lane, laneNumber) =>
    [0, 1].map((place) =>
      job(n * 100 + laneNumber * 10 + place, {
        customerId: null,
        dueAt: n * 10 + place,
        ...(lane === undefined ? {} : { lane, laneHoldMillis: holdMillis }),
      }),
    ),
  )
const heldHead = id("Job", 100)
const heldNext = id("Job", 101)
const usual = platforms.flatMap(jobsOf).map((each) => each.id)

const claimingWorld = async () => {
  const database = await server.create()
  const outside = database.pool({ max: 4 })
  const runtime = ManagedRuntime.make(liveStoreOn(database.pool()))
  const commit = (n: number, parts: Partial<ChangeSet>) =>
    runtime.runPromise(
      Store.use((store) => store.commit(changeSet({ at: Date.now(), ...parts }))).pipe(
        Effect.provideService(CurrentCaller, tenant(platform(n))),
      ),
    )
  let wallNow = 1_000_000
  const claim = (limit: number) =>
    runtime.runPromise(
      Store.use((store) =>
        store.claim({
          queue: "work",
          worker: "w",
          businessNow: 1000,
          wallNow,
          limit,
          leavesReserve: false,
          leaseMillis,
        }),
      ),
    )
  /** Runs jobs until claims return none any more. Does not finish `unfinished`. */
  const runAll = async (limit: number, unfinished?: string): Promise<ReadonlyArray<string>> => {
    const ran: Array<string> = []
    for (;;) {
      const jobs = await claim(limit)
      if (jobs.length === 0) return ran
      for (const { attempt, id: jobId, platformId } of jobs) {
        ran.push(jobId)
        if (jobId === unfinished) continue
        const n = platforms.find((each) => platform(each) === platformId) ?? 0
        expect(await commit(n, { finishes: [{ id: jobId, attempt }] })).toMatchObject({ _tag: "Committed" })
      }
    }
  }
  /** Runs SQL in a transaction that stays open; returns its end. */
  const lock = async (...statements: ReadonlyArray<string>) => {
    const client = await outside.connect()
    await client.query("begin")
    for (const statement of statements) await client.query(statement)
    return async () => {
      await client.query("rollback")
      client.release()
    }
  }

  expect(await commit(1, { jobs: jobsOf(1) })).toMatchObject({ _tag: "Committed" })
  expect(await claim(1)).toMatchObject([{ id: heldHead }])
  wallNow += leaseMillis + holdMillis
  for (const n of [2, 3]) expect(await commit(n, { jobs: jobsOf(n) })).toMatchObject({ _tag: "Committed" })
  return { commit, claim, runAll, lock, outside, [Symbol.asyncDispose]: () => runtime.dispose() }
}

const jobRow = (jobId: string) => `select from countersign.job where id = '${jobId}' for update`
const without = (...ids: ReadonlyArray<string>) => usual.filter((each) => !ids.includes(each))
const laneLock = `select pg_advisory_xact_lock(hashtextextended('lane work ${platform(1)} a', 0))`

// The expected jobs of lane "a": those that the locked row or lane does not block.
const cases: ReadonlyArray<readonly [name: string, lock: string, ran: ReadonlyArray<string>]> = [
  ["the turn of a platform", `select from countersign.job_line where platform_id = '${platform(1)}' for update`, usual],
  [
    "the first turn of a platform, which is not committed",
    `insert into countersign.job_line values ('work', '${platform(2)}', 0)`,
    usual,
  ],
  ["the job that holds a lane", jobRow(heldHead), without(heldHead, heldNext)],
  ["the next job of a lane whose hold has expired", jobRow(heldNext), without(heldNext)],
  ["a job without a lane", jobRow(id("Job", 220)), without(id("Job", 220))],
  [
    "all jobs of a platform",
    `select from countersign.job where platform_id = '${platform(2)}' for update`,
    without(...jobsOf(2).map((each) => each.id)),
  ],
]

describe("a claim", { timeout: 120_000 }, () => {
  describe.each([1, 8])("of at most %d jobs", (limit) => {
    it.each(cases)("runs all other jobs while a session has locked %s", async (_, statement, expected) => {
      await using world = await claimingWorld()
      const release = await world.lock(statement)
      // The end of the head would change the locked next job: its commit waits.
      const unfinished = statement === jobRow(heldNext) ? heldHead : undefined
      const ran = await world.runAll(limit, unfinished)
      expect(ran.toSorted()).toEqual(expected.toSorted())
      await release()
      if (unfinished !== undefined) await world.commit(1, { finishes: [{ id: unfinished, attempt: 2 }] })
      expect([...ran, ...(await world.runAll(limit))].toSorted()).toEqual(usual.toSorted())
    })

    it("opens no lane that a session has locked, and runs the jobs of all others", async () => {
      await using world = await claimingWorld()
      const release = await world.lock(laneLock)
      const claimed = new Set<string>()
      for (let round = 0; round < usual.length; round++) {
        for (const each of await world.claim(limit)) claimed.add(each.id)
      }
      // Nothing finishes, so that each lane runs its first job only.
      const second = [2, 3].map((n) => id("Job", n * 100 + 1))
      const secondOfB = platforms.map((n) => id("Job", n * 100 + 11))
      expect([...claimed].toSorted()).toEqual(without(heldNext, ...second, ...secondOfB).toSorted())
      await release()
    })
  })

  it("finds the free jobs among hundreds that a session has locked", async () => {
    await using world = await claimingWorld()
    const jobs = Array.from({ length: 300 }, (_, n) => job(1000 + n, { customerId: null, dueAt: 0 }))
    await world.commit(2, { jobs })
    const locked = jobs.slice(0, -1).map((each) => each.id)
    const release = await world.lock(
      `select from countersign.job where id in (${locked.map((each) => `'${each}'`).join()}) for update`,
    )
    expect((await world.runAll(1)).toSorted()).toEqual([...usual, id("Job", 1299)].toSorted())
    await release()
    expect((await world.runAll(8)).toSorted()).toEqual(locked.toSorted())
  })

  it("gives a platform whose turn is locked no place before the others", async () => {
    await using world = await claimingWorld()
    const release = await world.lock(`select from countersign.job_line where platform_id = '${platform(1)}' for update`)
    const turns: Array<string> = []
    for (let n = 0; n < 6; n++) {
      const [claimed] = await world.claim(1)
      if (claimed === undefined) throw new Error("no job")
      turns.push(claimed.platformId)
      const number = platforms.find((each) => platform(each) === claimed.platformId) ?? 0
      await world.commit(number, { finishes: [{ id: claimed.id, attempt: claimed.attempt }] })
    }
    expect(turns).toEqual([2, 3, 2, 3, 2, 3].map(platform))
    await release()
  })

  it("is empty while a session has locked the queue, and leaves the connection to others", async () => {
    await using world = await claimingWorld()
    const release = await world.lock(`select pg_advisory_xact_lock(hashtextextended('claim countersign work', 0))`)
    expect(await world.claim(8)).toEqual([])
    const waiting = () =>
      world.outside.query(
        "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    await eventually("no session that waits", waiting, ({ rows }) => rows.length === 0)
    await release()
    expect((await world.runAll(8)).toSorted()).toEqual(usual.toSorted())
  })
})
