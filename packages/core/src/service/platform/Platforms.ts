/**
 * Platforms: their setup at the start of a deployment, and their configuration.
 * Source: wire contract 5.8, 5.12 and 6.1 (a new webhook endpoint triggers a TEST event).
 */
import { Context, Effect, Layer, Redacted, Result } from "effect"
import type { SecureRandom } from "effect/crypto"
import { openingIdsMax } from "../../decision/account/AccountChanges.ts"
import { endpointRefused, updatePlatformConfig } from "../../decision/platform/PlatformConfigDecision.ts"
import { createPlatform, type NewPlatform, renewPlatform } from "../../decision/platform/PlatformSetupDecision.ts"
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import { limitMax } from "../../foundation/kit/Page.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import {
  type PlatformConfigResource,
  type PlatformConfigUpdateRequest,
  toPlatformConfig,
} from "../../model/platform/PlatformConfigResource.ts"
import { configRefusal } from "../../model/platform/PlatformConfigRules.ts"
import { domainRecordOf, proofOf } from "../../model/platform/UmaDomainProof.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import { type DomainAnswer, DomainOwnership } from "../../ports/DomainOwnership.ts"
import { UmaNetwork } from "../../ports/UmaNetwork.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { WebhookSigner } from "../../ports/WebhookSigner.ts"
import { WebhookTransport } from "../../ports/WebhookTransport.ts"
import { UmaDomain } from "../../settings/UmaDomain.ts"
import { WebhookTrust } from "../../settings/WebhookTrust.ts"
import { CurrentCaller, tenant } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { clientClaim } from "../../store/Claims.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadEndpoint } from "../event/WebhookSending.ts"

type Failure = ServiceError | StoreUnavailable

/** A platform as the operator of the deployment configures it. */
export interface PlatformSetup {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /** Also valid, while clients change from one secret to the other. */
  readonly nextClientSecret?: Redacted.Redacted | undefined
  readonly name: string
  readonly currencies: ReadonlyArray<CurrencyCode>
  readonly webhookEndpoint?: string
  /** The domain of the customers' UMA addresses. Absent: a domain of the platform's own under the deployment's `UmaDomain`. */
  readonly umaDomain?: string
  /** Absent means true. Customers of an unregulated platform have accounts once they accept the end user terms. */
  readonly isRegulatedFinancialInstitution?: boolean
}

const newPlatform = (
  platformId: string,
  { clientSecret, nextClientSecret, ...setup }: PlatformSetup,
  webhooks: Pick<NewPlatform, "webhookRootId" | "webhookTrust">,
): NewPlatform => ({
  ...setup,
  ...webhooks,
  platformId,
  secretHashes: [clientSecret, ...(nextClientSecret === undefined ? [] : [nextClientSecret])].map((secret) =>
    Secrets.hash(Redacted.value(secret)),
  ),
})

const readOwnPlatform = Effect.fnUntraced(function* <E>(read: Operation.Read<E>) {
  const { platformId } = yield* CurrentCaller
  return yield* readExisting(read, "Platform", platformId, notFound("platform"))
})

const loadForRenewal = Effect.fnUntraced(function* (read: Operation.Read, platformId: string, tokenId: string) {
  const found = yield* read({
    records: [
      { kind: "ApiToken", id: tokenId },
      { kind: "Platform", id: platformId },
      { kind: "WebhookEndpoint", id: platformId },
    ],
  })
  return {
    token: found.record("ApiToken", tokenId),
    platform: found.record("Platform", platformId),
    endpoint: found.record("WebhookEndpoint", platformId),
  }
})

export class Platforms extends Context.Service<
  Platforms,
  {
    /** Creates the platform unless its client id exists, and returns its id. Replaces a changed secret or endpoint. */
    readonly setUp: (setup: PlatformSetup) => Effect.Effect<string, Failure>
    readonly config: Effect.Effect<PlatformConfigResource, Failure, CurrentCaller>
    readonly updateConfig: (
      update: PlatformConfigUpdateRequest,
    ) => Effect.Effect<Operation.Answered<PlatformConfigResource>, Failure, CurrentCaller>
  }
