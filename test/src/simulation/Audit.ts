/**
 * The auditor of a simulated run. Whatever faults occurred, the books balance, everything was done once, nothing was lost, and each
 * event was sent in an allowed order. It shares no code with the rules.
 * Source: wire contract 5.7 (event sequences), 1.4 (budgets).
 */
import type { Book } from "@countersign/adapter-memory"
import type {
  AgentActionResource,
  AgentResource,
  AuditRecordResource,
  CardResource,
  CardTransactionResource,
  CustomerResource,
  DocumentResource,
  EventResource,
  ExternalAccountResource,
  InternalAccountResource,
  StablecoinOperationResource,
  TransactionResource,
  TransferResource,
} from "@countersign/core/models"
import { Store } from "@countersign/core/store"
import type { Send } from "@countersign/test"
import { ledgerSum, listAll, quoteSequences, spentBy, sum } from "../../../packages/test/src/model/Auditing.ts"
import { bookProblems } from "../../../packages/test/src/model/Books.ts"
import { accountProblems } from "./AccountAudit.ts"
import type { Answers, Body } from "./Answers.ts"
import { cardsProblems, holdProblems } from "./CardAudit.ts"
import { bodyOf } from "./ClientRequests.ts"
import { contactProblems } from "./ContactAudit.ts"
import { delegatedKeyProblems } from "./DelegatedKeyAudit.ts"
import { depositProblems, depositSequences, heldByDeposits, isCredited, isDeposit } from "./DepositAudit.ts"
import { documentProblems } from "./DocumentAudit.ts"
import { endpointProblems } from "./EndpointAudit.ts"
import { importProblems } from "./ImportAudit.ts"
import { invitationProblems } from "./InvitationAudit.ts"
import { repetitionProblems } from "./Outside.ts"
import { quoteProblems } from "./QuoteAudit.ts"
import { quoteEndProblems } from "./QuoteEnds.ts"
import { arrivedInOrder, type EventsOf, eventsByRecord, nameOf } from "./RecordEvents.ts"
import { stablecoinProblems } from "./StablecoinAudit.ts"
import { trustProblems } from "./TrustAudit.ts"
import { verifiedCustomerProblems } from "./VerificationAudit.ts"
import { walletProblems } from "./WalletAudit.ts"
import { fundedWalletAmount } from "./WalletWorld.ts"
import { fundedAmount, type Pay } from "./World.ts"

type Outgoing = Extract<TransferResource, { readonly type: "OUTGOING" }>

const refund = "REFUND_PENDING REFUND_COMPLETED"

/** Every sequence of events of a finished transfer. */
const sequences: { readonly [end: string]: ReadonlyArray<string> } = {
  "INCOMING COMPLETED": ["PENDING COMPLETED"],
  "INCOMING FAILED": ["PENDING FAILED"],
  "OUTGOING COMPLETED": ["PENDING PROCESSING COMPLETED", `PENDING PROCESSING ${refund} COMPLETED`],
  "OUTGOING FAILED": [`PENDING PROCESSING FAILED ${refund}`],
}

/** A question that did not reach the platform is not repeated: it counts as no response. */
const questioned: typeof sequences = {
  COMPLETED: ["PENDING COMPLETED"],
  REJECTED: ["PENDING FAILED", "FAILED"],
  FAILED: ["PENDING FAILED", "FAILED"],
}

const allowed = (transaction: TransferResource): ReadonlyArray<string> => {
  const { source, status, type } = transaction
  if (isDeposit(transaction)) return depositSequences[status] ?? []
  if (source.sourceType === "UMA_ADDRESS") return questioned[status] ?? []
  if (type === "OUTGOING" && transaction.quoteId !== undefined) return quoteSequences[status] ?? []
  return sequences[`${type} ${status}`] ?? []
}

