/** How an operator makes a restore point of a cluster, and how that is refused. Source: D-549. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import * as CellOperations from "../../../packages/adapter-postgres/src/cells/CellOperations.ts"
import type { Connection } from "../../../packages/adapter-postgres/src/connection/Connection.ts"
import { type Answers, fakeCluster, fakeServer } from "./FakeCluster.ts"

const create = "pg_create_restore_point"
const lock = "lock table"
const refused = (connection: Connection, name = "nightly") =>
  Effect.runPromise(
    Effect.map(Effect.flip(CellOperations.restorePoint(connection, name)), ({ _tag, message }) => [_tag, message]),
  )
const withCode = (code: string, message: string) => Object.assign(new Error(message), { code, severity: "ERROR" })

describe("a restore point", () => {
  it("is made at each node in a transaction that keeps it from deciding", async () => {
    const order: Array<string> = []
    const answersOf = (node: string): Answers => ({
      "": ({ text }) => {
        const step = /^(?:begin|lock table .*|select pg_create.*|commit|rollback)/u.exec(text)
        if (step !== null) order.push(`${node}: ${step[0]}`)
        return text.includes(create) ? [`${node}/1`] : []
      },
    })
    const { coordinator, entry, node } = fakeCluster({ [create]: ["0/A"] }, answersOf("b"))
    expect(await Effect.runPromise(CellOperations.restorePoint(entry, "nightly"))).toEqual([
      { node: "a:1", position: "0/A" },
      { node: "b:2", position: "b/1" },
    ])
    expect(order).toEqual([
      "b: begin",
      "b: lock table pg_catalog.pg_dist_transaction in exclusive mode",
      "b: select pg_create_restore_point($1)::text",
      "b: commit",
    ])
    const own = coordinator.log.slice(coordinator.log.indexOf("begin"))
    expect(own.filter((text) => !text.includes("set_config"))).toEqual([
      "begin",
      "lock table pg_catalog.pg_dist_node, pg_catalog.pg_dist_partition, pg_catalog.pg_dist_transaction in exclusive mode",
      "select pg_create_restore_point($1)::text",
      "commit",
    ])
    const created = [coordinator, node].flatMap(({ statements }) =>
      statements.filter(({ text }) => text.includes(create)),
    )
    expect(created.map(({ values }) => values)).toEqual([["nightly"], ["nightly"]])
  })

  it("waits for no lock without an end, and is not ended by the server between two nodes", async () => {
    const { entry, node } = fakeCluster()
    await Effect.runPromise(CellOperations.restorePoint(entry, "nightly"))
    const settings = node.log.filter((text) => text.includes("set_config")).at(-1)
    expect(settings).toContain("('lock_timeout', '5s'), ('statement_timeout', '10s')")
    expect(settings).toContain("('idle_in_transaction_session_timeout', '60s')")
  })

  it("is made at no node while one of them does not end what it decided", async () => {
    const { coordinator, entry, node } = fakeCluster({}, { [lock]: withCode("55P03", "lock timeout") })
    expect(await refused(entry)).toEqual([
      "NotPossible",
      "a commit over several cells has not ended at b:2 for 5 s: see `countersign cells check`, and try again",
    ])
    for (const { log } of [coordinator, node]) {
      expect(log.some((text) => text.includes(create))).toBe(false)
      expect(log.at(-1)).toBe("rollback")
    }
  })

  it("is made at no node once the operator has given up", async () => {
    const waiting = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const { coordinator, entry, node } = fakeCluster()
    const { session } = node
    const slow: Connection["session"] = (use) =>
      session(async (own) => {
        waiting.resolve()
        await locked.promise
        return use(own)
      }).finally(ended.resolve)
    const toHost: Connection["toHost"] = ({ host }) => (host === "a" ? coordinator : { ...node, session: slow })
    const fiber = Effect.runFork(CellOperations.restorePoint({ ...entry, toHost }, "nightly"))
    await waiting.promise
    fiber.interruptUnsafe()
    locked.resolve()
    await ended.promise
    for (const { log } of [coordinator, node]) expect(log.some((text) => text.includes(create))).toBe(false)
    expect(node.log.at(-1)).toBe("rollback")
  })

  it("is refused where the user may not hold a node", async () => {
    const { entry } = fakeCluster({ [lock]: withCode("42501", "permission denied for table pg_dist_transaction") })
    expect(await refused(entry)).toEqual([
      "NotPossible",
      "the user of --store may not make a restore point at a:1: a superuser may",
    ])
  })

  it("fails with the reason of the database where a lock fails otherwise", async () => {
    const { entry } = fakeCluster({ [lock]: withCode("40P01", "deadlock detected") })
    expect(await refused(entry)).toEqual(["OperationFailed", "deadlock detected"])
  })

  it.each([
    ["at the last node", { [create]: withCode("XX000", "no space") }],
    ["at the commit, because the server has ended the session", { commit: withCode("25P03", "idle") }],
  ])("that fails %s is not to be used", async (_, ofNode) => {
    const { entry } = fakeCluster({ [create]: ["0/A"] }, ofNode)
    const [tag, message] = await refused(entry)
    expect(tag).toBe("NotPossible")
    expect(message).toMatch(/^the point is not at all nodes \(.+\): make one of another name, and restore to none of/u)
  })

  it.each(["", "a b", "it's", "a".repeat(64), "é", "a\nb"])(
    "is refused the name %j, and asks no server",
    async (name) => {
      const { coordinator, entry } = fakeCluster()
      expect(await refused(entry, name)).toEqual([
        "NotPossible",
        'the name of a restore point has 1 to 63 letters, digits and characters of "._:-"',
      ])
      expect(coordinator.log).toEqual([])
    },
  )

  it.each(["a", "nightly-2027-01-31T02:00:00_a.b", "a".repeat(63)])("may have the name %j", async (name) => {
    const { entry } = fakeCluster()
    expect(await Effect.runPromise(CellOperations.restorePoint(entry, name))).toHaveLength(2)
  })

  it("is refused on one server", async () => {
    expect(await refused(fakeServer({}))).toEqual([
      "NotPossible",
      "the database is no node of a cluster: its cells are schemas of one server",
    ])
  })
})
