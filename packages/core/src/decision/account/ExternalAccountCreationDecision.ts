/**
 * Decides the creation of an external account: refused, active at once, or waiting for a verification or a proof of ownership.
 * Spec: ExternalAccount, 4.3; wire contract 2.1, 2.2, 2.7 and 11 (18, 20); wire contract areas 1.7; D-050, D-054.
 */
import { Result } from "effect"
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import { isWallet } from "../../model/account/AccountRoute.ts"
import { validateAccountInfo } from "../../model/account/AccountValidationRules.ts"
import type { AccountInfo, ExternalAccount } from "../../model/account/ExternalAccount.ts"
import { ExternalAccountMachine, type ExternalAccountTrigger } from "../../model/account/ExternalAccountMachine.ts"
import {
  type ExternalAccountCreateRequest,
  type ExternalAccountResource,
  toExternalAccount,
} from "../../model/account/ExternalAccountResource.ts"
import { creationProblems, requiresOwnershipProof } from "../../model/account/ExternalAccountRules.ts"
import { customerNotAllowed } from "../../model/agent/PolicyRules.ts"
import type { Owner } from "../../model/record/Record.ts"
import type { BeneficiaryResult } from "../../ports/Verifier.ts"
import type { Caller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { sameAccountClaim } from "../../store/Claims.ts"
import { type CallingAgent, guardAgent, requirePermission } from "../agent/AgentAccess.ts"
import { answer, type Decision, type DecisionContext, refuse, takenClaim } from "../Decision.ts"
import { declaredJobs, verificationJob, withVerificationResult } from "./ExternalAccountChanges.ts"

/** The request, and the choices of the deployment that it depends on. */
export interface Creation {
  readonly request: ExternalAccountCreateRequest
  /** Whether check digits and checksums are verified. */
  readonly strictChecks: boolean
  /** The regions whose customers prove ownership of their wallets. */
  readonly ownershipRegions: ReadonlyArray<string>
}

export interface CreationLoaded {
  readonly agent: CallingAgent
  /** The customer of the request, if it exists. */
  readonly customer: Stored<"Customer"> | undefined
  /** The customer's present account for UMA deposits, if the new account replaces it. */
  readonly depositAccount: Stored<"ExternalAccount"> | undefined
}

/** The names that the request must be one of. */
export interface DirectoryAnswers {
  /** The bank names of the directory. Absent for types with free bank names. */
  readonly bankNames?: ReadonlyArray<string>
  /** The names of the directory of exchanges. Absent for an account that names none. */
  readonly vaspNames?: ReadonlyArray<string>
}

export interface CreationAnswers extends DirectoryAnswers {
  /** The answer of the verifier. Absent if the rules refuse the request. */
  readonly verification?: BeneficiaryResult
}

/** Returns the customer of the new account: the named one, otherwise the agent's own. `undefined`: the platform owns it. */
export const ownerIdOf = ({ customerId }: ExternalAccountCreateRequest, caller: Caller): string | undefined =>
  customerId ?? (caller._tag === "Agent" ? caller.customerId : undefined)

/** Applies the rules. Returns the account details to store, or the refusal. */
export const acceptedAccountInfo = (
  { request, strictChecks }: Creation,
  { agent, customer }: CreationLoaded,
  names: DirectoryAnswers,
  caller: Caller,
): Result.Result<AccountInfo, Refusal> => {
  const { accountInfo, defaultUmaDepositAccount = false } = request
  const customerId = ownerIdOf(request, caller)
  if (caller._tag === "Agent" && customerId !== caller.customerId) return Result.fail(customerNotAllowed)
  const denied = requirePermission(agent, "MANAGE_EXTERNAL_ACCOUNTS")
  if (denied !== undefined) return Result.fail(denied)
  const details = validateAccountInfo(accountInfo, { strictChecks, ...names })
  const problems = [
    ...creationProblems({ customerId, customer: customer?.data, defaultUmaDepositAccount }),
    ...(Result.isFailure(details) ? details.failure : []),
  ]
  return Result.isFailure(details) || problems.length > 0
    ? Result.fail(invalidInput(problems))
    : Result.succeed(details.success)
}

const triggersOf = (
  account: ExternalAccount,
  verification: BeneficiaryResult,
  needsProof: boolean,
): ReadonlyArray<ExternalAccountTrigger> => {
  if (isWallet(account.accountInfo)) return [needsProof ? "AddUnproven" : "AddVerified"]
  if (verification._tag !== "Result") return ["AddAwaiting"]
  if (verification.account === "UNDER_REVIEW") return ["AddForReview"]
  return verification.account === "INACTIVE" ? ["AddAwaiting", "Deactivate"] : ["AddVerified"]
}

/** Adds the result of the name check. A wallet has none. */
const withNameCheck = (account: ExternalAccount, verification: BeneficiaryResult): ExternalAccount => {
  if (isWallet(account.accountInfo)) return account
  return verification._tag === "Result"
    ? withVerificationResult(account, verification)
    : { ...account, beneficiaryVerificationStatus: "PENDING" }
}

export const createExternalAccount =
  (creation: Creation) =>
  (loaded: CreationLoaded & CreationAnswers, context: DecisionContext): Decision<ExternalAccountResource> => {
    const { caller, ids, now, rejections } = context
    const { agent, customer, depositAccount, verification } = loaded
    const accepted = acceptedAccountInfo(creation, loaded, loaded, caller)
    if (Result.isFailure(accepted)) return refuse(accepted.failure)
    if (verification === undefined) throw new Error("the verifier was not asked about an account that the rules accept")
    if (verification._tag === "Invalid") {
      return refuse({ code: "INVALID_BANK_ACCOUNT", message: "The bank says that this account does not exist." })
    }
    const { customerId: _named, ...request } = creation.request
    const owner: Owner = { platformId: caller.platformId, customerId: ownerIdOf(creation.request, caller) ?? null }
    const account: ExternalAccount = {
      ...request,
      accountInfo: accepted.success,
      status: "PENDING",
      defaultUmaDepositAccount: request.defaultUmaDepositAccount ?? false,
      ...(owner.customerId === null ? { isOfPlatform: true } : {}),
      isDeleted: false,
    }
    // A taken claim of UMA deposits is no refusal: the next attempt loads its holder as `depositAccount`.
    if (takenClaim(rejections.slice(-1))?.key === sameAccountClaim(account, owner).key) {
      return refuse({ code: "CONFLICT", message: "The same external account exists already." })
    }
    const needsProof = requiresOwnershipProof(account, customer?.data, creation.ownershipRegions)
    const data: ExternalAccount = {
      ...withNameCheck(account, verification),
      status: ExternalAccountMachine.follow(null, ...triggersOf(account, verification, needsProof)).state,
    }
    const id = ids("ExternalAccount", owner.customerId)
    const verifyAt = verification._tag === "Later" ? verification.at : now
    return answer(
      201,
      toExternalAccount(Changes.insertedRecord("ExternalAccount", id, owner, data, now)),
      Changes.combine(
        Changes.insert("ExternalAccount", id, owner, data),
        declaredJobs(ids, now, { id, customerId: owner.customerId, data }),
        guardAgent(agent),
        customer === undefined ? undefined : Changes.guard(customer),
        depositAccount === undefined
          ? undefined
          : Changes.update(depositAccount, { ...depositAccount.data, defaultUmaDepositAccount: false }),
        data.status === "PENDING"
          ? { jobs: [verificationJob(ids, { id, customerId: owner.customerId }, verifyAt)] }
          : undefined,
      ),
    )
  }
