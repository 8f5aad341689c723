/** Payments with each outcome of the rails, deliveries that fail, and what expires: what jobs do when time passes. */
import { externalAccountBody, idAt, quoteBetween } from "../confinement/Bodies.ts"
import type { StepWorld } from "../confinement/ConfinedWorld.ts"

const payee = async ({ callers, prepare }: StepWorld, suffix: string, number: string) =>
  idAt(await prepare("POST", "/customers/external-accounts", externalAccountBody(callers, suffix, number)), "id")

const transfers = async (it: StepWorld) => {
  const { call, callers, pay } = it
  const { accountId } = callers
  for (const suffix of ["002", "003", "004", "005"]) {
    const external = await payee(it, suffix, "5555555")
    await call("POST", "/transfer-out", {
      body: { source: { accountId }, destination: { accountId: external }, amount: 40 },
    })
    await call("POST", "/transfer-in", {
      body: { source: { accountId: external }, destination: { accountId }, amount: 30 },
    })
  }
  await pay.clock.advance("1 minute")
}

/** The outcomes of a quote's payout, by the ends of its external account's number. */
const quotes = async (it: StepWorld) => {
  const { call, callers, pay } = it
  for (const suffix of ["002", "003", "004", "005", "006"]) {
    const quote = await call("POST", "/quotes", {
      body: quoteBetween(callers.accountId, await payee(it, suffix, "6666666"), 100),
    })
    await call("POST", `/quotes/${idAt(quote, "id")}/execute`)
    await pay.clock.advance("10 minutes")
    await call("GET", `/transactions/${idAt(quote, "transactionId")}`)
  }
  const expiring = await call("POST", "/quotes", {
    body: quoteBetween(callers.accountId, await payee(it, "000", "6666666"), 100),
  })
  await pay.clock.advance("6 minutes")
  await call("GET", `/quotes/${idAt(expiring, "id")}`)
  await call("POST", `/quotes/${idAt(expiring, "id")}/execute`)
}

/** A delivery that fails is tried again, ever later, until it is given up. */
const deliveries = async ({ call, callers, pay }: StepWorld) => {
  pay.inbox.answerNext(500, "silence", 410, 404, 500, 500)
  await call("POST", `/sandbox/internal-accounts/${callers.accountId}/fund`, { body: { amount: 5 } })
  await pay.clock.advance("4 hours")
}

/** An action that waits for approval, and an invitation, end by themselves. */
const deadlines = async (it: StepWorld) => {
  const { call, callers, pay, prepare } = it
  const { accountId, agent, customerId } = callers
  await prepare("PATCH", `/agents/${agent.agentId}/policy`, { defaultExecutionMode: "APPROVAL_REQUIRED" })
  const external = await payee(it, "000", "8888888")
  const held = await call("POST", "/agents/me/transfer-out", {
    body: { source: { accountId }, destination: { accountId: external }, amount: 20 },
  })
  const inviterUma = idAt(await prepare("GET", `/customers/${customerId}`), "umaAddress")
  const expiresAt = new Date((await pay.clock.now()) + 3_600_000).toISOString()
  const invitation = await call("POST", "/invitations", { body: { inviterUma, expiresAt, amountToSend: 25 } })
  await pay.clock.advance("31 days")
  await call("GET", `/agents/me/actions/${idAt(held, "id")}`)
  await call("POST", `/agents/${agent.agentId}/actions/${idAt(held, "id")}/approve`)
  await call("GET", `/invitations/${idAt(invitation, "code")}`)
}

export const outcomeSteps = async (it: StepWorld) => {
  await it.prepare("POST", `/sandbox/internal-accounts/${it.callers.accountId}/fund`, { amount: 100_000 })
  await transfers(it)
  await quotes(it)
  await deliveries(it)
  await deadlines(it)
}
