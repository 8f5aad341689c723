/** A day of a live deployment in which processes die, and one in which something goes wrong on purpose. Source: D-535. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { type FaultServer, faultServer } from "../../faults/FaultServer.ts"
import { type Folder, newFolder } from "../Folder.ts"
import { day } from "./Day.ts"
import { paid } from "./DayPayments.ts"
import { type KeyRoot, keyRoot } from "./KeyRoot.ts"

let folder: Folder
let root: KeyRoot
let server: FaultServer
beforeAll(async () => {
  folder = await newFolder()
  root = await keyRoot(folder.path)
  server = await faultServer()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await root[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

it("every statement line, ledger entry and webhook agrees after a day of kills and a crash of the database", {
  timeout: 600_000,
}, async () => {
  const { deliveries, ends, problems } = await day({ server, root, isRough: true })
  expect(problems).toEqual([])
  expect(ends).toBeGreaterThanOrEqual(4)
  expect(deliveries).toBeGreaterThan(30)
})

it("the day notices a payment that is batched twice, one whose outcome or statement is lost, a lost webhook and a code in the log", {
  timeout: 600_000,
}, async () => {
  const faults = ["batched twice", "not reported", "statement lost", "webhook lost", "code in the log"] as const
  const { problems } = await day({ server, root, isRough: false, faults })
  expect(problems.toSorted()).toEqual(
    [
      `SUSPICIOUS LINE of ${paid.batchedTwice}: DOUBLED`,
      `SUSPICIOUS ORDER of ${paid.batchedTwice}: DOUBLED`,
      `the bank has 2 payments of ${paid.batchedTwice} instead of 1`,
      `SUSPICIOUS ORDER of ${paid.notReported}: LEDGER_STATE`,
      `the transaction of ${paid.notReported} is PENDING`,
      `the transaction of ${paid.statementLost} is PENDING`,
      `SUSPICIOUS ORDER of ${paid.statementLost}: MISSING`,
      "an event OUTGOING_PAYMENT.COMPLETED never arrived",
      "the output has a code",
    ].toSorted(),
  )
})
