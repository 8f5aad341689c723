/** Debts of returned pulls, accounts that are full, and actions of agents that fail with their transfer. */
import { InternalAccounts } from "@countersign/core"
import { amountMax } from "@countersign/core/models"
import { externalAccountBody, idAt } from "../confinement/Bodies.ts"
import { setStatus } from "./DepositRefundSteps.ts"
import { outcomeOf, show } from "./DepositSteps.ts"
import type { Written } from "./TranscriptWorld.ts"
import { done, later, type Pair, pairsOf, refused, returned, transferIn, transferOut } from "./TransferOutcomeSteps.ts"

/** A returned pull leaves a debt, which the refund of a payout and another pull repay. */
const debts = async (it: Written, poor: Pair) => {
  const pulled = await transferIn(it, poor, 700)
  const payouts = [await transferOut(it, poor, 250), await transferOut(it, poor, 390)]
  await outcomeOf(it, pulled, returned)
  await it.call("GET", `/internal-accounts/${poor.internal}`)
  await it.pay.clock.advance("1 minute")
  for (const id of payouts) {
    await outcomeOf(it, id, returned)
    await it.pay.clock.advance("5 seconds")
    await it.call("GET", `/internal-accounts/${poor.internal}`)
  }
  const more = await transferIn(it, poor, 77)
  const spent = await transferOut(it, poor, 70)
  await outcomeOf(it, more, returned)
  it.answerNext("Rails.pull", refused("TIMED_OUT"))
  await transferIn(it, poor, 5)
  await transferIn(it, poor, 71)
  await outcomeOf(it, spent, returned)
  await it.pay.clock.advance("5 seconds")
  await it.call("GET", `/internal-accounts/${poor.internal}`)
}

/** An account that is full takes neither a pull nor a refund. */
const full = async (it: Written, rich: Pair) => {
  const fund = (amount: number) =>
    it.report(
      `InternalAccounts.fund ${amount}`,
      InternalAccounts.use((all) => all.fund(rich.internal, amount)),
    )
  await fund(5000)
  it.answerNext("Rails.pull", await later(it, 30_000))
  const pulled = await transferIn(it, rich, 810)
  it.answerNext("Rails.push", await later(it, 30_000))
  const pushed = await transferOut(it, rich, 820)
  await fund(amountMax - 5000)
  it.answerNext("Rails.inquire", done, refused("EXECUTION_FAILED"))
  await it.pay.clock.advance("2 minutes")
  for (const id of [pulled, pushed]) await show(it, id)
  await it.call("GET", "/unapplied-money")
  await it.call("POST", `/transactions/${pulled}/refund/retry`)
  await it.call("POST", `/unapplied-money/${pulled}/apply`, { body: {} })
  await transferOut(it, rich, 900)
  await it.call("POST", `/unapplied-money/${pulled}/apply`, { body: {} })
  await it.call("GET", `/internal-accounts/${rich.internal}`)
  // A refund for an account that is closed meanwhile is unapplied, and a closed account is credited nothing.
  it.answerNext("Rails.push", refused("EXECUTION_FAILED"))
  const last = await transferOut(it, rich, 910)
  await setStatus(it, rich.internal, "CLOSED")
  await it.pay.clock.advance("10 seconds")
  await it.call("POST", `/unapplied-money/${last}/apply`, { body: {} })
  await setStatus(it, rich.internal, "ACTIVE")
  await it.call("POST", `/unapplied-money/${last}/apply`, { body: {} })
}

/** An agent's action fails with its transaction. */
const actions = async (it: Written, own: Pair) => {
  const { agent } = it.callers
  await it.prepare("PATCH", `/agents/${agent.agentId}/policy`, { defaultExecutionMode: "AUTO" })
  const ask = async (way: "in" | "out", port: string, amount: number) => {
    it.answerNext(port, refused("ACCOUNT_INVALID"))
    const [source, destination] = way === "in" ? [own.external, own.internal] : [own.internal, own.external]
    const body = { source: { accountId: source }, destination: { accountId: destination }, amount }
    const action = await it.call("POST", `/agents/me/transfer-${way}`, { body })
    await it.call("GET", `/agents/me/actions/${idAt(action, "id")}`)
  }
  await ask("in", "Rails.pull", 61)
  await ask("out", "Rails.push", 62)
}

const newCustomer = async (it: Written, platformCustomerId: string): Promise<Pair> => {
  const body = { customerType: "INDIVIDUAL", fullName: "Grace Hopper", platformCustomerId, currencies: ["USD"] }
  const customerId = idAt(await it.prepare("POST", "/customers", body), "id")
  const accounts = await it.prepare("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USD`)
  const external = await it.prepare("POST", "/customers/external-accounts", externalAccountBody({ customerId }, "000"))
  return { internal: idAt(accounts, "data", 0, "id"), external: idAt(external, "id") }
}

export const debtSteps = async (it: Written) => {
  const { own } = await pairsOf(it)
  await debts(it, await newCustomer(it, "poor"))
  await full(it, await newCustomer(it, "rich"))
  await actions(it, own)
}
