/** What a rail answers about transfers: late, unknown, refused, cancelled, returned, and a second time. */
import { externalAccountBody, idAt } from "../confinement/Bodies.ts"
import { type Outcome, outcomeOf, show } from "./DepositSteps.ts"
import type { Written } from "./TranscriptWorld.ts"

/** Two accounts of one owner, between which money is transferred. */
export interface Pair {
  readonly internal: string
  readonly external: string
}

export const transferOut = async (it: Written, { external, internal }: Pair, amount: number, rail?: string) => {
  const destination = { accountId: external, ...(rail === undefined ? {} : { paymentRail: rail }) }
  return idAt(
    await it.call("POST", "/transfer-out", { body: { source: { accountId: internal }, destination, amount } }),
    "id",
  )
}

export const transferIn = async (it: Written, { external, internal }: Pair, amount?: number) => {
  const body = { source: { accountId: external }, destination: { accountId: internal }, amount }
  return idAt(await it.call("POST", "/transfer-in", { body }), "id")
}

const unknown = { _tag: "Unknown", cause: "no answer" }
export const done = { _tag: "Done" } as const
export const returned = { _tag: "Returned" } as const
export const refused = (reason: "EXECUTION_FAILED" | "ACCOUNT_INVALID" | "TIMED_OUT") =>
  ({ _tag: "Refused", reason }) as const

export const later = async ({ pay }: Written, millis: number, more: object = {}) => ({
  _tag: "Later",
  at: (await pay.clock.now()) + millis,
  ...more,
})

const pulls = async (it: Written, own: Pair, platform: Pair) => {
  it.answerNext("Rails.pull", await later(it, 5000), unknown)
  it.answerNext(
    "Rails.inquire",
    await later(it, 9000),
    unknown,
    { _tag: "NotReceived" },
    { ...done, transactionHash: "0xab" },
  )
  const first = await transferIn(it, own, 1101)
  await it.pay.clock.advance("30 minutes")
  await show(it, first)
  for (const [index, outcome] of [returned, { _tag: "Cancelled" }, refused("TIMED_OUT")].entries()) {
    it.answerNext("Rails.pull", outcome)
    const id = await transferIn(it, index === 1 ? platform : own, 1102 + index)
    await show(it, id)
  }
  it.answerNext("Rails.inspectPull", { pullable: true, reported: 1_234, funds: "unknown" })
  const whole = await transferIn(it, platform)
  await outcomeOf(it, whole, { _tag: "Cancelled" })
  await outcomeOf(it, whole, returned)
  await outcomeOf(it, whole, returned)
  await show(it, whole)
}

const pushes = async (it: Written, own: Pair, platform: Pair) => {
  it.answerNext("Rails.push", await later(it, 5000, { isQueued: true }))
  it.answerNext("Rails.inquire", await later(it, 9000), await later(it, 12_000, { isQueued: true }), {
    ...done,
    transactionHash: "0xcd",
  })
  const first = await transferOut(it, own, 201)
  await it.pay.clock.advance("6 seconds")
  await show(it, first)
  await it.pay.clock.advance("1 minute")
  await show(it, first)
  const outcomes = [returned, { _tag: "Cancelled" }, refused("EXECUTION_FAILED"), refused("ACCOUNT_INVALID")]
  for (const [index, outcome] of outcomes.entries()) {
    it.answerNext("Rails.push", outcome)
    const id = await transferOut(it, index === 1 ? platform : own, 202 + index)
    await it.pay.clock.advance("7 seconds")
    await show(it, id)
  }
}

/** A delivered payout may come back, as long as the rail says so. */
const confirmations = async (it: Written, own: Pair, platform: Pair) => {
  const now = await it.pay.clock.now()
  it.answerNext("Rails.push", { ...done, askAgainAt: now + 60_000 })
  it.answerNext("Rails.inquire", await later(it, 90_000), { ...done, askAgainAt: now + 120_000 }, unknown, returned)
  const first = await transferOut(it, own, 301)
  await it.pay.clock.advance("1 hour")
  await show(it, first)
  it.answerNext("Rails.push", { ...done, askAgainAt: 1 })
  it.answerNext("Rails.inquire", refused("TIMED_OUT"))
  const second = await transferOut(it, platform, 302)
  await it.pay.clock.advance("10 seconds")
  await outcomeOf(it, second, (await later(it, 1000)) as Outcome)
  await outcomeOf(it, second, returned)
  await outcomeOf(it, second, returned)
  it.answerNext("Rails.push", { ...done, askAgainAt: (await it.pay.clock.now()) + 60_000 })
  const third = await transferOut(it, own, 303)
  await outcomeOf(it, third, returned)
  await it.pay.clock.advance("2 minutes")
  for (const id of [second, third]) await show(it, id)
}

/** A refund is late, fails, is retried, and its money is applied or given back. */
const refunds = async (it: Written, own: Pair, platform: Pair) => {
  const failing = async (pair: Pair, amount: number) => {
    it.answerNext("Rails.push", refused("EXECUTION_FAILED"))
    it.answerNext("Rails.refund", await later(it, 3000), unknown, refused("ACCOUNT_INVALID"))
    const id = await transferOut(it, pair, amount)
    await it.pay.clock.advance("15 minutes")
    return id
  }
  const first = await failing(own, 401)
  const second = await failing(platform, 402)
  await it.call("GET", "/unapplied-money")
  for (const [index, answers] of [
    [await later(it, 8000), refused("TIMED_OUT")],
    [await later(it, 4000), done],
  ].entries()) {
    it.answerNext("Rails.refund", ...answers)
    await it.call("POST", `/transactions/${first}/refund/retry`)
    await it.call("POST", `/transactions/${first}/refund/retry`)
    await it.call("POST", `/unapplied-money/${first}/apply`, { body: {} })
    await it.pay.clock.advance(`${10 + index} seconds`)
    await show(it, first)
  }
  await it.call("POST", `/unapplied-money/${second}/apply`, { body: { accountId: own.internal } })
  await it.call("POST", `/unapplied-money/${second}/apply`, { body: { accountId: platform.internal } })
  await show(it, second)
}

/** The pair of the world's customer, and that of the platform, with money. */
export const pairsOf = async (it: Written) => {
  const { accountId, customerId } = it.callers
  const body = externalAccountBody({ customerId }, "000")
  const external = idAt(await it.prepare("POST", "/customers/external-accounts", body), "id")
  const { customerId: _, ...ofPlatform } = body
  const platformExternal = idAt(await it.prepare("POST", "/platform/external-accounts", ofPlatform), "id")
  const platformAccounts = await it.prepare("GET", "/platform/internal-accounts?currency=USD")
  const own = { internal: accountId, external }
  const platform = { internal: idAt(platformAccounts, "data", 0, "id"), external: platformExternal }
  for (const { internal } of [own, platform]) {
    await it.prepare("POST", `/sandbox/internal-accounts/${internal}/fund`, { amount: 50_000 })
  }
  return { own, platform }
}

export const transferOutcomeSteps = async (it: Written) => {
  const { own, platform } = await pairsOf(it)
  await pulls(it, own, platform)
  await pushes(it, own, platform)
  await confirmations(it, own, platform)
  await refunds(it, own, platform)
}
