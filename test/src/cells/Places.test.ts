/** Servers that hold cells: what all of them are asked, and the sessions of a process at those that come and go. D-323, D-514, D-517. */
import { WallTime } from "@countersign/core/ports"
import { ChangeSignal, WorkSignal } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import {
  askAll,
  type CellPlaces,
  type CellServer,
  statementsOfAll,
} from "../../../packages/adapter-postgres/src/cells/CellPlaces.ts"
import type { Connection, Listening, Query } from "../../../packages/adapter-postgres/src/connection/Connection.ts"
import * as WorkerSessions from "../../../packages/adapter-postgres/src/WorkerSessions.ts"

const statements = statementsOfAll(4)
const unused = () => Promise.reject(new Error("not expected"))
const connectionOf = (query: Query, listen?: Connection["listen"]): Connection => ({
  query,
  session: unused,
  concurrentBatches: 1,
  isTransaction: false,
  ...(listen && { listen }),
})
const serverOf = (
  name: string,
  cells: ReadonlyArray<number>,
  connection: Connection,
  hasMoved: CellServer["hasMoved"] = () => Promise.resolve(false),
): CellServer => {
  const here = new Map(statements.entries().filter(([cell]) => cells.includes(cell)))
  return { name, connection, cells: () => here, hasMoved }
}

describe("a question to all cells", () => {
  const question = { text: "select 1", values: ["given"] }
  const answering = (...cells: ReadonlyArray<number>): Connection =>
    connectionOf(({ values }) => Promise.resolve(cells.map((cell) => JSON.stringify([cell, `${values[0]} ${cell}`]))))
  const failing = connectionOf(() => Promise.reject(new Error("gone")))

  it("has the answers of each server, and asks none that holds no cell", async () => {
    const servers = [
      serverOf("a", [0, 2], answering(0, 2)),
      serverOf("b", [], failing),
      serverOf("c", [3], answering(3)),
    ]
    expect(await askAll(servers, question)).toEqual(
      new Map([
        [0, "given 0"],
        [2, "given 2"],
        [3, "given 3"],
      ]),
    )
  })

  it("has the answers of the others where one does not answer, and fails where none does", async () => {
    const servers = [serverOf("a", [0], failing), serverOf("b", [1], answering(1)), serverOf("c", [2], failing)]
    expect(await askAll(servers, question)).toEqual(new Map([[1, "given 1"]]))
    await expect(
      askAll(
        [servers[0], servers[2]].filter((server) => server !== undefined),
        question,
      ),
    ).rejects.toThrow("gone")
    expect(await askAll([], question)).toEqual(new Map())
  })

  it("is asked again of a server whose cell has moved, once", async () => {
    let calls = 0
    const moved = (fails: number): CellServer =>
      serverOf(
        "a",
        [0],
        connectionOf(() => {
          calls += 1
          return calls <= fails ? Promise.reject(new Error(`moved ${calls}`)) : Promise.resolve(['[0,"here"]'])
        }),
        (error) => Promise.resolve(String(error).includes("moved")),
      )
    expect(await askAll([moved(1)], question)).toEqual(new Map([[0, "here"]]))
    calls = 0
    await expect(askAll([moved(2)], question)).rejects.toThrow("moved 2")
    expect(calls).toBe(2)
  })
})

describe("the sessions of a process", () => {
  /** Servers that a test lets join and leave, and the names of those where a session is open. */
  const world = (isFixed = false) => {
    const open: Array<string> = []
    const servers = new Map<string, CellServer>()
    const listen = (name: string) => async (): Promise<Listening> => {
      open.push(name)
      const ended = Promise.withResolvers<void>()
      return {
        query: () => Promise.resolve([]),
        ended: ended.promise,
        close: async () => {
          open.splice(open.indexOf(name), 1)
          ended.resolve()
        },
      }
    }
    const join = (name: string, ...cells: ReadonlyArray<number>) =>
      void servers.set(
        name,
        serverOf(
          name,
          cells,
          connectionOf(() => Promise.resolve([]), listen(name)),
        ),
      )
    const places: CellPlaces = {
      cells: [],
      any: connectionOf(unused),
      servers: () => [...servers.values()],
      serverOf: (cell) => [...servers.values()].find((server) => server.cells().has(cell)),
      transact: unused,
      ask: unused,
      refresh: () => Promise.resolve(),
      isFixed,
    }
    return { open: () => open.toSorted(), join, leave: (name: string) => void servers.delete(name), places }
  }
  const run = <A>(places: CellPlaces, use: (sessions: WorkerSessions.WorkerSessions) => Effect.Effect<A>) =>
    WorkerSessions.make(places, {
      wakeUps: { channels: [], onMessage: () => undefined, notify: () => undefined },
      notices: { channel: "notices", onMessage: () => undefined, changed: () => undefined },
      signal: WorkSignal.make(true),
      changes: ChangeSignal.make(),
      randomNumber: Effect.succeed(7),
    }).pipe(
      Effect.flatMap(use),
      Effect.scoped,
      Effect.provide(Layer.provideMerge(WallTime.layerClock, TestClock.layer())),
      Effect.runPromise,
    )
  const turns = Effect.repeat(
    Effect.promise(() => new Promise((resolve) => setImmediate(resolve))),
    { times: 20 },
  )
  const look = Effect.andThen(TestClock.adjust(2_000), turns)

  it("are at each server, where its cells find the process by one number", async () => {
    const { join, open, places } = world()
    join("a", 0, 1)
    join("b", 2)
    await run(places, ({ attend, numberAt }) =>
      Effect.gen(function* () {
        expect(open()).toEqual([])
        expect(yield* numberAt(0)).toBeNull()
        yield* attend
        expect(open()).toEqual(["a", "b"])
        expect(yield* Effect.forEach([0, 1, 2, 3], numberAt)).toEqual([7, 7, 7, null])
      }),
    )
    expect(open()).toEqual([])
  })

  it("open at a server that joins, once the process attends, and end at one that leaves", async () => {
    const { join, leave, open, places } = world()
    join("a", 0)
    await run(places, ({ attend, numberAt }) =>
      Effect.gen(function* () {
        join("b", 1)
        yield* look
        expect(open()).toEqual([])
        yield* attend
        expect(open()).toEqual(["a", "b"])
        join("c", 2)
        yield* TestClock.adjust(1_999)
        yield* turns
        expect(open()).toEqual(["a", "b"])
        yield* TestClock.adjust(1)
        yield* turns
        expect(open()).toEqual(["a", "b", "c"])
        expect(yield* numberAt(2)).toBe(7)
        leave("a")
        yield* look
        expect(open()).toEqual(["b", "c"])
        join("a", 0)
        yield* look
        expect(open()).toEqual(["a", "b", "c"])
      }),
    )
    expect(open()).toEqual([])
  })

  it("stay as they are where no server can join", async () => {
    const { join, open, places } = world(true)
    join("a", 0)
    await run(places, ({ attend }) =>
      Effect.gen(function* () {
        yield* attend
        join("b", 1)
        yield* look
        expect(open()).toEqual(["a"])
      }),
    )
  })
})
