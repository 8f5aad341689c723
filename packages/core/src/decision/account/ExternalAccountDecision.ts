/**
 * Decides the deletion of an external account, the sandbox's status change, and the result of a verification.
 * Spec: ExternalAccount, 4.3; wire contract 2.1, 2.7 and 11 (18); wire contract areas 1.3.5; D-050, D-053 to D-055.
 */
import { notFound } from "../../foundation/errors/ServiceError.ts"
import type { ExternalAccountStatus } from "../../model/account/ExternalAccount.ts"
import { ExternalAccountMachine } from "../../model/account/ExternalAccountMachine.ts"
import { type ExternalAccountResource, toExternalAccount } from "../../model/account/ExternalAccountResource.ts"
import { trustedRefusal } from "../../model/sca/BeneficiaryTrust.ts"
import type { BeneficiaryAnswer } from "../../ports/Verifier.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { type CallingAgent, guardAgent, requirePermission } from "../agent/AgentAccess.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import {
  applyBeneficiaryAnswer,
  eraseAccount,
  transitionAccount,
  verificationJob,
  withoutChallenge,
} from "./ExternalAccountChanges.ts"

/** Minimum delay (ms) before a verifier that answers `Later` is asked again. */
const retryDelayMillisMin = 1000

export const accountNotFound = notFound("external account")

export interface RemovalLoaded {
  readonly agent: CallingAgent
  readonly account: Stored<"ExternalAccount"> | undefined
}

/** Erases the account, unless its owner trusts it. A missing permission is refused before a missing account. */
export const removeExternalAccount = ({ account, agent }: RemovalLoaded): Decision<null> => {
  const denied = requirePermission(agent, "MANAGE_EXTERNAL_ACCOUNTS")
  if (denied !== undefined) return refuse(denied)
  if (account === undefined) return refuse(accountNotFound)
  const trusted = trustedRefusal(account.data)
  if (trusted !== undefined) return refuse(trusted)
  return answer(204, null, Changes.combine(eraseAccount(account), guardAgent(agent)))
}

export const setExternalAccountStatus =
  (status: ExternalAccountStatus) =>
  (account: Stored<"ExternalAccount">, context: DecisionContext): Decision<ExternalAccountResource> => {
    const { ids, now } = context
    const details = { from: account.data.status, to: status }
    const trigger = ExternalAccountMachine.triggerBetween(account.data.status, status)
    if (trigger === undefined) {
      return refuse({
        code: "INVALID_STATE_TRANSITION",
        message: `An external account does not go from ${account.data.status} to ${status}.`,
        details,
      })
    }
    const transition = transitionAccount(ids, now, account, trigger, withoutChallenge(account.data))
    return answer(
      200,
      toExternalAccount(transition.account),
      Changes.combine(
        transition.changes,
        auditRecord(context, "SANDBOX_EXTERNAL_ACCOUNT_STATUS", account, { details }),
      ),
    )
  }

/** Stores what the verifier says of an account. `finish`: the changes that finish the job that asked. */
export const recordVerification =
  (result: BeneficiaryAnswer, finish?: Changes.Changes) =>
  (account: Stored<"ExternalAccount">, { ids, now }: DecisionContext): Decision<null> =>
    answer(200, null, Changes.combine(applyBeneficiaryAnswer(ids, now, account, result), finish))

/** Replaces the finished job by one that asks the verifier again at `at` (business time, ms). */
export const postponeVerification =
  (account: Pick<Stored<"ExternalAccount">, "id" | "customerId">, at: number, finish: Changes.Changes) =>
  (_loaded: unknown, { ids, now }: DecisionContext): Decision<null> => {
    const next = verificationJob(ids, account, Math.max(at, now + retryDelayMillisMin))
    return answer(200, null, Changes.combine(finish, { jobs: [next] }))
  }
