/**
 * Texts from outside that a database cannot read back: a webhook's answer, and a cursor. The server runs on a real PostgreSQL.
 * Source: D-359.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { basic, client } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { credentials, newWorld, type World } from "../e2e/Flow.ts"
import { newDatabase, type ServerDatabase } from "../e2e/ServerDatabase.ts"

/** JSON escapes of U+0000 and of halves of surrogate pairs, in values and in a member's name. */
const dirtyMembers = String.raw`{"FULL_NAME":"Ada\u0000","CITY":"\ud83d","\u0000":"x","deep":[{"name":"\udc00"}]}`

/** Listens on a free loopback port and answers each event with what `answer` returns. */
const endpoint = async (answer: (type: string) => { readonly status: number; readonly body: string }) => {
  const server = createServer(async (request, response) => {
    const event: { readonly type: string } = JSON.parse(Buffer.concat(await request.toArray()).toString("utf8"))
    const { body, status } = answer(event.type)
    response.writeHead(status, { "content-type": "application/json" }).end(body)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

/** Reads every JSON column as `jsonb`, as a report over the database would; returns the errors. */
const unreadableColumns = async ({ pool }: ServerDatabase): Promise<ReadonlyArray<string>> => {
  const { rows } = await pool.query<{ readonly name: string; readonly column: string }>(
    `select table_name as name, column_name as column from information_schema.columns
     where table_schema = 'countersign' and data_type in ('json', 'jsonb')`,
  )
  expect(rows.length).toBeGreaterThan(20)
  const problems: Array<string> = []
  for (const { column, name } of rows) {
    await pool
      .query(`select count("${column}"::jsonb::text) from countersign."${name}"`)
      .catch((error: Error) => problems.push(`${name}.${column}: ${error.message}`))
  }
  return problems
}

describe("texts from outside", () => {
  let database: ServerDatabase
  let pay: World
  beforeAll(async () => {
    database = await newDatabase()
    pay = await newWorld({ options: database.options })
  })
  afterAll(async () => {
    await pay[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })

  const receive = async (answer: { readonly status: number; readonly body: string }) => {
    await using hooks = await endpoint((type) =>
      type === "INCOMING_PAYMENT.PENDING" ? answer : { status: 200, body: "" },
    )
    expect((await pay.platform("PATCH", "/config", { body: { webhookEndpoint: hooks.url } })).status).toBe(200)
    const body = {
      senderUmaAddress: "$success.usd@uma.sandbox.example",
      customerId: pay.customer.customerId,
      receivingCurrencyCode: "USD",
      receivingCurrencyAmount: 1000,
    }
    const created = await pay.platform("POST", "/sandbox/uma/receive", { body })
    expect(created.status, created.text).toBeLessThan(300)
    const path = `/transactions/${String(created.body["id"])}`
    return await eventually(
      "the payment to be decided",
      async () => (await pay.platform("GET", path)).body,
      (transaction) => transaction["status"] !== "PENDING",
    )
  }

  it("keeps a webhook's answer with U+0000 and half pairs in a form that every reader can read", async () => {
    const accepted = await receive({ status: 200, body: `{"receiverCustomerInfo":${dirtyMembers}}` })
    expect(accepted).toMatchObject({ status: "COMPLETED" })
    const rejected = await receive({ status: 403, body: String.raw`{"reason":"no\u0000 \ud800"}` })
    expect(rejected).toMatchObject({ status: "REJECTED" })
    expect(await unreadableColumns(database)).toEqual([])
  })

  it("refuses a member whose name has U+0000 or half of a surrogate pair, at any depth", async () => {
    for (const info of [{ "a\u0000": 1 }, { "\ud800": 1 }, { a: { "b\udc00": "x" } }]) {
      const body = { customerType: "INDIVIDUAL", fullName: "Ada", address: info }
      const reply = await pay.platform("POST", "/customers", { body })
      expect(reply.body).toMatchObject({ status: 400, code: "INVALID_INPUT" })
      expect(reply.text).toContain("must not contain U+0000 or half of a surrogate pair")
    }
  })

  it("refuses a cursor whose id has U+0000 or half of a surrogate pair", async () => {
    const platform = client(pay.server.base, basic(credentials.clientId, credentials.clientSecret))
    for (let index = 0; index < 2; index++)
      await platform("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName: "Ada" } })
    const first = await platform("GET", "/customers?limit=1")
    const [createdAt, , checksum] = JSON.parse(
      Buffer.from(String(first.body["nextCursor"]), "base64url").toString("utf8"),
    ) as ReadonlyArray<unknown>
    for (const id of ["\u0000", "Customer:\u0000", "\ud800"]) {
      const cursor = Buffer.from(JSON.stringify([createdAt, id, checksum])).toString("base64url")
      const reply = await platform("GET", `/customers?limit=1&cursor=${cursor}`)
      expect(reply.body).toMatchObject({ status: 400, code: "INVALID_INPUT" })
    }
  })
})
