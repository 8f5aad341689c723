/**
 * A stablecoin that a provider issues for a platform, as the provider describes it.
 * Source: wire contract areas 1.6.3.
 */
import { Schema } from "effect"
import { IssuanceMachine } from "./IssuanceMachine.ts"
import { ProviderEnvironment, StablecoinProviderName } from "./StablecoinProviderAccount.ts"

/** The network of a token. Spark is the only one. */
export const StablecoinNetwork = Schema.Literals(["SPARK"])
export type StablecoinNetwork = typeof StablecoinNetwork.Type

/** The state of a token at its provider. Only a `PROVISIONED` token is minted and burned; `REJECTED` and `FAILED` are final. */
export const StablecoinIssuanceStatus = Schema.Literals(IssuanceMachine.states)
export type StablecoinIssuanceStatus = typeof StablecoinIssuanceStatus.Type

/** No operation changes it in this version. */
export const StablecoinServiceOperationsStatus = Schema.Literals([
  "NOT_ENABLED",
  "PENDING_APPROVAL",
  "ENABLING",
  "ENABLED",
  "DISABLED",
])
export type StablecoinServiceOperationsStatus = typeof StablecoinServiceOperationsStatus.Type

/** The most decimals of a token: amounts with more have no use, and a power of ten with them costs time. */
export const decimalsMax = 36

/** The stored stablecoin. */
export const Stablecoin = Schema.Struct({
  name: Schema.String,
  symbol: Schema.String,
  baseCurrency: Schema.String,
  network: StablecoinNetwork,
  decimals: Schema.Int,
  issuanceStatus: StablecoinIssuanceStatus,
  serviceOperationsStatus: StablecoinServiceOperationsStatus,
  networkTokenIdentifier: Schema.String,
  provider: StablecoinProviderName,
  stablecoinProviderAccountId: Schema.String,
  providerEnvironment: ProviderEnvironment,
  providerTokenIdentifier: Schema.String,
  /** Business time (ms) of the registration. */
  registeredAt: Schema.Int,
})
export type Stablecoin = typeof Stablecoin.Type

/** Whether the provider's answer about the issuance is still awaited. */
export const awaitsIssuance = ({ issuanceStatus }: Stablecoin): boolean => !IssuanceMachine.isTerminal(issuanceStatus)

/** Whether the token was not issued, so that it may be registered again. */
export const isUnissued = ({ issuanceStatus }: Stablecoin): boolean =>
  issuanceStatus === "REJECTED" || issuanceStatus === "FAILED"
