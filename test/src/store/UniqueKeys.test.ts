/**
 * The unique keys of each stored kind, written by hand: what holds a key, and what gives it up.
 * Source: wire contract 2.1, 2.2 and 3.1; D-081.
 */
import { type Kind, Kinds } from "@countersign/core/store"
import { expect, it } from "vitest"
import * as Claims from "../../../packages/core/src/store/Claims.ts"

const owner = { platformId: "Platform:1", customerId: "Customer:1" }

const keysOf = (kind: Kind, data: object, customerId: string | null = owner.customerId): ReadonlyArray<string> => {
  const claims = Kinds.get(kind).claims as (data: object, of: object) => ReadonlyArray<{ scope: string; key: string }>
  return claims(data, { ...owner, customerId }).map(({ key, scope }) => `${scope} ${key}`)
}

const bank = { currency: "MXN", accountInfo: { accountType: "MXN_ACCOUNT", clabeNumber: "032180000118359719" } }
const token = {
  stablecoinProviderAccountId: "StablecoinProviderAccount:1",
  providerTokenIdentifier: "token-1",
  network: "BASE",
  networkTokenIdentifier: "0xabc",
}
const passkey = {
  accountId: "InternalAccount:1",
  type: "PASSKEY",
  passkey: { credentialId: "key-1" },
  challengeHash: "hash",
}

it.each<readonly [kind: Kind, what: string, data: object, keys: ReadonlyArray<string>]>([
  ["Platform", "a domain", { umaDomain: "pay.example" }, ["global uma-domain:pay.example"]],
  [
    "Platform",
    "a domain and a subdomain",
    { umaDomain: "pay.example", proxyUmaSubdomain: "pay" },
    ["global uma-domain:pay.example", "global uma-subdomain:pay"],
  ],
  ["ApiToken", "a client id", { clientId: "c", isDeleted: false }, ["global client:c"]],
  ["ApiToken", "a deleted client id", { clientId: "c", isDeleted: true }, []],
  [
    "Customer",
    "an id of the platform and an address, in any letter case",
    { platformCustomerId: "p-1", umaAddress: "$Ada@pay.example", isDeleted: false },
    ["platform platformCustomerId:p-1", "platform uma:$ada@pay.example"],
  ],
  ["Customer", "a deleted customer", { platformCustomerId: "p", umaAddress: "$a@b.example", isDeleted: true }, []],
  ["Verification", "an open one", { verificationStatus: "IN_PROGRESS" }, ["platform verification:Customer:1"]],
  ["Verification", "an ended one", { verificationStatus: "APPROVED" }, []],
  ...(["ACTIVE", "PENDING"] as const).map(
    (status) =>
      [
        "InternalAccount",
        `a ${status} account`,
        { status, currency: "USD", type: "INTERNAL_FIAT" },
        ["platform internal-account:Customer:1:USD:INTERNAL_FIAT"],
      ] as const,
  ),
  ["InternalAccount", "a closed account", { status: "CLOSED", currency: "USD", type: "INTERNAL_FIAT" }, []],
  ["InternalAccount", "a failed account", { status: "FAILED", currency: "USD", type: "INTERNAL_FIAT" }, []],
  ["ExternalAccount", "a deleted account", { ...bank, isDeleted: true, defaultUmaDepositAccount: true }, []],
  [
    "Agent",
    "its tokens",
    { isDeleted: false, tokens: [{ hash: "h1" }, { hash: "h2" }] },
    ["global agent-token:h1", "global agent-token:h2"],
  ],
  ["Agent", "a deleted agent", { isDeleted: true, tokens: [{ hash: "h1" }] }, []],
  ["DeviceCode", "a code", { codeHash: "h" }, ["global device-code:h"]],
  [
    "AgentAction",
    "a held execution of a quote",
    { quoteId: "Quote:1", status: "PENDING_APPROVAL" },
    ["platform held-quote:Quote:1"],
  ],
  ["AgentAction", "a decided execution", { quoteId: "Quote:1", status: "APPROVED" }, []],
  ["AgentAction", "another held action", { status: "PENDING_APPROVAL" }, []],
  ["Invitation", "a code", { codeHash: "h" }, ["global invitation:h"]],
  ["Transaction", "a deposit", { type: "INCOMING", deposit: { depositId: "d-1" } }, ["platform deposit:d-1"]],
  ["Transaction", "another payment in", { type: "INCOMING" }, []],
  ["Transaction", "a payment out", { type: "OUTGOING", deposit: { depositId: "d-1" } }, []],
  ["Approver", "a name, in any letter case", { name: "Ada L" }, ["platform approver:ada l"]],
  ["ConsoleSession", "an open one", { status: "ACTIVE", secretHash: "h" }, ["global console-session:h"]],
  ["ConsoleSession", "an ended one", { status: "ENDED", secretHash: "h" }, []],
  ["ConsoleSession", "one without a secret", { status: "ACTIVE" }, []],
  ["WalletRoot", "the one of the deployment", {}, ["global wallet-root"]],
  [
    "Credential",
    "a passkey",
    { ...passkey, isRevoked: false },
    [expect.stringMatching(/^platform credential:InternalAccount:1:PASSKEY:./u), "platform passkey-registration:hash"],
  ],
  [
    "Credential",
    "a revoked passkey, whose challenge is never used again",
    { ...passkey, isRevoked: true },
    ["platform passkey-registration:hash"],
  ],
  ["Card", "an id of the platform, closed or not", { platformCardId: "c", state: "CLOSED" }, ["platform card:c"]],
  ["CardTransaction", "the issuer's token", { issuerTransactionToken: "t" }, ["platform card-transaction:t"]],
  ["DelegatedKey", "an active one", { status: "ACTIVE", fundingSourceId: "f" }, ["platform delegated-key:f"]],
  ["DelegatedKey", "a revoked one", { status: "REVOKED", fundingSourceId: "f" }, []],
  [
    "StablecoinProviderAccount",
    "a linked one",
    { status: "ACTIVE", provider: "P", providerAccountId: "a" },
    ["platform provider-account:P:a"],
  ],
  ["StablecoinProviderAccount", "a revoked one", { status: "REVOKED", provider: "P", providerAccountId: "a" }, []],
  [
    "Stablecoin",
    "the token of a provider account, and of a network",
    { ...token, issuanceStatus: "PROVISIONED" },
    ["platform stablecoin:StablecoinProviderAccount:1:token-1", "platform stablecoin-token:BASE:0xabc"],
  ],
  ["Stablecoin", "a token that was refused", { ...token, issuanceStatus: "REJECTED" }, []],
  ["StablecoinOperation", "a request without its answer", { request: { key: "k" } }, ["platform stablecoin-request:k"]],
  ["StablecoinOperation", "an answered request", {}, []],
  ...(
    ["WebhookEndpoint", "WebhookKeyRing", "BeneficialOwner", "BulkImport", "BulkImportError", "StoredFile"] as const
  ).map((kind) => [kind, "nothing", {}, []] as const),
  ...(
    ["Document", "ScaProfile", "Quote", "Wallet", "OtpChallenge", "Session", "SignedRequest", "AuditRecord"] as const
  ).map((kind) => [kind, "nothing", {}, []] as const),
])("a %s claims the keys of %s", (kind, _what, data, keys) => {
  expect(keysOf(kind, data)).toEqual(keys)
})

