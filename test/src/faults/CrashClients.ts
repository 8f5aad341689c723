/**
 * Clients that submit transfers under keys, repeat some, and approve or reject pending actions, over HTTP, at any process that is up. Most
 * retry as a careful integrator does; some give up. The audit compares the responses that they received with the database.
 * Source: wire contract 0.4.
 */
import { isDeepStrictEqual } from "node:util"
import { bearer, client, type Reply, type Request } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { newAgent, newCustomer, newSource, platformAt, transfer } from "../e2e/Flow.ts"
import type { Fleet } from "./Fleet.ts"

export interface TransferCustomer {
  readonly accountId: string
  readonly customerId: string
  readonly sourceId: string
  readonly agentId: string
  readonly token: string
}

/** A transfer with a unique amount. */
export interface Submitted {
  readonly customer: TransferCustomer
  readonly key: string
  readonly amount: number
  /** The first response; absent if the client gave up. */
  answer?: Reply
  /** The requested decision, and whether it was answered. */
  decision?: { readonly verb: "approve" | "reject"; isAnswered: boolean }
}

export interface ReceivedResponses {
  readonly submitted: Array<Submitted>
  readonly counts: {
    requests: number
    busy: number
    broken: number
    replays: number
    approvals: number
    rejections: number
  }
}

/** A transfer above this amount needs approval. */
export const approvalThreshold = 1_000_000

const requestMillis = 8000

export const isHeld = ({ amount }: Pick<Submitted, "amount">): boolean => amount > approvalThreshold
export const idOf = ({ answer }: Submitted): string => String(answer?.body["id"])

export const newCustomers = async (fleet: Fleet, count: number): Promise<ReadonlyArray<TransferCustomer>> => {
  const base = fleet.anyBase() ?? ""
  const platform = platformAt(base)
  return Promise.all(
    Array.from({ length: count }, async () => {
      const customer = await newCustomer(platform)
      const sourceId = await newSource(platform, customer)
      const { agentId, token } = await newAgent(base, platform, customer, {
        spendingLimits: { currency: "USD", perTransactionLimit: 100 * approvalThreshold },
        approvalThresholds: { currency: "USD", amount: approvalThreshold },
      })
      return { ...customer, sourceId, agentId, token }
    }),
  )
}

const wrong = (what: string, reply: Reply): Error => new Error(`${what}: ${reply.status} ${reply.text}`)

export interface ClientOptions {
  readonly fleet: Fleet
  readonly customers: ReadonlyArray<TransferCustomer>
  readonly randomInt: (below: number) => number
  readonly received: ReceivedResponses
  /** Called after each response; `false` ends the run. */
  readonly continues: () => boolean
}

/** One client; several clients may share the record of responses. */
export const crashClient = async ({
  randomInt,
  fleet,
  continues,
  customers,
  received,
}: ClientOptions): Promise<void> => {
  const { counts, submitted } = received

  const sendOnce = async (method: string, path: string, authorization: string | undefined, request: Request) => {
    const base = fleet.anyBase()
    if (base === undefined) return undefined
    counts.requests += 1
    try {
      const send = authorization === undefined ? platformAt(base) : client(base, authorization)
      const reply = await send(method, path, { ...request, signal: AbortSignal.timeout(requestMillis) })
      if (reply.status !== 503) return reply
      if (reply.body["code"] !== "SERVICE_UNAVAILABLE" || reply.headers.get("retry-after") === null)
        throw new RangeError(reply.text)
      counts.busy += 1
    } catch (error) {
      if (error instanceof RangeError) throw error
      counts.broken += 1
    }
    return undefined
  }
  /** Repeats the request until it is answered; a client that gives up sends it once. */
  const retry = (attempt: () => Promise<Reply | undefined>, givesUp: boolean) =>
    eventually("an answer", attempt, (reply) => givesUp || reply !== undefined, 120_000)

  const send = ({ amount, key, customer }: Submitted) =>
    sendOnce("POST", "/agents/me/transfer-in", bearer(customer.token), {
      body: transfer(customer.sourceId, { ...customer, platformCustomerId: "" }, amount),
      headers: { "Idempotency-Key": key },
    })

  const submit = async () => {
    const customer = customers[randomInt(customers.length)]
    if (customer === undefined) return
    const serial = submitted.length + 1
    const one: Submitted = {
      customer,
      key: `key-${serial}`,
      amount: (randomInt(3) === 0 ? approvalThreshold : 0) + serial,
    }
    submitted.push(one)
    const reply = await retry(() => send(one), randomInt(12) === 0)
    if (reply === undefined) return
    const expected = isHeld(one) ? "PENDING_APPROVAL" : "APPROVED"
    if (reply.status !== 201 || reply.body["status"] !== expected) throw wrong(`transfer ${serial}`, reply)
    one.answer = reply
  }

  const replay = async () => {
    const one = submitted[randomInt(Math.max(submitted.length, 1))]
    if (one?.answer === undefined) return submit()
    const reply = await retry(() => send(one), false)
    counts.replays += 1
    if (reply?.status !== 201 || !isDeepStrictEqual(reply.body, one.answer.body)) {
      throw new Error(`the key ${one.key} was answered ${one.answer.text}, and then ${reply?.status} ${reply?.text}`)
    }
  }

  const decide = async () => {
    const one = submitted.find((each) => isHeld(each) && each.answer !== undefined && each.decision === undefined)
    if (one === undefined) return submit()
    const verb = randomInt(4) === 0 ? "reject" : "approve"
    one.decision = { verb, isAnswered: false }
    const path = `/agents/${one.customer.agentId}/actions/${idOf(one)}/${verb}`
    const reply = await retry(() => sendOnce("POST", path, undefined, {}), randomInt(12) === 0)
    if (reply === undefined) return
    // Decisions have no key: a repeated request may be answered that the action is decided, by the first one.
    if (reply.status !== 200 && reply.status !== 409) throw wrong(`${verb} ${idOf(one)}`, reply)
    one.decision.isAnswered = true
    counts[verb === "approve" ? "approvals" : "rejections"] += 1
  }

  const steps = [submit, submit, submit, decide, decide, replay]
  while (continues()) await (steps[randomInt(steps.length)] ?? submit)()
}
