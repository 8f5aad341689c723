/**
 * Confinement that depends on the deployment: operations of the sandbox, persons on the console of a live service, and the state of several
 * platforms. Source: wire contract 7.1; D-352, D-462, D-470, D-480.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { type Callers, callersOf, consoleOf, type Signature } from "./Callers.ts"
import type { Row } from "./Row.ts"
import { sandboxRows } from "./SandboxRows.ts"
import { table } from "./Table.ts"

const unknownPath = ({ path }: Row) => path.replaceAll(/\{\w+\}/gu, "unknown")
const isSandbox = (row: Row) => sandboxRows.includes(row)

describe("a live deployment", () => {
  let pay: Harness
  let callers: Callers
  let live: Awaited<ReturnType<typeof consoleOf>>
  beforeAll(async () => {
    pay = await harness({ tape: false })
    callers = await callersOf(pay, { isAlone: true })
    live = await consoleOf(pay, { sandbox: false })
  }, 60_000)
  afterAll(async () => {
    await live.dispose()
    await pay[Symbol.asyncDispose]()
  })

  const statusOf = async (row: Row, headers: Signature = {}) => {
    const hasBody = row.method !== "GET" && row.method !== "DELETE"
    const { status } = await live.send(
      row.method,
      unknownPath(row),
      { ...(hasBody ? { "content-type": "application/json" } : {}), ...headers },
      hasBody ? "{}" : undefined,
    )
    return status
  }

  // Proves: SBX-CALL-02
  it.each(table)("has $operation if it is not the sandbox's", async (row) => {
    const authorized = await statusOf(row, callers.full.headers)
    if (isSandbox(row)) expect([404, 405]).toContain(authorized)
    else if (row.caller !== "nobody") expect(await statusOf(row)).toBe(401)
    else expect(authorized).toBe(404)
  })

  const changes = table.filter((row) => row.isForConsole && row.method !== "GET" && !isSandbox(row))
  it.each(changes)("allows persons on its console $operation unless it needs MANAGE", async (row) => {
    const status = await statusOf(row, callers.full.cookie)
    if (row.needs === "MANAGE") expect(status).toBe(403)
    else expect([400, 404]).toContain(status)
  })
})

describe("a sandbox of several platforms", () => {
  it("refuses each of them what concerns the state of all", async () => {
    await using alone = await harness({ tape: false })
    await alone.send("POST", "/sandbox/worlds", { body: { name: "saved" } })
    const file = Object((await alone.send("GET", "/sandbox/worlds/saved/file")).body)
    await using pay = await harness({ tape: false })
    const { full } = await callersOf(pay, { isAlone: false })
    const rows = table.filter(({ method, scope }) => scope === "server" && method !== "GET")
    expect(rows.length).toBeGreaterThan(5)
    for (const row of rows) {
      const body = row.path.endsWith("/import") ? file : { name: "unknown", seconds: 60 }
      const hasBody = row.method !== "DELETE"
      const reply = await pay.send(row.method, unknownPath(row), {
        as: "nobody",
        headers: full.headers,
        ...(hasBody ? { body } : {}),
      })
      expect([row.operation, reply.status]).toEqual([row.operation, 409])
    }
  })
})
