/**
 * Decides the proof of ownership of a wallet: a challenge, its answer by signature, and the result of a liveness check.
 * Source: wire contract 2.1, 2.6 and 2.7; D-051, D-052.
 */
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { AccountTypes } from "../../model/account/AccountTypes.ts"
import type { ExternalAccount } from "../../model/account/ExternalAccount.ts"
import { type ExternalAccountResource, toExternalAccount } from "../../model/account/ExternalAccountResource.ts"
import { challengeRefusal, selfCustodyAddress } from "../../model/account/ExternalAccountRules.ts"
import {
  challengeLifetimeMillis,
  messageToSign,
  type OwnershipChallenge,
  type OwnershipMethod,
} from "../../model/account/OwnershipChallenge.ts"
import type { OwnershipChallengeResource, OwnershipVerifyRequest } from "../../model/account/OwnershipResource.ts"
import type { SignatureCheck } from "../../model/account/WalletSignature.ts"
import type { LivenessSession } from "../../ports/Ownership.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { transitionAccount, withoutChallenge } from "./ExternalAccountChanges.ts"

type Account = Stored<"ExternalAccount">

const ownerSignatureOf = ({ accountInfo }: ExternalAccount) =>
  AccountTypes.find(accountInfo.accountType)?.ownerSignature

const methodNotOffered = (message: string): Refusal =>
  invalidInput([{ field: "method", message, constraint: { format: "offered-method" } }])

const noOpenChallenge: Refusal = {
  code: "CONFLICT",
  message: "No signature challenge is open: ask for one first.",
  details: { reason: "NO_CHALLENGE_OPEN" },
}

const proofFailed = (reason: "SIGNATURE_INVALID" | "CHALLENGE_EXPIRED"): Refusal => {
  const message =
    reason === "SIGNATURE_INVALID"
      ? "is not the wallet's signature of the message"
      : "comes too late: the challenge has expired"
  return {
    code: "INVALID_INPUT",
    message: `signature: ${message}; ask for a new challenge.`,
    details: { reason, errors: [{ field: "signature", message }] },
  }
}

/** Stores an open challenge. An account whose proof failed before waits for a proof again. */
const withChallenge = (
  account: Account,
  challenge: OwnershipChallenge,
  { ids, now }: DecisionContext,
): Changes.Changes => {
  const data: ExternalAccount = { ...account.data, challenge }
  return account.data.status === "UNVERIFIED"
    ? transitionAccount(ids, now, account, "Challenge", data).changes
    : Changes.update(account, data)
}

export interface ChallengeLoaded {
  readonly account: Account
  /** The session at the provider of liveness checks. Absent for other methods, and if the deployment has no provider. */
  readonly liveness: LivenessSession | undefined
}

const challengeLiveness = (
  { account, liveness }: ChallengeLoaded,
  context: DecisionContext,
): Decision<OwnershipChallengeResource> => {
  if (liveness === undefined) {
    return refuse(methodNotOffered("must be WALLET_SIGNATURE: there is no liveness check here"))
  }
  const { expiresAt, ...link } = liveness
  return answer(
    201,
    { method: "LIVENESS", ...link, expiresAt: iso(expiresAt) },
    withChallenge(account, { method: "LIVENESS", expiresAt }, context),
  )
}

const challengeSignature = (
  account: Account,
  nonce: string,
  context: DecisionContext,
): Decision<OwnershipChallengeResource> => {
  const { data, id } = account
  const address = selfCustodyAddress(data)
  if (ownerSignatureOf(data) === undefined || address === undefined) {
    return refuse(methodNotOffered("must be LIVENESS: wallets of this type sign no messages"))
  }
  const expiresAt = context.now + challengeLifetimeMillis
  const message = messageToSign({ id, address, nonce, expiresAt })
  return answer(
    201,
    { method: "WALLET_SIGNATURE", messageToSign: message, expiresAt: iso(expiresAt) },
    withChallenge(account, { method: "WALLET_SIGNATURE", message, expiresAt }, context),
  )
}

/** Opens a challenge, which replaces an open one. `nonce`: random, new for each challenge. */
export const openChallenge =
  (method: OwnershipMethod, nonce: string) =>
  (loaded: ChallengeLoaded, context: DecisionContext): Decision<OwnershipChallengeResource> => {
    const { account } = loaded
    const refusal = challengeRefusal(account.data)
    if (refusal !== undefined) return refuse(refusal)
    return method === "LIVENESS" ? challengeLiveness(loaded, context) : challengeSignature(account, nonce, context)
  }

/** Returns the check of a signature against the open challenge, or `undefined` if no signature challenge is open. */
export const signatureCheckOf = (
  { data }: Account,
  { signature, signatureScheme = "bip137" }: OwnershipVerifyRequest,
): SignatureCheck | undefined => {
  const kind = ownerSignatureOf(data)
  const address = selfCustodyAddress(data)
  if (data.challenge?.method !== "WALLET_SIGNATURE" || kind === undefined || address === undefined) return undefined
  return { kind, address, message: data.challenge.message, signature: signature.trim(), scheme: signatureScheme }
}

export interface ProofLoaded {
  readonly account: Account
  /** Whether the owner signed the message. Absent if no signature challenge is open. */
  readonly isSigned: boolean | undefined
}

/** Decides the answer to a signature challenge. A wrong or late signature ends the challenge. */
export const verifyOwnership = (
  { account, isSigned }: ProofLoaded,
  { ids, now }: DecisionContext,
): Decision<ExternalAccountResource> => {
  const { challenge } = account.data
  if (isSigned === undefined || challenge === undefined) return refuse(noOpenChallenge)
  const { expiresAt } = challenge
  const data = withoutChallenge(account.data)
  if (now >= expiresAt || !isSigned) {
    const reason = now >= expiresAt ? "CHALLENGE_EXPIRED" : "SIGNATURE_INVALID"
    return refuse(proofFailed(reason), transitionAccount(ids, now, account, "FailProof", data).changes)
  }
  const proven = transitionAccount(ids, now, account, "Prove", data)
  return answer(200, toExternalAccount(proven.account), { ...proven.changes, validUntil: expiresAt })
}

/** Stores the result of a liveness check. Without an open liveness challenge the report is dropped. */
export const recordLiveness =
  (isOwner: boolean) =>
  (account: Account, { ids, now }: DecisionContext): Decision<null> => {
    if (account.data.challenge?.method !== "LIVENESS") return answer(200, null)
    const trigger = isOwner ? "Prove" : "FailProof"
    return answer(200, null, transitionAccount(ids, now, account, trigger, withoutChallenge(account.data)).changes)
  }
