/** What must be so at the end of the day, whatever happened in it. Each problem is a sentence. */
import type { ReconciliationResponse } from "@countersign/core/models"
import type { Reply, Send } from "../Client.ts"
import { type Delivery, isSigned } from "../Receiver.ts"
import type { BankSide } from "./BankSide.ts"
import { endOf } from "./DayPayments.ts"

interface Listed {
  readonly id: string
  readonly type: string
  readonly subject: string
}

interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly nextCursor?: string
}

const okBody = <A>(reply: Reply): A => {
  if (reply.status !== 200) throw new Error(`${reply.status}: ${reply.text}`)
  return reply.body as A
}

/** The statements, the orders and the ledger agree, and nothing is open. */
export const reconciliationProblems = async (send: Send, from: string, to: string): Promise<ReadonlyArray<string>> => {
  const found = okBody<ReconciliationResponse>(
    await send("GET", `/operator/books/reconciliation?from=${from}&to=${to}`),
  )
  const findings = found.findings.filter(({ verdict }) => verdict !== "UNMATCHED")
  return [
    ...findings.map(({ amount, kind, problem = "", verdict }) => `${verdict} ${kind} of ${amount}: ${problem}`),
    ...(found.agrees === findings.every(({ verdict }) => verdict !== "SUSPICIOUS") ? [] : ["the sums do not agree"]),
  ]
}

export const bookProblems = async (send: Send): Promise<ReadonlyArray<string>> => {
  const { data } = okBody<Page<{ readonly currency: { readonly code: string }; readonly isBalanced: boolean }>>(
    await send("GET", "/operator/books/trial-balance"),
  )
  return data.flatMap(({ currency, isBalanced }) =>
    isBalanced ? [] : [`the books of ${currency.code} do not balance`],
  )
}

/** Each payment is at its bank once, and no other one is. */
export const bankProblems = ({ iso, nacha }: BankSide, amounts: ReadonlyArray<number>): ReadonlyArray<string> => {
  const payments = [...iso.payments(), ...nacha.payments()].map(({ amount }) => amount)
  return [...new Set([...amounts, ...payments])].flatMap((amount) => {
    const times = payments.filter((each) => each === amount).length
    const due = amounts.filter((each) => each === amount).length
    return times === due ? [] : [`the bank has ${times} payments of ${amount} instead of ${due}`]
  })
}

/** The statuses of transactions, by their amounts. */
export const transactionProblems = async (
  send: Send,
  transactions: ReadonlyArray<{ readonly id: string; readonly amount: number }>,
): Promise<ReadonlyArray<string>> => {
  const problems: Array<string> = []
  for (const { amount, id } of transactions) {
    const { refund, status } = okBody<{ readonly status: string; readonly refund?: { readonly status: string } }>(
      await send("GET", `/transactions/${id}`),
    )
    if (status !== endOf(amount)) problems.push(`the transaction of ${amount} is ${status}`)
    if (refund !== undefined && refund.status !== "COMPLETED")
      problems.push(`the refund of ${amount} is ${refund.status}`)
  }
  return problems
}

const allEvents = async (send: Send): Promise<ReadonlyArray<Listed>> => {
  const all: Array<Listed> = []
  for (let query = "?limit=100&sortOrder=asc"; ; ) {
    const { data, nextCursor } = okBody<Page<Listed>>(await send("GET", `/operator/events${query}`))
    all.push(...data)
    if (nextCursor === undefined) return all
    query = `?limit=100&sortOrder=asc&cursor=${encodeURIComponent(nextCursor)}`
  }
}

/** A delivery, and when (real time, ms) it arrived. */
export interface Arrival extends Delivery {
  readonly at: number
}

/** An event that comes so much later than it was written may be overtaken: the others of its record wait for it for half a minute. */
const lateMillis = 20_000

/** The records of which an event came so late. */
const withLateEvents = (received: ReadonlyArray<Arrival>): ReadonlySet<unknown> =>
  new Set(
    received.flatMap(({ at, event: { data, timestamp } }) =>
      at - Date.parse(timestamp) >= lateMillis ? [data["id"]] : [],
    ),
  )

const balanceUpdated = "INTERNAL_ACCOUNT.BALANCE_UPDATED"

/**
 * The last event of an account's balance shows its balance of now. Movements of an account wait for each other only while they are committed: the
 * list, by the times of their decisions, does not show their order.
 */
const balanceProblems = async (send: Send, firsts: ReadonlyArray<Arrival>): Promise<ReadonlyArray<string>> => {
  const last = new Map(
    firsts.flatMap(({ event: { data, type } }) =>
      type === balanceUpdated ? [[String(data["id"]), data] as const] : [],
    ),
  )
  const problems: Array<string> = []
  const late = withLateEvents(firsts)
  for (const [id, { balance }] of last) {
    if (late.has(id)) continue
    const now = okBody<{ readonly balance: unknown }>(await send("GET", `/internal-accounts/${id}`)).balance
    const [shown, is] = [JSON.stringify(balance), JSON.stringify(now)]
    if (shown !== is) problems.push(`the last event of ${id} shows ${shown} instead of ${is}`)
  }
  return problems
}

/** Every event arrived, signed, and those of a record in their order. */
export const eventProblems = async (
  send: Send,
  received: ReadonlyArray<Arrival>,
  publicKey: string,
): Promise<ReadonlyArray<string>> => {
  const firsts = [...Map.groupBy(received, ({ event }) => event.id).values()].flatMap(([first]) => first ?? [])
  const place = new Map(firsts.map(({ event }, n) => [event.id, n]))
  const events = (await allEvents(send)).filter(({ type }) => type !== "WEBHOOK_ENDPOINT.VERIFICATION")
  const lost = events.filter(({ id }) => !place.has(id))
  const late = withLateEvents(received)
  const bySubject = Map.groupBy(
    events.filter(({ id, subject, type }) => place.has(id) && type !== balanceUpdated && !late.has(subject)),
    ({ subject }) => subject,
  )
  const overtaken = [...bySubject].filter(([, own]) => {
    const places = own.map(({ id }) => place.get(id) ?? 0)
    return places.some((each, n) => n > 0 && each < (places[n - 1] ?? 0))
  })
  const unsigned = received.filter((delivery) => !isSigned(delivery, publicKey))
  return [
    ...lost.map(({ type }) => `an event ${type} never arrived`),
    ...overtaken.map(
      ([subject, own]) => `the events of ${subject} arrived out of order: ${own.map(({ type }) => type)}`,
    ),
    ...(await balanceProblems(send, firsts)),
    ...(unsigned.length === 0 ? [] : [`${unsigned.length} deliveries are not signed by the service's key`]),
  ]
}

export const secretProblems = (
  output: string,
  secrets: Readonly<Record<string, ReadonlyArray<string>>>,
): ReadonlyArray<string> =>
  Object.entries(secrets).flatMap(([name, values]) =>
    values.some((value) => value !== "" && output.includes(value)) ? [`the output has ${name}`] : [],
  )
