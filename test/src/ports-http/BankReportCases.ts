/** The reports of a bank and of a verifier. */
import { AccountVerifications, Deposits } from "@countersign/core"
import { expect } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { added, platformPath, usd } from "../account/ExternalAccountRequests.ts"
import { at, newBusiness } from "../customer/CustomerRequests.ts"
import { balances, bySuffix, world } from "../transaction/DepositRequests.ts"
import { eventCount, type ReportCases } from "./ReportCase.ts"

/** A deposit that is held. */
const heldDeposit = async () => {
  const { account, pay } = await world()
  const deposit = { accountId: account.id, amount: 900, source: bySuffix("005"), depositId: "bank-1" }
  const held = await pay.run(Deposits.use((deposits) => deposits.report(deposit)))
  const reference = held?.id ?? ""
  const read = async (member: string) => at(await pay.send("GET", `/transactions/${reference}`), member)
  return { pay, about: { reference }, read, balance: () => balances(pay, account.id) }
}

const matched = { outcome: "Result", status: "MATCHED" }

export const bankReportCases: ReportCases = {
  "/rails/outcome": {
    start: async () => {
      const { about, balance, pay, read } = await heldDeposit()
      const newer = { outcome: "Refused", reason: "BANK_REJECTED" }
      const state = async () => [await read("status"), await balance()]
      return { pay, about, content: { outcome: "Done" }, newer, state }
    },
    before: ["PENDING", [0, 900]],
    after: ["COMPLETED", [900, 900]],
    newest: ["COMPLETED", [900, 900]],
  },
  "/rails/deposit": {
    start: async () => {
      const { account, pay } = await world()
      const about = { accountId: account.id, depositId: "bank-1" }
      const content = { amount: 900, source: {} }
      return { pay, about, content, newer: { ...content, amount: 5 }, state: () => balances(pay, account.id) }
    },
    before: [0, 0],
    after: [900, 900],
    newest: [900, 900],
    answer: { transactionId: expect.stringMatching(/^Transaction:/u) },
  },
  "/rails/hold": {
    start: async () => {
      const { about, pay, read } = await heldDeposit()
      const newer = { reason: "COMPLIANCE_REVIEW" }
      const state = async () => [await read("pendingReason"), await eventCount(pay, "INCOMING_PAYMENT.PENDING")]
      return { pay, about, content: { reason: "WALLET_VERIFICATION_REQUIRED" }, newer, state }
    },
    before: ["COUNTERPARTY_DECLARATION_REQUIRED", 1],
    after: ["WALLET_VERIFICATION_REQUIRED", 2],
    newest: ["COMPLIANCE_REVIEW", 3],
  },
  "/verifier/beneficiary": {
    start: async () => {
      const pay = await harness()
      const accountId = await added(pay, usd(), platformPath)
      const review = { _tag: "Result", status: "MATCHED", account: "UNDER_REVIEW" } as const
      await pay.run(AccountVerifications.use((checks) => checks.report(accountId, review)))
      const content = { ...matched, account: "ACTIVE" }
      const state = async () => at(await pay.send("GET", `${platformPath}/${accountId}`), "status")
      return { pay, about: { accountId }, content, newer: { ...matched, account: "INACTIVE" }, state }
    },
    before: "UNDER_REVIEW",
    after: "ACTIVE",
    newest: "INACTIVE",
  },
  "/verifier/customer": {
    start: async () => {
      const pay = await harness()
      const customerId = await newBusiness(pay, "001")
      await pay.send("POST", "/verifications", { body: { customerId } })
      const outcome = { errors: [], owners: [] }
      const state = async () => [
        at(await pay.send("GET", `/customers/${customerId}`), "kybStatus"),
        (await eventCount(pay, "CUSTOMER.KYB_APPROVED")) + (await eventCount(pay, "CUSTOMER.KYB_REJECTED")),
      ]
      const content = { ...outcome, status: "APPROVED" }
      return { pay, about: { customerId }, content, newer: { ...outcome, status: "REJECTED" }, state }
    },
    before: ["PENDING", 0],
    after: ["APPROVED", 1],
    newest: ["APPROVED", 1],
  },
  "/funding-instructions/changed": {
    start: async () => {
      const { account, pay } = await world()
      const state = async () => {
        const set = at(await pay.send("GET", `/internal-accounts/${account.id}`), "fundingPaymentInstructions")
        return [
          Array.isArray(set) && set.length,
          await eventCount(pay, "INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED"),
        ]
      }
      const content = { hasCollectionAccount: true }
      return { pay, about: { accountId: account.id }, content, newer: { hasCollectionAccount: false }, state }
    },
    before: [1, 0],
    after: [2, 1],
    newest: [1, 2],
  },
}
