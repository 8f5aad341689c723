/**
 * What the funding of an internal account in the sandbox writes, and when it is refused.
 * Spec: 4.6 (fund); wire contract 7.2; wire contract areas 2.13; D-398.
 */
import { expect, it } from "vitest"
import {
  type FundingLoaded,
  fundInternalAccount,
} from "../../../packages/core/src/decision/account/InternalAccountDecision.ts"
import type { DecisionContext } from "../../../packages/core/src/decision/Decision.ts"
import { customerOf } from "../quote/CreationFacts.ts"
import {
  balance,
  beyondRange,
  contextOf,
  internalOf,
  transactionId,
  written,
} from "../transaction/StoredTransactions.ts"

const loaded: FundingLoaded = {
  account: internalOf(),
  customer: customerOf(),
  owed: { balance: 0, sequence: 2 },
  total: 0,
  instructions: [{ accountOrWalletInfo: { accountType: "INR_ACCOUNT", paymentRails: ["UPI"] } }],
  transactionId,
  deposit: { source: { accountHolderName: "Ada" } },
  verdict: { _tag: "Clear" },
}
const funded = (amount: number, more: Partial<FundingLoaded> = {}, context: Partial<DecisionContext> = {}) =>
  fundInternalAccount(amount)({ ...loaded, ...more }, contextOf(context))
const auditsOf = ({ changes }: ReturnType<typeof funded>) =>
  (changes?.inserts ?? []).flatMap((record) => (record.kind === "AuditRecord" ? [record.data] : []))
const accountGuard = { kind: "InternalAccount", id: "InternalAccount:1", version: 3 }
const customerGuard = { kind: "Customer", id: "Customer:1", version: 1 }

it("a funding credits the amount as a deposit, and shows the balances of the commit", () => {
  const decision = funded(7)
  expect(decision).toMatchObject({
    status: 200,
    body: { id: "InternalAccount:1", fundingPaymentInstructions: [{}] },
    placeholders: expect.arrayContaining([expect.objectContaining({ balances: ["available:InternalAccount:1"] })]),
  })
  expect(written(decision.changes)).toMatchObject({
    events: ["INCOMING_PAYMENT.COMPLETED", balance],
    postings: ["7 outside:Customer:1:USD available:InternalAccount:1"],
  })
  expect(decision.changes?.inserts?.[0]).toMatchObject({
    kind: "Transaction",
    id: transactionId,
    data: { amount: 7, currency: "USD", deposit: loaded.deposit, counterpartyInformation: { FULL_NAME: "Ada" } },
  })
  expect(decision.changes?.guards).toEqual(expect.arrayContaining([accountGuard, customerGuard]))
  expect(auditsOf(decision)).toMatchObject([
    {
      operation: "SANDBOX_FUND",
      target: "InternalAccount:1",
      outcome: "DONE",
      details: { amount: 7, currency: "USD" },
    },
  ])
})

it("a funding repays the owner's debt first, and one that is held is not available", () => {
  const indebted = funded(7, { owed: { balance: -3, sequence: 2 } })
  expect(written(indebted.changes).postings).toEqual([
    "3 outside:Customer:1:USD receivable:Customer:1:USD",
    "4 outside:Customer:1:USD available:InternalAccount:1",
  ])
  const held = funded(7, { verdict: { _tag: "Hold", reason: "COMPLIANCE_REVIEW" } })
  expect(written(held.changes).postings).toEqual(["7 outside:Customer:1:USD held:InternalAccount:1"])
})

it("a funding of the platform's own account guards no customer", () => {
  const decision = funded(7, { customer: undefined })
  expect(decision.changes?.guards?.map(({ kind }) => kind)).not.toContain("Customer")
  expect(decision.changes?.guards).toContainEqual(accountGuard)
})

it.each<[string, ReturnType<typeof funded>, string]>([
  [
    "an account that is not active, before its range",
    funded(7, { account: internalOf({ status: "CLOSED" }) }, { rejections: beyondRange }),
    "INVALID_INPUT",
  ],
  ["more than is kept exactly", funded(1, { total: Number.MAX_SAFE_INTEGER }), "AMOUNT_OUT_OF_RANGE"],
  ["a commit that has exceeded the range", funded(7, {}, { rejections: beyondRange }), "AMOUNT_OUT_OF_RANGE"],
])("a funding is refused for %s", (_, decision, code) => {
  expect(decision).toMatchObject({ _tag: "Refuse", refusal: { code } })
  expect(decision.changes).toEqual({})
})

it("a funding may fill an account to the last exact unit", () => {
  expect(funded(1, { total: Number.MAX_SAFE_INTEGER - 1 })).toMatchObject({ status: 200 })
})
