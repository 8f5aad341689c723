/**
 * Decides what the issuer's answer changes: a card that it has made or refused, and when a job asks it again.
 * Spec: States: Card (provisioning); architecture, "Jobs, external calls and time".
 */
import type { SealedText } from "../../foundation/crypto/Sealed.ts"
import type { ProvisionOutcome } from "../../ports/Issuer.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext } from "../Decision.ts"
import { provisionJob, stateJob, transition } from "./CardChanges.ts"

/** Certain outcome of a provisioning. */
export type Provisioned = Extract<ProvisionOutcome, { readonly _tag: "Done" | "Refused" }>

/** An issuer that answers `Later` is not asked again within this time. */
const laterMillisMin = 1000

/** Returns when an issuer that answered `Later` is asked again. */
export const laterDueAt = (at: number, now: number): number => Math.max(at, now + laterMillisMin)

const outcomeChanges = (card: Stored<"Card">, outcome: Provisioned, context: DecisionContext): Changes.Changes => {
  if (card.data.state !== "PROCESSING") return {}
  if (outcome._tag === "Refused") return transition(context, card, "Reject", { stateReason: "ISSUER_REJECTED" }).changes
  const { _tag, ...provisioned } = outcome
  return transition(context, card, "Activate", provisioned).changes
}

/** Stores an outcome. A late or repeated outcome changes nothing. `fence` finishes the job that asked. */
export const decideProvisioning =
  (outcome: Provisioned, fence: Changes.Changes = {}) =>
  ({ card }: { readonly card: Stored<"Card"> }, context: DecisionContext): Decision<null> =>
    answer(200, null, Changes.combine(outcomeChanges(card, outcome, context), fence))

/** A job that the issuer answered with `Later`. `fence` finishes it. */
interface PostponedJob {
  readonly card: Stored<"Card">
  /** Business time (ms) that the issuer named. */
  readonly at: number
  readonly fence: Changes.Changes
}

/** Asks the issuer for the card again later. */
export const decideProvisionLater =
  ({ at, card, fence }: PostponedJob, sealedPassword: SealedText | undefined) =>
  (_loaded: unknown, { ids, now }: DecisionContext): Decision<null> =>
    answer(200, null, Changes.combine(fence, { jobs: [provisionJob(ids, card, laterDueAt(at, now), sealedPassword)] }))

/** Notifies the issuer of the card's state again later. */
export const decideNotifyLater =
  ({ at, card, fence }: PostponedJob) =>
  (_loaded: unknown, { ids, now }: DecisionContext): Decision<null> =>
    answer(200, null, Changes.combine(fence, { jobs: [stateJob(ids, card, laterDueAt(at, now))] }))