it("an external account claims what identifies it for its owner, and the customer's UMA payments if it receives them", () => {
  const account = { ...bank, isDeleted: false, defaultUmaDepositAccount: false }
  const [own] = keysOf("ExternalAccount", account)
  expect(own).toMatch(/^platform external-account:[0-9a-f]{64}$/u)
  expect(keysOf("ExternalAccount", account, null)).toEqual([expect.not.stringMatching(own ?? "")])
  const receiving = { ...account, defaultUmaDepositAccount: true }
  expect(keysOf("ExternalAccount", receiving)).toEqual([own, "platform uma-deposit:Customer:1"])
  expect(keysOf("ExternalAccount", receiving, null)).toHaveLength(1)
})

it("an internal account of no customer claims its key for the platform", () => {
  const account = { status: "ACTIVE", currency: "USD", type: "INTERNAL_FIAT" }
  expect(keysOf("InternalAccount", account, null)).toEqual(["platform internal-account:platform:USD:INTERNAL_FIAT"])
})

it("tells the claim of a subdomain from others", () => {
  expect(Claims.isUmaSubdomainClaim(Claims.umaSubdomainClaim("pay"))).toBe(true)
  expect(Claims.isUmaSubdomainClaim(Claims.umaDomainClaim("pay"))).toBe(false)
  expect(Claims.isUmaSubdomainClaim(Claims.clientClaim("uma-subdomain:"))).toBe(false)
})