const transferProblems = (
  books: ReadonlyArray<Book>,
  eventsOf: EventsOf,
  transfer: TransferResource,
): ReadonlyArray<string> => {
  const { id, status, type } = transfer
  const events = eventsOf(id)
  const isAllowed = allowed(transfer).some((sequence) => arrivedInOrder(events, sequence))
  return [
    ...(isAllowed ? [] : [`${type} ${id} is ${status} after: ${events.map(nameOf).join(" ")}`]),
    ...(ledgerSum(books, id) === 0 ? [] : [`what ${id} moved does not balance`]),
  ]
}

/** After `Unknown` a bank is asked again: a transfer ends as its magic value says, unless it was cancelled. */
const railProblems = (pay: Pay, answers: Answers, transfer: TransferResource): ReadonlyArray<string> => {
  const { destination, id, source, status, type } = transfer
  const side = type === "INCOMING" ? source : destination
  const accountId = "accountId" in side ? side.accountId : undefined
  if (accountId === undefined || answers.cancelled.has(id) || "quoteId" in transfer) return []
  const isRefused = ["002", "004", "005"].some((suffix) => pay.sources[suffix] === accountId)
  return status === (isRefused ? "FAILED" : "COMPLETED") ? [] : [`${id} is ${status}, whatever its bank said`]
}

/** Whether it took money without refunding it. */
const isGone = ({ refund: back, status }: Outgoing, events: ReadonlyArray<string>): boolean =>
  status !== "EXPIRED" && events.includes("PROCESSING") && back?.status !== "COMPLETED"

/** The effect of a finished transaction on an account. */
const effectOn =
  (accountId: string, currency: string, answers: Answers, eventsOf: EventsOf) =>
  (transaction: TransactionResource): number => {
    if (transaction.type === "CARD") return transaction.accountId === accountId ? 0 - spentBy(transaction) : 0
    const { destination, receivedAmount, source, status } = transaction
    const isInto = "accountId" in destination && destination.accountId === accountId
    const isOutOf = "accountId" in source && source.accountId === accountId
    // A payment to the customer's address names no account: the currency decides which one it reaches.
    const isToAddress = destination.destinationType === "UMA_ADDRESS" && receivedAmount.currency.code === currency
    if (transaction.type === "INCOMING")
      return (isInto || isToAddress) && isCredited(answers, transaction) ? receivedAmount.amount : 0
    const events = eventsOf(transaction.id).map(nameOf)
    const paid = isOutOf && isGone(transaction, events) ? transaction.sentAmount.amount : 0
    const arrived = isInto && status === "COMPLETED" && transaction.refund === undefined ? receivedAmount.amount : 0
    const applied = answers.applied.get(transaction.id) === accountId ? transaction.sentAmount.amount : 0
    return arrived + applied - paid
  }

const actionProblems = (
  eventsOf: EventsOf,
  transactions: ReadonlyArray<TransactionResource>,
  { id, status, transaction }: AgentActionResource,
): ReadonlyArray<string> => {
  const executed = transactions.find((known) => known.id === transaction?.id)
  const heldEvents = eventsOf(id, "AGENT_ACTION.PENDING_APPROVAL")
  return [
    ...(heldEvents.length <= 1 ? [] : [`${id} has ${heldEvents.length} events of its hold`]),
    ...(status === "PENDING_APPROVAL" && heldEvents.length === 0 ? [`${id} is held without an event`] : []),
    ...(status === "APPROVED" && executed?.status !== "COMPLETED"
      ? [`${id} is approved, its payment ${executed?.status}`]
      : []),
    ...(status === "REJECTED" && transaction !== undefined ? [`${id} was rejected and executed`] : []),
  ]
}

/** Reports what exists more often than clients requested it, and what was answered and does not exist. */
const lostProblems = (answered: ReadonlySet<string>, there: ReadonlySet<string>, unansweredMax: number) => {
  const unanswered = [...there].filter((id) => !answered.has(id))
  return [
    ...[...answered].filter((id) => !there.has(id)).map((id) => `${id} was answered and does not exist`),
    ...(unanswered.length <= unansweredMax ? [] : unanswered.map((id) => `${id} exists without a request`)),
  ]
}

