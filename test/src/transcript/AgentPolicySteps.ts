/** Agents at each bound of their policies, changes of the currency of limits, evaluations and comparisons of policies. */
import { AgentTokenLifetime } from "@countersign/core/ports"
import { Layer } from "effect"
import { externalAccountBody, idAt } from "../confinement/Bodies.ts"
import type { TranscriptSteps } from "./TranscriptWorld.ts"

export const agentSettings = Layer.succeed(AgentTokenLifetime, 86_400_000 * 30)

const me = "/agents/me"
const unknown = "01a1fdfa-4600-7000-8000-00000000ffff"
const euro = "EUR"

export interface Parties {
  readonly accountId: string
  readonly usdc: string
  readonly to: string
  readonly slow: string
  readonly neighbourId: string
}

export const policyPath = ({ callers }: TranscriptSteps) => `/agents/${callers.agent.agentId}/policy`

export const setPolicy = (it: TranscriptSteps, body: object) => it.call("PATCH", policyPath(it), { body })

const out = async ({ call, callers, pay }: TranscriptSteps, destination: string, amount?: number, source?: string) => {
  await pay.clock.advance("1 second")
  const accountId = source ?? callers.accountId
  const body = { source: { accountId }, destination: { accountId: destination, paymentRail: "ACH" }, amount }
  return call("POST", `${me}/transfer-out`, { body })
}

const pull = ({ call, callers }: TranscriptSteps, source: string, amount: number) =>
  call("POST", `${me}/transfer-in`, {
    body: { source: { accountId: source }, destination: { accountId: callers.accountId }, amount },
  })

/** Policies that are refused, and what their shapes lack. */
const shapes = async (it: TranscriptSteps, { accountId, neighbourId, usdc }: Parties) => {
  const { call, callers } = it
  const spendingLimits = { currency: "USD", perTransactionLimit: 500 }
  const policy = { permissions: ["CREATE_TRANSFERS"], defaultExecutionMode: "AUTO", spendingLimits }
  const neighbour = { name: "New", customerId: neighbourId }
  await call("POST", "/agents", { body: { name: "New", customerId: `Customer:${unknown}`, policy } })
  const foreign = { allowedAccountIds: [accountId], accountRules: [{ accountId, perTransactionLimit: 7 }] }
  await call("POST", "/agents", { body: { ...neighbour, policy: { ...policy, accountRestrictions: foreign } } })
  const { agentId } = callers.agent
  await call("PATCH", `/agents/${agentId}`, { body: {} })
  const twice = [{ accountId }, { accountId: usdc }, { accountId, executionMode: "AUTO" }]
  await setPolicy(it, {
    permissions: ["CREATE_TRANSFERS", "CREATE_QUOTES", "CREATE_TRANSFERS"],
    accountRestrictions: { accountRules: twice },
    approvalThresholds: { amount: 5 },
  })
  await call("PATCH", `/agents/Agent:${unknown}`, { body: { name: "None" } })
  await call("GET", `/agents/Agent:${unknown}`)
}

