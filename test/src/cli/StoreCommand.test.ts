/** A command on a store that exists: the stores that it refuses, and that it makes none. Source: D-110, D-354. */
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Option } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { onStore } from "../../../packages/cli/src/StoreCommand.ts"

let folder = ""
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-store-"))
})
afterAll(() => rm(folder, { recursive: true }))

/** The error of a command on a store, which must not run. */
const refused = (store: string, storeDirect = Option.none<string>()) =>
  onStore({ store, storeDirect }, Effect.die(new Error("the command ran"))).pipe(
    Effect.flip,
    Effect.map(({ message, reason }) => [reason, message]),
    Effect.runPromise,
  )

describe("a store", () => {
  it("in memory keeps nothing for a command", async () => {
    expect(await refused("memory")).toEqual(["usage", "--store memory keeps nothing that another process can read"])
  })

  it("in a folder must exist, and is not made", async () => {
    const absent = join(folder, "absent")
    expect(await refused(`pglite:${absent}`)).toEqual(["store", `the store ${absent} does not exist`])
    expect(await readdir(folder)).toEqual([])
  })

  it("on a server must answer, and its password is not shown", async () => {
    const [reason, message] = await refused("postgres://countersign:its-password@127.0.0.1:1/pay?password=its-password")
    expect(reason).toBe("store")
    expect(message).toMatch(/^cannot use postgres:\/\/countersign@127\.0\.0\.1:1\/pay: \S/u)
    expect(message).not.toContain("its-password")
  })

  it("behind a pooler is reached directly", async () => {
    const [reason, message] = await refused(
      "postgres://a@127.0.0.1:1/pooled",
      Option.some("postgres://a@127.0.0.1:1/direct"),
    )
    expect([reason, message]).toEqual(["store", expect.stringContaining("postgres://a@127.0.0.1:1/direct")])
  })

  it.each(["", "pglite:", "mysql://a/b"])("at %j is no store", async (store) => {
    expect((await refused(store))[0]).toBe("usage")
  })
})