/** All records of a list, in its order. */
export const all = <A>(pay: Pay, path: string, options?: Send): Promise<ReadonlyArray<A>> =>
  listAll<A>(async ({ cursor, limit }) => {
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

/** All events of the platform. */
export const allEvents = (pay: Pay): Promise<ReadonlyArray<EventResource>> =>
  all<EventResource>(pay, "/operator/events?")

interface BalancesSeen {
  readonly books: ReadonlyArray<Book>
  readonly transactions: ReadonlyArray<TransactionResource>
  readonly eventsOf: EventsOf
}

/** An account's balance is its initial balance plus the effects of all transactions, less its owner's debt. */
const balanceProblems = async (
  pay: Pay,
  answers: Answers,
  { books, eventsOf, transactions }: BalancesSeen,
): Promise<ReadonlyArray<string>> => {
  const problems: Array<string> = []
  for (const [accountId, before, customerId] of [
    [pay.accountId, fundedAmount, pay.customerId],
    [pay.eurosId, 0, pay.customerId],
    [pay.wallet.accountId, fundedWalletAmount, pay.wallet.customerId],
  ] as const) {
    const { balance, totalBalance } = (await pay.send("GET", `/internal-accounts/${accountId}`))
      .body as InternalAccountResource
    const bookOf = (id: string) => books.find((book) => book.id === id)?.balance ?? 0
    const owed = bookOf(`receivable:${customerId}:${balance.currency.code}`)
    const shouldBe =
      before + sum(transactions.map(effectOn(accountId, balance.currency.code, answers, eventsOf))) - owed
    const held = bookOf(`held:${accountId}`)
    if (balance.amount !== shouldBe || totalBalance.amount !== shouldBe + held) {
      problems.push(`${accountId} has ${balance.amount} of ${totalBalance.amount}, and should have ${shouldBe}`)
    }
  }
  return problems
}

/** Jobs that a defect parks, because they are tried once. */
const triedOnce = ["webhook.test", "webhook.resend"]

/** The unfinished jobs of the platform. */
export const jobsOf = (pay: Pay) => pay.run(Store.use((store) => store.jobs))

/** The events of which a repetition is parked. */
const parkedResends = async (pay: Pay): Promise<ReadonlySet<string>> => {
  const parked = (await jobsOf(pay)).filter(({ kind, state }) => kind === "webhook.resend" && state === "parked")
  return new Set(
    parked.map(({ payload }) => (payload as { readonly resend: { readonly eventId: string } }).resend.eventId),
  )
}

const jobProblems = async (pay: Pay): Promise<ReadonlyArray<string>> => {
  const now = await pay.clock.now()
  const jobs = await jobsOf(pay)
  const isDue = ({ dueAt, kind, state }: Awaited<ReturnType<typeof jobsOf>>[number]) =>
    dueAt <= now && !(state === "parked" && triedOnce.includes(kind))
  return jobs.filter(isDue).map(({ kind, state }) => `a job is not done: ${kind} is ${state}`)
}

/** What an approved action charged to its agent's budget. */
const spentOf = ({ quote, status, transferDetails }: AgentActionResource): number =>
  status === "APPROVED" ? (transferDetails?.amount ?? quote?.totalSendingAmount ?? 0) : 0

/** An agent's usage is the sum of its actions, which are all in one month. */
const budgetProblems = async (pay: Pay): Promise<ReadonlyArray<string>> => {
  const { usage } = (await pay.send("GET", `/agents/${pay.agentId}`)).body as AgentResource
  const spent = sum((await actionsOf(pay)).map(spentOf))
  return usage.monthlySpend === spent ? [] : [`${pay.agentId} spent ${spent}, and ${usage.monthlySpend} is counted`]
}

/** The problems after all work is done, while authorizations are open. */
export const auditOpen = async (
  pay: Pay,
  answers: Answers,
  known: ReadonlySet<string>,
): Promise<ReadonlyArray<string>> => {
  const books = await pay.books()
  const transactions = await transactionsOf(pay, known)
  const held = heldByDeposits(answers, transactions.filter(isTransfer).filter(isDeposit))
  return [
    ...bookProblems(books),
    ...holdProblems(books, transactions.filter(isCard), held),
    ...(await budgetProblems(pay)),
    ...(await jobProblems(pay)),
  ]
}

const quotesProblems = async (pay: Pay, answers: Answers, transfers: ReadonlyArray<TransferResource>) => {
  const problems: Array<string> = []
  for (const [id, given] of answers.quotes) {
    const now: Body = bodyOf(await pay.send("GET", `/quotes/${id}`))
    const transaction = transfers.find((one) => one.id === given["transactionId"])
    const outgoing = transaction?.type === "OUTGOING" ? transaction : undefined
    problems.push(...quoteProblems(given, now, outgoing), ...quoteEndProblems(pay, answers, given, outgoing))
  }
  return problems
}

/** The problems at the end of the run. `known`: the transactions and the delivered events that existed before it. */
export const audit = async (pay: Pay, answers: Answers, known: ReadonlySet<string>): Promise<ReadonlyArray<string>> => {
  const books = await pay.books()
  const eventsOf = eventsByRecord(pay, answers, known)
  const transactions = await transactionsOf(pay, known)
  const transfers = transactions.filter(isTransfer)
  const actions = await actionsOf(pay)
  const executions = actions.flatMap(({ transaction }) => (transaction === undefined ? [] : [transaction.id]))
  const cards = await all<CardResource>(pay, "/cards?")
  const accounts = await all<ExternalAccountResource>(pay, `/customers/external-accounts?customerId=${pay.customerId}&`)
  const customers = await all<CustomerResource>(pay, "/customers?")
  const documents = await all<DocumentResource>(pay, `/documents?documentHolder=${pay.customerId}&`)
  const operations = await all<StablecoinOperationResource>(pay, `/stablecoins/${pay.stablecoinId}/operations?`)
  const events = await allEvents(pay)
  const signed = await all<AuditRecordResource>(pay, "/audit-records?operation=SIGNED_ACTION&")
  return [
    ...answers.problems,
    ...bookProblems(books),
    ...transfers.flatMap((each) => transferProblems(books, eventsOf, each)),
    ...transfers.flatMap((each) => railProblems(pay, answers, each)),
    ...actions.flatMap((each) => actionProblems(eventsOf, transactions, each)),
    ...lostProblems(
      new Set([...answers.transactions, ...executions]),
      new Set(transfers.filter((each) => !isDeposit(each)).map(({ id }) => id)),
      answers.unknown.arrivals,
    ),
    ...lostProblems(answers.actions, new Set(actions.map(({ id }) => id)), 0),
    ...(new Set(executions).size === executions.length ? [] : ["one payment belongs to two actions"]),
    ...(await quotesProblems(pay, answers, transfers)),
    ...cardsProblems(answers, {
      books,
      eventsOf,
      cards,
      transactions: transactions.filter(isCard),
      firstCardIds: [pay.cardId, pay.wallet.cardId],
    }),
    ...accountProblems(answers, eventsOf, accounts),
    ...(await balanceProblems(pay, answers, { books, transactions, eventsOf })),
    ...(await documentProblems(pay, answers, documents)),
    ...stablecoinProblems(pay, answers, operations),
    ...depositProblems(pay, answers, books, transfers.filter(isDeposit)),
    ...(await invitationProblems(pay, answers)),
    ...(await importProblems(pay, answers, customers)),
    ...repetitionProblems(pay.outside),
    ...(await jobProblems(pay)),
    ...endpointProblems(pay, answers, { events, known, parked: await parkedResends(pay) }),
    ...(await verifiedCustomerProblems(pay, answers, eventsOf)),
    ...(await delegatedKeyProblems(pay, answers)),
    ...(await contactProblems(pay, answers)),
    ...(await walletProblems(pay, answers, signed)),
    ...(await trustProblems(pay, answers)),
  ]
}
