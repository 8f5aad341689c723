/** Quotes of agents that are refused, executed at once, held or short of funds, and comparisons of policies on actions. */
import { idAt, quoteBetween } from "../confinement/Bodies.ts"
import { agentPermissions } from "../confinement/Row.ts"
import { type Parties, partiesOf, policyPath, setPolicy } from "./AgentPolicySteps.ts"
import type { TranscriptSteps } from "./TranscriptWorld.ts"

const me = "/agents/me"
const unknown = "01a1fdfa-4600-7000-8000-00000000ffff"
const euro = "EUR"

/** Quotes that agents ask for: refusals, executions at once, and executions that are held or lack something. */
const quotes = async (it: TranscriptSteps, { accountId, neighbourId, to, usdc }: Parties) => {
  const { call, callers, pay, prepare } = it
  const mexican = {
    customerId: callers.customerId,
    currency: "MXN",
    accountInfo: {
      accountType: "MXN_ACCOUNT",
      clabeNumber: "032180000118359000",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Frida Kahlo" },
    },
  }
  const abroad = idAt(await prepare("POST", "/customers/external-accounts", mexican), "id")
  const body = quoteBetween(accountId, abroad, 400)
  const ask = (more: object = {}) => call("POST", `${me}/quotes`, { body: { ...body, ...more } })
  const funded = { sourceType: "REALTIME_FUNDING", currency: "USD", customerId: neighbourId }
  await ask({ source: funded })
  await ask({ platformFeeOverride: { platformFixedFee: { amount: 5, currency: "USD" }, platformVariableFeeBps: 50 } })
  await ask({ destination: { destinationType: "ACCOUNT", accountId: `ExternalAccount:${unknown}` } })
  await ask({ lockedCurrencyAmount: 0 })
  await ask({ immediatelyExecute: true })
  await ask({ immediatelyExecute: true, ...quoteBetween(accountId, usdc, 333) })
  const within = await ask(quoteBetween(accountId, usdc, 334))
  await setPolicy(it, { accountRestrictions: { allowedAccountIds: [usdc] } })
  await ask()
  await setPolicy(it, { accountRestrictions: {}, spendingLimits: { perTransactionLimit: 399 } })
  await ask({ immediatelyExecute: true })
  await setPolicy(it, {
    spendingLimits: { perTransactionLimit: 5000 },
    approvalThresholds: { currency: "USD", amount: 350 },
  })
  await ask({ immediatelyExecute: true })
  for (const permissions of [["CREATE_QUOTES"], ["EXECUTE_QUOTES"]]) {
    await setPolicy(it, { permissions })
    await ask({ immediatelyExecute: true })
  }
  await setPolicy(it, { permissions: agentPermissions })
  const heldQuote = idAt(await ask(), "id")
  const evaluate = (quoteId: string) =>
    call("POST", `${policyPath(it)}/evaluate`, { body: { type: "EXECUTE_QUOTE", quoteId } })
  await evaluate(heldQuote)
  const execute = (id: string) => call("POST", `${me}/quotes/${id}/execute`)
  const held = idAt(await execute(heldQuote), "id")
  const path = `/agents/${callers.agent.agentId}/actions/${held}`
  await call("GET", `${path}/evaluation`)
  await call("POST", `${path}/approve`)
  await pay.clock.advance("1 minute")
  const late = idAt(await ask(), "id")
  const lateHeld = idAt(await execute(late), "id")
  await execute(idAt(within, "id"))
  const { amount } = Object(Object((await prepare("GET", `/internal-accounts/${accountId}`)).body).balance)
  const poor = idAt(await ask(quoteBetween(accountId, abroad, 340)), "id")
  await prepare("POST", "/transfer-out", {
    source: { accountId },
    destination: { accountId: to },
    amount: Number(amount) - 339,
  })
  await evaluate(poor)
  await execute(poor)
  await prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 100_000 })
  await pay.clock.advance("6 minutes")
  await call("GET", `/agents/${callers.agent.agentId}/actions/${lateHeld}/evaluation`)
  await call("POST", `/agents/${callers.agent.agentId}/actions/${lateHeld}/approve`)
  for (const quoteId of [late, `Quote:${unknown}`]) {
    await evaluate(quoteId)
    await execute(quoteId)
  }
  return idAt(await ask(), "id")
}

const comparisons = async (it: TranscriptSteps, { accountId, slow, to, usdc }: Parties, quoteId: string) => {
  const { answerNext, call, callers, pay } = it
  const path = `/operator/agents/${callers.agent.agentId}/policy-evaluations`
  const transfer = { source: { accountId }, destination: { accountId: to } }
  await setPolicy(it, { spendingLimits: { dailyLimit: 4321, monthlyLimit: 54_321, dailyTransactionLimit: 44 } })
  for (const amount of [17, 351]) {
    const moved = { source: { accountId }, destination: { accountId: to }, amount }
    await call("POST", "/agents/me/transfer-out", { body: { ...moved, remittanceInformation: `Invoice ${amount}` } })
  }
  answerNext("Rails.inspectPull", { funds: "insufficient" })
  await call("POST", "/agents/me/transfer-in", {
    body: { source: { accountId: to }, destination: { accountId }, amount: 18 },
  })
  const actions = [
    { type: "TRANSFER_OUT", ...transfer, amount: 355 },
    { type: "TRANSFER_IN", source: { accountId: slow }, destination: { accountId }, amount: 349 },
    { type: "TRANSFER_OUT", ...transfer, amount: 9_999_999 },
    { type: "EXECUTE_QUOTE", quoteId },
    { type: "EXECUTE_QUOTE", quoteId: `Quote:${unknown}` },
  ]
  const policy = {
    spendingLimits: { currency: euro, dailyTransactionLimit: 3 },
    approvalThresholds: { currency: "MXN", amount: 4000 },
  }
  await call("POST", path, { body: { policy, actions } })
  await call("POST", path, { body: { policy, recent: 4 } })
  await call("POST", path, { body: { recent: 3 } })
  await call("POST", path, {
    body: {
      policy: { accountRestrictions: { accountRules: [{ accountId: usdc, perTransactionLimit: 5 }] } },
      recent: 2,
    },
  })
  for (const action of actions) await call("POST", `${policyPath(it)}/evaluate`, { body: action })
  await call("POST", `/operator/agents/Agent:${unknown}/policy-evaluations`, { body: {} })
  // Rates are asked again when they are old: first for the update, then for the actions.
  await pay.clock.advance("1 hour")
  answerNext("ExchangeRates.rate", undefined)
  await call("POST", path, { body: { policy, recent: 1 } })
  answerNext("ExchangeRates.rate", undefined)
  await call("POST", path, { body: { policy: { approvalThresholds: { currency: "MXN", amount: 1 } }, recent: 1 } })
  answerNext("ExchangeRates.rate")
}

export const agentQuoteSteps = async (it: TranscriptSteps) => {
  const parties = await partiesOf(it)
  await comparisons(it, parties, await quotes(it, parties))
}
