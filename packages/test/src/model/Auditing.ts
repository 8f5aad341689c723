/**
 * Shared by the auditors of random histories and simulated runs: allowed state transitions, event sequences and paging.
 * Source: wire contract 0.3 (pages), 0.4 (keys), 1.5, 3.3, 3.5 and 5.7 (event sequences).
 */
import type { Book } from "@countersign/adapter-memory"
import type { CardTransactionResource } from "@countersign/core/models"

type Arrows = { readonly [from: string]: ReadonlyArray<string> }

/** The states that an action may have at the next observation. */
export const actionTransitions: Arrows = {
  PENDING_APPROVAL: ["PENDING_APPROVAL", "APPROVED", "REJECTED", "FAILED"],
  APPROVED: ["APPROVED", "FAILED"],
  REJECTED: ["REJECTED"],
  FAILED: ["FAILED"],
}

/** The states that may follow a state of a card in its events. */
export const cardTransitions: Arrows = {
  PROCESSING: ["ACTIVE", "CLOSED"],
  ACTIVE: ["FROZEN", "CLOSED"],
  FROZEN: ["ACTIVE", "CLOSED"],
  CLOSED: [],
}

/** The states that may follow a state of a card transaction in its events. */
export const cardTransactionTransitions: Arrows = {
  AUTHORIZED: ["PARTIALLY_SETTLED", "SETTLED", "EXCEPTION"],
  PARTIALLY_SETTLED: ["SETTLED", "EXCEPTION"],
  SETTLED: ["REFUNDED", "EXCEPTION"],
  REFUNDED: ["SETTLED"],
  EXCEPTION: ["SETTLED"],
}

const refund = "REFUND_PENDING REFUND_COMPLETED"

/** Every complete sequence of events of a quote's transaction, by its final state. */
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

/** How long the response of an idempotency key is stored. */
export const keyLifetimeMillis = 24 * 60 * 60 * 1000

export const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

export const permutations = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  all.length < 2
    ? [all]
    : all.flatMap((first, index) => permutations(all.filter((_, at) => at !== index)).map((rest) => [first, ...rest]))

/** Reads all pages of a list. */
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

/** Sums the ledger entries of a record in the accounts of the given roles; without roles, in all accounts. */
export const ledgerSum = (books: ReadonlyArray<Book>, id: string, ...roles: ReadonlyArray<string>): number =>
  sum(
    books
      .filter((book) => roles.length === 0 || roles.some((role) => book.id.startsWith(`${role}:`)))
      .flatMap((book) => book.entries.filter((entry) => entry.reference === id).map((entry) => entry.amount)),
  )

/** Returns the net amount that a card transaction debited; negative for a credit. */
export const spentBy = ({ direction, refundedAmount, settledAmount }: CardTransactionResource): number => {
  const net = (settledAmount?.amount ?? 0) - (refundedAmount?.amount ?? 0)
  return direction === "CREDIT" ? 0 - net : net
}

/** Returns the problems of a card transaction that should have reached its final state. */
export const endedCardProblems = (
  books: ReadonlyArray<Book>,
  transaction: CardTransactionResource,
): ReadonlyArray<string> => {
  const { id, pullSummary, refundedAmount, status } = transaction
  const spent = spentBy(transaction)
  const wrong = (isRight: boolean, what: string) => (isRight ? [] : [`${id} is ${status}: ${what}`])
  return [
    // The balance and the debt of the owner changed by exactly the settled amount less refunds.
    ...wrong(
      ledgerSum(books, id, "available", "receivable") === 0 - spent,
      "the settled amount differs from the ledger entries",
    ),
    ...wrong(ledgerSum(books, id, "held") > 0 === (status === "EXCEPTION"), "its hold does not match its state"),
    ...wrong(["SETTLED", "REFUNDED", "EXCEPTION"].includes(status), "it has not reached a final state"),
    ...wrong(
      (status === "REFUNDED") === (refundedAmount !== undefined && spent === 0),
      "its refunded amount does not match its state",
    ),
    ...wrong((pullSummary?.pendingCount ?? 0) === 0, "a pull is pending"),
  ]
}
