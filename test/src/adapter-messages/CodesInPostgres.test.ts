/**
 * Codes of messages in PostgreSQL: the port `SecurityCodes` passes its suite, processes share codes, and the table shows neither a code nor a
 * contact.
 * Source: D-322.
 */
import { CodeStore, PostgresCodes } from "@countersign/adapter-messages"
import { SecurityCodes } from "@countersign/core/ports"
import { securityCodesConformance } from "@countersign/test/conformance"
import { Effect, Layer } from "effect"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { lifetimeMillis, mailRequests, phoneRequests, startMessageWorld } from "./MessageWorld.ts"

const world = await startMessageWorld()
const database = await TestDatabase.create()
afterAll(async () => {
  await world.close()
  await database.close()
})
beforeEach(world.reset)

const { codes, gateway, received } = world
const inPostgres = (table?: string, pool = database.pool) =>
  Layer.orDie(PostgresCodes.layer({ pool, ...(table === undefined ? {} : { table }) }))
const stored = codes(inPostgres())
securityCodesConformance("e-mail, codes in PostgreSQL", stored, { requests: mailRequests, received, lifetimeMillis })
securityCodesConformance("text messages, codes in PostgreSQL", stored, {
  requests: phoneRequests,
  received,
  lifetimeMillis,
})

const request = { customerId: "Customer:1", purpose: "phone" as const, address: "+14155550100" }
const run = <A, E, R>(effect: Effect.Effect<A, E, R>, layer: Layer.Layer<R>) =>
  Effect.runPromise(Effect.provide(effect, layer, { local: true }))

describe("codes in PostgreSQL", () => {
  it("are shared by processes: one of many concurrent checks is right, and the limit holds for all", async () => {
    const pools = [database.another(4), database.another(4), database.another(4)]
    const stores = pools.map((pool) => inPostgres("shared_code", pool))
    const onEach = <A>(use: (store: CodeStore["Service"]) => Effect.Effect<A>) =>
      Promise.all(stores.map((store) => run(CodeStore.use(use), store)))
    await onEach((store) => store.keep("a", { digest: "right", expiresAt: 100, attemptsMax: 60 }, 1))
    const many = (digest: string) => (store: CodeStore["Service"]) =>
      Effect.all(
        Array.from({ length: 12 }, () => store.use("a", digest, 2)),
        { concurrency: "unbounded" },
      )
    const right = (await onEach(many("right"))).flat().filter((isRight) => isRight)
    expect(right).toHaveLength(1)
    await onEach((store) => store.keep("a", { digest: "right", expiresAt: 100, attemptsMax: 36 }, 1))
    await onEach(many("wrong"))
    expect((await onEach(many("right"))).flat()).not.toContain(true)
  })

  it("have no code and no contact in the table, and expired ones are removed", async () => {
    await run(
      SecurityCodes.use((port) => port.send(request)),
      codes(inPostgres("plain_code")),
    )
    const code = /\d{6}/u.exec(gateway.messages[0]?.text ?? "")?.[0] ?? "no code"
    const rows = async () => (await database.pool.query("select * from plain_code")).rows
    const shown = JSON.stringify(await rows())
    expect(shown).not.toContain(`"${code}"`)
    expect(shown).not.toMatch(/4155550100|Customer/u)
    const later = Date.now() + 2 * lifetimeMillis
    await run(
      CodeStore.use((store) => store.keep("next", { digest: "d", expiresAt: later + 1, attemptsMax: 1 }, later)),
      inPostgres("plain_code"),
    )
    expect((await rows()).map(({ recipient }) => recipient)).toEqual(["next"])
  })

  it("need no right to create the table if it exists, and start together if it does not", async () => {
    const starting = () =>
      run(
        CodeStore.use((store) => store.use("a", "b", 1)),
        inPostgres("new_code", database.another(1)),
      )
    expect(await Promise.all(Array.from({ length: 4 }, starting))).toEqual([false, false, false, false])
    await database.pool.query(PostgresCodes.schema("made_code"))
    const texts: Array<string> = []
    const recording = {
      query: (text: string, values?: Array<unknown>) => {
        texts.push(text)
        return database.pool.query(text, values)
      },
    }
    await run(
      CodeStore.use((store) => store.use("a", "b", 1)),
      Layer.orDie(PostgresCodes.layer({ pool: recording, table: "made_code" })),
    )
    expect(texts.filter((text) => text.includes("create"))).toEqual([])
  })

  it("refuse a name that is no table, and a failure has the code of the database only", async () => {
    const start = (
      table: string,
      pool = { query: () => Promise.reject(Object.assign(new Error("secret"), { code: "57P01" })) },
    ) => Effect.runPromiseExit(Effect.scoped(Layer.build(PostgresCodes.layer({ pool, table }))))
    expect(JSON.stringify(await start("a; drop table b"))).toContain("`table`")
    const failed = JSON.stringify(await start("fine"))
    expect(failed).toContain("57P01")
    expect(failed).not.toContain("secret")
  })
})
