/** Processes on a store in four cells, over HTTP and on the command line. Source: D-513, D-514. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { schemaOf } from "../../../packages/adapter-postgres/src/cells/Cells.ts"
import type { Reply } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import {
  balanceOf,
  type Customer,
  credentialOptions,
  newAgent,
  newCustomer,
  newSource,
  platformAt,
  transfer,
} from "../e2e/Flow.ts"
import { newDatabase, type ServerDatabase } from "../e2e/ServerDatabase.ts"
import { type CommandName, run, type ServerProcess, startServer } from "../e2e/ServerProcess.ts"

const cells = 4
const customerCount = 14

let database: ServerDatabase
let servers: ReadonlyArray<ServerProcess>
let customers: ReadonlyArray<Customer>

const serve = (...options: ReadonlyArray<string>) =>
  startServer({ options: [...credentialOptions, ...database.options, ...options] })

/** Runs a command on the store, which finds out by itself that it has cells. */
const command = async (name: CommandName, ...options: ReadonlyArray<string>) => {
  await using running = run({ command: name, options: [...database.options, ...options] })
  const { code } = await running.exited
  return { code, stdout: running.stdout(), stderr: running.stderr() }
}

const platformOf = (index: number) => platformAt(servers[index]?.base ?? "")

/** The number of rows of a table in each cell. */
const rowsOf = (table: string) =>
  Promise.all(
    Array.from({ length: cells }, async (_, cell) => {
      const { rows } = await database.pool.query<{ readonly n: number }>(
        `select count(*)::int as n from ${schemaOf(cell, cells)}.${table}`,
      )
      return rows[0]?.n ?? 0
    }),
  )

