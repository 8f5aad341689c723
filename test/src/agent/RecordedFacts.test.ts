/** The facts of a submitted action, from its record. D-475. */
import type { CurrencyCode } from "@countersign/core/models"
import { expect, it } from "vitest"
import { recordedFacts, recordedMoney } from "../../../packages/core/src/decision/approval/RecordedFacts.ts"
import * as Rate from "../../../packages/core/src/foundation/money/Rate.ts"
import type { AgentAction } from "../../../packages/core/src/model/agent/AgentAction.ts"
import type { Quote } from "../../../packages/core/src/model/quote/Quote.ts"
import { accountId, agentWith } from "./SpendingFacts.ts"

const outside = "ExternalAccount:00000000-0000-7000-8000-000000000004"
const other = "InternalAccount:00000000-0000-7000-8000-000000000005"
const details = { amount: 70, currency: "USD", sourceAccountId: outside, destinationAccountId: accountId } as const
const action: AgentAction = {
  agentId: "Agent:1",
  platformCustomerId: "ada",
  status: "APPROVED",
  type: "TRANSFER_IN",
  charges: [],
  transferDetails: details,
}
const quote: Quote = {
  status: "PENDING",
  expiresAt: 0,
  source: { sourceType: "ACCOUNT", accountId },
  destination: { destinationType: "ACCOUNT", accountId: outside },
  sendingCurrency: "USD",
  receivingCurrency: "EUR",
  totalSendingAmount: 90,
  totalReceivingAmount: 45,
  rate: { numerator: "2", denominator: "1" },
  feesIncluded: 0,
  platformFeesIncluded: 0,
  transactionId: "Transaction:1",
  funding: "ACCOUNT",
  accountId,
}
const dollars = { amount: 90, currency: "USD" }
const uma = { destinationType: "UMA_ADDRESS", umaAddress: "$bob@example.com" } as const

it.each<[string, Partial<Quote>, ReadonlyArray<readonly [string, string]>]>([
  ["its paying account", {}, [[accountId, "USD"]]],
  [
    "its paying and its receiving account",
    { destination: { destinationType: "ACCOUNT", accountId: other } },
    [
      [accountId, "USD"],
      [other, "EUR"],
    ],
  ],
  ["the account of its receiver", { destination: uma, receiverAccountId: other, funding: "PUSH" }, [[other, "EUR"]]],
  ["no account if both are external", { funding: "PUSH" }, []],
])("of a quote are %s", (_label, patch, accounts) => {
  expect(recordedMoney({ ...action, type: "EXECUTE_QUOTE" }, { ...quote, ...patch })).toEqual({
    ...dollars,
    accounts: accounts.map(([id, currency]) => ({ id, currency })),
  })
})

it("of a transfer are its internal account, in either direction", () => {
  const expected = { amount: 70, currency: "USD", accounts: [{ id: accountId, currency: "USD" }] }
  expect(recordedMoney(action, undefined)).toEqual(expected)
  const turned = { ...details, sourceAccountId: accountId, destinationAccountId: outside }
  expect(recordedMoney({ ...action, transferDetails: turned }, undefined)).toEqual(expected)
})

it("do not exist for an action whose quote is gone", () => {
  const { transferDetails: _none, ...executed } = action
  expect(recordedMoney(executed, undefined)).toBeUndefined()
})

const half: Rate.Rate = { from: "EUR", to: "USD", numerator: 1n, denominator: 2n }
const rates = (from: CurrencyCode) =>
  new Map<CurrencyCode, Rate.Rate>(from === "EUR" ? [["USD", half]] : [[from, Rate.identity(from)]])
const today = { dailyCount: 9, dailySpend: 900, monthlySpend: 9000 }
const before = { dailyCount: 1, dailySpend: 5, monthlySpend: 7 }
const money = { amount: 70, currency: "USD" as const, accounts: [] }
const agent = { data: { ...agentWith(), isPaused: true }, usage: today }

it("compare the usage before the submission, in the currency of the policy's limits", () => {
  const usageOf = (currency: CurrencyCode) =>
    recordedFacts({ ...action, usageBefore: { currency, ...before } }, money, agent, rates).usage
  expect(usageOf("USD")).toEqual(before)
  expect(usageOf("EUR")).toEqual({ dailyCount: 1, dailySpend: 10, monthlySpend: 14 })
})

it("compare the present usage if none was stored, or no rate leads from its currency", () => {
  expect(recordedFacts(action, money, agent, rates).usage).toEqual(today)
  const usageBefore = { currency: "EUR" as const, ...before }
  expect(recordedFacts({ ...action, usageBefore }, money, agent, () => new Map()).usage).toEqual(today)
})

it("are those of an agent that was not paused", () => {
  const facts = recordedFacts(action, money, agent, rates)
  expect(facts).toMatchObject({ agent: { isPaused: false }, permission: "CREATE_TRANSFERS", ...money })
  expect(facts.rates).toEqual(rates("USD"))
})
