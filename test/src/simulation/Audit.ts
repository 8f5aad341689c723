/**
 * The auditor of a simulated run: when all is done, whatever went wrong, the books balance, everything was done once, nothing was lost, and each
 * event was told in an allowed order. It knows nothing of the rules' code.
 * Source: wire contract 5.7 (event sequences), 1.4 (budgets).
 */
import { JobKinds, Store } from "@countersign/core"
import type { AgentParts, Harness, Received } from "@countersign/test"
import { bookProblems } from "../model/Books.ts"
import type { Answers } from "./Clients.ts"

type Pay = Harness & AgentParts
type Books = Awaited<ReturnType<Pay["books"]>>

interface Money {
  readonly amount: number
}

interface Seen {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly sentAmount?: Money
  readonly receivedAmount?: Money
  readonly refund?: { readonly status: string }
}

interface Action {
  readonly id: string
  readonly status: string
  readonly createdAt: string
  readonly transaction?: { readonly id: string; readonly status: string }
}

const refund = "REFUND_PENDING REFUND_COMPLETED"

/** Every sequence of events that a transaction may have when all work is done. */
const sequences: { readonly [end: string]: ReadonlyArray<string> } = {
  "INCOMING COMPLETED": ["PENDING COMPLETED"],
  "INCOMING FAILED": ["PENDING FAILED"],
  "OUTGOING COMPLETED": ["PENDING PROCESSING COMPLETED", `PENDING PROCESSING ${refund} COMPLETED`],
  "OUTGOING FAILED": [`PENDING PROCESSING FAILED ${refund}`],
}

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, number) => total + number, 0)

const all = async <A>(pay: Pay, path: string): Promise<ReadonlyArray<A>> => {
  const found: Array<A> = []
  for (let cursor = ""; ; ) {
    const { body } = await pay.send("GET", `${path}limit=100${cursor}`)
    const page = body as { readonly data: ReadonlyArray<A>; readonly nextCursor?: string }
    found.push(...page.data)
    if (page.nextCursor === undefined) return found
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`
  }
}

/** How long an event that does not get through holds back those after it (ms). */
const heldMillis = JobKinds.JobKinds.get("webhook.deliver").laneHoldMillis ?? 0

const nameOf = ({ type }: Received) => type.slice(type.indexOf(".") + 1)

/** The events about a record, each once, in the order of their first arrival. */
const told = (pay: Pay, id: string): ReadonlyArray<Received> =>
  [...new Map(pay.webhooks.received.toReversed().map((event) => [event.id, event])).values()]
    .toReversed()
    .filter(({ data }) => data["id"] === id)

/** Whether the events came in this order, save those that waited too long to hold the others back. */
const came = (events: ReadonlyArray<Received>, sequence: string): boolean => {
  const names = sequence.split(" ")
  if (names.toSorted().join() !== events.map(nameOf).toSorted().join()) return false
  return events.every((event, index) =>
    events
      .slice(index + 1)
      .every(
        (later) =>
          names.indexOf(nameOf(event)) < names.indexOf(nameOf(later)) ||
          event.sentAt - Date.parse(later.timestamp) >= heldMillis,
      ),
  )
}

const transactionProblems = (pay: Pay, books: Books, { id, status, type }: Seen): ReadonlyArray<string> => {
  const events = told(pay, id)
  const isAllowed = sequences[`${type} ${status}`]?.some((sequence) => came(events, sequence)) === true
  const moved = books.flatMap(({ entries }) => entries.filter(({ reference }) => reference === id))
  return [
    ...(isAllowed ? [] : [`${type} ${id} is ${status} after: ${events.map(nameOf).join(" ")}`]),
    ...(sum(moved.map(({ amount }) => amount)) === 0 ? [] : [`what ${id} moved does not balance`]),
  ]
}

/** What a transaction that is done has changed on the account. */
const effect = ({ receivedAmount, refund: back, sentAmount, status, type }: Seen): number => {
  if (type === "INCOMING") return status === "COMPLETED" ? (receivedAmount?.amount ?? 0) : 0
  return back === undefined ? -(sentAmount?.amount ?? 0) : 0
}

const actionProblems = (pay: Pay, transactions: ReadonlyArray<Seen>, { id, status, transaction }: Action) => {
  const executed = transactions.find((known) => known.id === transaction?.id)
  const heldEvents = new Set(
    pay.webhooks
      .ofType("AGENT_ACTION.PENDING_APPROVAL")
      .flatMap((event) => (event.data["id"] === id ? [event.id] : [])),
  )
  return [
    ...(heldEvents.size <= 1 ? [] : [`${id} was told ${heldEvents.size} times as held`]),
    ...(status === "PENDING_APPROVAL" && heldEvents.size === 0 ? [`${id} waits, and nobody was told`] : []),
    ...(status === "APPROVED" && executed?.status !== "COMPLETED"
      ? [`${id} is approved, its payment ${executed?.status}`]
      : []),
    ...(status === "REJECTED" && executed !== undefined ? [`${id} was rejected and executed`] : []),
  ]
}

/** What is wrong at the end; nothing, if all is well. `before`: the account's balance and the transactions when the run began. */
export const audit = async (
  pay: Pay,
  answers: Answers,
  before: { readonly balance: number; readonly known: ReadonlySet<string> },
): Promise<ReadonlyArray<string>> => {
  const books = await pay.books()
  const transactions = (await all<Seen>(pay, "/transactions?")).filter(({ id }) => !before.known.has(id))
  const actions = await allActions(pay)
  const ids = new Set(transactions.map(({ id }) => id))
  const executions = actions.flatMap(({ transaction }) => (transaction === undefined ? [] : [transaction.id]))
  const expected = new Set([...answers.transactions, ...executions])
  const { body } = await pay.send("GET", `/internal-accounts/${pay.accountId}`)
  const account = body as { readonly balance: Money; readonly totalBalance: Money }
  const balance = before.balance + sum(transactions.map(effect))
  const now = await pay.clock.now()
  const jobs = await pay.run(Store.use((store) => store.jobs))
  return [
    ...answers.problems,
    ...bookProblems(books),
    ...transactions.flatMap((each) => transactionProblems(pay, books, each)),
    ...actions.flatMap((each) => actionProblems(pay, transactions, each)),
    ...[...expected].filter((id) => !ids.has(id)).map((id) => `${id} was answered and is not there`),
    ...[...ids].filter((id) => !expected.has(id)).map((id) => `${id} is there and nobody asked for it`),
    ...answers.actions
      .filter((id) => !actions.some((action) => action.id === id))
      .map((id) => `${id} was answered and is not there`),
    ...actions
      .filter(({ id }) => !answers.actions.includes(id))
      .map(({ id }) => `${id} is there and nobody asked for it`),
    ...jobs.filter(({ dueAt }) => dueAt <= now).map(({ kind, state }) => `a job is not done: ${kind} is ${state}`),
    ...(new Set(executions).size === executions.length ? [] : ["one payment belongs to two actions"]),
    ...(account.balance.amount === balance && account.totalBalance.amount === balance
      ? []
      : [`the account has ${account.balance.amount} of ${account.totalBalance.amount}, and should have ${balance}`]),
  ]
}

const allActions = async (pay: Pay): Promise<ReadonlyArray<Action>> => {
  const found: Array<Action> = []
  for (let cursor = ""; ; ) {
    const { body } = await pay.send("GET", `/agents/me/actions?limit=100${cursor}`, { as: { token: pay.accessToken } })
    const page = body as { readonly data: ReadonlyArray<Action>; readonly nextCursor?: string }
    found.push(...page.data)
    if (page.nextCursor === undefined) return found
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`
  }
}