>()("@countersign/core/Platforms") {
  static readonly layer = Layer.effect(
    Platforms,
    Effect.gen(function* () {
      const store = yield* Store
      const transport = yield* WebhookTransport
      const umaDomain = yield* UmaDomain
      const domains = yield* DomainOwnership
      const {
        roots: [webhookRootId],
      } = yield* WebhookSigner
      const webhookTrust = yield* WebhookTrust
      const webhooks = { webhookRootId, webhookTrust }
      const uma = yield* UmaNetwork
      const networkNeeds = Effect.map(uma.requirements ?? Effect.succeed([]), (requirements) => ({
        scenarioDomain: uma.scenarioDomain,
        requirements,
      }))
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const checkEndpoint = (url: string | null | undefined) =>
        typeof url === "string" ? transport.check(url) : Effect.undefined

      const checkDomain = Effect.fnUntraced(function* (platformId: string, domain: string) {
        const proof = proofOf(platformId, domain, umaDomain)
        if (proof !== "RECORD") return proof === "NONE" ? "PROVEN" : "NOT_PROVEN"
        return yield* domains.check({ domain, platformId, record: domainRecordOf(platformId, domain) })
      })

      const create = (setup: NewPlatform) =>
        Operation.run({
          name: "Platforms.setUp",
          ids: openingIdsMax + 3,
          load: () => Effect.void,
          decide: createPlatform(setup, umaDomain),
        }).pipe(Effect.provideService(CurrentCaller, tenant(setup.platformId)))

      const renew = (setup: NewPlatform, tokenId: string) =>
        Operation.run({
          name: "Platforms.renew",
          load: (read) => loadForRenewal(read, setup.platformId, tokenId),
          decide: renewPlatform(setup),
        }).pipe(Effect.provideService(CurrentCaller, tenant(setup.platformId)))

      const setUp = Effect.fn("Platforms.setUp")(function* (setup: PlatformSetup) {
        const refusal = yield* checkEndpoint(setup.webhookEndpoint)
        if (refusal !== undefined) return yield* new ServiceError(endpointRefused(refusal))
        const found = yield* store.resolve(clientClaim(setup.clientId))
        if (found !== undefined) return (yield* renew(newPlatform(found.platformId, setup, webhooks), found.id)).body
        const platformId = yield* IdPool.draw("PlatformConfig")
        const created = yield* Effect.result(create(newPlatform(platformId, setup, webhooks)))
        if (Result.isSuccess(created)) return created.success.body
        // Another process that starts with the same credentials may have created the platform first.
        const other = yield* store.resolve(clientClaim(setup.clientId))
        if (other === undefined) return yield* created.failure
        return (yield* renew(newPlatform(other.platformId, setup, webhooks), other.id)).body
      }, Effect.provideContext(services))

      const loadForUpdate = Effect.fnUntraced(function* (read: Operation.Read) {
        const platform = yield* readOwnPlatform(read)
        const { endpoint } = yield* loadEndpoint(read)
        const accounts = yield* store.list(
          "InternalAccount",
          { isPlatform: { eq: true } },
          { limit: limitMax, order: "desc" },
        )
        return { platform, endpoint, accounts: accounts.data.map(({ data }) => data) }
      })

      const updateConfig = Effect.fnUntraced(
        function* (update: PlatformConfigUpdateRequest) {
          // Checked once per request, and only for an update that the rules accept.
          const isSound = configRefusal(update) === undefined
          const endpointRefusal = yield* Effect.cached(
            isSound ? checkEndpoint(update.webhookEndpoint) : Effect.undefined,
          )
          const { platformId } = yield* CurrentCaller
          const { umaDomain: newDomain } = update
          const newDomainAnswer = yield* Effect.cached(
            isSound && newDomain !== undefined ? checkDomain(platformId, newDomain) : Effect.succeed("PROVEN" as const),
          )
          // Clients that send back the configuration they read send the present domain.
          const ask = ({ platform }: { readonly platform: Stored<"Platform"> }) =>
            Effect.all({
              endpointRefusal,
              network: networkNeeds,
              domainAnswer:
                newDomain === platform.data.umaDomain ? Effect.succeed<DomainAnswer>("PROVEN") : newDomainAnswer,
            })
          return yield* Operation.run({
            name: "Platforms.updateConfig",
            ids: openingIdsMax + 5,
            load: loadForUpdate,
            ask,
            decide: updatePlatformConfig(update, webhookTrust),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return Platforms.of({
        setUp,
        config: platformOnly(Effect.zipWith(readOwnPlatform(store.read), networkNeeds, toPlatformConfig)),
        updateConfig,
      })
    }),
  )
}
