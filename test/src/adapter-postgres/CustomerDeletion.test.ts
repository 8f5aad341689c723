/** The deletion of customers races with deposits, transfers and new agents on PostgreSQL: exactly one of them succeeds. D-081. */
import { PostgresStore } from "@countersign/adapter-postgres"
import { Agents, Customers, InternalAccounts } from "@countersign/core"
import { Effect, Layer, Result } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import {
  type AgentWorld,
  addAgent,
  addCustomer,
  addSource,
  agentWorld,
  policy,
} from "../../../packages/test/src/harness/AgentWorld.ts"
import { attempt } from "../agent/AgentSteps.ts"
import { booksOf } from "../faults/Books.ts"
import * as TestDatabase from "./TestDatabase.ts"

let database: TestDatabase.TestDatabase
let pay: AgentWorld

beforeAll(async () => {
  database = await TestDatabase.create(8)
  const { connection } = database
  const store = { layer: Layer.orDie(PostgresStore.layer({ connection })), books: () => booksOf(connection) }
  pay = await agentWorld({}, { store })
}, 60_000)
afterAll(async () => {
  await pay[Symbol.asyncDispose]()
  await database.close()
})

const remove = (customerId: string) =>
  pay.run(Effect.result(Customers.use((customers) => customers.remove(customerId))))
const fund = (accountId: string) =>
  pay.run(Effect.result(InternalAccounts.use((accounts) => accounts.fund(accountId, 10))))

/** A world with a customer, an agent and a funding source. */
const another = async (): Promise<AgentWorld> => {
  const parts = await addCustomer(pay)
  const sources = { "000": await addSource(pay, parts.customerId, "000") }
  return { ...pay, ...parts, sources, ...(await addAgent(pay, parts.customerId, policy())) }
}

it("a customer with money or open transactions cannot be deleted until it has neither", async () => {
  const one = await another()
  await attempt(one, 25)
  expect(await remove(one.customerId)).toMatchObject({
    failure: { code: "CONFLICT", details: { openTransactions: 1 } },
  })
  await pay.settle()
  expect(await remove(one.customerId)).toMatchObject({ failure: { details: { openTransactions: 0 } } })
  const empty = await another()
  expect(await remove(empty.customerId)).toMatchObject({ success: { body: { isDeleted: true } } })
  expect(await remove(empty.customerId)).toMatchObject({ failure: { code: "CUSTOMER_DELETED" } })
})

it("no race leaves a deleted customer with money, an open transaction or an agent", { timeout: 120_000 }, async () => {
  let deleted = 0
  for (let round = 0; round < 12; round++) {
    const one = await another()
    const late = Agents.use((agents) => agents.create({ name: "Late", customerId: one.customerId, policy: policy() }))
    const [deletion, funded, sent] = await Promise.all([
      remove(one.customerId),
      round % 3 === 0 ? fund(one.accountId) : undefined,
      round % 3 === 1 ? attempt(one, 10) : undefined,
      round % 3 === 2 ? pay.run(Effect.result(late)) : undefined,
    ])
    await pay.settle()
    if (Result.isFailure(deletion)) continue
    deleted += 1
    expect([funded?._tag ?? "Failure", sent?._tag ?? "Failure"]).toEqual(["Failure", "Failure"])
    const rows = await database.pool.query<{ readonly alive: number }>(
      `select (select count(*) from countersign.agent where customer_id = $1 and data->>'isDeleted' = 'false')
         + (select count(*) from countersign.transaction where customer_id = $1)
         + (select count(*) from countersign.ledger_account where customer_id = $1 and balance <> 0) as alive`,
      [one.customerId],
    )
    expect(Number(rows.rows[0]?.alive)).toBe(0)
  }
  expect(deleted).toBeGreaterThan(0)
})
