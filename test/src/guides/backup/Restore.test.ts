/**
 * The guide about backups: a restore to a time brings back what was committed before it, with books that balance, and none of what came later.
 * Source: docs/guides/backup.md.
 */
import { expect, it } from "vitest"
import { basic, client, type Send } from "../../e2e/Client.ts"
import { eventually } from "../../e2e/Deadline.ts"
import { balanceOf, credentialOptions, credentials, newCustomer, newSource } from "../../e2e/Flow.ts"
import { run, startServer } from "../../e2e/ServerProcess.ts"
import { ask, startArchived } from "./Archive.ts"

const platform = (base: string) => client(base, basic(credentials.clientId, credentials.clientSecret))

const fund = async (send: Send, accountId: string, amount: number) =>
  expect((await send("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount } })).status).toBe(200)

/** Sends a payout under a key, and returns its id. */
const payOut = async (send: Send, accountId: string, destination: string): Promise<unknown> => {
  const body = { source: { accountId }, destination: { accountId: destination }, amount: 100 }
  const answer = await send("POST", "/transfer-out", { body, headers: { "idempotency-key": "invoice-7" } })
  expect(answer.status).toBe(201)
  return answer.body["id"]
}

it("a restore to a time has what was committed before it, and nothing of what came later", {
  timeout: 180_000,
}, async () => {
  await using database = await startArchived()
  const options = [...credentialOptions, ...database.options]

  const before = await startServer({ options })
  const send = platform(before.base)
  const customer = await newCustomer(send)
  const destination = await newSource(send, customer)
  await fund(send, customer.accountId, 1000)
  await database.backUp()
  await fund(send, customer.accountId, 2000)
  const time = await ask(database.folder, async (session) => {
    const { rows } = await session.query<{ readonly now: string }>("select clock_timestamp()::text as now")
    return rows[0]?.now ?? ""
  })
  const lost = await payOut(send, customer.accountId, destination)
  await before[Symbol.asyncDispose]()
  await ask(database.folder, (session) => session.query("drop schema countersign cascade"))

  await database.restore(time)
  await eventually(
    "the end of the recovery",
    () =>
      ask(database.folder, async (session) => (await session.query("select pg_is_in_recovery() as yes")).rows[0]?.yes),
    (isRecovering) => isRecovering === false,
  )
  await using ledger = run({ command: "ledger", options: database.options })
  expect(await ledger.exited).toEqual({ code: 0, signal: null })
  expect(ledger.stdout()).toContain("the books balance")

  await using after = await startServer({ options })
  const again = platform(after.base)
  expect(await balanceOf(again, customer)).toBe(3000)
  expect((await again("GET", `/transactions/${lost}`)).status).toBe(404)
  // Its key is lost with it: a client that repeats the request pays under another reference.
  expect(await payOut(again, customer.accountId, destination)).not.toBe(lost)
})
