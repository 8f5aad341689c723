/** How change sets find their cells, how claims go round them, and how business time moves in all at once. Source: `AllCells.ts`; D-514. */
import { type ClaimedJob, StoreUnavailable } from "@countersign/core/store"
import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import type { OneCell } from "../../../packages/adapter-postgres/src/cells/Cell.ts"
import { RolledBack } from "../../../packages/adapter-postgres/src/cells/Transaction.ts"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { alpha, ann, bob, customerUpdate, id, job } from "../../../packages/test/src/conformance/Examples.ts"
import { stoppedTimers } from "../harness/StoppedTimers.ts"
import { cellCount, type FakeStore, inStore, request } from "./CellStore.ts"
import { fakeServer } from "./FakeCluster.ts"

const committed = { _tag: "Outcome", outcome: { _tag: "Committed", facts: { balances: {}, counters: {} } }, queues: [] }
const away = new StoreUnavailable({ unknown: false, cause: new Error("away") })

describe("a change set", () => {
  const sent = async (set: ReturnType<typeof changeSet>, store: FakeStore = {}) => {
    const cells: Array<number> = []
    const spans: Array<ReadonlyArray<number>> = []
    const result = await inStore(
      {
        cell: (number) => ({
          commit: () =>
            Effect.sync(() => {
              cells.push(number)
              return {
                _tag: "Outcome",
                outcome: { _tag: "Committed", facts: { balances: {}, counters: {} } },
                queues: [],
              }
            }),
        }),
        places: {
          transact: (own, work) => {
            spans.push(own)
            const answer = JSON.stringify([{ _tag: "Committed", sums: "", queues: [] }])
            const session = { query: () => Promise.resolve([answer]), script: () => Promise.resolve() }
            return work(() => session)
          },
        },
        ...store,
      },
      ({ commit }) => commit(set, alpha),
    )
    return { result, cells, spans }
  }

  it.each([
    [ann, 1],
    [bob, 2],
  ])("of %s is committed by its cell %i alone", async (customer, cell) => {
    const update = customerUpdate(customer === ann ? 1 : 2, 1)
    expect(await sent(changeSet({ updates: [update] }))).toEqual({ result: committed, cells: [cell], spans: [] })
  })

  it("that names nothing is committed by the first cell", async () => {
    expect(await sent(changeSet())).toEqual({ result: committed, cells: [0], spans: [] })
  })

  it("of two customers is committed in one transaction over both cells", async () => {
    const set = changeSet({ updates: [customerUpdate(2, 1), customerUpdate(1, 1)] })
    expect(await sent(set)).toEqual({ result: committed, cells: [], spans: [[1, 2]] })
  })

  it("whose job is not in the cell of its owner is a defect, and is sent to no cell", async () => {
    const misplaced = id("Job", 1, bob)
    const { cells, result, spans } = await sent(changeSet({ jobs: [{ ...job(1), id: misplaced, customerId: ann }] }))
    expect([result, cells, spans]).toEqual([
      { _tag: "Defect", cause: new Error(`change set: ${misplaced} is not in the cell of its owner`) },
      [],
      [],
    ])
  })
})

