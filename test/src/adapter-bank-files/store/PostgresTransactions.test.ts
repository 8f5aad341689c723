/** A transaction on PostgreSQL as the driver sees it: how it ends, and what becomes of its client. */
import { BankFileStore, BankFilesUnavailable, PostgresBankFileStore } from "@countersign/adapter-bank-files"
import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"

/** A pool of one client, which fails at statements that begin with one of these texts. */
const poolThatFails = (...at: ReadonlyArray<string>) => {
  const log: Array<string> = []
  const listeners = new Set<() => void>()
  const client = {
    query: async (text: string) => {
      log.push(text)
      if (at.some((start) => text.startsWith(start))) throw new Error(`no ${text}`)
      return { rows: [] }
    },
    on: (event: "error", listener: () => void) => {
      log.push(`on ${event}`)
      listeners.add(listener)
    },
    removeListener: (event: "error", listener: () => void) => {
      log.push(`off ${event}`)
      listeners.delete(listener)
    },
    release: (destroy?: boolean) => void log.push(destroy === true ? "destroyed" : "released"),
  }
  return { client, listeners, log, pool: { connect: async () => client } }
}
const unavailable = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) && JSON.stringify(exit.cause).includes("BankFilesUnavailable")

describe("a transaction", () => {
  it("that succeeds is committed, and its client is used again", async () => {
    const { listeners, log, pool } = poolThatFails()
    const store = PostgresBankFileStore.make(pool)
    const body = Effect.sync(() => {
      log.push(`body with ${listeners.size} listener`)
      for (const listener of listeners) listener()
      return 7
    })
    expect(await Effect.runPromise(store.transact(() => body))).toBe(7)
    expect(log).toEqual(["on error", "begin", "body with 1 listener", "commit", "off error", "released"])
    expect(listeners.size).toBe(0)
  })

  it.each([
    ["fails", Effect.fail("refused")],
    ["dies", Effect.die("a bug")],
    ["is interrupted", Effect.interrupt],
  ])("whose body %s is rolled back, and its client is used again", async (_, body: Effect.Effect<never, string>) => {
    const { log, pool } = poolThatFails()
    const exit = await Effect.runPromiseExit(PostgresBankFileStore.make(pool).transact(() => body))
    expect(Exit.isFailure(exit)).toBe(true)
    expect(log).toEqual(["on error", "begin", "rollback", "off error", "released"])
  })

  it("whose client breaks is not used again", async () => {
    const { log, pool } = poolThatFails("commit", "rollback")
    const exit = await Effect.runPromiseExit(PostgresBankFileStore.make(pool).transact(() => Effect.void))
    expect(unavailable(exit)).toBe(true)
    expect(log).toEqual(["on error", "begin", "commit", "rollback", "off error", "destroyed"])
  })

  it("that does not begin does nothing", async () => {
    const { log, pool } = poolThatFails("begin")
    const body = Effect.sync(() => log.push("body"))
    const exit = await Effect.runPromiseExit(PostgresBankFileStore.make(pool).transact(() => body))
    expect(unavailable(exit)).toBe(true)
    expect(log).toEqual(["on error", "begin", "rollback", "off error", "released"])
  })

  it("whose statement fails says that the store does not answer", async () => {
    const { pool } = poolThatFails("insert")
    const failed = PostgresBankFileStore.make(pool).transact((rows) => rows.lock("a"))
    const failure = await Effect.runPromise(Effect.flip(failed))
    expect(failure).toBeInstanceOf(BankFilesUnavailable)
    expect(failure.cause).toBeInstanceOf(Error)
  })
})

describe("the schema", () => {
  it("is made under a lock, which is given back with the client", async () => {
    const { log, pool } = poolThatFails()
    const number = BankFileStore.use((store) => store.transact(() => Effect.succeed(1)))
    expect(await Effect.runPromise(Effect.provide(number, PostgresBankFileStore.layer(pool)))).toBe(1)
    const at = log.indexOf("on error")
    const [lock, begin, schema, version, known, ...rest] = log.slice(0, at)
    expect([lock, begin, known]).toEqual([
      "select pg_advisory_lock($1)",
      "begin",
      "select number from countersign_bank_files.version",
    ])
    expect([schema, version].every((text) => text?.includes("if not exists countersign_bank_files"))).toBe(true)
    expect(rest.slice(1)).toEqual([
      "insert into countersign_bank_files.version (number) values ($1)",
      "commit",
      "select pg_advisory_unlock($1)",
      "released",
    ])
  })

  it("that is not made ends the session, which frees the lock", async () => {
    const { log, pool } = poolThatFails("commit")
    const failure = await Effect.runPromise(Effect.flip(PostgresBankFileStore.migrate(pool)))
    expect(failure).toBeInstanceOf(BankFilesUnavailable)
    expect(log.slice(-2)).toEqual(["commit", "destroyed"])
  })

  it("that is known is not made again", async () => {
    const { client, log } = poolThatFails()
    const known = {
      ...client,
      query: async (text: string) => {
        await client.query(text)
        return { rows: text.startsWith("select number") ? [{ number: 1 }] : [] }
      },
    }
    await Effect.runPromise(PostgresBankFileStore.migrate({ connect: async () => known }))
    expect(log.filter((text) => text.startsWith("insert") || text.includes("create index"))).toEqual([])
    expect(log.slice(-3)).toEqual(["commit", "select pg_advisory_unlock($1)", "released"])
  })
})
