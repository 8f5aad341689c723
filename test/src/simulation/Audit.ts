/**
 * The auditor of a simulated run: when all is done, whatever went wrong, the books balance, everything was done once, nothing was lost, and each
 * event was told in an allowed order. It knows nothing of the rules' code.
 * Source: wire contract 5.7 (event sequences), 1.4 (budgets).
 */
import type { Book } from "@countersign/adapter-memory"
import type {
  AgentActionResource,
  AgentResource,
  CardResource,
  CardTransactionResource,
  ExternalAccountResource,
  InternalAccountResource,
  TransactionResource,
  TransferResource,
} from "@countersign/core/models"
import { Store } from "@countersign/core/store"
import type { Send } from "@countersign/test"
import { moved, quoteSequences, spentBy, sum, whole } from "../../../packages/test/src/model/Auditing.ts"
import { bookProblems } from "../../../packages/test/src/model/Books.ts"
import { accountProblems } from "./AccountAudit.ts"
import { type Answers, type Body, bodyOf } from "./Asking.ts"
import { cardsProblems, holdProblems } from "./CardAudit.ts"
import { quoteProblems } from "./QuoteAudit.ts"
import { came, nameOf, type Told, toldBy } from "./Told.ts"
import { fundedAmount, type Pay } from "./World.ts"

type Outgoing = Extract<TransferResource, { readonly type: "OUTGOING" }>

const refund = "REFUND_PENDING REFUND_COMPLETED"

/** Every sequence of events that a transfer may have when all work is done. */
const sequences: { readonly [end: string]: ReadonlyArray<string> } = {
  "INCOMING COMPLETED": ["PENDING COMPLETED"],
  "INCOMING FAILED": ["PENDING FAILED"],
  "OUTGOING COMPLETED": ["PENDING PROCESSING COMPLETED", `PENDING PROCESSING ${refund} COMPLETED`],
  "OUTGOING FAILED": [`PENDING PROCESSING FAILED ${refund}`],
}

/** A question that the platform did not hear is not asked again: silence is its answer. */
const questioned: typeof sequences = {
  COMPLETED: ["PENDING COMPLETED"],
  REJECTED: ["PENDING FAILED", "FAILED"],
  FAILED: ["PENDING FAILED", "FAILED"],
}

const allowed = (transaction: TransferResource): ReadonlyArray<string> => {
  const { source, status, type } = transaction
  if (source.sourceType === "UMA_ADDRESS") return questioned[status] ?? []
  if (type === "OUTGOING" && transaction.quoteId !== undefined) return quoteSequences[status] ?? []
  return sequences[`${type} ${status}`] ?? []
}

const transferProblems = (
  books: ReadonlyArray<Book>,
  told: Told,
  transfer: TransferResource,
): ReadonlyArray<string> => {
  const { id, status, type } = transfer
  const events = told(id)
  const isAllowed = allowed(transfer).some((sequence) => came(events, sequence))
  return [
    ...(isAllowed ? [] : [`${type} ${id} is ${status} after: ${events.map(nameOf).join(" ")}`]),
    ...(moved(books, id) === 0 ? [] : [`what ${id} moved does not balance`]),
  ]
}

/** A bank that did not know was asked again: what a transfer comes to is what its bank says by magic value, unless it was called off. */
const railProblems = (pay: Pay, answers: Answers, transfer: TransferResource): ReadonlyArray<string> => {
  const { destination, id, source, status, type } = transfer
  const side = type === "INCOMING" ? source : destination
  const accountId = "accountId" in side ? side.accountId : undefined
  if (accountId === undefined || answers.cancelled.has(id) || "quoteId" in transfer) return []
  const isRefused = ["002", "004", "005"].some((suffix) => pay.sources[suffix] === accountId)
  return status === (isRefused ? "FAILED" : "COMPLETED") ? [] : [`${id} is ${status}, whatever its bank said`]
}

/** Whether it took money, and did not give it back. */
const isGone = ({ refund: back, status }: Outgoing, events: ReadonlyArray<string>): boolean =>
  status !== "EXPIRED" && events.includes("PROCESSING") && back?.status !== "COMPLETED"

