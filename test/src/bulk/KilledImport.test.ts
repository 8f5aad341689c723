/**
 * An import on PostgreSQL whose process is killed in the middle: another process goes on at the next row.
 * Source: wire contract areas 1.5.5 (crash safety).
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { at, type Send, textAt } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { credentialOptions, platformAt } from "../e2e/Flow.ts"
import { newDatabase, type ServerDatabase } from "../e2e/ServerDatabase.ts"
import { startServer } from "../e2e/ServerProcess.ts"
import { people } from "./ImportHarness.ts"

let database: ServerDatabase

beforeAll(async () => {
  database = await newDatabase()
}, 60_000)
afterAll(() => database[Symbol.asyncDispose]())

const rows = 250
const start = () => startServer({ options: [...credentialOptions, ...database.options, "--lease-seconds", "3"] })

it("an import whose process is killed creates each customer once", { timeout: 600_000 }, async () => {
  await using first = await start()
  const send = platformAt(first.base)
  const { umaDomain } = (await send("GET", "/config")).body
  const body = new FormData()
  body.append("file", new File([people(rows).replaceAll("DOMAIN", String(umaDomain))], "customers.csv"))
  const jobId = textAt(await send("POST", "/customers/bulk/csv", { body }), "jobId")
  const read = async (ask: Send) => (await ask("GET", `/customers/bulk/jobs/${jobId}`)).body
  await eventually(
    "some rows",
    () => read(send),
    (job) => Number(at(job, "progress", "processed")) >= 20,
  )
  first.kill()
  await first.exited

  const count = async () => {
    const found = await database.pool.query(
      "select count(*)::int as all, count(distinct platform_customer_id)::int as distinct from countersign.customer",
    )
    return found.rows[0] as { readonly all: number; readonly distinct: number }
  }
  const atDeath = await count()
  expect(atDeath.all).toBeLessThan(rows)
  expect(atDeath.all).toBe(atDeath.distinct)

  await using second = await start()
  const again = platformAt(second.base)
  const job = await eventually(
    "the end",
    () => read(again),
    ({ status }) => status === "COMPLETED",
  )
  expect(job).toMatchObject({ progress: { total: rows, processed: rows, successful: rows, failed: 0 }, errors: [] })
  expect(await count()).toEqual({ all: rows, distinct: rows })
})
