/**
 * Decides a change of an account's funding instructions: an international collection account that exists or is withdrawn, or a change
 * that the embedding program reports.
 * Source: wire contract areas 2.7 and 2.12; D-397.
 */
import type { InternalAccount } from "../../model/account/InternalAccount.ts"
import type { CollectionAnswer } from "../../ports/FundingInstructions.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext } from "../Decision.ts"
import { collectionJob, instructionsEvent } from "./AccountChanges.ts"

/** What changed: whether a collection account exists; absent: the port answers with other instructions. */
export interface FundingSetReport {
  readonly hasCollectionAccount?: boolean
}

export const recordFundingSet =
  ({ hasCollectionAccount }: FundingSetReport, end?: Changes.Changes) =>
  (account: Stored<"InternalAccount">, { ids, now }: DecisionContext): Decision<null> => {
    const { hasCollectionAccount: before = false, ...rest } = account.data
    if (hasCollectionAccount === before) return answer(200, null, end)
    const exists = hasCollectionAccount ?? before
    const data: InternalAccount = exists ? { ...rest, hasCollectionAccount: true } : rest
    const after = Changes.after(account, data, now)
    return answer(
      200,
      null,
      Changes.combine(
        Changes.update(account, data),
        data.status === "ACTIVE" ? instructionsEvent(ids, now, after) : undefined,
        end,
      ),
    )
  }

/** Decides the port's answer about a collection account. */
export const decideCollection =
  (collection: CollectionAnswer, end: Changes.Changes) =>
  (account: Stored<"InternalAccount">, context: DecisionContext): Decision<null> => {
    if (collection._tag === "Available") return recordFundingSet({ hasCollectionAccount: true }, end)(account, context)
    const next =
      collection._tag === "Later"
        ? { jobs: [collectionJob(context.ids, account, account.id, collection.at)] }
        : undefined
    return answer(200, null, Changes.combine(end, next))
  }
