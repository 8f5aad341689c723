/**
 * The unique keys of the stored kinds.
 * Source: architecture, "A change set is the only way to write" (claims); wire contract 2.1, 2.2 and 3.1.
 */
import { accountIdentity } from "../model/account/AccountIdentity.ts"
import type { ExternalAccount } from "../model/account/ExternalAccount.ts"
import { approverKey } from "../model/approval/Approver.ts"
import { umaAddressKey } from "../model/customer/UmaAddress.ts"
import type { Claim, Owner } from "../model/record/Record.ts"
import type { Stablecoin } from "../model/stablecoin/Stablecoin.ts"
import type { StablecoinProviderAccount } from "../model/stablecoin/StablecoinProviderAccount.ts"

/** The key that resolves a client id. */
export const clientClaim = (clientId: string): Claim => ({ scope: "global", key: `client:${clientId}` })
/** The key of the one platform whose UMA addresses have this domain. */
export const umaDomainClaim = (domain: string): Claim => ({ scope: "global", key: `uma-domain:${domain}` })
/** The key of the one platform with this proxy subdomain. */
export const umaSubdomainClaim = (subdomain: string): Claim => ({ scope: "global", key: `uma-subdomain:${subdomain}` })
export const isUmaSubdomainClaim = ({ key }: Claim): boolean => key.startsWith("uma-subdomain:")
/**
 * The key of the one customer with this address. The domain of an address belongs to one platform, which needs no claim across platforms to
 * show what others have.
 */
export const umaAddressClaim = (address: string): Claim => ({ scope: "platform", key: `uma:${umaAddressKey(address)}` })
/** The key of the one held action that executes a quote. */
export const heldQuoteClaim = (quoteId: string): Claim => ({ scope: "platform", key: `held-quote:${quoteId}` })

/** The key of the one record that names the deployment's wallet secret. */
export const walletRootClaim: Claim = { scope: "global", key: "wallet-root" }

/** The key that resolves the hash of an agent token. */
export const agentTokenClaim = (tokenHash: string): Claim => ({ scope: "global", key: `agent-token:${tokenHash}` })
/** The key that resolves the hash of a device code. */
export const deviceCodeClaim = (codeHash: string): Claim => ({ scope: "global", key: `device-code:${codeHash}` })

/** The key that resolves the hash of an invitation's code, at whichever platform. It outlives the invitation's end. */
export const invitationClaim = (codeHash: string): Claim => ({ scope: "global", key: `invitation:${codeHash}` })

/** The key that resolves the hash of a console session's secret. */
export const consoleSessionClaim = (secretHash: string): Claim => ({
  scope: "global",
  key: `console-session:${secretHash}`,
})
/** The approver of a platform with this name, in any letter case. */
export const approverClaim = (name: string): Claim => ({ scope: "platform", key: `approver:${approverKey(name)}` })

/** The platform's own id of a card; a closed card keeps it. Source: wire contract 3.1. */
export const cardClaim = (platformCardId: string): Claim => ({ scope: "platform", key: `card:${platformCardId}` })
/** The issuer's token of a card transaction. */
export const cardTransactionClaim = (token: string): Claim => ({ scope: "platform", key: `card-transaction:${token}` })
/** The one active key of a card's funding source. */
export const delegatedKeyClaim = (fundingSourceId: string): Claim => ({
  scope: "platform",
  key: `delegated-key:${fundingSourceId}`,
})

/** Accounts with the same owner, currency, type and identifying fields are the same account. Source: wire contract 2.1. */
export const sameAccountClaim = (account: ExternalAccount, { customerId }: Owner): Claim => ({
  scope: "platform",
  key: `external-account:${accountIdentity(account, customerId)}`,
})

/** At most one account of a customer receives its UMA payments. Source: wire contract 2.2. */
export const umaDepositClaims = (
  { defaultUmaDepositAccount }: ExternalAccount,
  { customerId }: Owner,
): ReadonlyArray<Claim> =>
  defaultUmaDepositAccount && customerId !== null ? [{ scope: "platform", key: `uma-deposit:${customerId}` }] : []

/** The one link of a platform to an account at a provider; a revoked one gives it up. */
export const providerAccountClaim = ({ provider, providerAccountId }: StablecoinProviderAccount): Claim => ({
  scope: "platform",
  key: `provider-account:${provider}:${providerAccountId}`,
})

/** A token is registered once per provider account, and once per network. */
export const stablecoinClaims = (stablecoin: Stablecoin): ReadonlyArray<Claim> => [
  {
    scope: "platform",
    key: `stablecoin:${stablecoin.stablecoinProviderAccountId}:${stablecoin.providerTokenIdentifier}`,
  },
  { scope: "platform", key: `stablecoin-token:${stablecoin.network}:${stablecoin.networkTokenIdentifier}` },
]

/** The one mint or burn that a request with an idempotency key has begun, until the key has its answer. */
export const stablecoinRequestClaim = (requestKey: string): Claim => ({
  scope: "platform",
  key: `stablecoin-request:${requestKey}`,
})
