/** Deposits that a bank reports: credited, held, released, refused and taken back. */
import { type DepositReport, Deposits, Outcomes } from "@countersign/core"
import { amountMax } from "@countersign/core/models"
import { idAt } from "../confinement/Bodies.ts"
import type { Written } from "./TranscriptWorld.ts"

type Report = Partial<DepositReport>
export type Outcome = Parameters<Outcomes["Service"]["report"]>[1]

/** Deposits have another identifier each. */
let deposits = 0

export const startCounting = () => {
  deposits = 0
}

export const arrive = (it: Written, accountId: string, amount: number, more: Report = {}) => {
  deposits += 1
  const report = { accountId, amount, depositId: `bank-${deposits}`, source: {}, ...more }
  return it.report(
    `Deposits.report ${report.depositId}`,
    Deposits.use((all) => all.report(report)),
  )
}

export const from = (suffix: string, more: DepositReport["source"] = {}): Report => ({
  source: { accountHolderName: "John Sender", accountIdentifier: `000123456${suffix}`, ...more },
})

export const outcomeOf = (it: Written, id: string, outcome: Outcome) =>
  it.report(
    `Outcomes.report ${outcome._tag}`,
    Outcomes.use((all) => all.report(id, outcome)),
  )

export const accountOf = async (it: Written, path: string) => idAt(await it.prepare("GET", path), "data", 0, "id")

export const show = (it: Written, id = "") => it.call("GET", `/transactions/${id}`)

export const held = async (it: Written, accountId: string, amount: number, suffix = "005") =>
  (await arrive(it, accountId, amount, from(suffix)))?.id ?? ""

/** What a bank tells, each part alone wrong, and the same deposit twice. */
const details = async (it: Written, platformAccountId: string) => {
  const { accountId } = it.callers
  const more = {
    depositId: "bank-whole",
    ...from("000", { paymentRail: "WIRE", bankName: "First Bank", endToEndId: "E2E-77", traceNumber: "T-78" }),
    sent: { amount: 1003, currency: "EUR" as const },
    exchangeRate: 1.08,
    fees: 3,
    description: "Rent",
  }
  await arrive(it, accountId, 907, more)
  await it.pay.clock.advance("3 seconds")
  await arrive(it, accountId, 907, more)
  await arrive(it, platformAccountId, 611, { ...from("000"), depositId: "bank-platform" })
  for (const wrong of [
    { amount: 0 },
    { amount: amountMax + 1 },
    { sent: { amount: 0, currency: "EUR" as const } },
    { exchangeRate: 0 },
    { exchangeRate: Number.POSITIVE_INFINITY },
    { fees: -1 },
    { fees: 0 },
    { quoteId: "7" },
    { accountId: it.callers.customerId },
  ]) {
    await arrive(it, accountId, 5, wrong)
  }
}

/** What the suffix of the sender decides, and what the rail answers about it. */
const suffixes = async (it: Written, platformAccountId: string) => {
  const { accountId } = it.callers
  const ids = [await held(it, accountId, 101, "001"), await held(it, platformAccountId, 102, "004")]
  ids.push(await held(it, accountId, 103, "002"), await held(it, platformAccountId, 104, "002"))
  await it.pay.clock.advance("5 seconds")
  await it.pay.clock.advance("40 seconds")
  for (const id of ids) await show(it, id)
  await it.call("GET", `/internal-accounts/${accountId}`)
  await it.call("GET", `/internal-accounts/${platformAccountId}`)
}

/** The rail does not know, is late, refuses, and has it cancelled or back. */
const inquiries = async (it: Written) => {
  const { accountId } = it.callers
  const unknown = { _tag: "Unknown", cause: "no answer" }
  const first = await held(it, accountId, 201, "001")
  const at = (await it.pay.clock.now()) + 90_000
  it.answerNext("Rails.inquire", unknown, { _tag: "NotReceived" }, { _tag: "Later", at }, { _tag: "Later", at: 1 })
  await it.pay.clock.advance("20 minutes")
  await show(it, first)
  const second = await held(it, accountId, 202, "004")
  it.answerNext("Rails.inquire", { _tag: "Refused", reason: "BANK_REJECTED" })
  it.answerNext("Rails.push", { _tag: "Later", at: 1 }, unknown)
  await it.pay.clock.advance("31 seconds")
  await it.pay.clock.advance("20 minutes")
  await show(it, second)
}

/** What is reported about a held deposit before the rail is asked, once and again. */
const reports = async (it: Written, platformAccountId: string) => {
  const { accountId } = it.callers
  const outcomes: ReadonlyArray<Outcome> = [
    { _tag: "Done" },
    { _tag: "Refused", reason: "INSUFFICIENT_FUNDS" },
    { _tag: "Cancelled" },
    { _tag: "Returned" },
    { _tag: "Later", at: (await it.pay.clock.now()) + 7000 },
  ]
  for (const [index, outcome] of outcomes.entries()) {
    const id = await held(it, index % 2 === 0 ? accountId : platformAccountId, 301 + index)
    for (const reason of ["WALLET_VERIFICATION_REQUIRED", "WALLET_VERIFICATION_REQUIRED"] as const) {
      await it.report(
        `Deposits.hold ${reason}`,
        Deposits.use((all) => all.hold(id, reason)),
      )
    }
    await it.pay.clock.advance("1 second")
    await outcomeOf(it, id, outcome)
    await outcomeOf(it, id, { _tag: "Done" })
    await it.report(
      "Deposits.hold late",
      Deposits.use((all) => all.hold(id, "COMPLIANCE_REVIEW")),
    )
    await it.pay.clock.advance("9 seconds")
    await show(it, id)
  }
  await it.report(
    "Outcomes.report unknown",
    Outcomes.use((all) => all.report("Transaction:1", { _tag: "Done" })),
  )
}

export const depositSteps = async (it: Written) => {
  startCounting()
  const platformAccountId = await accountOf(it, "/platform/internal-accounts?currency=USD")
  await details(it, platformAccountId)
  await suffixes(it, platformAccountId)
  await inquiries(it)
  await reports(it, platformAccountId)
}