describe("a change set over several cells", () => {
  const spanning = (validUntil?: number) =>
    changeSet({
      updates: [customerUpdate(1, 1), customerUpdate(2, 1)],
      ...(validUntil === undefined ? {} : { validUntil }),
    })
  const blocked = Object.assign(new Error("lock"), { code: "55P03", severity: "ERROR" })

  it.each<readonly [number | undefined, number]>([
    [0, 1],
    [269, 1],
    [270, 2],
    [559, 2],
    [560, 3],
    [3649, 7],
    [3650, 8],
    [4539, 8],
    [4540, 9],
    [undefined, 31],
  ])("that waits for a lock is sent again for %s ms: %i times", async (lockWaitMillis, times) => {
    using timers = stoppedTimers()
    let attempts = 0
    const transact = () => {
      attempts += 1
      return Promise.reject(blocked)
    }
    let isSettled = false
    const settled = inStore(
      { ...(lockWaitMillis === undefined ? {} : { lockWaitMillis }), places: { transact } },
      ({ commit }) => commit(spanning(), alpha),
    ).finally(() => {
      isSettled = true
    })
    while (!isSettled) {
      timers.pass(640)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await settled).toMatchObject({ _tag: "Unavailable", error: { unknown: false, cause: blocked } })
    expect(attempts).toBe(times)
  })

  it("is sent by twice as many at a time as its servers take batches", async () => {
    let [running, most, begun] = [0, 0, 0]
    const open: Array<() => void> = []
    const transact = async <A>(): Promise<A> => {
      running += 1
      begun += 1
      most = Math.max(most, running)
      await new Promise<void>((resolve) => open.push(resolve))
      running -= 1
      throw new Error("ended")
    }
    const server = fakeServer({}, { concurrentBatches: 1 })
    const ended = inStore({ places: { transact, any: server } }, ({ commit }) =>
      Effect.forEach([1, 2, 3], () => commit(spanning(), alpha), { concurrency: 3 }),
    )
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    for (let n = 0; n < 50; n++) await turn()
    expect([begun, running]).toEqual([2, 2])
    for (let n = 0; n < 50; n++) {
      open.shift()?.()
      await turn()
    }
    expect((await ended).map(({ _tag }) => _tag)).toEqual(["Unavailable", "Unavailable", "Unavailable"])
    expect(most).toBe(2)
  })

  it("that no decision may make is sent to no cell", async () => {
    const set = changeSet({ ...spanning(), counters: [{ key: "k", delta: 0.5 }] })
    let isSent = false
    const transact = () => {
      isSent = true
      return Promise.reject(blocked)
    }
    const exit = await inStore({ places: { transact } }, ({ commit }) => Effect.exit(commit(set, alpha)))
    expect([Exit.hasDies(exit), isSent]).toEqual([true, false])
  })

  it.each([
    [undefined, false],
    [-1, true],
    [60_000, false],
  ])("whose decision is valid for another %s ms is late: %s", async (millis, isLate) => {
    const texts: Array<string> = []
    await inStore(
      {
        places: {
          transact: (_, work) =>
            work(() => ({
              query: ({ values }) => {
                texts.push(String(values[0]))
                return Promise.resolve([JSON.stringify([{ _tag: "Committed", sums: "", queues: [] }])])
              },
              script: () => Promise.resolve(),
            })),
        },
      },
      ({ commit }) => commit(spanning(millis === undefined ? undefined : Date.now() + millis), alpha),
    )
    expect(texts.length).toBeGreaterThan(1)
    expect(texts.filter((text) => text.includes('"isLate":true'))).toHaveLength(isLate ? texts.length : 0)
  })
})

