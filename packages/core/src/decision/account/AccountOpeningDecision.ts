/**
 * Decides the opening of accounts that a customer lacks after its platform added currencies, and the next step of the job.
 * Source: wire contract 5.9 (one per enabled currency); D-084.
 */
import type { Position } from "../../foundation/kit/Page.ts"
import type { InternalAccount } from "../../model/account/InternalAccount.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import { answer, type Decision, type DecisionContext } from "../Decision.ts"
import { openAccounts } from "./AccountChanges.ts"

export interface OpeningLoaded {
  readonly platform: Stored<"Platform"> | undefined
  readonly customer: Stored<"Customer"> | undefined
  readonly accounts: ReadonlyArray<InternalAccount>
}

/**
 * Opens the missing accounts. A customer without any account awaits its consent, or is deleted, and gets none. `rootId` is the root of a new
 * wallet's keys.
 */
export const openMissingAccounts =
  (rootId: string | undefined) =>
  ({ accounts, customer, platform }: OpeningLoaded, { ids, now }: DecisionContext): Decision<null> => {
    if (customer === undefined || customer.data.isDeleted || platform === undefined || accounts.length === 0) {
      return answer(200, null)
    }
    const currencies = platform.data.supportedCurrencies.map(({ currencyCode }) => currencyCode)
    return answer(
      200,
      null,
      Changes.combine(
        openAccounts(ids, now, customer, currencies, { email: customer.data.email, present: accounts, rootId }),
        Changes.guard(customer, platform),
      ),
    )
  }

/** Finishes the job. If customers are left, inserts a job that continues after the customer at `last`. */
export const continueOpenings =
  (last: Position | undefined, finish: Changes.Changes) =>
  (_loaded: unknown, { ids, now }: DecisionContext): Decision<null> => {
    if (last === undefined) return answer(200, null, finish)
    const payload = { after: { createdAt: last.createdAt, id: last.id } }
    const next = job(ids, "accounts.open", { customerId: null, dueAt: now, payload })
    return answer(200, null, Changes.combine(finish, { jobs: [next] }))
  }
