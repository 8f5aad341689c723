/**
 * Platforms: their first credentials at start, and their configuration.
 * Source: wire contract 5.8, 5.12 and 6.1 (a new webhook endpoint triggers a TEST event).
 */
import { Context, Effect, Layer, Redacted, Result } from "effect"
import type { SecureRandom } from "effect/crypto"
import { openAccounts, openingIdsMax } from "../../decision/account/AccountChanges.ts"
import { auditRecord } from "../../decision/audit/Audit.ts"
import { newEvent } from "../../decision/event/NewEvent.ts"
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import { type FieldProblem, invalidInput, notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import { limitMax } from "../../foundation/kit/Page.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { ApiToken, Platform } from "../../model/platform/Platform.ts"
import {
  type PlatformConfigResource,
  type PlatformConfigUpdateRequest,
  toPlatformConfig,
} from "../../model/platform/PlatformConfigResource.ts"
import { mergedFees } from "../../model/platform/PlatformSetting.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { WebhookTransport } from "../../ports/WebhookTransport.ts"
import { UmaDomain } from "../../settings/UmaDomain.ts"
import { CurrentCaller, tenant } from "../../store/Caller.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import { clientClaim, umaDomainClaim } from "../../store/Kinds.ts"
import { withoutPlaceholders } from "../../store/Placeholders.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"

type Failure = ServiceError | StoreUnavailable

/** A platform as the deployment's owner sets it up. */
export interface PlatformSetup {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  readonly name: string
  readonly currencies: ReadonlyArray<CurrencyCode>
  readonly webhookEndpoint?: string
  /** The domain of the customers' UMA addresses; absent: one of its own under the deployment's `UmaDomain`. */
  readonly umaDomain?: string
  /** Absent: it is one. The customers of any other have accounts once they have accepted the end user terms. */
  readonly isRegulatedFinancialInstitution?: boolean
}

/** A platform's own domain until it has another one: no two share one. */
const umaDomainOf = (platformId: string, domain: string): string => `${platformId.slice(-12)}.${domain}`

/** Limits of one transaction until the platform configures its own. Source: wire contract 11 (5). */
const defaultLimits = { minAmount: 1, maxAmount: 10_000_000_000 }

/** Problems of a configuration that a schema of single fields cannot see. */
const configProblems = ({
  feeConfigs = [],
  supportedCurrencies = [],
}: PlatformConfigUpdateRequest): ReadonlyArray<FieldProblem> => [
  ...supportedCurrencies.flatMap(({ currencyCode, maxAmount, minAmount }, index) => [
    ...(supportedCurrencies.findIndex((other) => other.currencyCode === currencyCode) < index
      ? [{ field: `supportedCurrencies.${index}.currencyCode`, message: "must not repeat an earlier currency" }]
      : []),
    ...(minAmount > maxAmount
      ? [{ field: `supportedCurrencies.${index}.minAmount`, message: "must not be above maxAmount" }]
      : []),
  ]),
  ...feeConfigs.flatMap(({ feeType, sourceCurrency }, index) =>
    feeConfigs.findIndex((other) => other.feeType === feeType && other.sourceCurrency === sourceCurrency) < index
      ? [{ field: `feeConfigs.${index}.sourceCurrency`, message: "must not repeat an earlier fee" }]
      : [],
  ),
]

/** Fixed fees are in US dollars. Source: wire contract 5.8. */
const feeCurrency = "USD"
const otherFeeCurrency = ({ feeConfigs = [] }: PlatformConfigUpdateRequest): boolean =>
  feeConfigs.some(({ fixedFee }) => fixedFee.currency !== feeCurrency)

/** The platform after an update: what is given replaces, fees and settings are merged. */
const updated = (before: Platform, update: PlatformConfigUpdateRequest): Platform => {
  const { cardTokenization2faConfig, embeddedWalletConfig, feeConfigs, ...rest } = update
  return {
    ...before,
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

const codesOf = ({ supportedCurrencies }: Platform): ReadonlyArray<CurrencyCode> =>
  supportedCurrencies.map(({ currencyCode }) => currencyCode)

const webhookProblem = (reason: string) =>
  new ServiceError(invalidInput([{ field: "webhookEndpoint", message: reason, constraint: { format: "uri" } }]))

export class Platforms extends Context.Service<
  Platforms,
  {
    /** Makes the platform unless its client id exists already; answers its id. A changed secret or endpoint replaces the old one. */
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
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const checkEndpoint = Effect.fnUntraced(function* (url: string | undefined) {
        const refusal = url === undefined ? undefined : yield* transport.check(url)
        if (refusal !== undefined) return yield* webhookProblem(refusal.reason)
      })

      const token = (setup: PlatformSetup): ApiToken => ({
        name: setup.name,
        clientId: setup.clientId,
        secretHash: Secrets.hash(Redacted.value(setup.clientSecret)),
        permissions: ["VIEW", "TRANSACT", "MANAGE"],
        isDeleted: false,
      })

      const create = (setup: PlatformSetup, platformId: string) =>
        Operation.run({
          name: "Platforms.setUp",
          ids: openingIdsMax + 2,
          load: () => Effect.void,
          decide: (_loaded, context) => {
            const { ids, rejections } = context
            const taken = Operation.takenClaim(rejections)
            if (taken !== undefined) {
              const what = taken.key === umaDomainClaim(setup.umaDomain ?? "").key ? "UMA domain" : "client id"
              return Operation.refuse({ code: "CONFLICT", message: `The ${what} is taken.` })
            }
            const owner = { platformId, customerId: null }
            const tokenId = ids("Token")
            const data: Platform = {
              name: setup.name,
              umaDomain: setup.umaDomain ?? umaDomainOf(platformId, umaDomain),
              supportedCurrencies: setup.currencies.map((currencyCode) => ({
                currencyCode,
                ...defaultLimits,
                requiredCounterpartyFields: [],
                enabledTransactionTypes: ["INCOMING", "OUTGOING"],
              })),
              isRegulatedFinancialInstitution: setup.isRegulatedFinancialInstitution ?? true,
              ...(setup.webhookEndpoint === undefined ? {} : { webhookEndpoint: setup.webhookEndpoint }),
            }
            return Operation.answer(
              201,
              platformId,
              Changes.combine(
                Changes.insert("Platform", platformId, owner, data),
                Changes.insert("ApiToken", tokenId, owner, token(setup)),
                auditRecord(context, "TOKEN_CREATE", { id: tokenId, ...owner }),
                openAccounts(ids, owner, setup.currencies),
              ),
            )
          },
        }).pipe(Effect.provideService(CurrentCaller, tenant(platformId)))

      const renew = (setup: PlatformSetup, found: { readonly id: string; readonly platformId: string }) =>
        Operation.run({
          name: "Platforms.renew",
          load: (read) =>
            read({
              records: [
                { kind: "ApiToken", id: found.id },
                { kind: "Platform", id: found.platformId },
              ],
            }),
          decide: (read, context) => {
            const stored = read.record("ApiToken", found.id)
            const platform = read.record("Platform", found.platformId)
            const { secretHash } = token(setup)
            const { webhookEndpoint } = setup
            const isSame = stored === undefined || Secrets.equal(stored.data.secretHash, secretHash)
            const isTold = webhookEndpoint === undefined || platform?.data.webhookEndpoint === webhookEndpoint
            return Operation.answer(
              200,
              found.platformId,
              Changes.combine(
                isSame ? undefined : Changes.update(stored, { ...stored.data, secretHash }),
                isSame ? undefined : auditRecord(context, "TOKEN_RENEW", stored),
                isTold || platform === undefined
                  ? undefined
                  : Changes.update(platform, { ...platform.data, webhookEndpoint }),
              ),
            )
          },
        }).pipe(Effect.provideService(CurrentCaller, tenant(found.platformId)))

      const setUp = Effect.fn("Platforms.setUp")(function* (setup: PlatformSetup) {
        yield* checkEndpoint(setup.webhookEndpoint)
        const found = yield* store.resolve(clientClaim(setup.clientId))
        if (found !== undefined) return (yield* renew(setup, found)).body
        const platformId = (yield* IdPool.make(1)).source()("PlatformConfig")
        const created = yield* Effect.result(create(setup, platformId))
        if (Result.isSuccess(created)) return created.success.body
        // Another process that starts with the same credentials was first.
        const other = yield* store.resolve(clientClaim(setup.clientId))
        return other === undefined ? yield* created.failure : (yield* renew(setup, other)).body
      }, Effect.provideContext(services))

      const own = Effect.fnUntraced(function* <E>(read: Operation.Read<E>) {
        const { platformId } = yield* CurrentCaller
        const stored = (yield* read({ records: [{ kind: "Platform", id: platformId }] })).record("Platform", platformId)
        return stored ?? (yield* new ServiceError(notFound("platform")))
      })

      const loadForUpdate = Effect.fnUntraced(function* (read: Operation.Read) {
        const stored = yield* own(read)
        const accounts = yield* store.list(
          "InternalAccount",
          { isPlatform: { eq: true } },
          { limit: limitMax, order: "desc" },
        )
        return { stored, accounts: accounts.data.map(({ data }) => data) }
      })

      const updateConfig = Effect.fnUntraced(
        function* (update: PlatformConfigUpdateRequest) {
          const problems = configProblems(update)
          if (problems.length > 0) return yield* new ServiceError(invalidInput(problems))
          if (otherFeeCurrency(update)) {
            return yield* new ServiceError({
              code: "NOT_IMPLEMENTED",
              message: `A fixed fee must be in ${feeCurrency}.`,
            })
          }
          yield* checkEndpoint(update.webhookEndpoint)
          return yield* Operation.run({
            name: "Platforms.updateConfig",
            ids: openingIdsMax + 4,
            load: loadForUpdate,
            decide: ({ accounts, stored }, context) => {
              const { ids, now, rejections } = context
              if (Operation.takenClaim(rejections)?.key === umaDomainClaim(update.umaDomain ?? "").key) {
                return Operation.refuse(
                  invalidInput([{ field: "umaDomain", message: "must not be the domain of another platform" }]),
                )
              }
              const data = updated(stored.data, update)
              const isNew = data.webhookEndpoint !== undefined && data.webhookEndpoint !== stored.data.webhookEndpoint
              const told = isNew
                ? newEvent(ids, now, {
                    type: "TEST",
                    customerId: null,
                    subject: stored.id,
                    data: withoutPlaceholders({}),
                  })
                : undefined
              const before = codesOf(stored.data)
              const added = codesOf(data).filter((code) => !before.includes(code))
              const owner = { platformId: stored.id, customerId: null }
              return Operation.answer(
                200,
                toPlatformConfig(Changes.after(stored, data, now)),
                Changes.combine(
                  Changes.update(stored, data),
                  auditRecord(context, "CONFIG_UPDATE", stored, { details: { changed: Object.keys(update) } }),
                  told,
                  openAccounts(ids, owner, added, { present: accounts }),
                  // The customers that are there get theirs one by one.
                  added.length === 0
                    ? undefined
                    : { jobs: [job(ids, "accounts.open", { customerId: null, dueAt: now, payload: {} })] },
                ),
              )
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return Platforms.of({ setUp, config: platformOnly(Effect.map(own(store.read), toPlatformConfig)), updateConfig })
    }),
  )
}
