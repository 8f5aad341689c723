/** Which of several hosts is the primary: at the first search, after a loss, and after a promotion. Source: `PrimaryPool.ts`; D-508. */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import * as PrimaryPool from "../../../packages/adapter-postgres/src/connection/PrimaryPool.ts"
import { type StoppedTimers, stoppedTimers } from "../harness/StoppedTimers.ts"
import { type FakeHost, fakeHost, settle, until } from "./FakeHost.ts"

let timers: StoppedTimers
beforeEach(() => {
  timers = stoppedTimers()
})
afterEach(() => timers[Symbol.dispose]())

/** The timeline of each host: "0" is a standby, `undefined` a host that does not answer. */
type Timeline = string | undefined | Promise<string>

const cluster = async (...timelines: ReadonlyArray<Timeline>) => {
  const current = [...timelines]
  const hosts: Array<FakeHost> = []
  for (const at of timelines.keys()) {
    hosts.push(await fakeHost((sql) => (sql.includes("pg_is_in_recovery") ? current[at] : "done")))
  }
  const pool = PrimaryPool.make({
    urls: hosts.map(({ url }) => url),
    config: { max: 2, connectionTimeoutMillis: 60_000 },
  })
  /** The number of the host that carries out a statement, or the reason why none does. */
  const used = async (): Promise<number | string> => {
    const counts = hosts.map(({ statements }) => statements.filter((sql) => sql === "mine").length)
    try {
      const client = await pool.connect()
      await client.query("mine")
      client.release()
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
    return hosts.findIndex(
      ({ statements }, at) => statements.filter((sql) => sql === "mine").length > (counts[at] ?? 0),
    )
  }
  const asked = (at: number) => hosts[at]?.statements.filter((sql) => sql !== "mine").length ?? 0
  return {
    pool,
    hosts,
    used,
    asked,
    become: (at: number, timeline: Timeline) => {
      current[at] = timeline
    },
    stop: async (at: number) => hosts[at]?.stop(),
    [Symbol.asyncDispose]: async () => {
      const ended = pool.end()
      for (const host of hosts) await host.stop()
      await ended
    },
  }
}

describe("the first search", () => {
  it.each<readonly [ReadonlyArray<string>, number | string]>([
    [["00000001", "0", "0"], 0],
    [["0", "0", "00000001"], 2],
    [["00000001", "00000002", "0"], 1],
    [["00000002", "00000001"], 0],
    [["00000009", "0000000A"], 1],
    [["0000000F", "00000010"], 1],
    [["0", "0"], "none of the hosts is a primary"],
  ])("among the timelines %j takes %j", async (timelines, expected) => {
    await using given = await cluster(...timelines)
    expect(await given.used()).toBe(expected)
  })

  it("waits a second for a host that answers later, which may have a higher timeline", async () => {
    await using given = await cluster("00000001", undefined)
    let found: number | string | undefined
    const taken = given.used().then((host) => {
      found = host
    })
    await until(() => given.asked(0) > 0 && given.asked(1) > 0)
    await settle()
    timers.pass(999)
    await settle()
    expect(found).toBeUndefined()
    timers.pass(1)
    await taken
    expect(found).toBe(0)
  })

  it("takes the first to answer of two hosts with one timeline", async () => {
    const { promise: later, resolve: answer } = Promise.withResolvers<string>()
    await using given = await cluster("00000001", later)
    const found = given.used()
    await until(() => given.asked(0) > 0 && given.asked(1) > 0)
    await settle()
    answer("00000001")
    expect(await found).toBe(0)
  })

  it("gives a host two seconds to answer", async () => {
    await using given = await cluster(undefined)
    let found: number | string | undefined
    const taken = given.used().then((host) => {
      found = host
    })
    await until(() => given.asked(0) > 0)
    timers.pass(1999)
    await settle()
    expect(found).toBeUndefined()
    timers.pass(1)
    await taken
    expect(found).toBe("none of the hosts is a primary")
  })

  it("that finds no primary has the problem of a host as its cause", async () => {
    await using given = await cluster("0", "0")
    await given.stop(1)
    const error = await given.pool.connect().catch((problem: unknown) => problem)
    expect(error).toMatchObject({ message: "none of the hosts is a primary", cause: { code: "ECONNREFUSED" } })
  })

  it("is shared by all that ask meanwhile", async () => {
    await using given = await cluster("00000001")
    const hosts = await Promise.all([given.used(), given.used()])
    expect(hosts).toEqual([0, 0])
    // Once by the search, and once by each connection.
    expect(given.asked(0)).toBe(3)
  })
})

describe("a primary", () => {
  it("is kept, and calls back with each of its clients", async () => {
    await using given = await cluster("00000001", "0")
    const acquired: Array<object> = []
    given.pool.on?.("acquire", (client) => acquired.push(client))
    expect([await given.used(), await given.used(), acquired.length, given.pool.options?.max]).toEqual([0, 0, 2, 2])
    expect(given.asked(1)).toBe(1)
    await until(() => given.hosts[0]?.sessions().open === 1)
  })

  it("that is gone is replaced at once by a host that was promoted", async () => {
    await using given = await cluster("00000001", "0")
    expect(await given.used()).toBe(0)
    await given.stop(0)
    await settle()
    given.become(1, "00000002")
    const found = given.used()
    await settle()
    timers.pass(100)
    expect(await found).toBe(1)
  })

  it("is looked for again after a tenth of a second at the earliest", async () => {
    await using given = await cluster("0")
    expect(await given.used()).toBe("none of the hosts is a primary")
    const again = given.used()
    await settle()
    timers.pass(99)
    await settle()
    expect(given.asked(0)).toBe(1)
    given.become(0, "00000001")
    timers.pass(1)
    expect(await again).toBe(0)
  })

  it.each<readonly [string, string]>([
    ["a standby", "0"],
    ["of a lower timeline than it was", "00000002"],
  ])("that has become %s is refused", async (_, timeline) => {
    await using given = await cluster("00000003")
    expect(await given.used()).toBe(0)
    given.hosts[0]?.cut()
    await settle()
    given.become(0, timeline)
    const found = given.used()
    await settle()
    timers.pass(100)
    expect(await found).toBe("none of the hosts is a primary")
  })

  it("that refuses a session for another reason stays the primary", async () => {
    await using given = await cluster("00000001", "0")
    expect(await given.used()).toBe(0)
    const [first] = given.hosts
    if (first === undefined) throw new Error("no host")
    first.cut()
    await settle()
    first.behaviour.refusesSessions = { severity: "FATAL", code: "53300" }
    expect(await given.used()).toBe("refused")
    first.behaviour.refusesSessions = undefined
    expect(await given.used()).toBe(0)
    expect(given.asked(1)).toBe(1)
  })

  it("whose connections are all in use stays the primary", async () => {
    await using given = await cluster("00000001", "0")
    const clients = [await given.pool.connect(), await given.pool.connect()]
    const third = given.used()
    await settle()
    timers.pass(60_000)
    expect(await third).toBe("timeout exceeded when trying to connect")
    for (const client of clients) client.release()
    expect(await given.used()).toBe(0)
    expect(given.hosts[0]?.statements.filter((sql) => sql === "mine")).toHaveLength(1)
  })
})

describe("a host that is not the primary", () => {
  const watched = async (timeline: string) => {
    await using given = await cluster("00000002", "0")
    expect(await given.used()).toBe(0)
    given.become(1, timeline)
    const before = given.asked(1)
    timers.pass(999)
    await settle()
    expect(given.asked(1)).toBe(before)
    timers.pass(1)
    await until(() => given.asked(1) > before)
    await settle()
    expect(given.asked(0)).toBe(2)
    return await given.used()
  }
  it.each([
    ["0", 0],
    ["00000001", 0],
    ["00000002", 0],
    ["00000003", 1],
  ])("is asked each second, and with the timeline %s the primary is host %i", async (timeline, host) => {
    expect(await watched(timeline)).toBe(host)
  })
})

it("gives what waits for the old primary a connection to the new one, without another search", async () => {
  await using given = await cluster("00000001", "0")
  const clients = [await given.pool.connect(), await given.pool.connect()]
  for (const client of clients) client.on("error", () => undefined)
  let found: number | string | undefined
  const waiting = given.used().then((host) => {
    found = host
  })
  await settle()
  given.become(1, "00000002")
  timers.pass(1000)
  await until(() => found !== undefined)
  await waiting
  // By the search, by the watch, and by the connection.
  expect([found, given.asked(1)]).toEqual([1, 3])
  for (const client of clients) client.release(true)
})

it("is closed for what asks after its end, and leaves no session open", async () => {
  await using given = await cluster("00000001", "0")
  expect(await given.used()).toBe(0)
  await given.pool.end()
  await until(() => given.hosts.every((host) => host.sessions().open === 0))
  const found = given.used()
  await settle()
  timers.pass(100)
  expect(await found).toBe("the pool is closed")
})