/** Both sides of each bound, and the currency of the limits in two others. */
const limits = async (it: TranscriptSteps, { accountId, slow, to, usdc }: Parties) => {
  const { answerNext, call, callers, pay } = it
  const { agentId } = callers.agent
  await setPolicy(it, {
    spendingLimits: {
      currency: "USD",
      perTransactionLimit: 300,
      dailyLimit: 503,
      monthlyLimit: 800,
      dailyTransactionLimit: 2,
    },
    approvalThresholds: { currency: euro, amount: 5000 },
  })
  for (const amount of [301, 300, 204, 203]) await out(it, to, amount)
  await call("GET", `/agents/${agentId}`)
  await pay.clock.advance("1 day")
  for (const amount of [298, 297, 0, undefined]) await out(it, to, amount)
  await setPolicy(it, { spendingLimits: { monthlyLimit: null, dailyTransactionLimit: 1 } })
  await out(it, to, 5)
  await setPolicy(it, { approvalThresholds: { currency: euro, amount: 200 } })
  // The currency of the limits changes while a pull is pending, which then fails: it credits both budgets.
  await setPolicy(it, { spendingLimits: { monthlyLimit: null, dailyLimit: 900, dailyTransactionLimit: 9 } })
  await pull(it, slow, 77)
  await pay.clock.advance("5 seconds")
  await setPolicy(it, { spendingLimits: { currency: euro } })
  await pay.clock.advance("5 seconds")
  await setPolicy(it, { spendingLimits: { currency: "MXN", monthlyLimit: 90_000 } })
  answerNext("ExchangeRates.rate", undefined)
  await setPolicy(it, { spendingLimits: { currency: "USD" } })
  await pay.clock.advance("1 minute")
  await call("GET", me)
  answerNext("ExchangeRates.rate", undefined, undefined)
  await out(it, to, 50)
  answerNext("ExchangeRates.rate")
  await setPolicy(it, {
    spendingLimits: { currency: "USD", perTransactionLimit: 5000, dailyLimit: null, monthlyLimit: null },
  })
  await pay.clock.advance("14 days")
  await setPolicy(it, { spendingLimits: { currency: euro } })
  await setPolicy(it, { spendingLimits: { currency: "USD", dailyTransactionLimit: 100 } })
  // The rules of one account replace those of the policy.
  await setPolicy(it, {
    approvalThresholds: {},
    accountRestrictions: {
      allowedAccountIds: [accountId],
      accountRules: [{ accountId, perTransactionLimit: 61, executionMode: "APPROVAL_REQUIRED" }],
    },
  })
  for (const amount of [61, 62]) await out(it, to, amount)
  await out(it, to, 63, usdc)
  await setPolicy(it, {
    accountRestrictions: { accountRules: [{ accountId, executionMode: "AUTO" }] },
    defaultExecutionMode: "APPROVAL_REQUIRED",
  })
  await out(it, to, 64)
  await setPolicy(it, { accountRestrictions: {}, defaultExecutionMode: "AUTO" })
}

/** What an approval finds no longer possible. */
const obstacles = async (it: TranscriptSteps, { accountId, to }: Parties) => {
  const { call, callers, pay, prepare } = it
  const path = `/agents/${callers.agent.agentId}`
  await setPolicy(it, { approvalThresholds: { currency: "USD", amount: 10 } })
  const held: Array<string> = []
  for (const amount of [71, 72, 73, 74]) held.push(idAt(await out(it, to, amount), "id"))
  const [paused = "", limited = "", inactive = "", poor = ""] = held
  const decide = async (id: string) => {
    await call("GET", `${path}/actions/${id}/evaluation`)
    await call("POST", `${path}/actions/${id}/approve`)
    await pay.clock.advance("1 second")
  }
  await call("PATCH", path, { body: { isPaused: true } })
  await out(it, to, 5)
  await decide(paused)
  await call("PATCH", path, { body: { isPaused: false } })
  await setPolicy(it, { spendingLimits: { perTransactionLimit: 71 } })
  await decide(limited)
  await setPolicy(it, { spendingLimits: { perTransactionLimit: 50_000 } })
  await call("POST", `/sandbox/external-accounts/${to}/status`, { body: { status: "INACTIVE" } })
  await decide(inactive)
  await call("POST", `/sandbox/external-accounts/${to}/status`, { body: { status: "ACTIVE" } })
  const { amount } = Object(Object((await prepare("GET", `/internal-accounts/${accountId}`)).body).balance)
  await prepare("POST", "/transfer-out", {
    source: { accountId },
    destination: { accountId: to },
    amount: Number(amount) - 73,
  })
  await decide(poor)
  await call("POST", `${path}/actions/${poor}/reject`, { body: { reason: "late" } })
  await setPolicy(it, { approvalThresholds: {} })
  await out(it, to, 75)
  await prepare("POST", "/transfer-out", { source: { accountId }, destination: { accountId: to } })
  await out(it, to)
  await prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 200_000 })
  for (const query of ["", "&status=REJECTED", "&status=FAILED&status=APPROVED", `&customerId=${callers.customerId}`])
    await call("GET", `/agents/approvals?limit=2&agentId=${callers.agent.agentId}${query}`)
  for (const query of ["?limit=1", "?status=FAILED&limit=1"]) await call("GET", `${me}/actions${query}`)
  for (const id of [`AgentAction:${unknown}`]) {
    await call("GET", `${me}/actions/${id}`)
    await call("POST", `${path}/actions/${id}/approve`)
    await call("GET", `${path}/actions/${id}/evaluation`)
  }
  await call("POST", `/agents/${callers.sibling.agentId}/actions/${poor}/approve`)
  await call("GET", `${me}/actions/${poor}`, { agent: callers.sibling })
}

