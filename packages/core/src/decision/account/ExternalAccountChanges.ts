/**
 * What changes an external account: the arrows of its machine with their events, what a verification says, and its end.
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

/** An account as it stands after the change, and the change. */
export interface AccountTransition {
  readonly account: Stored<"ExternalAccount">
  readonly changes: Changes.Changes
}

type Account = Stored<"ExternalAccount">

/** Follows an arrow, and tells of it. `data`: the account with whatever else changes. */
export const transitionAccount = (
  ids: IdSource,
  now: number,
  stored: Account,
  on: ExternalAccountTrigger,
  data: ExternalAccount = stored.data,
): AccountTransition => {
  const { emits, state } = ExternalAccountMachine.follow(stored.data.status, on)
  const next: ExternalAccount = { ...data, status: state }
  const account = Changes.after(stored, next, now)
  const { customerId, id } = account
  const events = emits.map((type) =>
    newEvent(ids, now, { type, customerId, subject: id, data: withoutPlaceholders({ ...toExternalAccount(account) }) }),
  )
  return { account, changes: Changes.combine(Changes.update(stored, next), ...events) }
}

/** The account without its open challenge. */
export const withoutChallenge = ({ challenge: _answered, ...account }: ExternalAccount): ExternalAccount => account

/** What a verification says, kept with the account. */
export const withVerificationResult = (account: ExternalAccount, answer: BeneficiaryAnswer): ExternalAccount =>
  answer._tag === "Invalid"
    ? account
    : {
        ...account,
        beneficiaryVerificationStatus: answer.status,
        ...(answer.verifiedData === undefined ? {} : { beneficiaryVerifiedData: answer.verifiedData }),
      }

/** Where an answer takes an account: what it says, and where it says nothing an account that waits becomes usable. */
const targetOf = (account: ExternalAccount, answer: BeneficiaryAnswer): ExternalAccount["status"] => {
  if (answer._tag === "Invalid") return "INACTIVE"
  return answer.account ?? (account.status === "PENDING" ? "ACTIVE" : account.status)
}

/** What an answer changes. One that changes nothing (a second report, an account that is gone) writes nothing. */
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

/** The job that asks the verifier for an account that waits. */
export const verificationJob = (ids: IdSource, account: Pick<Account, "id" | "customerId">, dueAt: number): NewJob =>
  job(ids, "account.verify", {
    customerId: account.customerId,
    dueAt,
    lane: `verify:${account.id}`,
    payload: { accountId: account.id },
  })

/** Deletes an account; its history goes too. */
export const eraseAccount = (stored: Account): Changes.Changes =>
  Changes.erase(stored, erasedExternalAccount(stored.data))
