/**
 * A new external account, decided: refused, usable at once, or waiting for a check or a proof.
 * Spec: ExternalAccount, 4.3; wire contract 2.1, 2.2, 2.7 and 11 (18, 20); D-050, D-054.
 */

import { isWallet } from "../../model/account/AccountRoute.ts"
import type { AccountInfo, ExternalAccount } from "../../model/account/ExternalAccount.ts"
import { ExternalAccountMachine, type ExternalAccountTrigger } from "../../model/account/ExternalAccountMachine.ts"
import {
  type ExternalAccountCreateRequest,
  type ExternalAccountResource,
  toExternalAccount,
} from "../../model/account/ExternalAccountResource.ts"
import { requiresOwnershipProof } from "../../model/account/ExternalAccountRules.ts"
import type { Owner } from "../../model/record/Record.ts"
import type { BeneficiaryResult } from "../../ports/Verifier.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext, refuse, takenClaim } from "../Decision.ts"
import { verificationJob, withVerificationResult } from "./ExternalAccountChanges.ts"

/** What was loaded and asked for a request that all rules admit. */
export interface CreationLoaded {
  readonly customer: Stored<"Customer"> | undefined
  /** The account as it is kept: with what follows from what was given. */
  readonly accountInfo: AccountInfo
  /** The account that takes the customer's UMA payments so far, where this one is to take its place. */
  readonly depositAccount: Stored<"ExternalAccount"> | undefined
  /** What the verifier says of the account. */
  readonly checked: BeneficiaryResult
  /** Whose customers have to prove their wallets. */
  readonly regions: ReadonlyArray<string>
  /** What the caller's right to add it rests on. */
  readonly gate: Changes.Changes
}

const triggersOf = (
  account: ExternalAccount,
  { checked, customer, regions }: CreationLoaded,
): ReadonlyArray<ExternalAccountTrigger> => {
  if (isWallet(account.accountInfo))
    return [requiresOwnershipProof(account, customer?.data, regions) ? "AddUnproven" : "AddVerified"]
  if (checked._tag !== "Result") return ["AddAwaiting"]
  if (checked.account === "UNDER_REVIEW") return ["AddForReview"]
  return checked.account === "INACTIVE" ? ["AddAwaiting", "Deactivate"] : ["AddVerified"]
}

/** The name check of an account that has one. */
const named = (account: ExternalAccount, checked: BeneficiaryResult): ExternalAccount => {
  if (isWallet(account.accountInfo)) return account
  return checked._tag === "Result"
    ? withVerificationResult(account, checked)
    : { ...account, beneficiaryVerificationStatus: "PENDING" }
}

/** `sameAccount`: the unique key that another record of the same account holds. */
export const createExternalAccount =
  ({ customerId, ...request }: ExternalAccountCreateRequest, sameAccount: (account: ExternalAccount) => string) =>
  (loaded: CreationLoaded, { caller, ids, now, rejections }: DecisionContext): Decision<ExternalAccountResource> => {
    const { accountInfo, checked, customer, depositAccount, gate } = loaded
    if (checked._tag === "Invalid") {
      return refuse({ code: "INVALID_BANK_ACCOUNT", message: "The bank says that this account does not exist." })
    }
    const given: ExternalAccount = {
      ...request,
      accountInfo,
      status: "PENDING",
      defaultUmaDepositAccount: request.defaultUmaDepositAccount ?? false,
      ...(customerId === undefined ? { isOfPlatform: true } : {}),
      isDeleted: false,
    }
    // The key of deposits is free again when the account that held it is loaded anew.
    if (takenClaim(rejections.slice(-1))?.key === sameAccount(given)) {
      return refuse({ code: "CONFLICT", message: "The same external account exists already." })
    }
    const triggers = triggersOf(given, loaded)
    const data: ExternalAccount = { ...named(given, checked), status: ExternalAccountMachine.follow(null, ...triggers) }
    const id = ids("ExternalAccount")
    const owner: Owner = { platformId: caller.platformId, customerId: customerId ?? null }
    const waits = data.status === "PENDING"
    return answer(
      201,
      toExternalAccount(Changes.insertedRecord("ExternalAccount", id, owner, data, now)),
      Changes.combine(
        Changes.insert("ExternalAccount", id, owner, data),
        gate,
        customer === undefined ? undefined : Changes.guard(customer),
        depositAccount === undefined
          ? undefined
          : Changes.update(depositAccount, { ...depositAccount.data, defaultUmaDepositAccount: false }),
        waits
          ? {
              jobs: [
                verificationJob(ids, { id, customerId: owner.customerId }, checked._tag === "Later" ? checked.at : now),
              ],
            }
          : undefined,
      ),
    )
  }
