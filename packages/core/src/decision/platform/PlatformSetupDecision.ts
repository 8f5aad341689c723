/**
 * Decides the setup of a platform: its creation, and the renewal of its secret and webhook endpoint at a later start.
 * Source: wire contract 5.12.
 */
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { EndpointTrust } from "../../model/event/WebhookEndpoint.ts"
import type { ApiToken, Platform } from "../../model/platform/Platform.ts"
import { matchingSecret, type StoredSecret, validSecrets } from "../../model/platform/StoredSecret.ts"
import { defaultUmaDomain, proxySubdomainOf } from "../../model/platform/UmaDomainProof.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { isUmaSubdomainClaim, umaDomainClaim } from "../../store/Claims.ts"
import { openAccounts } from "../account/AccountChanges.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse, takenClaims } from "../Decision.ts"
import { changeUrl } from "../event/EndpointDecision.ts"
import { insertRing } from "../event/WebhookKeyDecision.ts"

/** Limits of one transaction until the platform configures its own. Source: wire contract 11 (5). */
const defaultLimits = { minAmount: 1, maxAmount: 10_000_000_000 }

/** A platform to set up. Its secret is hashed. */
export interface NewPlatform {
  readonly platformId: string
  readonly clientId: string
  /** One, or two while one replaces the other. */
  readonly secretHashes: ReadonlyArray<string>
  readonly name: string
  readonly currencies: ReadonlyArray<CurrencyCode>
  readonly webhookEndpoint?: string
  /** Absent: a domain of the platform's own under `defaultDomain`. */
  readonly umaDomain?: string
  readonly isRegulatedFinancialInstitution?: boolean
  readonly webhookTrust: EndpointTrust
  /** The root of its first webhook key. */
  readonly webhookRootId: string
}

/** Returns the secrets with the configured ones exactly as given. Those that the platform has added itself stay. */
const configuredSecrets = (
  present: ReadonlyArray<StoredSecret>,
  hashes: ReadonlyArray<string>,
  { ids, now }: Pick<DecisionContext, "ids" | "now">,
): ReadonlyArray<StoredSecret> => {
  const given = [...new Set(hashes)].map((hash) => {
    const { expiresAt: _, ...known } = matchingSecret(present, hash, now) ?? { id: ids("Secret"), hash, createdAt: now }
    return { ...known, isConfigured: true }
  })
  const kept = new Set(given.map(({ id }) => id))
  return [
    ...validSecrets(present, now).filter(({ id, isConfigured }) => isConfigured !== true && !kept.has(id)),
    ...given,
  ]
}

const tokenOf = ({ clientId, name, secretHashes }: NewPlatform, context: DecisionContext): ApiToken => ({
  name,
  clientId,
  secrets: configuredSecrets([], secretHashes, context),
  permissions: ["VIEW", "TRANSACT", "MANAGE"],
  isDeleted: false,
})

const platformOf = (setup: NewPlatform, umaDomain: string, proxyUmaSubdomain: string): Platform => ({
  name: setup.name,
  umaDomain,
  proxyUmaSubdomain,
  supportedCurrencies: setup.currencies.map((currencyCode) => ({
    currencyCode,
    ...defaultLimits,
    requiredCounterpartyFields: [],
    enabledTransactionTypes: ["INCOMING", "OUTGOING"],
  })),
  isRegulatedFinancialInstitution: setup.isRegulatedFinancialInstitution ?? true,
  ...(setup.webhookEndpoint === undefined ? {} : { webhookEndpoint: setup.webhookEndpoint }),
})

/** Inserts a platform with its first token and its internal accounts. */
export const createPlatform =
  (setup: NewPlatform, defaultDomain: string) =>
  (_loaded: unknown, context: DecisionContext): Decision<string> => {
    const { ids, now, rejections } = context
    const { currencies, platformId, webhookEndpoint, webhookRootId, webhookTrust } = setup
    const umaDomain = setup.umaDomain ?? defaultUmaDomain(platformId, defaultDomain)
    const claims = takenClaims(rejections)
    const collisions = claims.filter(isUmaSubdomainClaim).length
    const taken = claims.find((claim) => !isUmaSubdomainClaim(claim))
    if (taken !== undefined) {
      const name = taken.key === umaDomainClaim(umaDomain).key ? "UMA domain" : "client id"
      return refuse({ code: "CONFLICT", message: `The ${name} is taken.` })
    }
    const owner = { platformId, customerId: null }
    const tokenId = ids("Token")
    return answer(
      201,
      platformId,
      Changes.combine(
        Changes.insert(
          "Platform",
          platformId,
          owner,
          platformOf(setup, umaDomain, proxySubdomainOf(platformId, umaDomain, collisions)),
        ),
        insertRing(owner, webhookRootId, now),
        changeUrl({ endpoint: undefined }, webhookEndpoint, webhookTrust, context),
        Changes.insert("ApiToken", tokenId, owner, tokenOf(setup, context)),
        auditRecord(context, "TOKEN_CREATE", { id: tokenId, ...owner }),
        openAccounts(ids, now, owner, currencies),
      ),
    )
  }

export interface RenewalLoaded {
  readonly token: Stored<"ApiToken"> | undefined
  readonly platform: Stored<"Platform"> | undefined
  readonly endpoint: Stored<"WebhookEndpoint"> | undefined
}

/** Replaces changed secrets and a changed webhook endpoint. */
export const renewPlatform =
  ({ platformId, secretHashes, webhookEndpoint, webhookTrust }: NewPlatform) =>
  ({ endpoint, platform, token }: RenewalLoaded, context: DecisionContext): Decision<string> => {
    const secrets = token === undefined ? [] : configuredSecrets(token.data.secrets, secretHashes, context)
    // Their ends count: a configured secret loses the one that the platform gave it.
    const hashesOf = (all: ReadonlyArray<StoredSecret>) =>
      all
        .map(({ expiresAt, hash, isConfigured }) => `${hash} ${isConfigured} ${expiresAt}`)
        .toSorted()
        .join()
    const isSameSecret =
      token === undefined || hashesOf(secrets) === hashesOf(validSecrets(token.data.secrets, context.now))
    const isSameEndpoint = webhookEndpoint === undefined || platform?.data.webhookEndpoint === webhookEndpoint
    return answer(
      200,
      platformId,
      Changes.combine(
        isSameSecret ? undefined : Changes.update(token, { ...token.data, secrets }),
        isSameSecret ? undefined : auditRecord(context, "TOKEN_RENEW", token),
        isSameEndpoint || platform === undefined
          ? undefined
          : Changes.combine(
              Changes.update(platform, { ...platform.data, webhookEndpoint }),
              changeUrl({ endpoint }, webhookEndpoint, webhookTrust, context),
            ),
      ),
    )
  }