/** Amounts that a budget cannot count exactly. */
const largest = async (it: TranscriptSteps, { accountId, to }: Parties) => {
  const { prepare } = it
  const amount = 8_000_000_000_000_000
  await prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount })
  const spendingLimits = { perTransactionLimit: Number.MAX_SAFE_INTEGER, dailyTransactionLimit: 100 }
  await setPolicy(it, { spendingLimits })
  await out(it, to, amount - 1_000_000_000_000_000)
  await prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 2_500_000_000_000_000 })
  await out(it, to, 2_400_000_000_000_000)
  await setPolicy(it, { spendingLimits: { currency: "MXN" } })
}

/** Device codes and tokens that are of no use any more. */
const credentials = async (it: TranscriptSteps, { neighbourId }: Parties) => {
  const { call, callers, pay } = it
  const policy = {
    permissions: ["CREATE_TRANSFERS"],
    defaultExecutionMode: "AUTO",
    spendingLimits: { currency: "USD", perTransactionLimit: 7 },
  }
  const made = await call("POST", "/agents", { body: { name: "Second", customerId: neighbourId, policy } })
  const path = `/agents/${idAt(made, "agent", "id")}`
  const first = idAt(made, "deviceCode", "code")
  await call("POST", `${path}/token`, { body: {} })
  const second = idAt(await call("POST", `${path}/device-codes`), "code")
  const use = async (code: string) => {
    await call("GET", `/agents/device-codes/${code}/status`)
    return call("POST", `/agents/device-codes/${code}/redeem`)
  }
  await use(first)
  await use(first)
  await use("AGENT-AAAA-BBBB")
  await pay.clock.advance("1 day")
  await use(second)
  const third = idAt(await call("POST", `${path}/device-codes`), "code")
  await pay.clock.advance("23 hours")
  await use(third)
  await use(third)
  await call("POST", `${path}/device-codes`)
  await call("POST", `${path}/token`, { body: { overlapSeconds: 7 } })
  await call("POST", `${path}/token`, { body: {} })
  const gone = await call("POST", "/agents", { body: { name: "Third", customerId: callers.customerId, policy } })
  const code = idAt(gone, "deviceCode", "code")
  await call("DELETE", `/agents/${idAt(gone, "agent", "id")}`)
  await use(code)
  await call("PATCH", path, { body: { isPaused: true } })
  const query = [`customerId=${neighbourId}`, "isPaused=true", "isConnected=false", "limit=1"]
  for (const one of query) await call("GET", `/agents?${one}`)
  await pay.clock.advance("31 days")
  await call("GET", me)
}

/** The accounts of the agent's customer and outside, and another customer. */
export const partiesOf = async (it: TranscriptSteps): Promise<Parties> => {
  const { callers, prepare } = it
  const { accountId, customerId } = callers
  await prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 50_000 })
  const outside = async (suffix: string) =>
    idAt(await prepare("POST", "/customers/external-accounts", externalAccountBody(callers, suffix, "2718281")), "id")
  const accounts = await prepare("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USDC`)
  const neighbour = { customerType: "INDIVIDUAL", fullName: "Mary Somerville", region: "US" }
  return {
    neighbourId: idAt(await prepare("POST", "/customers", neighbour), "id"),
    accountId,
    usdc: idAt(accounts, "data", 0, "id"),
    to: await outside("000"),
    slow: await outside("005"),
  }
}

export const agentPolicySteps = async (it: TranscriptSteps) => {
  const parties = await partiesOf(it)
  await shapes(it, parties)
  await limits(it, parties)
  await obstacles(it, parties)
  await largest(it, parties)
  await credentials(it, parties)
}
