/**
 * An upload on PostgreSQL whose process is killed while its bytes arrive: no document exists, and the bytes are erased an hour later.
 * Source: wire contract areas 1.2.8 (commit order); D-377.
 */
import { request } from "node:http"
import { afterAll, beforeAll, expect, it } from "vitest"
import { basic, client } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { credentialOptions, credentials, newCustomer } from "../e2e/Flow.ts"
import { newDatabase, type ServerDatabase } from "../e2e/ServerDatabase.ts"
import { startServer } from "../e2e/ServerProcess.ts"
import { formHead, passport } from "./DocumentHarness.ts"

let database: ServerDatabase
beforeAll(async () => {
  database = await newDatabase()
}, 60_000)
afterAll(() => database[Symbol.asyncDispose]())

const start = () => startServer({ options: [...credentialOptions, ...database.options, "--lease-seconds", "3"] })
const authorization = basic(credentials.clientId, credentials.clientSecret)

/** The stored pieces, and the states of the files' records. */
const stored = async () => {
  const { rows } = await database.pool.query(
    `select (select count(*)::int from countersign.vault_chunk) as chunks,
      (select count(*)::int from countersign.vault_file) as files,
      (select array_agg(data->>'status') from countersign.stored_file) as records`,
  )
  return rows[0] as { readonly chunks: number; readonly files: number; readonly records: ReadonlyArray<string> | null }
}

it("an upload whose process is killed leaves no document, and no bytes after an hour", {
  timeout: 120_000,
}, async () => {
  await using first = await start()
  const send = client(first.base, authorization)
  const { customerId } = await newCustomer(send)
  const { boundary, head } = formHead(passport(customerId))
  const sending = request(`${first.base}/documents`, {
    method: "POST",
    headers: { authorization, "content-type": `multipart/form-data; boundary=${boundary}` },
  })
  sending.on("error", () => undefined)
  sending.write(`${head}%PDF-1.7 ${"x".repeat(600_000)}`)
  expect(await eventually("pieces", stored, ({ chunks }) => chunks >= 2)).toMatchObject({
    files: 0,
    records: ["RECEIVING"],
  })
  first.kill()
  await first.exited
  sending.destroy()

  await using second = await start()
  const again = client(second.base, authorization)
  expect((await again("GET", "/documents")).body["totalCount"]).toBe(0)
  await again("POST", "/sandbox/clock/advance", { body: { seconds: 3540 } })
  expect((await stored()).chunks).toBeGreaterThanOrEqual(2)
  await again("POST", "/sandbox/clock/advance", { body: { seconds: 60 } })
  await eventually(
    "the erasure",
    stored,
    ({ chunks, records }) => chunks === 0 && records?.every((status) => status === "ERASED") === true,
  )
})
