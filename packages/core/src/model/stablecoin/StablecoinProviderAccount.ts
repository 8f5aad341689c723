/**
 * A platform's account at a provider that issues stablecoins, with the sealed credentials by which the service reaches it.
 * Source: wire contract areas 1.6.2; D-391.
 */
import { Schema } from "effect"
import { ProviderAccountMachine } from "./ProviderAccountMachine.ts"

/** A provider of stablecoins. */
export const StablecoinProviderName = Schema.Literals(["BRALE"])
export type StablecoinProviderName = typeof StablecoinProviderName.Type

/** The provider's environment, which the deployment's mode decides. */
export const ProviderEnvironment = Schema.Literals(["SANDBOX", "PRODUCTION"])
export type ProviderEnvironment = typeof ProviderEnvironment.Type

/** In the order of the wire contract. */
export const ProviderAccountStatus = Schema.Literals(ProviderAccountMachine.states)
export type ProviderAccountStatus = typeof ProviderAccountStatus.Type

/** The stored account. */
export const StablecoinProviderAccount = Schema.Struct({
  provider: StablecoinProviderName,
  providerAccountId: Schema.String,
  providerEnvironment: ProviderEnvironment,
  status: ProviderAccountStatus,
  apiClientId: Schema.String,
  /** The client secret, sealed to a key of the deployment that is derived for this account. */
  sealedSecret: Schema.Struct({ encappedPublic: Schema.String, ciphertext: Schema.String }),
  /** Business time (ms) of the present credentials. */
  linkedAt: Schema.Int,
  /** Business time (ms) at which the provider last accepted them. */
  lastVerifiedAt: Schema.Int,
})
export type StablecoinProviderAccount = typeof StablecoinProviderAccount.Type
