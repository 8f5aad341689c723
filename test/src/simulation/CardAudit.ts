/**
 * The part of the auditor for cards: none is lost or created twice, each has the state of its last event, and holds equal authorizations.
 * Source: wire contract 3.3 and 3.5.
 */
import type { Book } from "@countersign/adapter-memory"
import type { CardResource, CardTransactionResource } from "@countersign/core/models"
import {
  cardTransactionTransitions,
  cardTransitions,
  endedCardProblems,
  ledgerSum,
  sum,
} from "../../../packages/test/src/model/Auditing.ts"
import type { Answers } from "./Answers.ts"
import { type EventsOf, isLate, nameOf, stateProblems } from "./RecordEvents.ts"

type Transactions = ReadonlyArray<CardTransactionResource>

/**
 * While authorizations are open and no work is left, a hold equals the authorized amount that is not settled. `heldByOthers`: what
 * deposits hold.
 */
export const holdProblems = (
  books: ReadonlyArray<Book>,
  transactions: Transactions,
  heldByOthers: number,
): ReadonlyArray<string> => {
  const held = sum(books.filter(({ id }) => id.startsWith("held:")).map(({ balance }) => balance)) - heldByOthers
  const open = sum(transactions.map(({ id }) => ledgerSum(books, id, "held")))
  return [
    ...(held === open ? [] : [`${held} is held, and ${open} of it by cards`]),
    ...transactions.flatMap(({ authorizedAmount, direction, id, status }) => {
      const hold = ledgerSum(books, id, "held")
      const most = direction === "CREDIT" ? 0 : authorizedAmount.amount
      const isOpen = status === "AUTHORIZED" || status === "PARTIALLY_SETTLED"
      return [
        ...(hold >= 0 && (!isOpen || hold <= most) ? [] : [`${id} is ${status} and holds ${hold} of ${most}`]),
        ...(status !== "AUTHORIZED" || ledgerSum(books, id, "available") === 0 - hold
          ? []
          : [`${id} holds ${hold}, which was not taken from its account`]),
      ]
    }),
  ]
}

const tokenProblems = (answers: Answers, transactions: Transactions): ReadonlyArray<string> => {
  const tokens = transactions.map(({ issuerTransactionToken }) => issuerTransactionToken)
  const known = new Set(tokens)
  const unanswered = tokens.filter((token) => !answers.approved.has(token))
  return [
    ...(known.size === tokens.length ? [] : ["one authorization has two transactions"]),
    ...[...answers.approved]
      .filter((token) => !known.has(token))
      .map((token) => `${token} was approved and does not exist`),
    ...[...answers.declined].filter((token) => known.has(token)).map((token) => `${token} was declined and exists`),
    ...(unanswered.length <= answers.unknown.authorizations
      ? []
      : [`${unanswered.length} authorizations exist without a response`]),
  ]
}

const transactionProblems = (books: ReadonlyArray<Book>, eventsOf: EventsOf, transaction: CardTransactionResource) => {
  const { id, status } = transaction
  const events = eventsOf(id, "CARD_TRANSACTION.").map((event) => [event, nameOf(event)] as const)
  const names = events.map(([, name]) => name)
  return [
    ...endedCardProblems(books, transaction),
    ...(names[0] === "AUTHORIZED" || events.some(([event]) => isLate(event)) ? [] : [`${id} began as ${names[0]}`]),
    ...stateProblems(id, {
      events,
      first: "",
      last: status,
      mayBecome: { ...cardTransactionTransitions, "": ["AUTHORIZED"] },
    }),
  ]
}

/** The issuer decides by the suffix of the card's name; after `Unknown` it is asked again. */
const issuerProblems = ({ id, platformCardId, state, stateReason }: CardResource): ReadonlyArray<string> => {
  const isRight = platformCardId.endsWith("-001")
    ? state === "PROCESSING"
    : state !== "PROCESSING" && (stateReason === "ISSUER_REJECTED") === platformCardId.endsWith("-002")
  return isRight ? [] : [`${platformCardId} (${id}) is ${state} (${stateReason}), whatever its issuer said`]
}

const cardProblems = (eventsOf: EventsOf, card: CardResource, first: string): ReadonlyArray<string> => [
  ...issuerProblems(card),
  ...stateEventProblems(eventsOf, card, first),
]

const stateEventProblems = (eventsOf: EventsOf, { id, state }: CardResource, first: string): ReadonlyArray<string> =>
  stateProblems(id, {
    events: eventsOf(id, "CARD.STATE_CHANGE").map((event) => [event, String(event.data["state"])] as const),
    first,
    last: state,
    mayBecome: cardTransitions,
  })

export interface CardsSeen {
  readonly books: ReadonlyArray<Book>
  readonly eventsOf: EventsOf
  readonly cards: ReadonlyArray<CardResource>
  readonly transactions: Transactions
  /** The cards that were active when the run began. */
  readonly firstCardIds: ReadonlyArray<string>
}

/** The problems after every authorization has expired. */
export const cardsProblems = (
  answers: Answers,
  { books, cards, firstCardIds, eventsOf, transactions }: CardsSeen,
): ReadonlyArray<string> => {
  const ids = new Set(cards.map(({ id }) => id))
  const names = cards.map(({ platformCardId }) => platformCardId)
  const asked = new Set(answers.cards.values())
  return [
    ...tokenProblems(answers, transactions),
    ...transactions.flatMap((each) => transactionProblems(books, eventsOf, each)),
    ...cards.flatMap((each) => cardProblems(eventsOf, each, firstCardIds.includes(each.id) ? "ACTIVE" : "PROCESSING")),
    ...(new Set(names).size === names.length ? [] : ["two cards have one name"]),
    ...[...asked].filter((id) => !ids.has(id)).map((id) => `${id} was answered and does not exist`),
    ...[...ids]
      .filter((id) => !firstCardIds.includes(id) && !asked.has(id))
      .map((id) => `${id} exists without a request`),
  ]
}