/** What a transaction that is done has changed on an account. */
const effectOn =
  (accountId: string, told: Told) =>
  (transaction: TransactionResource): number => {
    if (transaction.type === "CARD") return transaction.accountId === accountId ? 0 - spentBy(transaction) : 0
    const { destination, receivedAmount, source, status } = transaction
    const isInto = "accountId" in destination && destination.accountId === accountId
    const isOutOf = "accountId" in source && source.accountId === accountId
    if (transaction.type === "INCOMING") return isInto && status === "COMPLETED" ? receivedAmount.amount : 0
    const events = told(transaction.id).map(nameOf)
    const paid = isOutOf && isGone(transaction, events) ? transaction.sentAmount.amount : 0
    const arrived = isInto && status === "COMPLETED" && transaction.refund === undefined ? receivedAmount.amount : 0
    return arrived - paid
  }

const actionProblems = (
  told: Told,
  transactions: ReadonlyArray<TransactionResource>,
  { id, status, transaction }: AgentActionResource,
): ReadonlyArray<string> => {
  const executed = transactions.find((known) => known.id === transaction?.id)
  const heldEvents = told(id, "AGENT_ACTION.PENDING_APPROVAL")
  return [
    ...(heldEvents.length <= 1 ? [] : [`${id} was told ${heldEvents.length} times as held`]),
    ...(status === "PENDING_APPROVAL" && heldEvents.length === 0 ? [`${id} waits, and nobody was told`] : []),
    ...(status === "APPROVED" && executed?.status !== "COMPLETED"
      ? [`${id} is approved, its payment ${executed?.status}`]
      : []),
    ...(status === "REJECTED" && transaction !== undefined ? [`${id} was rejected and executed`] : []),
  ]
}

/** Nobody is told of two times what happened once, and nothing that was answered is gone. */
const lostProblems = (answered: ReadonlySet<string>, there: ReadonlySet<string>, unheardMax: number) => {
  const unheard = [...there].filter((id) => !answered.has(id))
  return [
    ...[...answered].filter((id) => !there.has(id)).map((id) => `${id} was answered and is not there`),
    ...(unheard.length <= unheardMax ? [] : unheard.map((id) => `${id} is there and nobody asked for it`)),
  ]
}

