/** Held actions of agents that several named approvers decide: votes, passkeys, escalations and expiries. */
import { ActionVotes, AgentActions, Agents, type Caller, ConsoleSessions } from "@countersign/core"
import { ApprovalPolicies } from "@countersign/core/ports"
import { Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import type { PasskeyDevice } from "../../../packages/test/src/harness/PasskeyDevice.ts"
import { deviceOf, newHolder, origin, recordsOf } from "../approval/ConsoleSteps.ts"
import { policyOf } from "../approval/Policies.ts"
import { externalAccountBody, idAt } from "../confinement/Bodies.ts"
import type { TranscriptSteps } from "./TranscriptWorld.ts"

const finance = { approvers: "finance", needed: 2 } as const

/** The first row that covers an action decides. */
export const approvalSettings = Layer.succeed(ApprovalPolicies, {
  policy: policyOf(
    { ...finance, name: "signed", from: { currency: "USD", amount: 700 }, stepUp: true, expiresAfterSeconds: 86_400 },
    {
      ...finance,
      name: "new payees",
      destination: { is: "NEW", days: 2 },
      expiresAfterSeconds: 7200,
      escalates: { afterSeconds: 3600, to: "board" },
    },
    {
      name: "listed",
      destination: { is: "ONE_OF", ids: ["$SUCCESS.eur@uma.sandbox.example"] },
      approvers: "board",
      needed: 1,
    },
    {
      name: "known",
      from: { currency: "EUR", amount: 60 },
      destination: { is: "KNOWN", days: 2 },
      approvers: "finance",
      needed: 1,
    },
  ),
})

interface Person {
  readonly name: string
  readonly sessionId: string
  readonly caller: Caller
  readonly device: PasskeyDevice
}

type Holder = Awaited<ReturnType<typeof newHolder>>

const textOf = (challenge: string) => Buffer.from(challenge).toString("base64url")

/** Signs a person in for the first time, with a new passkey. */
const register = async (it: TranscriptSteps, holder: Holder, name: string): Promise<Person> => {
  const asked = Result.getOrThrow(
    await it.run(
      `challenge ${name}`,
      ConsoleSessions.use((all) => all.challenge(name, origin)),
      holder,
    ),
  )
  const { sessionId } = asked
  const device = deviceOf(name)
  const used = device.register(textOf(asked.challenge))
  const proven = Result.getOrThrow(
    await it.run(
      `prove ${name}`,
      ConsoleSessions.use((all) => all.prove({ sessionId, ...used }, origin)),
      holder,
    ),
  )
  const { proof } = proven.session
  const record = (await recordsOf(it.pay, "ConsoleSession")).find(({ id }) => id === sessionId)
  const approver = { id: record?.data.approverId ?? "", name, proof }
  return { name, sessionId, device, caller: { ...holder, approver } }
}

/** Signs a person in without a passkey, and takes the person for proven. */
const unproven = async (it: TranscriptSteps, holder: Holder, name: string): Promise<Person> => {
  await it.run(
    `sign in ${name}`,
    ConsoleSessions.use((all) => all.signIn(name, origin)),
    holder,
  )
  const record = (await recordsOf(it.pay, "ConsoleSession")).find(({ data }) => data.approverName === name)
  const approver = { id: record?.data.approverId ?? "", name, proof: "PASSKEY" } as const
  return { name, sessionId: record?.id ?? "", device: deviceOf(name), caller: { ...holder, approver } }
}

const look = (it: TranscriptSteps, actionId: string, { caller, name }: Person) =>
  it.run(
    `${name} looks`,
    ActionVotes.use((votes) => votes.show(it.callers.agent.agentId, actionId)),
    caller,
  )

const digestOf = async (it: TranscriptSteps, actionId: string, person: Person) => {
  const found = Result.getOrThrow(await look(it, actionId, person))
  return found?.digest ?? ""
}

const approve = (it: TranscriptSteps, actionId: string, { caller, name }: Person, digest?: string) =>
  it.run(
    `${name} approves`,
    AgentActions.use((all) =>
      all.approve(it.callers.agent.agentId, actionId, ...(digest === undefined ? [] : [{ digest }])),
    ),
    caller,
  )

const payee = async ({ callers, prepare }: TranscriptSteps, suffix: string) =>
  idAt(await prepare("POST", "/customers/external-accounts", externalAccountBody(callers, suffix, "3141592")), "id")

const submit = async (
  { call, callers, pay }: TranscriptSteps,
  destination: string,
  amount: number,
  more: object = {},
) => {
  await pay.clock.advance("1 second")
  const body = { source: { accountId: callers.accountId }, destination: { accountId: destination, ...more }, amount }
  return idAt(await call("POST", "/agents/me/transfer-out", { body }), "id")
}

interface Approvers {
  readonly ada: Person
  readonly grace: Person
  readonly alan: Person
  readonly emmy: Person
  readonly holder: Holder
}

const votes = async (it: TranscriptSteps, { ada, alan, emmy, grace, holder }: Approvers, to: string) => {
  const { call, callers, pay } = it
  const path = (id: string, what = "") => `/agents/${callers.agent.agentId}/actions/${id}${what}`
  const first = await submit(it, to, 40, { paymentRail: "WIRE" })
  await call("GET", path(first, "/evaluation"))
  await call("POST", path(first, "/approve"))
  const digest = await digestOf(it, first, ada)
  await look(it, first, emmy)
  await approve(it, first, emmy, digest)
  await approve(it, first, ada)
  await approve(it, first, ada, "0".repeat(64))
  const approver = { id: "Approver:stated", name: "Alan Turing", proof: "SECRET" } as const
  await approve(it, first, { ...alan, caller: { ...holder, approver } }, digest)
  await approve(it, first, ada, digest)
  await pay.clock.advance("90 seconds")
  await approve(it, first, ada, digest)
  await look(it, first, ada)
  await approve(it, first, grace, digest)
  await look(it, first, grace)
  await approve(it, first, alan, digest)
  await call("GET", path(first, "/evaluation"))
  // One vote and a rejection.
  const second = await submit(it, to, 41)
  await approve(it, second, ada, await digestOf(it, second, ada))
  await it.run(
    "Emmy Noether rejects",
    AgentActions.use((all) => all.reject(callers.agent.agentId, second, "No.")),
    emmy.caller,
  )
  await call("GET", `/agents/me/actions/${second}`)
  // The vote of before a change counts no more.
  const third = await submit(it, to, 42)
  await approve(it, third, ada, await digestOf(it, third, ada))
  await call("PATCH", `/agents/${callers.agent.agentId}`, { body: { name: "Renamed" } })
  await approve(it, third, grace, await digestOf(it, third, grace))
  await look(it, third, alan)
  await pay.clock.advance("1 hour")
}

const deadlines = async (it: TranscriptSteps, { ada, alan, emmy }: Approvers, to: string) => {
  const { call, pay } = it
  const expiring = await submit(it, to, 43)
  const escalating = await submit(it, to, 44)
  const undecided = await submit(it, to, 47)
  await approve(it, expiring, ada, await digestOf(it, expiring, ada))
  const digest = await digestOf(it, escalating, emmy)
  await approve(it, escalating, emmy, digest)
  await pay.clock.advance("59 minutes")
  await look(it, escalating, emmy)
  await pay.clock.advance("1 minute")
  await approve(it, escalating, emmy, await digestOf(it, escalating, emmy))
  await look(it, escalating, alan)
  await approve(it, escalating, alan, digest)
  // No job has run yet.
  await pay.run(TestClock.adjust("1 hour"))
  await approve(it, undecided, alan, await digestOf(it, undecided, alan))
  await pay.clock.advance("1 second")
  for (const id of [expiring, escalating, undecided]) await call("GET", `/agents/me/actions/${id}`)
  await approve(it, expiring, alan, digest)
}

/** An approver who asked for an action, or whose token was given the agent's credentials, does not approve it. */
const askers = async (it: TranscriptSteps, { ada, emmy, grace, holder }: Approvers, to: string) => {
  const { callers, pay, run } = it
  const manager = await newHolder(pay, ["VIEW", "TRANSACT", "MANAGE"])
  const as = (person: Person, token: Holder): Person => ({
    ...person,
    caller: { ...token, ...("approver" in person.caller ? { approver: person.caller.approver } : {}) } as Caller,
  })
  const rotated = await run(
    "rotate the token",
    Agents.use((all) => all.rotateToken(callers.agent.agentId, {})),
    manager,
  )
  const { accessToken } = Object(Result.getOrThrow(rotated)).body ?? {}
  const agent = { ...callers.agent, token: String(accessToken) }
  const body = { source: { accountId: callers.accountId }, destination: { accountId: to }, amount: 45 }
  const id = idAt(await it.call("POST", "/agents/me/transfer-out", { body, agent }), "id")
  const digest = await digestOf(it, id, as(ada, manager))
  await approve(it, id, as(ada, manager), digest)
  const { approver } = Object(grace.caller)
  const caller: Caller = {
    _tag: "Agent",
    platformId: pay.platformId,
    customerId: callers.customerId,
    agentId: agent.agentId,
    budget: "0",
    resender: { id: holder.tokenId ?? "", approver },
  }
  const order = { sourceAccountId: callers.accountId, destinationAccountId: to, amount: 46 }
  const resent = await run(
    "the sandbox sends an agent's request again",
    AgentActions.use((all) => all.submitTransferOut(order)),
    caller,
  )
  const again = Result.getOrThrow(resent).body.id
  const seen = await digestOf(it, again, as(grace, manager))
  for (const person of [as(grace, manager), ada, emmy]) await approve(it, again, person, seen)
}

/** Votes that a passkey signs. */
const signed = async (it: TranscriptSteps, { ada, alan, emmy, grace }: Approvers, to: string) => {
  const { callers, pay, run } = it
  const { agentId } = callers.agent
  const actionId = await submit(it, to, 705)
  const digest = await digestOf(it, actionId, ada)
  const on = ({ sessionId }: Person, more: object = {}) => ({ sessionId, agentId, actionId, digest, ...more })
  const begin = async (person: Person, more: object = {}) => {
    const begun = await run(
      `${person.name} begins`,
      ActionVotes.use((all) => all.begin(on(person, more))),
      person.caller,
    )
    return Result.isSuccess(begun) ? (begun.success?.challenge ?? "") : ""
  }
  const cast = (person: Person, used?: ReturnType<PasskeyDevice["assert"]>, more: object = {}, page = origin) =>
    run(
      `${person.name} casts`,
      ActionVotes.use((all) => all.cast(on(person, more), page, used)),
      person.caller,
    )
  await begin(emmy)
  await begin(ada, { digest: "0".repeat(64) })
  await begin(ada, { sessionId: grace.sessionId })
  await begin(ada, { sessionId: "ConsoleSession:00000000-0000-4000-8000-000000000001" })
  await cast(ada)
  await cast(ada, ada.device.assert("unasked"))
  for (const fault of ["challenge", "origin", "counter", "signature"] as const) {
    await cast(ada, ada.device.assert(await begin(ada), fault))
  }
  await cast(ada, ada.device.assert(await begin(ada)), {}, "https://other.example.com")
  const late = await begin(ada)
  await pay.clock.advance("5 minutes")
  await cast(ada, ada.device.assert(late))
  const challenge = await begin(ada)
  const used = ada.device.assert(challenge)
  await cast(ada, used)
  await cast(ada, used)
  await look(it, actionId, grace)
  await begin(alan)
  await cast(grace, grace.device.assert(await begin(grace)))
  await begin(grace)
  await cast(grace)
}

/** The name of a business is shown, too. */
const businesses = async (it: TranscriptSteps, { ada }: Approvers) => {
  const { callers, prepare } = it
  const { accountInfo, ...body } = externalAccountBody(callers, "300", "3141592")
  const { address } = accountInfo.beneficiary
  const beneficiary = { beneficiaryType: "BUSINESS", legalName: "Engines Ltd", address }
  const to = idAt(
    await prepare("POST", "/customers/external-accounts", { ...body, accountInfo: { ...accountInfo, beneficiary } }),
    "id",
  )
  const order = { source: { accountId: to }, destination: { accountId: callers.accountId }, amount: 48 }
  const held = await it.call("POST", "/agents/me/transfer-in", { body: order })
  await look(it, idAt(held, "id"), ada)
}

/** Rows by the destination and the amount in another currency. */
const rows = async (it: TranscriptSteps, { ada, emmy }: Approvers, to: string) => {
  const { call, callers, pay } = it
  await pay.clock.advance("2 days")
  await submit(it, to, 20)
  const known = await submit(it, to, 90)
  await approve(it, known, ada, await digestOf(it, known, ada))
  const receiver = "$success.eur@uma.sandbox.example"
  const lookup = await call("GET", `/receiver/uma/${encodeURIComponent(receiver)}?customerId=${callers.customerId}`)
  const body = {
    source: { sourceType: "ACCOUNT", accountId: callers.accountId },
    destination: { destinationType: "UMA_ADDRESS", umaAddress: receiver, currency: "EUR" },
    lookupId: idAt(lookup, "lookupId"),
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 300,
    senderCustomerInfo: { FULL_NAME: "Ada" },
  }
  const quote = idAt(await call("POST", "/agents/me/quotes", { body }), "id")
  const held = await call("POST", `/agents/me/quotes/${quote}/execute`)
  await call("POST", `/agents/me/quotes/${quote}/execute`)
  const { id } = Object(held.body)
  const digest = await digestOf(it, String(id), emmy)
  await approve(it, String(id), ada, digest)
  await approve(it, String(id), emmy, digest)
  const direct = { ...body, immediatelyExecute: true }
  await call("POST", "/agents/me/quotes", { body: direct })
}

export const approvalSteps = async (it: TranscriptSteps) => {
  const { callers, pay, prepare } = it
  await prepare("POST", `/sandbox/internal-accounts/${callers.accountId}/fund`, { amount: 100_000 })
  const holder = await newHolder(pay)
  const ada = await register(it, holder, "Ada Lovelace")
  const grace = await register(it, holder, "Grace Hopper")
  const alan = await unproven(it, holder, "Alan Turing")
  const emmy = await register(it, holder, "Emmy Noether")
  const all = { ada, alan, emmy, grace, holder }
  const to = await payee(it, "000")
  await votes(it, all, to)
  await deadlines(it, all, to)
  await signed(it, all, to)
  await rows(it, all, to)
  await askers(it, all, await payee(it, "200"))
  await businesses(it, all)
}