describe("a claim", () => {
  const jobOf = (name: string, behind?: string): ClaimedJob => ({
    ...job(1),
    id: name,
    platformId: "p",
    attempt: 1,
    firstClaimedAt: 0,
    ...(behind === undefined ? {} : { behind }),
  })
  type Claimed = ReadonlyArray<ClaimedJob> | StoreUnavailable

  /** Claims one after another, with the cells that were asked and their limits. */
  const claims = async (
    jobs: ReadonlyArray<Claimed>,
    requests: ReadonlyArray<Partial<typeof request>> = [{}],
    {
      claimable = jobs.map(() => true),
      offsets = [],
      unanswered = [],
      ahead = [],
    }: {
      readonly claimable?: ReadonlyArray<boolean | undefined>
      readonly offsets?: ReadonlyArray<number>
      readonly unanswered?: ReadonlyArray<number>
      readonly ahead?: ReadonlyArray<number>
    } = {},
  ) => {
    const asked: Array<string> = []
    const cell = (number: number): Partial<OneCell> => ({
      hasUnanswered: () => unanswered.includes(number),
      claim: ({ limit }, session) => {
        asked.push(`${number}:${limit}:${session}`)
        const found = jobs[number] ?? []
        return found instanceof StoreUnavailable
          ? Effect.fail(found)
          : Effect.succeed({ ahead: ahead[number] ?? 0, jobs: [...found] })
      },
    })
    const answers = new Map(
      claimable.flatMap((can, number) =>
        can === undefined ? [] : [[number, JSON.stringify([can, offsets[number] ?? 0])] as const],
      ),
    )
    const results = await inStore({ cell, places: { ask: () => Promise.resolve(answers) } }, ({ claim }) =>
      Effect.forEach(requests, (more) =>
        Effect.exit(claim({ ...request, ...more }, (number) => Effect.succeed(number === 3 ? null : 100 + number))),
      ),
    )
    return {
      asked,
      results: results.map((exit) =>
        Exit.isSuccess(exit)
          ? { ahead: exit.value.ahead, jobs: exit.value.jobs.map((found) => found.id) }
          : "unavailable",
      ),
    }
  }

  it("goes round the cells with what is left of its limit, by the session at each", async () => {
    const found = await claims([[jobOf("a")], [jobOf("b"), jobOf("c")], [], [jobOf("d")]])
    expect(found.asked).toEqual(["0:10:100", "1:9:101", "2:7:102", "3:7:null"])
    expect(found.results).toEqual([{ ahead: 0, jobs: ["a", "b", "c", "d"] }])
  })

  it("ends when its limit is reached, which jobs behind a head do not count for", async () => {
    const jobs = [[jobOf("a"), jobOf("b", "a")], [jobOf("c", "a"), jobOf("d")], [jobOf("e")], []]
    const { asked, results } = await claims(jobs, [{ limit: 2 }])
    expect(asked).toEqual(["0:2:100", "1:1:101"])
    expect(results).toEqual([{ ahead: 0, jobs: ["a", "d", "b", "c"] }])
    expect((await claims(jobs, [{ limit: 0 }])).asked).toEqual([])
  })

  it("begins with the next cell each time, for each queue", async () => {
    const order = async (...queues: ReadonlyArray<"work" | "webhook">) => {
      const { asked } = await claims(
        [[], [], [], []],
        queues.map((queue) => ({ queue })),
      )
      return queues.map((_, at) => asked[at * cellCount]?.[0])
    }
    expect(await order("work", "work", "work", "work", "work")).toEqual(["0", "1", "2", "3", "0"])
    expect(await order("work", "webhook", "work", "webhook")).toEqual(["0", "0", "1", "1"])
  })

  it("leaves out the cells without a job, but not those with an unanswered claim", async () => {
    const options = { claimable: [false, true, undefined, false], unanswered: [2, 3] }
    expect((await claims([[], [], [], []], [{}], options)).asked.map((asked) => asked[0])).toEqual(["1", "2", "3"])
  })

  it("asks no cell that may have no job, or whose server does not answer", async () => {
    const options = { claimable: [false, undefined, undefined, false] }
    expect(await claims([[], [], [], []], [{}], options)).toEqual({ asked: [], results: [{ ahead: 0, jobs: [] }] })
    const silent = { claimable: [undefined, undefined, undefined, undefined] }
    expect(await claims([[], [], [], []], [{}], silent)).toEqual({ asked: [], results: [{ ahead: 0, jobs: [] }] })
  })

  it("has the jobs of the cells that answer, and is unavailable where none has one", async () => {
    expect((await claims([away, [jobOf("a")], away, []])).results).toEqual([{ ahead: 0, jobs: ["a"] }])
    expect((await claims([away, [jobOf("a", "z")], [], []])).results).toEqual(["unavailable"])
    expect((await claims([[], [], [], []])).results).toEqual([{ ahead: 0, jobs: [] }])
  })

  it.each([
    [[], [], 0],
    [[0, 7, 3], [], 7],
    [[0, 7, 3], [0, 0, 9], 9],
    [[0, 7, 3], [6], 7],
    [[-5, -5, -5, -5], [], 0],
  ])("knows the largest offset of business time: %j and %j", async (offsets, ahead, expected) => {
    const { results } = await claims([[], [], [], []], [{}], { offsets, ahead })
    expect(results).toEqual([{ ahead: expected, jobs: [] }])
  })
})

describe("business time", () => {
  const move = { aheadMillis: 5, mover: "m", heldUntil: 6, wallNow: 7 }
  const moved = async (answers: ReadonlyArray<string | null>) => {
    const cells: Array<number> = []
    const asked: Array<number> = []
    const result = inStore(
      {
        places: {
          transact: (own, work) => {
            cells.push(...own)
            return work((cell) => ({
              query: ({ values }) => {
                expect(values).toEqual([5, "m", 6, 7])
                asked.push(cell)
                return Promise.resolve(cell < answers.length ? [answers[cell] ?? null] : [])
              },
              script: () => Promise.resolve(),
            })).catch((error: unknown) => {
              if (error instanceof RolledBack) return error.result
              throw error
            })
          },
        },
      },
      ({ moveTime }) => Effect.orDie(moveTime(move)),
    )
    return { result: await result, cells, asked }
  }

  it("moves in all cells at once, to the time of the first", async () => {
    expect(await moved(["5", "8", "9", "6"])).toEqual({ result: "5", cells: [0, 1, 2, 3], asked: [0, 1, 2, 3] })
  })

  it.each([
    [
      ["5", null, "5", "5"],
      [0, 1],
    ],
    [[null], [0]],
    [
      ["5", "5", "5"],
      [0, 1, 2, 3],
    ],
  ])("stays where a cell may not move: %j", async (answers, asked) => {
    expect(await moved(answers)).toEqual({ result: undefined, cells: [0, 1, 2, 3], asked })
  })
})
