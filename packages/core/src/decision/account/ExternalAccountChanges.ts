/**
 * Changes of an external account: transitions with their events, the result of a verification, and erasure.
 * Spec: Other state sets; wire contract 2.1, 2.7 and 6.1; D-050, D-053, D-054.
 */

import type { IdSource } from "../../foundation/ids/IdPool.ts"
import { type ExternalAccount, erasedExternalAccount } from "../../model/account/ExternalAccount.ts"
import { ExternalAccountMachine, type ExternalAccountTrigger } from "../../model/account/ExternalAccountMachine.ts"
import { toExternalAccount } from "../../model/account/ExternalAccountResource.ts"
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

/** Takes a transition and emits its events. `data`: the account with its other changed fields. */
export const transitionAccount = (
  ids: IdSource,
  now: number,
  stored: Account,
  trigger: ExternalAccountTrigger,
  data: ExternalAccount = stored.data,
): AccountTransition => {
  const { emits, state } = ExternalAccountMachine.follow(stored.data.status, trigger)
  const next: ExternalAccount = { ...data, status: state }
  const account = Changes.after(stored, next, now)
  const { customerId, id } = account
  const events = emits.map((type) =>
    newEvent(ids, now, { type, customerId, subject: id, data: withoutPlaceholders({ ...toExternalAccount(account) }) }),
  )
  return { account, changes: Changes.combine(Changes.update(stored, next), ...events) }
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
