/**
 * Providers that issue stablecoins. A platform that mints and burns provides its own behind this port; by default no provider answers.
 *
 * `begin` is an instruction. The service gives one, after it has stored that it will. From then on it only asks (`inquire`), after an
 * unknown outcome and after the end of its process alike, and instructs again only if the provider answers `NotReceived`.
 * Source: wire contract areas 1.6; D-390.
 */
import { Context, Effect, type Redacted } from "effect"
import type { PayoutRail } from "../model/stablecoin/PayoutRails.ts"
import type { StablecoinIssuanceStatus, StablecoinNetwork } from "../model/stablecoin/Stablecoin.ts"
import type {
  OperationAccount,
  StablecoinFailureReason,
  StablecoinFundingInstructions,
  StablecoinOperationType,
  StablecoinSourceType,
} from "../model/stablecoin/StablecoinOperation.ts"
import type { ProviderEnvironment, StablecoinProviderName } from "../model/stablecoin/StablecoinProviderAccount.ts"

/** The provider has not done what it was asked. */
export type ProviderTrouble =
  /** It refuses the credentials: the provider account becomes `INVALID`. */
  | { readonly _tag: "CredentialsRefused" }
  /** The access was withdrawn at the provider: the provider account becomes `REVOKED`. */
  | { readonly _tag: "Withdrawn" }
  /** It certainly has not received the request. `cause` contains no secret. */
  | { readonly _tag: "Unavailable"; readonly cause: string }

/** What opens a platform's account at a provider. Keep the secret out of logs, errors and outcomes. */
export interface ProviderCredentials {
  readonly apiClientId: string
  readonly apiClientSecret: Redacted.Redacted
}

/** Credentials to check. */
export interface CredentialCheck {
  readonly provider: StablecoinProviderName
  readonly credentials: ProviderCredentials
  /** The account that the platform names, or that is linked. */
  readonly providerAccountId?: string
  /** Business time (ms) at which these credentials were linked. */
  readonly linkedAt: number
}

/** Whether the provider accepts the credentials. */
export type CredentialAnswer =
  /** The accounts that the credentials reach. `checkAgainAt` (ms): check them again then; absent: with the next request. */
  | { readonly _tag: "Accepted"; readonly providerAccountIds: ReadonlyArray<string>; readonly checkAgainAt?: number }
  | ProviderTrouble

/** A linked account at a provider. */
export interface LinkedAccount {
  readonly provider: StablecoinProviderName
  readonly providerAccountId: string
  readonly credentials: ProviderCredentials
}

/** A token by the identifiers that the platform gave. */
export interface ProviderToken {
  readonly providerTokenIdentifier: string
  readonly networkTokenIdentifier: string
  readonly network: StablecoinNetwork
}

/** A token that the platform registers, or whose issuance has not ended. */
export interface TokenQuery {
  readonly account: LinkedAccount
  readonly token: ProviderToken
  /** Business time (ms) of the registration. */
  readonly registeredAt: number
}

/** What the provider knows of a token; `NotFound` if its identifiers name none. */
export type TokenAnswer =
  | {
      readonly _tag: "Described"
      readonly name: string
      readonly symbol: string
      readonly baseCurrency: string
      /** 0 to 36. */
      readonly decimals: number
      readonly issuanceStatus: StablecoinIssuanceStatus
      /** When to ask again about an issuance that has not ended; absent: the service chooses. */
      readonly askAgainAt?: number
    }
  | { readonly _tag: "NotFound" }
  | ProviderTrouble

/** One mint or burn. `reference` and `idempotencyKey` are the same in every instruction and inquiry. */
export interface ProviderInstruction {
  /** The id of the operation. */
  readonly reference: string
  /** Give it to the provider, so that it can refuse a second instruction. It is derived from the key of the platform's request. */
  readonly idempotencyKey: string
  readonly account: LinkedAccount
  readonly token: ProviderToken
  readonly operationType: StablecoinOperationType
  /** In the token's smallest unit. */
  readonly amount: string
  /** The same amount in cents of the currency that backs the token. */
  readonly cents: number
  readonly sourceType: StablecoinSourceType
  /** The account to debit. */
  readonly source?: OperationAccount
  /** The wallet that gets the tokens, or the bank account that gets the money. */
  readonly destination: OperationAccount
  /** Only of burns. */
  readonly rail?: PayoutRail
  /** Business time (ms) of the first request. */
  readonly submittedAt: number
}

/** The state of a mint or burn at the provider. */
export type ProviderState =
  /** Money or tokens from outside are awaited. */
  | { readonly _tag: "AwaitsFunding"; readonly fundingInstructions: StablecoinFundingInstructions }
  /** The provider will collect or spend itself. */
  | { readonly _tag: "Accepted" }
  | { readonly _tag: "Processing" }
  | { readonly _tag: "Completed" }
  | { readonly _tag: "Failed"; readonly reason: StablecoinFailureReason }

/** The state of an operation, with what the provider adds to it. */
export type ProviderReport = ProviderState & {
  /** The provider's own word for the state. */
  readonly providerStatus?: string
  /** When to ask again about an operation that has not ended; absent: the service chooses. */
  readonly askAgainAt?: number
}

/** `Unknown` is never a failure: the provider is asked about the same operation. */
export type ProviderOutcome = ProviderReport | ProviderTrouble | { readonly _tag: "Unknown"; readonly cause: string }

/**
 * `NotReceived`: the provider has no instruction with this reference, and will execute none that is still on its way. A provider that
 * cannot exclude an instruction on its way answers `Unknown`.
 */
export type ProviderInquiry = ProviderOutcome | { readonly _tag: "NotReceived" }

const notProvided = { _tag: "Unavailable", cause: "the deployment has no provider of stablecoins" } as const

export const StablecoinProvider = Context.Reference<{
  /** The environment of the providers, which linked accounts name. */
  readonly environment: ProviderEnvironment
  /** Checks credentials when they are linked, and later. Read-only. */
  readonly check: (request: CredentialCheck) => Effect.Effect<CredentialAnswer>
  /** Returns what the provider knows of a token. Read-only. */
  readonly describe: (query: TokenQuery) => Effect.Effect<TokenAnswer>
  /** Instructs a mint or burn. A job calls it. */
  readonly begin: (instruction: ProviderInstruction) => Effect.Effect<ProviderOutcome>
  /** Returns the state of an operation that may have been begun. It moves no money. */
  readonly inquire: (instruction: ProviderInstruction) => Effect.Effect<ProviderInquiry>
}>("@countersign/core/StablecoinProvider", {
  defaultValue: () => ({
    environment: "PRODUCTION",
    check: () => Effect.succeed(notProvided),
    describe: () => Effect.succeed(notProvided),
    begin: () => Effect.succeed(notProvided),
    inquire: () => Effect.succeed(notProvided),
  }),
})