const all = <A>(pay: Pay, path: string, options?: Send): Promise<ReadonlyArray<A>> =>
  whole<A>(async ({ cursor, limit }) => {
    const more = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`
    return (await pay.send("GET", `${path}limit=${limit}${more}`, options)).body as {
      readonly data: ReadonlyArray<A>
      readonly nextCursor?: string
    }
  })

const isCard = (transaction: TransactionResource): transaction is CardTransactionResource => transaction.type === "CARD"
const isTransfer = (transaction: TransactionResource): transaction is TransferResource => !isCard(transaction)

const transactionsOf = async (pay: Pay, known: ReadonlySet<string>) =>
  (await all<TransactionResource>(pay, "/transactions?")).filter(({ id }) => !known.has(id))

const actionsOf = (pay: Pay) => all<AgentActionResource>(pay, "/agents/me/actions?", { as: { token: pay.accessToken } })

/** What an account shows is what all transactions make of what it had, and what its owner owes is missing. */
const balanceProblems = async (
  pay: Pay,
  books: ReadonlyArray<Book>,
  transactions: ReadonlyArray<TransactionResource>,
  told: Told,
): Promise<ReadonlyArray<string>> => {
  const problems: Array<string> = []
  for (const [accountId, before] of [
    [pay.accountId, fundedAmount],
    [pay.eurosId, 0],
  ] as const) {
    const { balance, totalBalance } = (await pay.send("GET", `/internal-accounts/${accountId}`))
      .body as InternalAccountResource
    const bookOf = (id: string) => books.find((book) => book.id === id)?.balance ?? 0
    const owed = bookOf(`receivable:${pay.customerId}:${balance.currency.code}`)
    const shouldBe = before + sum(transactions.map(effectOn(accountId, told))) - owed
    const held = bookOf(`held:${accountId}`)
    if (balance.amount !== shouldBe || totalBalance.amount !== shouldBe + held) {
      problems.push(`${accountId} has ${balance.amount} of ${totalBalance.amount}, and should have ${shouldBe}`)
    }
  }
  return problems
}

const jobProblems = async (pay: Pay): Promise<ReadonlyArray<string>> => {
  const now = await pay.clock.now()
  const jobs = await pay.run(Store.use((store) => store.jobs))
  return jobs.filter(({ dueAt }) => dueAt <= now).map(({ kind, state }) => `a job is not done: ${kind} is ${state}`)
}

/** What an action that is approved took of its agent's budget. */
const spentOf = ({ quote, status, transferDetails }: AgentActionResource): number =>
  status === "APPROVED" ? (transferDetails?.amount ?? quote?.totalSendingAmount ?? 0) : 0

/** What the service counts of an agent is what its actions say, all of which are of one month. */
const budgetProblems = async (pay: Pay): Promise<ReadonlyArray<string>> => {
  const { usage } = (await pay.send("GET", `/agents/${pay.agentId}`)).body as AgentResource
  const spent = sum((await actionsOf(pay)).map(spentOf))
  return usage.monthlySpend === spent ? [] : [`${pay.agentId} spent ${spent}, and ${usage.monthlySpend} is counted`]
}

/** What is wrong when all work is done, while authorizations are still open. */
export const auditOpen = async (pay: Pay, known: ReadonlySet<string>): Promise<ReadonlyArray<string>> => {
  const books = await pay.books()
  const cards = (await transactionsOf(pay, known)).filter(isCard)
  return [
    ...bookProblems(books),
    ...holdProblems(books, cards),
    ...(await budgetProblems(pay)),
    ...(await jobProblems(pay)),
  ]
}

const quotesProblems = async (pay: Pay, answers: Answers, transfers: ReadonlyArray<TransferResource>) => {
  const problems: Array<string> = []
  for (const [id, given] of answers.quotes) {
    const now: Body = bodyOf(await pay.send("GET", `/quotes/${id}`))
    const transaction = transfers.find((one) => one.id === given["transactionId"])
    problems.push(...quoteProblems(given, now, transaction?.type === "OUTGOING" ? transaction : undefined))
  }
  return problems
}

/** What is wrong at the end, when everything has had its time; nothing, if all is well. `known`: what was there when the run began. */
export const audit = async (pay: Pay, answers: Answers, known: ReadonlySet<string>): Promise<ReadonlyArray<string>> => {
  const books = await pay.books()
  const told = toldBy(pay)
  const transactions = await transactionsOf(pay, known)
  const transfers = transactions.filter(isTransfer)
  const actions = await actionsOf(pay)
  const executions = actions.flatMap(({ transaction }) => (transaction === undefined ? [] : [transaction.id]))
  const cards = await all<CardResource>(pay, "/cards?")
  const accounts = await all<ExternalAccountResource>(pay, `/customers/external-accounts?customerId=${pay.customerId}&`)
  return [
    ...answers.problems,
    ...bookProblems(books),
    ...transfers.flatMap((each) => transferProblems(books, told, each)),
    ...transfers.flatMap((each) => railProblems(pay, answers, each)),
    ...actions.flatMap((each) => actionProblems(told, transactions, each)),
    ...lostProblems(
      new Set([...answers.transactions, ...executions]),
      new Set(transfers.map(({ id }) => id)),
      answers.unknown.arrivals,
    ),
    ...lostProblems(answers.actions, new Set(actions.map(({ id }) => id)), 0),
    ...(new Set(executions).size === executions.length ? [] : ["one payment belongs to two actions"]),
    ...(await quotesProblems(pay, answers, transfers)),
    ...cardsProblems(answers, {
      books,
      told,
      cards,
      transactions: transactions.filter(isCard),
      firstCardId: pay.cardId,
    }),
    ...accountProblems(answers, told, accounts),
    ...(await balanceProblems(pay, books, transactions, told)),
    ...(await jobProblems(pay)),
  ]
}
