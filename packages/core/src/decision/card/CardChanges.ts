/**
 * Changes of a card: issuing, state transitions with their events and the issuer's notice, and the replacement of funding sources.
 * Spec: States: Card, Events; wire contract 3.3, 6.1 and 7.5; D-170.
 */
import type { SealedText } from "../../foundation/crypto/Sealed.ts"
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

/** A card after a change, and the change. */
export interface CardTransition {
  readonly card: Stored<"Card">
  readonly changes: Changes.Changes
}

type ChangeScope = Pick<DecisionContext, "ids" | "now">
type CardOfJob = Pick<Stored<"Card">, "id" | "customerId">

/** Binds accounts to a card. A funding source that is already bound keeps its binding. */
export const bindFundingSources = (
  ids: IdSource,
  accountIds: ReadonlyArray<string>,
  current: ReadonlyArray<FundingBinding> = [],
): ReadonlyArray<FundingBinding> =>
  accountIds.map(
    (accountId) =>
      current.find((binding) => binding.accountId === accountId) ?? { id: ids("CardFundingSource"), accountId },
  )

const cardEvent = ({ ids, now }: ChangeScope, card: Stored<"Card">, type: EventType): Changes.Changes =>
  newEvent(ids, now, {
    type,
    customerId: card.customerId,
    subject: card.id,
    data: withoutPlaceholders({ ...toCard(card) }),
  })

/**
 * Job that asks the issuer for a card in `PROCESSING`. It carries the sealed 3-D Secure password until the issuer has answered.
 * Source: D-181.
 */
export const provisionJob = (
  ids: IdSource,
  { customerId, id }: CardOfJob,
  dueAt: number,
  sealedPassword: SealedText | undefined,
): NewJob => {
  const payload = { cardId: id, ...(sealedPassword === undefined ? {} : { sealedPassword: { ...sealedPassword } }) }
  return job(ids, "card.provision", { customerId, dueAt, lane: `card:${id}`, payload })
}

/** Job that notifies the issuer of a card's state. */
export const stateJob = (ids: IdSource, { customerId, id }: CardOfJob, dueAt: number): NewJob =>
  job(ids, "card.state", { customerId, dueAt, lane: `card:${id}`, payload: { cardId: id } })

/** Inserts a new card and its provisioning job. */
export const issue = (
  { ids, now }: ChangeScope,
  id: string,
  owner: Owner,
  details: Omit<Card, "state">,
  sealedPassword: SealedText | undefined,
): CardTransition => {
  const data: Card = { ...details, state: CardMachine.follow(null, "Issue").state }
  const card = Changes.insertedRecord("Card", id, owner, data, now)
  const jobs = [provisionJob(ids, card, now, sealedPassword)]
  return { card, changes: Changes.combine(Changes.insert("Card", id, owner, data), { jobs }) }
}

/** Events and issuer notice of a card that has changed its state. */
export const stateChangeEffects = (scope: ChangeScope, before: Card, card: Stored<"Card">): Changes.Changes => {
  const { emits } = CardMachine.followTo(before.state, card.data.state)
  // The issuer needs no notice of the outcome that it reported itself.
  const isReportedByIssuer = before.state === "PROCESSING" && card.data.stateReason !== "CLOSED_BY_SERVICE"
  return Changes.combine(
    ...emits.map((type) => cardEvent(scope, card, type)),
    isReportedByIssuer ? undefined : { jobs: [stateJob(scope.ids, card, scope.now)] },
  )
}

/** Takes a transition. `patch` is what else changes with it. */
export const transition = (
  scope: ChangeScope,
  stored: Stored<"Card">,
  trigger: CardTrigger,
  patch: Partial<Card> = {},
): CardTransition => {
  const data: Card = { ...stored.data, ...patch, state: CardMachine.follow(stored.data.state, trigger).state }
  const card = Changes.after(stored, data, scope.now)
  return {
    card,
    changes: Changes.combine(Changes.update(stored, data), stateChangeEffects(scope, stored.data, card)),
  }
}

/** Change that a platform requests and the rules permit. */
export interface RequestedCardChange {
  readonly trigger?: CardTrigger
  readonly fundingSources?: ReadonlyArray<string>
  /** `null` means no limit. */
  readonly maxSpendPerTransaction?: number | null
}

/** Applies one update of a card in one commit, with an event for each type of change. */
export const applyRequestedChange = (
  scope: ChangeScope,
  stored: Stored<"Card">,
  { fundingSources, maxSpendPerTransaction, trigger }: RequestedCardChange,
): CardTransition => {
  const before = stored.data
  const bound = fundingSources && bindFundingSources(scope.ids, fundingSources, before.fundingSources)
  const isReplaced = bound !== undefined && JSON.stringify(bound) !== JSON.stringify(before.fundingSources)
  const data: Card = {
    ...before,
    ...(trigger === undefined ? {} : { state: CardMachine.follow(before.state, trigger).state }),
    ...(trigger === "Close" ? { stateReason: "CLOSED_BY_PLATFORM" } : {}),
    ...(bound === undefined ? {} : { fundingSources: bound }),
    ...(maxSpendPerTransaction === undefined ? {} : { maxSpendPerTransaction }),
  }
  if (trigger === undefined && !isReplaced && data.maxSpendPerTransaction === before.maxSpendPerTransaction) {
    return { card: stored, changes: {} }
  }
  const card = Changes.after(stored, data, scope.now)
  return {
    card,
    changes: Changes.combine(
      Changes.update(stored, data),
      isReplaced ? cardEvent(scope, card, "CARD.FUNDING_SOURCE_CHANGE") : undefined,
      trigger === undefined ? undefined : stateChangeEffects(scope, before, card),
    ),
  }
}
