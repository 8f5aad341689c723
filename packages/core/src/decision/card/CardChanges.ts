/**
 * What changes a card: the arrows of its machine with their events and what the issuer is told, and the replacement of its
 * funding sources.
 * Spec: States: Card, Events; wire contract 3.3, 6.1 and 7.5; D-170.
 */

import type { IdSource } from "../../foundation/ids/IdPool.ts"
import type { Card, FundingBinding } from "../../model/card/Card.ts"
import { CardMachine, type CardTrigger } from "../../model/card/CardMachine.ts"
import { toCard } from "../../model/card/CardResource.ts"
import type { EventType } from "../../model/event/EventTypes.ts"
import type { Owner } from "../../model/record/Record.ts"
import type { NewJob, Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import { withoutPlaceholders } from "../../store/Placeholders.ts"
import type { DecisionContext } from "../Decision.ts"
import { newEvent } from "../event/NewEvent.ts"

/** A card as it stands after the change, and the change. */
export interface CardTransition {
  readonly card: Stored<"Card">
  readonly changes: Changes.Changes
}

type Place = Pick<DecisionContext, "ids" | "now">

/** A funding source that is bound already keeps its binding. */
export const bindings = (
  ids: IdSource,
  accountIds: ReadonlyArray<string>,
  before: ReadonlyArray<FundingBinding> = [],
): ReadonlyArray<FundingBinding> =>
  accountIds.map(
    (accountId) =>
      before.find((binding) => binding.accountId === accountId) ?? { id: ids("CardFundingSource"), accountId },
  )

const told = ({ ids, now }: Place, card: Stored<"Card">, type: EventType): Changes.Changes =>
  newEvent(ids, now, {
    type,
    customerId: card.customerId,
    subject: card.id,
    data: withoutPlaceholders({ ...toCard(card) }),
  })

const jobOf = (
  ids: IdSource,
  kind: "card.provision" | "card.state",
  { customerId, id }: Pick<Stored<"Card">, "id" | "customerId">,
  dueAt: number,
): NewJob => job(ids, kind, { customerId, dueAt, lane: `card:${id}`, payload: { cardId: id } })

/** The job that asks the issuer for a card that waits. */
export const provisionJob = (ids: IdSource, card: Pick<Stored<"Card">, "id" | "customerId">, dueAt: number): NewJob =>
  jobOf(ids, "card.provision", card, dueAt)
/** The job that tells the issuer of a card's state. */
export const stateJob = (ids: IdSource, card: Pick<Stored<"Card">, "id" | "customerId">, dueAt: number): NewJob =>
  jobOf(ids, "card.state", card, dueAt)

/** A new card, and the job that has it made. */
export const issue = (
  { ids, now }: Place,
  id: string,
  owner: Owner,
  details: Omit<Card, "state">,
  dueAt = now,
): CardTransition => {
  const data: Card = { ...details, state: CardMachine.follow(null, "Issue").state }
  const card = Changes.insertedRecord("Card", id, owner, data, now)
  return {
    card,
    changes: Changes.combine(Changes.insert("Card", id, owner, data), { jobs: [provisionJob(ids, card, dueAt)] }),
  }
}

/** The events and the notice of a card that came to its state by an arrow. */
export const arrived = (place: Place, before: Card, card: Stored<"Card">): Changes.Changes => {
  const { emits } = CardMachine.followTo(before.state, card.data.state)
  return Changes.combine(
    ...emits.map((type) => told(place, card, type)),
    // Who has just made a card, or refused to, needs not be told of it.
    before.state === "PROCESSING" && card.data.stateReason !== "CLOSED_BY_SERVICE"
      ? undefined
      : { jobs: [stateJob(place.ids, card, place.now)] },
  )
}

/** Follows an arrow and tells of it. `patch`: whatever else changes with it. */
export const move = (
  place: Place,
  stored: Stored<"Card">,
  on: CardTrigger,
  patch: Partial<Card> = {},
): CardTransition => {
  const data: Card = { ...stored.data, ...patch, state: CardMachine.follow(stored.data.state, on).state }
  const card = Changes.after(stored, data, place.now)
  return { card, changes: Changes.combine(Changes.update(stored, data), arrived(place, stored.data, card)) }
}

/** What a platform wants of a card that the rules let change. */
export interface RequestedCardChange {
  readonly on?: CardTrigger
  readonly fundingSources?: ReadonlyArray<string>
  /** `null`: no limit. */
  readonly maxSpendPerTransaction?: number | null
}

/** One update of a card: all that is wished in one commit, each kind of change told by its own event. */
export const change = (place: Place, stored: Stored<"Card">, wish: RequestedCardChange): CardTransition => {
  const { fundingSources, maxSpendPerTransaction, on } = wish
  const before = stored.data
  const bound = fundingSources && bindings(place.ids, fundingSources, before.fundingSources)
  const isReplaced = bound !== undefined && JSON.stringify(bound) !== JSON.stringify(before.fundingSources)
  const data: Card = {
    ...before,
    ...(on === undefined ? {} : { state: CardMachine.follow(before.state, on).state }),
    ...(on === "Close" ? { stateReason: "CLOSED_BY_PLATFORM" } : {}),
    ...(bound === undefined ? {} : { fundingSources: bound }),
    ...(maxSpendPerTransaction === undefined ? {} : { maxSpendPerTransaction }),
  }
  if (on === undefined && !isReplaced && data.maxSpendPerTransaction === before.maxSpendPerTransaction) {
    return { card: stored, changes: {} }
  }
  const card = Changes.after(stored, data, place.now)
  return {
    card,
    changes: Changes.combine(
      Changes.update(stored, data),
      isReplaced ? told(place, card, "CARD.FUNDING_SOURCE_CHANGE") : undefined,
      on === undefined ? undefined : arrived(place, before, card),
    ),
  }
}
