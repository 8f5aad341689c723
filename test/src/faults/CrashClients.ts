/**
 * Clients that submit transfers under keys, send some again, and approve or reject what is held, over HTTP, to whichever process is up.
 * They insist as a careful integrator does; some give up. What they were told is what the end is judged by.
 * Source: issue "PostgreSQL", item 9; wire contract 0.4.
 */
import { isDeepStrictEqual } from "node:util"
import { bearer, client, type Reply, type Request } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { newAgent, newCustomer, newSource, transfer } from "../e2e/Flow.ts"
import { type Fleet, platformAt } from "./Fleet.ts"

export interface Person {
  readonly accountId: string
  readonly customerId: string
  readonly sourceId: string
  readonly agentId: string
  readonly token: string
}

/** One transfer: no other has its amount. */
export interface Submitted {
  readonly person: Person
  readonly key: string
  readonly amount: number
  /** The first answer; absent: given up. */
  answer?: Reply
  /** What was asked of its approval, and whether that was answered. */
  decision?: { readonly verb: "approve" | "reject"; isAnswered: boolean }
}

export interface Told {
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

/** From this amount on an action waits for approval. */
export const heldFrom = 1_000_000

const requestMillis = 8000

export const isHeld = ({ amount }: Pick<Submitted, "amount">): boolean => amount > heldFrom
export const idOf = ({ answer }: Submitted): string => String(answer?.body["id"])

export const newPeople = async (fleet: Fleet, count: number): Promise<ReadonlyArray<Person>> => {
  const base = fleet.anyBase() ?? ""
  const platform = platformAt(base)
  return Promise.all(
    Array.from({ length: count }, async () => {
      const customer = await newCustomer(platform)
      const sourceId = await newSource(platform, customer)
      const { agentId, token } = await newAgent(base, platform, customer, {
        spendingLimits: { currency: "USD", perTransactionLimit: 100 * heldFrom },
        approvalThresholds: { currency: "USD", amount: heldFrom },
      })
      return { ...customer, sourceId, agentId, token }
    }),
  )
}

const wrong = (what: string, reply: Reply): Error => new Error(`${what}: ${reply.status} ${reply.text}`)

export interface ClientOptions {
  readonly fleet: Fleet
  readonly people: ReadonlyArray<Person>
  readonly draw: (below: number) => number
  readonly told: Told
  /** After each answer; `false`: the end. */
  readonly goOn: () => boolean
}

/** One client; several may share what they were told. */
export const crashClient = async ({ draw, fleet, goOn, people, told }: ClientOptions): Promise<void> => {
  const { counts, submitted } = told

  const once = async (method: string, path: string, authorization: string | undefined, request: Request) => {
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
  /** Asks until there is an answer; who gives up asks once. */
  const insist = (ask: () => Promise<Reply | undefined>, givesUp: boolean) =>
    eventually("an answer", ask, (reply) => givesUp || reply !== undefined, 120_000)

  const send = ({ amount, key, person }: Submitted) =>
    once("POST", "/agents/me/transfer-in", bearer(person.token), {
      body: transfer(person.sourceId, { ...person, platformCustomerId: "" }, amount),
      headers: { "Idempotency-Key": key },
    })

  const submit = async () => {
    const person = people[draw(people.length)]
    if (person === undefined) return
    const serial = submitted.length + 1
    const one: Submitted = { person, key: `key-${serial}`, amount: (draw(3) === 0 ? heldFrom : 0) + serial }
    submitted.push(one)
    const reply = await insist(() => send(one), draw(12) === 0)
    if (reply === undefined) return
    const expected = isHeld(one) ? "PENDING_APPROVAL" : "APPROVED"
    if (reply.status !== 201 || reply.body["status"] !== expected) throw wrong(`transfer ${serial}`, reply)
    one.answer = reply
  }

  const replay = async () => {
    const one = submitted[draw(Math.max(submitted.length, 1))]
    if (one?.answer === undefined) return submit()
    const reply = await insist(() => send(one), false)
    counts.replays += 1
    if (reply?.status !== 201 || !isDeepStrictEqual(reply.body, one.answer.body)) {
      throw new Error(`the key ${one.key} was answered ${one.answer.text}, and then ${reply?.status} ${reply?.text}`)
    }
  }

  const decide = async () => {
    const one = submitted.find((each) => isHeld(each) && each.answer !== undefined && each.decision === undefined)
    if (one === undefined) return submit()
    const verb = draw(4) === 0 ? "reject" : "approve"
    one.decision = { verb, isAnswered: false }
    const path = `/agents/${one.person.agentId}/actions/${idOf(one)}/${verb}`
    const reply = await insist(() => once("POST", path, undefined, {}), draw(12) === 0)
    if (reply === undefined) return
    // Without a key: who asks again may hear that it was decided, by the earlier request.
    if (reply.status !== 200 && reply.status !== 409) throw wrong(`${verb} ${idOf(one)}`, reply)
    one.decision.isAnswered = true
    counts[verb === "approve" ? "approvals" : "rejections"] += 1
  }

  const steps = [submit, submit, submit, decide, decide, replay]
  while (goOn()) await (steps[draw(steps.length)] ?? submit)()
}
