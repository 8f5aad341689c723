/** A pool of one node: what it does while the node does not answer, when it answers again, and when nobody uses it. Source: `WatchedPool.ts`; D-517. */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import * as WatchedPool from "../../../packages/adapter-postgres/src/connection/WatchedPool.ts"
import { type StoppedTimers, stoppedTimers } from "../harness/StoppedTimers.ts"
import { fakeHost, settle, until } from "./FakeHost.ts"

let timers: StoppedTimers
beforeEach(() => {
  timers = stoppedTimers()
})
afterEach(() => timers[Symbol.dispose]())

const looks = ["select 1"]
const watchedNode = async () => {
  const host = await fakeHost(() => "1")
  const pool = WatchedPool.make({ url: host.url, name: "b:2", config: { max: 3, connectionTimeoutMillis: 900_000 } })
  const used = async (): Promise<string> => {
    try {
      const client = await pool.connect()
      await client.query("mine")
      client.release()
      return "answers"
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
  const looked = () => host.statements.filter((sql) => looks.includes(sql)).length
  /** Lets the node be looked at once. */
  const look = async (millis = 500) => {
    await settle()
    timers.pass(millis)
    await settle()
  }
  return {
    host,
    pool,
    used,
    looked,
    look,
    isLost: () => pool.lost?.().aborted,
    [Symbol.asyncDispose]: async () => {
      const ended = pool.end()
      await host.stop()
      await ended
    },
  }
}
const gone = "the node at b:2 does not answer"

describe("a node that answers", () => {
  it("is used, and is looked at twice a second over one session", async () => {
    await using node = await watchedNode()
    const acquired: Array<object> = []
    node.pool.on?.("acquire", (client) => acquired.push(client))
    expect([await node.used(), acquired.length, node.pool.options?.max, node.isLost()]).toEqual([
      "answers",
      1,
      3,
      false,
    ])
    await node.look(499)
    expect(node.looked()).toBe(0)
    await node.look(1)
    expect(node.looked()).toBe(1)
    await node.look()
    expect([node.looked(), node.host.sessions().asked, node.isLost()]).toEqual([2, 2, false])
  })

  it("is not lost when its session was ended, or when it refuses one", async () => {
    await using node = await watchedNode()
    await node.look()
    node.host.cut()
    await node.look()
    expect([node.isLost(), await node.used()]).toEqual([false, "answers"])
    node.host.behaviour.refusesSessions = { severity: "FATAL", code: "53300" }
    node.host.cut()
    await node.look()
    await node.look()
    expect(node.isLost()).toBe(false)
    node.host.behaviour.refusesSessions = undefined
    expect(await node.used()).toBe("answers")
  })

  it("that is shutting down is lost", async () => {
    await using node = await watchedNode()
    node.host.behaviour.refusesSessions = { severity: "FATAL", code: "57P03" }
    await node.look()
    expect([node.isLost(), node.host.sessions().asked]).toEqual([true, 2])
  })
})

describe("a node that is gone", () => {
  it("fails what waits and what comes later, with the problem as its cause", async () => {
    await using node = await watchedNode()
    expect(await node.used()).toBe("answers")
    const { signal } = { signal: node.pool.lost?.() }
    await node.host.stop()
    await node.look()
    expect(signal?.aborted).toBe(true)
    expect(signal?.reason).toMatchObject({ message: gone, cause: { code: "ECONNREFUSED" } })
    expect(await node.used()).toBe(gone)
  })

  it("is looked at four times a second, and is used when it answers again", async () => {
    await using node = await watchedNode()
    await node.host.stop()
    await node.look()
    const before = node.pool.lost?.()
    await node.host.restart()
    await node.look(249)
    expect([node.looked(), node.isLost(), await node.used()]).toEqual([0, true, gone])
    await node.look(1)
    expect([node.looked(), node.isLost(), await node.used()]).toEqual([1, false, "answers"])
    expect(before?.aborted).toBe(true)
    await node.look()
    expect([node.looked(), node.isLost()]).toEqual([2, false])
  })

  it("that is frozen is asked once, for three seconds", async () => {
    await using node = await watchedNode()
    node.host.behaviour.answer = () => undefined
    const waiting = node.used()
    await node.look()
    await until(() => node.looked() === 1)
    await node.look(2999)
    expect(node.isLost()).toBe(false)
    await node.look(1)
    expect([node.isLost(), node.looked()]).toEqual([true, 1])
    expect(await waiting).not.toBe("answers")
  })
})

describe("a node that nobody uses", () => {
  it("is not looked at any more after a minute, and is again when it is used", async () => {
    await using node = await watchedNode()
    for (let count = 1; count <= 120; count++) {
      timers.pass(500)
      await until(() => node.looked() === count)
      await settle()
    }
    for (let count = 0; count < 3; count++) await node.look()
    expect([node.looked(), node.host.sessions().open]).toEqual([120, 0])
    expect(await node.used()).toBe("answers")
    await until(() => node.looked() === 121)
    await node.look()
    expect(node.looked()).toBe(122)
  }, 60_000)
})

it("is not looked at after its end, and has no session then", async () => {
  await using node = await watchedNode()
  expect(await node.used()).toBe("answers")
  await node.look()
  await node.pool.end()
  await until(() => node.host.sessions().open === 0)
  await node.look()
  expect([node.looked(), await node.used()]).toEqual([1, gone])
})
