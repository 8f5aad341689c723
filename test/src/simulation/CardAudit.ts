/**
 * The auditor of a simulated run, its part about cards: none is lost or made twice, each is what was told of it last, and what is held is what
 * is authorized.
 * Source: wire contract 3.3 and 3.5.
 */
import type { Book } from "@countersign/adapter-memory"
import type { CardResource, CardTransactionResource } from "@countersign/core/models"
import {
  cardMayBecome,
  cardTransactionMayBecome,
  endedCardProblems,
  moved,
  sum,
} from "../../../packages/test/src/model/Auditing.ts"
import type { Answers } from "./Asking.ts"
import { isLate, nameOf, stateProblems, type Told } from "./Told.ts"

type Transactions = ReadonlyArray<CardTransactionResource>

/** What holds while authorizations are open, and no work is left: a hold is what was authorized and not settled. */
export const holdProblems = (books: ReadonlyArray<Book>, transactions: Transactions): ReadonlyArray<string> => {
  const held = sum(books.filter(({ id }) => id.startsWith("held:")).map(({ balance }) => balance))
  const open = sum(transactions.map(({ id }) => moved(books, id, "held")))
  return [
    ...(held === open ? [] : [`${held} is held, and ${open} of it by cards`]),
    ...transactions.flatMap(({ authorizedAmount, direction, id, status }) => {
      const hold = moved(books, id, "held")
      const most = direction === "CREDIT" ? 0 : authorizedAmount.amount
      const isOpen = status === "AUTHORIZED" || status === "PARTIALLY_SETTLED"
      return [
        ...(hold >= 0 && (!isOpen || hold <= most) ? [] : [`${id} is ${status} and holds ${hold} of ${most}`]),
        ...(status !== "AUTHORIZED" || moved(books, id, "available") === 0 - hold
          ? []
          : [`${id} holds ${hold}, which was not taken from its account`]),
      ]
    }),
  ]
}

const tokenProblems = (answers: Answers, transactions: Transactions): ReadonlyArray<string> => {
  const tokens = transactions.map(({ issuerTransactionToken }) => issuerTransactionToken)
  const known = new Set(tokens)
  const unheard = tokens.filter((token) => !answers.approved.has(token))
  return [
    ...(known.size === tokens.length ? [] : ["one authorization has two transactions"]),
    ...[...answers.approved].filter((token) => !known.has(token)).map((token) => `${token} was approved and is lost`),
    ...[...answers.declined].filter((token) => known.has(token)).map((token) => `${token} was declined and is there`),
    ...(unheard.length <= answers.unknown.authorizations
      ? []
      : [`${unheard.length} authorizations are there of which nobody heard`]),
  ]
}

const transactionProblems = (books: ReadonlyArray<Book>, told: Told, transaction: CardTransactionResource) => {
  const { id, status } = transaction
  const events = told(id, "CARD_TRANSACTION.").map((event) => [event, nameOf(event)] as const)
  const names = events.map(([, name]) => name)
  return [
    ...endedCardProblems(books, transaction),
    ...(names[0] === "AUTHORIZED" || events.some(([event]) => isLate(event)) ? [] : [`${id} began as ${names[0]}`]),
    ...stateProblems(id, {
      events,
      first: "",
      last: status,
      mayBecome: { ...cardTransactionMayBecome, "": ["AUTHORIZED"] },
    }),
  ]
}

/** What the issuer says of a card by the end of its name: an issuer that did not know was asked again. */
const issuerProblems = ({ id, platformCardId, state, stateReason }: CardResource): ReadonlyArray<string> => {
  const isRight = platformCardId.endsWith("-001")
    ? state === "PROCESSING"
    : state !== "PROCESSING" && (stateReason === "ISSUER_REJECTED") === platformCardId.endsWith("-002")
  return isRight ? [] : [`${platformCardId} (${id}) is ${state} (${stateReason}), whatever its issuer said`]
}

const cardProblems = (told: Told, card: CardResource, first: string): ReadonlyArray<string> => [
  ...issuerProblems(card),
  ...stateTold(told, card, first),
]

const stateTold = (told: Told, { id, state }: CardResource, first: string): ReadonlyArray<string> =>
  stateProblems(id, {
    events: told(id, "CARD.STATE_CHANGE").map((event) => [event, String(event.data["state"])] as const),
    first,
    last: state,
    mayBecome: cardMayBecome,
  })

export interface CardsSeen {
  readonly books: ReadonlyArray<Book>
  readonly told: Told
  readonly cards: ReadonlyArray<CardResource>
  readonly transactions: Transactions
  /** The card that was there, and active, when the run began. */
  readonly firstCardId: string
}

/** What is wrong when every authorization has had its time. */
export const cardsProblems = (
  answers: Answers,
  { books, cards, firstCardId, told, transactions }: CardsSeen,
): ReadonlyArray<string> => {
  const ids = new Set(cards.map(({ id }) => id))
  const names = cards.map(({ platformCardId }) => platformCardId)
  const asked = new Set(answers.cards.values())
  return [
    ...tokenProblems(answers, transactions),
    ...transactions.flatMap((each) => transactionProblems(books, told, each)),
    ...cards.flatMap((each) => cardProblems(told, each, each.id === firstCardId ? "ACTIVE" : "PROCESSING")),
    ...(new Set(names).size === names.length ? [] : ["two cards have one name"]),
    ...[...asked].filter((id) => !ids.has(id)).map((id) => `${id} was answered and is not there`),
    ...[...ids]
      .filter((id) => id !== firstCardId && !asked.has(id))
      .map((id) => `${id} is there and nobody asked for it`),
  ]
}
