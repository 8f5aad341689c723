/**
 * The agents of a soak run: they submit transfers under keys, repeat some, and list them; the platform approves or rejects what waits. What
 * they were answered is kept for the audit, in short form.
 */
import { isDeepStrictEqual } from "node:util"
import type { Reply } from "../e2e/Client.ts"
import { transfer } from "../e2e/Flow.ts"
import { approvalThreshold, idOf, isHeld, type Submitted, type TransferCustomer } from "../faults/CrashClients.ts"
import type { SoakRequests } from "./SoakRequests.ts"

/** The latest answers are kept whole, for repetitions. */
const wholeAnswers = 200
const noHeaders = new Headers()
const shortened = ({ body, status }: Reply): Reply => ({
  status,
  headers: noHeaders,
  body: { id: body["id"] },
  text: "",
})

export interface AgentTraffic {
  readonly submitted: ReadonlyArray<Submitted>
  readonly step: () => Promise<void>
}

export const agentTraffic = (
  { send }: SoakRequests,
  customers: ReadonlyArray<TransferCustomer>,
  randomInt: (below: number) => number,
): AgentTraffic => {
  const submitted: Array<Submitted> = []
  const whole: Array<Submitted> = []
  const waiting: Array<Submitted> = []

  const post = ({ amount, customer, key }: Submitted, operation: string) =>
    send("POST", "/agents/me/transfer-in", {
      operation,
      expected: [201],
      token: customer.token,
      body: transfer(customer.sourceId, { ...customer, platformCustomerId: "" }, amount),
      headers: { "Idempotency-Key": key },
    })

  const submit = async () => {
    const customer = customers[randomInt(customers.length)]
    if (customer === undefined) return
    const serial = submitted.length + 1
    const amount = (randomInt(4) === 0 ? approvalThreshold : 0) + serial
    const one: Submitted = { customer, key: `key-${serial}`, amount }
    submitted.push(one)
    const answer = await post(one, "transfer-in")
    one.answer = answer
    if (isHeld(one)) waiting.push(one)
    whole.push(one)
    const old = whole.length > wholeAnswers ? whole.shift() : undefined
    if (old?.answer !== undefined) old.answer = shortened(old.answer)
  }
  const repeat = async () => {
    const one = whole[randomInt(Math.max(whole.length, 1))]
    const first = one?.answer
    if (one === undefined || first === undefined) return submit()
    const { body, text } = await post(one, "transfer-in, repeated")
    if (!isDeepStrictEqual(body, first.body)) throw new Error(`${one.key} was answered ${first.text}, and then ${text}`)
  }
  const decide = async () => {
    const one = waiting.shift()
    if (one === undefined) return submit()
    const verb = randomInt(4) === 0 ? "reject" : "approve"
    const decision = { verb, isAnswered: false } as const
    one.decision = decision
    const path = `/agents/${one.customer.agentId}/actions/${idOf(one)}/${verb}`
    // A request that was answered 503 may have been decided.
    await send("POST", path, { operation: verb, expected: [200, 409] })
    one.decision = { verb, isAnswered: true }
  }
  const list = async () => {
    const customer = customers[randomInt(customers.length)]
    if (customer === undefined) return
    const request = { operation: "transactions of an agent", expected: [200], token: customer.token }
    await send("GET", "/agents/me/transactions?limit=20", request)
  }
  const steps = [submit, submit, submit, decide, repeat, list]
  return { submitted, step: () => (steps[randomInt(steps.length)] ?? submit)() }
}