describe("a store in four cells", { timeout: 120_000 }, () => {
  beforeAll(async () => {
    database = await newDatabase()
    const wanted = ["--cells", String(cells)]
    servers = await Promise.all([serve(...wanted), serve(...wanted), serve(...wanted, "--role", "worker")])
    const made: Array<Customer> = []
    for (let n = 0; n < customerCount; n++) made.push(await newCustomer(platformOf(n % 2)))
    customers = made
  }, 120_000)
  afterAll(async () => {
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
    await database[Symbol.asyncDispose]()
  })

  it("spreads customers over the cells, each with all that it owns", async () => {
    const spread = await rowsOf("customer")
    expect(spread.reduce((sum, n) => sum + n, 0)).toBe(customerCount)
    expect(spread.filter((n) => n > 0).length).toBeGreaterThan(1)
    const { rows } = await database.pool.query(
      Array.from({ length: cells }, (_, cell) => {
        const schema = schemaOf(cell, cells)
        return `select a.id from ${schema}.internal_account a left join ${schema}.customer c on c.id = a.customer_id
          where a.customer_id is not null and c.id is null`
      }).join(" union all "),
    )
    expect(rows).toEqual([])
  })

  it("lists them all once, page by page, with their number", async () => {
    const found: Array<string> = []
    for (let cursor = ""; ; ) {
      const { body, status } = await platformOf(1)("GET", `/customers?limit=5${cursor}`)
      expect(status).toBe(200)
      const { data, hasMore, nextCursor, totalCount } = body
      expect(totalCount).toBe(customerCount)
      found.push(...(data as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id))
      if (hasMore !== true) break
      cursor = `&cursor=${nextCursor}`
    }
    expect(found).toEqual(customers.map(({ customerId }) => customerId).toReversed())
  })

  it("keeps keys unique across the cells, whichever process they come to", async () => {
    const body = { customerType: "INDIVIDUAL", fullName: "Ada", platformCustomerId: "the-same" }
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) => platformOf(n % 2)("POST", "/customers", { body })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 409)])
  })

  it("executes transfers once under a key, of agents and of the platform, in every cell", async () => {
    const money = async (customer: Customer, n: number) => {
      const platform = platformOf(n % 2)
      const source = await newSource(platform, customer)
      const agent = await newAgent(servers[n % 2]?.base ?? "", platform, customer)
      const headers = { "idempotency-key": `key-${n}` }
      const byAgent = { body: transfer(source, customer, 500), headers }
      const byPlatform = { body: transfer(source, customer, 70), headers }
      const replies: ReadonlyArray<Reply> = [
        await agent.send("POST", "/agents/me/transfer-in", byAgent),
        await agent.send("POST", "/agents/me/transfer-in", byAgent),
        await platform("POST", "/transfer-in", byPlatform),
        await platformOf((n + 1) % 2)("POST", "/transfer-in", byPlatform),
      ]
      expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201])
      expect(replies[1]?.body["id"]).toBe(replies[0]?.body["id"])
      expect(replies[3]?.text).toBe(replies[2]?.text)
      await eventually(
        "the money",
        () => balanceOf(platform, customer),
        (balance) => balance === 570,
      )
    }
    await Promise.all(customers.slice(0, 8).map(money))
    const { code, stdout } = await command("ledger")
    expect(stdout).toContain("the books balance")
    expect(stdout).not.toContain("bridge")
    expect(code).toBe(0)
  })

  it("moves business time in all cells, and runs what becomes due in each", async () => {
    const [first, second] = [platformOf(0), platformOf(1)]
    const quotes = await Promise.all(
      customers.slice(0, 8).map(async (customer, n) => {
        const body = {
          source: { sourceType: "ACCOUNT", accountId: customer.accountId },
          destination: { destinationType: "ACCOUNT", accountId: await newSource(first, customer, `9${n}0`) },
          lockedCurrencySide: "SENDING",
          lockedCurrencyAmount: 100,
        }
        const made = await first("POST", "/quotes", { body })
        expect(made).toMatchObject({ status: 201 })
        return String(made.body["id"])
      }),
    )
    const advanced = await second("POST", "/sandbox/clock/advance", { body: { by: "P2D" } })
    expect(advanced).toMatchObject({ status: 200, body: { isComplete: true } })
    const ahead = async (platform: typeof first) => (await platform("GET", "/sandbox/clock")).body["aheadMillis"]
    expect(await ahead(first)).toBe(await ahead(second))
    const states = await Promise.all(quotes.map(async (id) => (await first("GET", `/quotes/${id}`)).body["status"]))
    expect(new Set(states)).toEqual(new Set(["EXPIRED"]))
    const times = await Promise.all(
      Array.from({ length: cells }, (_, cell) =>
        database.pool.query(`select ahead_millis::text from ${schemaOf(cell, cells)}.business_time`),
      ),
    )
    expect(new Set(times.map(({ rows }) => JSON.stringify(rows))).size).toBe(1)
  })

  it("is opened with its cells by a process that names no number, and refuses another one", async () => {
    await using another = await serve()
    expect((await platformAt(another.base)("GET", `/customers/${customers[0]?.customerId}`)).status).toBe(200)
    const refused = await command("migrate", "--cells", "2")
    expect(refused.stderr).toContain("the database has a store of 4 cells, not of 2: the number never changes")
    expect(refused.code).toBe(6)
    const migrated = await command("migrate", "--json")
    expect(JSON.parse(migrated.stdout)).toMatchObject({ cells, before: 2, now: 2 })
    expect((await command("doctor")).stdout).toMatch(/schema\s+version 2/u)
  })
})

describe("the number of cells", { timeout: 60_000 }, () => {
  it("is one for a store that has the schema of one", async () => {
    await using one = await newDatabase()
    const migrate = async (...options: ReadonlyArray<string>) => {
      await using running = run({ command: "migrate", options: [...one.options, ...options] })
      return { code: (await running.exited).code, stdout: running.stdout(), stderr: running.stderr() }
    }
    expect(await migrate()).toMatchObject({ code: 0 })
    expect(await migrate("--cells", "4")).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("the database has a store of 1 cell, not of 4"),
    })
    expect(await migrate("--cells", "1", "--json")).toMatchObject({ code: 0 })
  })

  it.each([
    [["--store", "memory", "--cells", "4"], "--cells needs a store that can have cells"],
    [["--store", "memory", "--cells", "0"], "cells from 1 to 256"],
    [["--store", "memory", "--cells", "257"], "cells from 1 to 256"],
  ])("is refused in %j", async (options, message) => {
    await using running = run({ command: "serve", options })
    expect((await running.exited).code).toBe(2)
    expect(running.stderr()).toContain(message)
  })
})
