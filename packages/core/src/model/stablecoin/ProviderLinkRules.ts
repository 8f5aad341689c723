/**
 * Rules of provider accounts in order of precedence: which can be linked, and which one a stablecoin is registered with.
 * Source: wire contract areas 1.6.2 and 1.6.7; D-391.
 */
import { notFound, type Refusal } from "../../foundation/errors/ServiceError.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import type { ProviderAccountStatus } from "./StablecoinProviderAccount.ts"

const providerAccountInvalid: Refusal = {
  code: "STABLECOIN_PROVIDER_ACCOUNT_INVALID",
  message: "The provider refuses the credentials of the provider account. Link it again with valid ones.",
}

const providerAccountRevoked: Refusal = {
  code: "STABLECOIN_PROVIDER_ACCOUNT_REVOKED",
  message: "The provider account was withdrawn at the provider. Link another one.",
}

export const providerUnavailable: Refusal = {
  code: "SERVICE_UNAVAILABLE",
  message: "The provider of the stablecoin does not answer. Try again with the same Idempotency-Key.",
  details: { reason: "STABLECOIN_PROVIDER_UNAVAILABLE", retryAfterSeconds: 5 },
}

export const providerAccountNotFound = notFound("stablecoin provider account", "STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND")

/** Returns why a provider account cannot be used, or `undefined` if it is active. */
export const unusable = (status: ProviderAccountStatus | undefined): Refusal | undefined => {
  if (status === "INVALID") return providerAccountInvalid
  return status === "REVOKED" ? providerAccountRevoked : undefined
}

export interface ProviderLinkFacts {
  /** Whether the provider takes the credentials; `undefined`: it does not answer. */
  readonly isAccepted: boolean | undefined
  /** The accounts that the credentials reach. */
  readonly reachable: ReadonlyArray<string>
  /** The account that the request names. */
  readonly named: string | undefined
  /** Whether the account is linked and active. */
  readonly isLinked: boolean
}

export const ProviderLinkRules = Rules.make<ProviderLinkFacts, Refusal>("ProviderLink", [
  ["PROVIDER_ANSWERS", ({ isAccepted }) => (isAccepted === undefined ? providerUnavailable : undefined)],
  [
    "CREDENTIALS_ACCEPTED",
    ({ isAccepted, reachable }) =>
      isAccepted === false || reachable.length === 0 ? providerAccountInvalid : undefined,
  ],
  [
    "ACCOUNT_SELECTED",
    ({ named, reachable }) =>
      named === undefined && reachable.length > 1
        ? {
            code: "INVALID_INPUT",
            message: "The credentials reach several provider accounts; pass providerAccountId.",
            details: {
              reason: "PROVIDER_ACCOUNT_ID_REQUIRED",
              errors: [{ field: "providerAccountId", message: "is required: the credentials reach several accounts" }],
            },
          }
        : undefined,
  ],
  [
    "ACCOUNT_REACHABLE",
    ({ named, reachable }) =>
      named !== undefined && !reachable.includes(named)
        ? {
            code: "INVALID_INPUT",
            message: "The credentials do not reach this provider account.",
            details: {
              reason: "PROVIDER_ACCOUNT_NOT_REACHABLE",
              errors: [{ field: "providerAccountId", message: "must be an account that the credentials reach" }],
            },
          }
        : undefined,
  ],
  [
    "NOT_LINKED",
    ({ isLinked }) =>
      isLinked
        ? {
            code: "CONFLICT",
            message: "The provider account is linked and active.",
            details: { reason: "PROVIDER_ACCOUNT_LINKED" },
          }
        : undefined,
  ],
])

export interface RegistrationFacts {
  /** Whether the request names the provider account. */
  readonly isNamed: boolean
  /** The named provider account, or the newest of the platform's, an active one before others. */
  readonly account: { readonly status: ProviderAccountStatus } | undefined
  /** Whether the platform has several active provider accounts. */
  readonly areSeveralActive: boolean
  /** The provider's answer; `undefined`: it was not asked, because the provider account cannot be used. */
  readonly answer: "DESCRIBED" | "NOT_FOUND" | "REFUSED" | "WITHDRAWN" | "UNAVAILABLE" | undefined
  /** Whether the token is registered. */
  readonly isTaken: boolean
}

export const RegistrationRules = Rules.make<RegistrationFacts, Refusal>("StablecoinRegistration", [
  ["ACCOUNT_EXISTS", ({ account }) => (account === undefined ? providerAccountNotFound : undefined)],
  [
    "ACCOUNT_SELECTED",
    ({ areSeveralActive, isNamed }) =>
      areSeveralActive && !isNamed
        ? {
            code: "STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED",
            message: "Several active provider accounts exist; pass stablecoinProviderAccountId.",
          }
        : undefined,
  ],
  ["ACCOUNT_USABLE", ({ account }) => unusable(account?.status)],
  ["PROVIDER_ANSWERS", ({ answer }) => (answer === "UNAVAILABLE" ? providerUnavailable : undefined)],
  ["CREDENTIALS_ACCEPTED", ({ answer }) => (answer === "REFUSED" ? providerAccountInvalid : undefined)],
  ["NOT_WITHDRAWN", ({ answer }) => (answer === "WITHDRAWN" ? providerAccountRevoked : undefined)],
  [
    "TOKEN_EXISTS",
    ({ answer }) =>
      answer === "NOT_FOUND"
        ? {
            code: "INVALID_INPUT",
            message: "The provider has no such token on this network.",
            details: {
              reason: "TOKEN_NOT_FOUND",
              errors: [{ field: "providerTokenIdentifier", message: "must be a token of the provider account" }],
            },
          }
        : undefined,
  ],
  [
    "NOT_REGISTERED",
    ({ isTaken }) =>
      isTaken
        ? {
            code: "CONFLICT",
            message: "The token is registered.",
            details: { reason: "STABLECOIN_REGISTERED" },
          }
        : undefined,
  ],
])
