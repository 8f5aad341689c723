/**
 * What the auditors of random histories and of simulated runs have in common: what may follow what, and whole lists.
 * Source: wire contract 0.3 (pages), 0.4 (keys), 1.5, 3.3, 3.5 and 5.7 (event sequences).
 */
import type { Book } from "@countersign/adapter-memory"
import type { CardTransactionResource } from "@countersign/core/models"

type Arrows = { readonly [from: string]: ReadonlyArray<string> }

/** What may lie between two looks at one action. */
export const actionTransitions: Arrows = {
  PENDING_APPROVAL: ["PENDING_APPROVAL", "APPROVED", "REJECTED", "FAILED"],
  APPROVED: ["APPROVED", "FAILED"],
  REJECTED: ["REJECTED"],
  FAILED: ["FAILED"],
}

/** What may follow on a state of a card, as its events tell it. */
export const cardTransitions: Arrows = {
  PROCESSING: ["ACTIVE", "CLOSED"],
  ACTIVE: ["FROZEN", "CLOSED"],
  FROZEN: ["ACTIVE", "CLOSED"],
  CLOSED: [],
}

/** The same of a card transaction. */
export const cardTransactionTransitions: Arrows = {
  AUTHORIZED: ["PARTIALLY_SETTLED", "SETTLED", "EXCEPTION"],
  PARTIALLY_SETTLED: ["SETTLED", "EXCEPTION"],
  SETTLED: ["REFUNDED", "EXCEPTION"],
  REFUNDED: ["SETTLED"],
  EXCEPTION: ["SETTLED"],
}

const refund = "REFUND_PENDING REFUND_COMPLETED"

/** Every sequence of events that the transaction of a quote may have in the end. */
export const quoteSequences: Arrows = {
  EXPIRED: ["PENDING EXPIRED"],
  COMPLETED: ["PENDING PROCESSING COMPLETED", `PENDING PROCESSING ${refund} COMPLETED`],
  FAILED: [
    "PENDING PROCESSING FAILED",
    `PENDING PROCESSING FAILED ${refund}`,
    "PENDING PROCESSING FAILED REFUND_PENDING REFUND_FAILED",
    `PENDING PROCESSING COMPLETED FAILED ${refund}`,
  ],
}

/** How long an idempotency key holds its answer. */
export const keyLifetimeMillis = 24 * 60 * 60 * 1000

export const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

export const permutations = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  all.length < 2
    ? [all]
    : all.flatMap((first, index) => permutations(all.filter((_, at) => at !== index)).map((rest) => [first, ...rest]))

/** A list, page by page to its end. */
export const listAll = async <A>(
  list: (query: { readonly limit: number; readonly cursor?: string }) => Promise<{
    readonly data: ReadonlyArray<A>
    readonly nextCursor?: string
  }>,
): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  let cursor: string | undefined
  do {
    const page = await list({ limit: 100, ...(cursor === undefined ? {} : { cursor }) })
    all.push(...page.data)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return all
}

/** What the entries of a record come to in the accounts of some roles; of all where none is named. */
export const ledgerSum = (books: ReadonlyArray<Book>, id: string, ...roles: ReadonlyArray<string>): number =>
  sum(
    books
      .filter((book) => roles.length === 0 || roles.some((role) => book.id.startsWith(`${role}:`)))
      .flatMap((book) => book.entries.filter((entry) => entry.reference === id).map((entry) => entry.amount)),
  )

/** What a card transaction took in the end (negative: gave). */
export const spentBy = ({ direction, refundedAmount, settledAmount }: CardTransactionResource): number => {
  const net = (settledAmount?.amount ?? 0) - (refundedAmount?.amount ?? 0)
  return direction === "CREDIT" ? 0 - net : net
}

/** What is wrong with a card transaction whose time is over. */
export const endedCardProblems = (
  books: ReadonlyArray<Book>,
  transaction: CardTransactionResource,
): ReadonlyArray<string> => {
  const { id, pullSummary, refundedAmount, status } = transaction
  const spent = spentBy(transaction)
  const wrong = (isRight: boolean, what: string) => (isRight ? [] : [`${id} is ${status}: ${what}`])
  return [
    // What its owner has and owes has changed by exactly what was settled and not given back.
    ...wrong(ledgerSum(books, id, "available", "receivable") === 0 - spent, "what was settled is not what was moved"),
    ...wrong(ledgerSum(books, id, "held") > 0 === (status === "EXCEPTION"), "its hold does not fit"),
    ...wrong(["SETTLED", "REFUNDED", "EXCEPTION"].includes(status), "it has not ended"),
    ...wrong(
      (status === "REFUNDED") === (refundedAmount !== undefined && spent === 0),
      "what was given back does not fit",
    ),
    ...wrong((pullSummary?.pendingCount ?? 0) === 0, "a pull is pending"),
  ]
}
