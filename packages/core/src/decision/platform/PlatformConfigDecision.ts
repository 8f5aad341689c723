/**
 * Decides an update of a platform's configuration. A new webhook endpoint triggers a TEST event; a new currency opens accounts.
 * Source: wire contract 5.8, 5.12 and 6.1.
 */
import { invalidInput } from "../../foundation/errors/ServiceError.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { InternalAccount } from "../../model/account/InternalAccount.ts"
import type { EndpointTrust } from "../../model/event/WebhookEndpoint.ts"
import type { Platform } from "../../model/platform/Platform.ts"
import {
  type PlatformConfigResource,
  type PlatformConfigUpdateRequest,
  toPlatformConfig,
  type UmaNetworkNeeds,
} from "../../model/platform/PlatformConfigResource.ts"
import { configRefusal, configSizeRefusal } from "../../model/platform/PlatformConfigRules.ts"
import { mergedFees } from "../../model/platform/PlatformSetting.ts"
import { domainNotProven, domainUnknown, proxySubdomainOf } from "../../model/platform/UmaDomainProof.ts"
import type { DomainAnswer } from "../../ports/DomainOwnership.ts"
import type { EndpointRefusal } from "../../ports/WebhookTransport.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { isUmaSubdomainClaim, umaDomainClaim } from "../../store/Claims.ts"
import { job } from "../../store/JobKinds.ts"
import { withoutPlaceholders } from "../../store/Placeholders.ts"
import { openAccounts } from "../account/AccountChanges.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse, takenClaims } from "../Decision.ts"
import { changeUrl } from "../event/EndpointDecision.ts"
import { newEvent } from "../event/NewEvent.ts"

/** The refusal of a webhook endpoint that the transport does not allow. */
export const endpointRefused = ({ reason }: EndpointRefusal) =>
  invalidInput([{ field: "webhookEndpoint", message: reason, constraint: { format: "uri" } }])

/** Applies an update: fees and settings are merged, every other field replaces its predecessor. */
const updatedPlatform = (before: Platform, update: PlatformConfigUpdateRequest): Platform => {
  const { cardTokenization2faConfig, embeddedWalletConfig, feeConfigs, webhookEndpoint, ...rest } = update
  const { webhookEndpoint: endpointBefore, ...others } = before
  const endpoint = webhookEndpoint === undefined ? endpointBefore : webhookEndpoint
  return {
    ...others,
    // `null` unsets the endpoint.
    ...(endpoint === undefined || endpoint === null ? {} : { webhookEndpoint: endpoint }),
    ...rest,
    ...(feeConfigs === undefined ? {} : { feeConfigs: mergedFees(before.feeConfigs ?? [], feeConfigs) }),
    ...(embeddedWalletConfig === undefined
      ? {}
      : { embeddedWalletConfig: { ...before.embeddedWalletConfig, ...embeddedWalletConfig } }),
    ...(cardTokenization2faConfig === undefined
      ? {}
      : { cardTokenization2faConfig: { ...before.cardTokenization2faConfig, ...cardTokenization2faConfig } }),
  }
}

const currenciesOf = ({ supportedCurrencies }: Platform): ReadonlyArray<CurrencyCode> =>
  supportedCurrencies.map(({ currencyCode }) => currencyCode)

const testEvent = ({ ids, now }: DecisionContext, platformId: string): Changes.Changes =>
  newEvent(ids, now, { type: "TEST", customerId: null, subject: platformId, data: withoutPlaceholders({}) })

export interface ConfigUpdateLoaded {
  readonly platform: Stored<"Platform">
  /** The platform's own accounts. */
  readonly accounts: ReadonlyArray<Pick<InternalAccount, "currency" | "type">>
  /** Why the new webhook endpoint is not allowed, if so. */
  readonly endpointRefusal: EndpointRefusal | undefined
  readonly endpoint: Stored<"WebhookEndpoint"> | undefined
  /** Whether the new UMA domain is the platform's. */
  readonly domainAnswer: DomainAnswer
  /** What the UMA network adds to the configuration. */
  readonly network: UmaNetworkNeeds
}

export const updatePlatformConfig =
  (update: PlatformConfigUpdateRequest, trust: EndpointTrust) =>
  (
    { accounts, domainAnswer, endpoint, endpointRefusal, network, platform }: ConfigUpdateLoaded,
    context: DecisionContext,
  ): Decision<PlatformConfigResource> => {
    const { ids, now, rejections } = context
    const refusal = configRefusal(update)
    if (refusal !== undefined) return refuse(refusal)
    if (endpointRefusal !== undefined) return refuse(endpointRefused(endpointRefusal))
    if (domainAnswer === "NOT_PROVEN") return refuse(domainNotProven(platform.id, update.umaDomain ?? ""))
    if (domainAnswer === "UNKNOWN") return refuse(domainUnknown)
    const claims = takenClaims(rejections)
    if (claims.some(({ key }) => key === umaDomainClaim(update.umaDomain ?? "").key)) {
      return refuse(domainNotProven(platform.id, update.umaDomain ?? ""))
    }
    const isNewDomain = update.umaDomain !== undefined && update.umaDomain !== platform.data.umaDomain
    const collisions = claims.filter(isUmaSubdomainClaim).length
    const data: Platform = {
      ...updatedPlatform(platform.data, update),
      ...(isNewDomain ? { proxyUmaSubdomain: proxySubdomainOf(platform.id, update.umaDomain, collisions) } : {}),
    }
    const sizeRefusal = configSizeRefusal(data)
    if (sizeRefusal !== undefined) return refuse(sizeRefusal)
    const isNewEndpoint = data.webhookEndpoint !== undefined && data.webhookEndpoint !== platform.data.webhookEndpoint
    const before = currenciesOf(platform.data)
    const added = currenciesOf(data).filter((code) => !before.includes(code))
    const owner = { platformId: platform.id, customerId: null }
    return answer(
      200,
      toPlatformConfig(Changes.after(platform, data, now), network),
      Changes.combine(
        Changes.update(platform, data),
        auditRecord(context, "CONFIG_UPDATE", platform, { details: { changed: Object.keys(update) } }),
        changeUrl({ endpoint }, data.webhookEndpoint, trust, context),
        isNewEndpoint ? testEvent(context, platform.id) : undefined,
        openAccounts(ids, now, owner, added, { present: accounts }),
        // A job opens the accounts of existing customers one by one.
        added.length === 0
          ? undefined
          : { jobs: [job(ids, "accounts.open", { customerId: null, dueAt: now, payload: {} })] },
      ),
    )
  }
