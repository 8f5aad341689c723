/**
 * Links a platform's accounts at providers of stablecoins, lists them, and checks their credentials again.
 * Source: wire contract areas 1.6.1 and 1.6.2; D-391.
 */
import { Clock, Context, Effect, Layer, Redacted, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import { decideCheck, decideLink, type LinkAsked } from "../../decision/stablecoin/ProviderAccountDecision.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import {
  type StablecoinProviderAccountLinkRequest,
  type StablecoinProviderAccountResource,
  toProviderAccount,
} from "../../model/stablecoin/ProviderAccountResource.ts"
import { answerKeptMillis } from "../../model/stablecoin/StablecoinOperation.ts"
import type { ProviderAccountStatus, StablecoinProviderName } from "../../model/stablecoin/StablecoinProviderAccount.ts"
import { finish, finishing, JobFailed, type JobHandler } from "../../operation/Jobs.ts"
import { type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { StablecoinProvider } from "../../ports/StablecoinProvider.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { markOfSecret, openLinkedAccount, type SecretServices, sealProviderSecret } from "./ProviderSecrets.ts"
import { readProviderAccount } from "./StablecoinReads.ts"

type Reply<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

/** Filters of the linked accounts. */
export interface StablecoinProviderAccountsQuery extends ListQuery {
  readonly provider?: StablecoinProviderName
  readonly status?: ProviderAccountStatus
}

const Payload = Schema.Struct({ stablecoinProviderAccountId: Schema.String, linkedAt: Schema.Int })
const decodePayload = Schema.decodeUnknownEffect(Payload)

export class StablecoinProviderAccounts extends Context.Service<
  StablecoinProviderAccounts,
  {
    /**
     * Links an account, or gives an `INVALID` one new credentials. Errors: `STABLECOIN_PROVIDER_ACCOUNT_INVALID`, `INVALID_INPUT`
     * (`PROVIDER_ACCOUNT_ID_REQUIRED`, `PROVIDER_ACCOUNT_NOT_REACHABLE`), `CONFLICT`, `SERVICE_UNAVAILABLE`.
     */
    readonly link: (
      request: StablecoinProviderAccountLinkRequest,
      keyed: Operation.Keyed,
    ) => Reply<Operation.Answered<StablecoinProviderAccountResource>>
    readonly get: (stablecoinProviderAccountId: string) => Reply<StablecoinProviderAccountResource>
    readonly list: (query: StablecoinProviderAccountsQuery) => Reply<Page<StablecoinProviderAccountResource>>
    /** The handler of check jobs: asks the provider whether the credentials are still valid. */
    readonly check: JobHandler
  }
>()("@countersign/core/StablecoinProviderAccounts") {
  static readonly layer = Layer.effect(
    StablecoinProviderAccounts,
    Effect.gen(function* () {
      const store = yield* Store
      const provider = yield* StablecoinProvider
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom | SecretServices>()

      /** The present link of an account at a provider. */
      const findLinked = Effect.fnUntraced(function* (name: StablecoinProviderName, providerAccountId: string) {
        const page = yield* store.list(
          "StablecoinProviderAccount",
          where({ provider: name, providerAccountId, status: { in: ["ACTIVE", "INVALID"] } }),
          { limit: 1, order: "desc" },
        )
        return page.data[0]
      })

      const askProvider = Effect.fnUntraced(function* (request: StablecoinProviderAccountLinkRequest) {
        const { apiClientId, provider: name, providerAccountId: named } = request
        const apiClientSecret = Redacted.make(request.apiClientSecret, { label: "provider secret" })
        const answer = yield* provider.check({
          provider: name,
          credentials: { apiClientId, apiClientSecret },
          ...(named === undefined ? {} : { providerAccountId: named }),
          linkedAt: yield* Clock.currentTimeMillis,
        })
        const { environment } = provider
        const [only, ...more] = answer._tag === "Accepted" ? answer.providerAccountIds : []
        const providerAccountId = named ?? (more.length === 0 ? only : undefined)
        if (providerAccountId === undefined) return { answer, environment, existing: undefined } satisfies LinkAsked
        const { platformId } = yield* CurrentCaller
        const sealedSecret = yield* sealProviderSecret(
          { platformId, provider: name, providerAccountId },
          apiClientSecret,
        )
        const existing = yield* findLinked(name, providerAccountId)
        return { answer, environment, existing, selected: { providerAccountId, sealedSecret } } satisfies LinkAsked
      })

      const link = Effect.fnUntraced(
        function* (request: StablecoinProviderAccountLinkRequest, keyed: Operation.Keyed) {
          const mark = yield* markOfSecret(Redacted.make(request.apiClientSecret))
          return yield* Operation.run({
            name: "StablecoinProviderAccounts.link",
            ids: 3,
            // The key remembers the body by a mark instead of the secret.
            keyed: { ...keyed, body: { ...request, apiClientSecret: mark }, keptMillis: answerKeptMillis },
            // Reads the stored answer of the key, before the provider is asked.
            load: (read) => Effect.as(read({}), {}),
            ask: () => askProvider(request),
            decide: decideLink(request),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const check: JobHandler = Effect.fnUntraced(function* (job) {
        const { linkedAt, stablecoinProviderAccountId } = yield* Effect.orDie(decodePayload(job.payload))
        const account = yield* readProviderAccount(store.read, stablecoinProviderAccountId)
        if (account.data.linkedAt !== linkedAt || account.data.status !== "ACTIVE") return yield* finish(job)
        const linked = yield* openLinkedAccount(account)
        if (linked === undefined) return yield* new JobFailed({ reason: "the stored credentials do not open" })
        const { credentials, provider: name, providerAccountId } = linked
        const answer = yield* provider.check({ provider: name, credentials, providerAccountId, linkedAt })
        if (answer._tag === "Unavailable") {
          return yield* new JobFailed({ reason: `the provider does not answer: ${answer.cause}` })
        }
        yield* Operation.run({
          name: "StablecoinProviderAccounts.check",
          ids: 2,
          load: (read) => Effect.map(readProviderAccount(read, account.id), (found) => ({ account: found })),
          decide: decideCheck(answer, linkedAt, finishing(job)),
        })
      }, Effect.provideContext(services))

      return StablecoinProviderAccounts.of({
        link,
        check,
        get: (id) => Effect.map(readProviderAccount(store.read, id), toProviderAccount).pipe(platformOnly),
        list: ({ provider: name, status, ...query }) =>
          listPage("StablecoinProviderAccount", where({ provider: name, status }), query).pipe(
            Effect.map((page) => ({ ...page, data: page.data.map(toProviderAccount) })),
            platformOnly,
            Effect.provideService(Store, store),
          ),
      })
    }),
  )
}
