/** The audit of a crash run finds each kind of problem. */
import { generateKeyPairSync } from "node:crypto"
import { Migrations } from "@countersign/adapter-postgres"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import type { Reply } from "../e2e/Client.ts"
import type { Delivery } from "../e2e/Receiver.ts"
import { problems } from "./CrashAudit.ts"
import { approvalThreshold, type ReceivedResponses, type Submitted, type TransferCustomer } from "./CrashClients.ts"

let database: TestDatabase.TestDatabase
beforeAll(async () => {
  database = await TestDatabase.create(2)
  await Effect.runPromise(Migrations.run(database.connection))
}, 60_000)
afterAll(() => database.close())

const publicKey = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .publicKey.export({ type: "spki", format: "pem" })
  .toString()
const counts = { requests: 0, busy: 0, broken: 0, replays: 0, approvals: 0, rejections: 0 }
const customer: TransferCustomer = { accountId: "mine", customerId: "c", sourceId: "s", agentId: "g", token: "t" }
const answer = (id: string): Reply => ({ status: 201, headers: new Headers(), body: { id }, text: "" })
const responsesOf = (...submitted: Array<Submitted>): ReceivedResponses => ({ submitted, counts })
const audit = (submitted: ReceivedResponses, received: ReadonlyArray<Delivery> = []) =>
  problems(database.pool, submitted, received, publicKey)

const action = (id: string, status: string, amount: number) =>
  database.pool.query(
    `insert into countersign.agent_action (owner_id, platform_id, id, version, created_at, updated_at, data) values ('p', 'p', $1, 1, 0, 0, $2)`,
    [id, JSON.stringify({ status, transferDetails: { amount, destinationAccountId: "mine" } })],
  )

it("finds nothing in an empty database", async () => {
  expect(await audit(responsesOf())).toEqual([])
})

it("finds an acknowledged action that is missing", async () => {
  expect(await audit(responsesOf({ customer, key: "k", amount: 1, answer: answer("a1") }))).toEqual([
    "k was acknowledged as a1, and is undefined",
  ])
})

it("finds transfers that were executed twice, not at all, against their decision, or without a request", async () => {
  await action("a1", "APPROVED", 1)
  await action("a2", "APPROVED", 2)
  await action("a3", "PENDING_APPROVAL", approvalThreshold + 3)
  await action("a4", "APPROVED", 4)
  await database.pool.query(
    `insert into countersign.ledger_account (owner_id, platform_id, id, currency, balance, sequence) values ('p', 'p', 'available:mine', 'USD', 3, 2);
     alter table countersign.ledger_entry disable trigger ledger_entry_checked;
     insert into countersign.ledger_entry values ('p', 'p', 'available:mine', 1, 1, 1, 'r', 'o', 0, 0), ('p', 'p', 'available:mine', 2, 1, 2, 'r', 'o', 0, 0)`,
  )
  await database.pool.query(
    `insert into countersign.event (owner_id, platform_id, id, type, subject, data, created_at, expires_at) values ('p', 'p', 'e', 'TEST', 's', '{}', 0, 0);
     insert into countersign.job (owner_id, platform_id, id, queue, kind, due_at, payload, open, holds) values ('p', 'p', 'j', 'work', 'k', 0, '{}', true, false)`,
  )
  const unsigned: Delivery = {
    headers: {},
    body: Buffer.from("{}"),
    event: { id: "other", type: "TEST", timestamp: "", data: {} },
  }
  const found = await audit(
    responsesOf(
      { customer, key: "k1", amount: 1, answer: answer("a1") },
      { customer: { ...customer, accountId: "another" }, key: "k2", amount: 2 },
      { customer, key: "k3", amount: approvalThreshold + 3, decision: { verb: "approve", isAnswered: true } },
    ),
    [unsigned],
  )
  expect(found.toSorted()).toEqual(
    [
      "action a1 (k1) is approved, and its transaction null",
      "action a1 (k1) moved its money 2 times",
      "action a2 (k2) belongs to another account",
      "action a2 (k2) is approved, and its transaction null",
      "action a2 (k2) moved its money 0 times",
      "action a3 (k3) was answered approve, and is PENDING_APPROVAL",
      "1 actions without a request",
      "the ledger of USD sums to 3",
      "the balance of available:mine differs from the sum of its entries",
      "the event e (TEST) never arrived",
      "an event other arrived that is not stored",
      "action a3 was reported as pending by 0 events",
      "a delivery was not signed by the service's key",
      "1 jobs are left",
    ].toSorted(),
  )
})
