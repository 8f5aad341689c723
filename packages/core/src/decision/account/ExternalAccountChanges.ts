/**
 * Changes of an external account: transitions with their events, the result of a verification, and erasure.
 * Spec: Other state sets; wire contract 2.1, 2.7 and 6.1; D-050, D-053, D-054, D-415.
 */

import type { IdSource } from "../../foundation/ids/IdPool.ts"
import { type ExternalAccount, erasedExternalAccount } from "../../model/account/ExternalAccount.ts"
import { ExternalAccountMachine, type ExternalAccountTrigger } from "../../model/account/ExternalAccountMachine.ts"
import { toExternalAccount } from "../../model/account/ExternalAccountResource.ts"
import { isDeclaration } from "../../model/account/WalletDeclaration.ts"
import { withoutTrust } from "../../model/sca/BeneficiaryTrust.ts"
import type { BeneficiaryAnswer } from "../../ports/Verifier.ts"
import type { NewJob, Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import { withoutPlaceholders } from "../../store/Placeholders.ts"
import { newEvent } from "../event/NewEvent.ts"

/** An account after the transition, and the changes of the transition. */
export interface AccountTransition {
  readonly account: Stored<"ExternalAccount">
  readonly changes: Changes.Changes
}

type Account = Stored<"ExternalAccount">

/** The job that finds held deposits from a wallet that a customer's account declares; none for other accounts. */
export const declaredJobs = (
  ids: IdSource,
  now: number,
  { customerId, data, id }: Pick<Account, "customerId" | "data" | "id">,
): Changes.Changes =>
  customerId !== null && isDeclaration(data)
    ? {
        jobs: [
          job(ids, "deposit.declared", {
            customerId,
            dueAt: now,
            lane: `deposit.declared:${id}`,
            payload: { accountId: id },
          }),
        ],
      }
    : {}

/** Takes a transition and emits its events. An account that leaves `ACTIVE` is no longer trusted (D-381). `data`: the account with its other changed fields. */
export const transitionAccount = (
  ids: IdSource,
  now: number,
  stored: Account,
  trigger: ExternalAccountTrigger,
  data: ExternalAccount = stored.data,
): AccountTransition => {
  const { emits, state } = ExternalAccountMachine.follow(stored.data.status, trigger)
  const next: ExternalAccount = { ...(state === "ACTIVE" ? data : withoutTrust(data)), status: state }
  const account = Changes.after(stored, next, now)
  const { customerId, id } = account
  const events = emits.map((type) =>
    newEvent(ids, now, { type, customerId, subject: id, data: withoutPlaceholders({ ...toExternalAccount(account) }) }),
  )
  const declared = state === "ACTIVE" ? declaredJobs(ids, now, account) : {}
  return { account, changes: Changes.combine(Changes.update(stored, next), ...events, declared) }
}

/** Returns the account without its open challenge. */
export const withoutChallenge = ({ challenge: _challenge, ...account }: ExternalAccount): ExternalAccount => account

/** Returns the account with the result of a verification. */
export const withVerificationResult = (account: ExternalAccount, answer: BeneficiaryAnswer): ExternalAccount =>
  answer._tag === "Invalid"
    ? account
    : {
        ...account,
        beneficiaryVerificationStatus: answer.status,
        ...(answer.verifiedData === undefined ? {} : { beneficiaryVerifiedData: answer.verifiedData }),
      }

/** Returns the status that a result leads to. If it names none, a pending account becomes active. */
const targetOf = (account: ExternalAccount, answer: BeneficiaryAnswer): ExternalAccount["status"] => {
  if (answer._tag === "Invalid") return "INACTIVE"
  return answer.account ?? (account.status === "PENDING" ? "ACTIVE" : account.status)
}

/** Applies a result. A repeated result, or one about a deleted account, writes nothing. */
export const applyBeneficiaryAnswer = (
  ids: IdSource,
  now: number,
  stored: Account,
  answer: BeneficiaryAnswer,
): Changes.Changes => {
  if (stored.data.isDeleted) return {}
  const data = withVerificationResult(stored.data, answer)
  const trigger = ExternalAccountMachine.triggerBetween(stored.data.status, targetOf(stored.data, answer))
  if (trigger !== undefined) return transitionAccount(ids, now, stored, trigger, data).changes
  const isSame =
    data.beneficiaryVerificationStatus === stored.data.beneficiaryVerificationStatus &&
    data.beneficiaryVerifiedData?.fullName === stored.data.beneficiaryVerifiedData?.fullName
  return isSame ? {} : Changes.update(stored, data)
}

/** The job that asks the verifier about a pending account at `dueAt` (business time, ms). */
export const verificationJob = (ids: IdSource, account: Pick<Account, "id" | "customerId">, dueAt: number): NewJob =>
  job(ids, "account.verify", {
    customerId: account.customerId,
    dueAt,
    lane: `verify:${account.id}`,
    payload: { accountId: account.id },
  })

/** Deletes an account with its history. */
export const eraseAccount = (stored: Account): Changes.Changes =>
  Changes.erase(stored, erasedExternalAccount(stored.data))
