/** Deposits that are given back, or cannot be; those that an account cannot take; and debts that deposits repay. */
import { InternalAccounts, UnappliedMoney } from "@countersign/core"
import { amountMax, type InternalAccount } from "@countersign/core/models"
import * as Operation from "../../../packages/core/src/operation/Operation.ts"
import * as Changes from "../../../packages/core/src/store/Changes.ts"
import { externalAccountBody, idAt } from "../confinement/Bodies.ts"
import { accountOf, arrive, from, held, outcomeOf, show, startCounting } from "./DepositSteps.ts"
import type { Written } from "./TranscriptWorld.ts"

/** A refund that fails waits for an operator, who asks again, gives it back by itself, or credits it. */
const failedRefunds = async (it: Written, platformAccountId: string) => {
  const { accountId } = it.callers
  const first = await held(it, accountId, 401, "003")
  const second = await held(it, platformAccountId, 402, "003")
  const third = await held(it, accountId, 403, "003")
  await it.pay.clock.advance("1 minute")
  await it.call("GET", "/unapplied-money?limit=2")
  await it.call("GET", "/unapplied-money")
  await show(it, first)
  it.answerNext("Rails.inquire", { _tag: "Later", at: (await it.pay.clock.now()) + 4000 }, { _tag: "Done" })
  await it.call("POST", `/transactions/${first}/refund/retry`)
  await it.call("POST", `/transactions/${first}/refund/retry`)
  await it.pay.clock.advance("1 minute")
  await it.call("POST", `/transactions/${first}/refund/retry`)
  await show(it, first)
  const giveBack = (id: string, reference: string) =>
    it.report(
      `UnappliedMoney.giveBack ${reference}`,
      UnappliedMoney.use((all) => all.giveBack(id, reference)),
    )
  for (const reference of ["", "x".repeat(300), "wire 4711", "wire 4712"]) await giveBack(second, reference)
  await it.call("POST", `/unapplied-money/${third}/apply`, { body: { accountId: platformAccountId } })
  await it.call("POST", `/unapplied-money/${third}/apply`, { body: {}, isKeyed: true })
  await it.call("POST", `/unapplied-money/${third}/apply`, { body: {} })
  for (const id of [second, third]) await show(it, id)
  await it.call("GET", `/internal-accounts/${accountId}`)
  await it.call("GET", "/unapplied-money")
}

/** A bank takes back what is spent: the next deposits repay the debt. */
const debts = async (it: Written, empty: string, external: string) => {
  const spend = (amount: number) =>
    it.call("POST", "/transfer-out", {
      body: { source: { accountId: empty }, destination: { accountId: external }, amount },
    })
  const first = (await arrive(it, empty, 510))?.id ?? ""
  const second = (await arrive(it, empty, 90))?.id ?? ""
  await spend(530)
  await it.pay.clock.advance("1 minute")
  await outcomeOf(it, first, { _tag: "Returned" })
  await outcomeOf(it, first, { _tag: "Returned" })
  await it.call("GET", `/internal-accounts/${empty}`)
  await arrive(it, empty, 30)
  await outcomeOf(it, second, { _tag: "Returned" })
  await spend(1)
  // One is held, and repays as it is released; the last pays more than the rest.
  const waiting = await held(it, empty, 200)
  await outcomeOf(it, waiting, { _tag: "Done" })
  await it.call("GET", `/internal-accounts/${empty}`)
  await arrive(it, empty, 640)
  await it.call("GET", `/internal-accounts/${empty}`)
}

/** An account that is full. */
const full = async (it: Written, accountId: string, external: string, platformAccountId: string) => {
  const waiting = await held(it, accountId, 15)
  await it.report(
    "InternalAccounts.fund",
    InternalAccounts.use((all) => all.fund(accountId, amountMax - 700)),
  )
  await it.report(
    "InternalAccounts.fund",
    InternalAccounts.use((all) => all.fund(accountId, 700)),
  )
  const { id = "" } = (await arrive(it, accountId, 700, from("005"))) ?? {}
  await show(it, id)
  await outcomeOf(it, waiting, { _tag: "Done" })
  const apply = (body: object) => it.call("POST", `/unapplied-money/${id}/apply`, { body })
  await apply({})
  await apply({ accountId: platformAccountId })
  await apply({ accountId: "InternalAccount:01234567-0123-7000-8000-000000000000" })
  await it.call("POST", "/transfer-out", {
    body: { source: { accountId }, destination: { accountId: external }, amount: 2_000_000 },
  })
  await it.pay.clock.advance("10 seconds")
  await it.call("POST", `/transactions/${id}/refund/retry`)
  await apply({})
  await apply({})
  await show(it, id)
}

/** The customer of an account is deleted, while one of its deposits is held. */
const closed = async (it: Written, customerId: string, accountId: string) => {
  await it.call("DELETE", `/customers/${customerId}`)
  const { id = "" } = (await arrive(it, accountId, 44, from("000"))) ?? {}
  await it.pay.clock.advance("5 seconds")
  await show(it, id)
}

const newCustomer = async (it: Written, platformCustomerId: string) => {
  const body = { customerType: "INDIVIDUAL", fullName: "Grace Hopper", platformCustomerId, currencies: ["USD"] }
  const customerId = idAt(await it.prepare("POST", "/customers", body), "id")
  const accountId = await accountOf(it, `/customers/internal-accounts?customerId=${customerId}&currency=USD`)
  const external = await it.prepare("POST", "/customers/external-accounts", externalAccountBody({ customerId }, "000"))
  return { customerId, accountId, external: idAt(external, "id") }
}

/** Gives an account a status that no call of the interface sets. */
export const setStatus = (it: Written, id: string, status: InternalAccount["status"]) =>
  it.report(
    `the account becomes ${status}`,
    Operation.run({
      name: "test",
      load: (read) => read({ records: [{ kind: "InternalAccount", id }] }),
      decide: (read) => {
        const stored = read.record("InternalAccount", id)
        if (stored === undefined) throw new Error(`there is no account ${id}`)
        return Operation.answer(200, null, Changes.update(stored, { ...stored.data, status }))
      },
    }),
  )

/** An account that is frozen while a deposit is held, and before another arrives. */
const frozen = async (it: Written, accountId: string) => {
  const id = await held(it, accountId, 511)
  await setStatus(it, accountId, "FROZEN")
  await outcomeOf(it, id, { _tag: "Done" })
  const { id: second = "" } = (await arrive(it, accountId, 512, from("000", { paymentRail: "ACH" }))) ?? {}
  await it.pay.clock.advance("5 seconds")
  for (const each of [id, second]) await show(it, each)
  await setStatus(it, accountId, "ACTIVE")
}

export const depositRefundSteps = async (it: Written) => {
  startCounting()
  const platformAccountId = await accountOf(it, "/platform/internal-accounts?currency=USD")
  await failedRefunds(it, platformAccountId)
  const grace = await newCustomer(it, "grace")
  await debts(it, grace.accountId, grace.external)
  const rich = await newCustomer(it, "rich")
  await full(it, rich.accountId, rich.external, platformAccountId)
  await frozen(it, grace.accountId)
  const last = await newCustomer(it, "last")
  await closed(it, last.customerId, last.accountId)
  const forgotten = await held(it, it.callers.accountId, 71)
  await it.pay.clock.advance("7 days")
  await show(it, forgotten)
  await it.pay.clock.advance("5 seconds")
  await show(it, forgotten)
}
