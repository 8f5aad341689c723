/** The members of an action by its type and status. Spec: AgentAction, AgentTransferDetails. */

import { expect, it } from "vitest"
import { addSource } from "../../../packages/test/src/harness/AgentWorld.ts"
import { agentQuotes, idOf, quoted } from "./AgentQuoteSteps.ts"

const optional = ["quote", "transferDetails", "transaction", "rejectionReason"]
const permissions = ["CREATE_QUOTES", "EXECUTE_QUOTES", "CREATE_TRANSFERS", "VIEW_TRANSACTIONS"] as const

/** Creates a customer with 1,000.00 dollars and an agent whose actions need approval, with a way to submit each type of action. */
const begin = async () => {
  const pay = await agentQuotes({ permissions: [...permissions], defaultExecutionMode: "APPROVAL_REQUIRED" })
  const [inside, outside] = [await pay.accountId("USD"), await addSource(pay, pay.customerId, "000")]
  const transfer = (way: "in" | "out", from: string, to: string) =>
    pay.send("POST", `/agents/me/transfer-${way}`, {
      as: pay.as,
      body: { source: { accountId: from }, destination: { accountId: to }, amount: 1000 },
    })
  const submit = {
    EXECUTE_QUOTE: async () => pay.perform(await quoted(pay, 1000)),
    TRANSFER_IN: () => transfer("in", outside, inside),
    TRANSFER_OUT: () => transfer("out", inside, outside),
  }
  return { pay, inside, outside, submit }
}
const optionalMembersOf = ({ body }: { readonly body: unknown }) =>
  optional.filter((name) => Object.hasOwn(Object(body), name))

// Proves: RES-ACTION-01, RES-ACTION-03, RES-ACTION-04, RES-ACTION-05, RES-ACTION-08, RES-ACTION-09, RES-ACTION-10
// Proves: RES-ACTION-11, RES-ACTION-12, RES-ACTION-13, RES-ACTION-14, RES-ACTION-15, RES-ACTION-16, RES-ACTION-17
// Proves: RES-ACTION-18, RES-ACTION-19, RES-ACTION-20, RES-TRANSFER-01, RES-TRANSFER-02, RES-TRANSFER-04
// Proves: RES-TRANSFER-05
it.each([
  ["EXECUTE_QUOTE", "quote", "OUTGOING", 100_000 - 1000],
  ["TRANSFER_IN", "transferDetails", "INCOMING", 100_000 + 1000],
  ["TRANSFER_OUT", "transferDetails", "OUTGOING", 100_000 - 1000],
] as const)("an action %s has its %s at once and its transaction after approval", async (type, details, way, left) => {
  const { inside, outside, pay, submit } = await begin()
  await using _ = pay
  const common = { type, agentId: pay.agentId, customerId: pay.customerId, createdAt: "2026-11-21T12:00:00Z" }
  const customer = await pay.send("GET", `/customers/${pay.customerId}`)
  const { platformCustomerId } = Object(customer.body)
  const held = await submit[type]()
  expect(held.body).toMatchObject({ ...common, platformCustomerId, status: "PENDING_APPROVAL" })
  expect(held.body).toMatchObject({ updatedAt: "2026-11-21T12:00:00Z" })
  expect(optionalMembersOf(held)).toEqual([details])
  if (type !== "EXECUTE_QUOTE") {
    const [sourceAccountId, destinationAccountId] = type === "TRANSFER_IN" ? [outside, inside] : [inside, outside]
    const transferDetails = { amount: 1000, currency: "USD", sourceAccountId, destinationAccountId }
    expect(held.body).toMatchObject({ transferDetails })
  }
  await pay.clock.advance("1 minute")
  const approved = await pay.approve(idOf(held))
  expect(approved.body).toMatchObject({ ...common, status: "APPROVED", updatedAt: "2026-11-21T12:01:00Z" })
  expect(approved.body).toMatchObject({ transaction: { type: way } })
  expect(optionalMembersOf(approved)).toEqual([details, "transaction"])
  await pay.settle()
  expect(await pay.balances("USD")).toEqual([left, left])

  const other = await submit[type]()
  const rejected = await pay.send("POST", `/agents/${pay.agentId}/actions/${idOf(other)}/reject`, {
    body: { reason: "not this month" },
  })
  expect(rejected.body).toMatchObject({ status: "REJECTED", rejectionReason: "not this month" })
  expect(optionalMembersOf(rejected)).toEqual([details, "rejectionReason"])
})
