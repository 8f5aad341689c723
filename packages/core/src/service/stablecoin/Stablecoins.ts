/**
 * Registers stablecoins that a provider has created, lists them, and asks about their issuance.
 * Source: wire contract areas 1.6.1 and 1.6.3.
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import { decideTrouble } from "../../decision/stablecoin/ProviderAccountDecision.ts"
import {
  decideIssuance,
  decideRegistration,
  type RegistrationLoaded,
} from "../../decision/stablecoin/RegistrationDecision.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import {
  awaitsIssuance,
  decimalsMax,
  type StablecoinIssuanceStatus,
  type StablecoinServiceOperationsStatus,
} from "../../model/stablecoin/Stablecoin.ts"
import { answerKeptMillis } from "../../model/stablecoin/StablecoinOperation.ts"
import type { StablecoinProviderName } from "../../model/stablecoin/StablecoinProviderAccount.ts"
import {
  type StablecoinRegisterRequest,
  type StablecoinResource,
  toStablecoin,
} from "../../model/stablecoin/StablecoinResource.ts"
import { finish, finishing, JobFailed, type JobHandler } from "../../operation/Jobs.ts"
import { type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { StablecoinProvider, type TokenAnswer } from "../../ports/StablecoinProvider.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { openLinkedAccount, type SecretServices } from "./ProviderSecrets.ts"
import { readProviderAccount, readStablecoin } from "./StablecoinReads.ts"

type Reply<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

/** Filters of the registered stablecoins. */
export interface StablecoinsQuery extends ListQuery {
  readonly issuanceStatus?: StablecoinIssuanceStatus
  readonly serviceOperationsStatus?: StablecoinServiceOperationsStatus
  readonly provider?: StablecoinProviderName
}

const Payload = Schema.Struct({ stablecoinId: Schema.String })
const decodePayload = Schema.decodeUnknownEffect(Payload)

const unopened: TokenAnswer = { _tag: "Unavailable", cause: "the stored credentials do not open" }

/** A number of decimals that no token has is a defect of the provider's layer. */
const requireDecimals = (answer: TokenAnswer) =>
  answer._tag === "Described" &&
  !(Number.isInteger(answer.decimals) && answer.decimals >= 0 && answer.decimals <= decimalsMax)
    ? Effect.die(new RangeError(`the provider of stablecoins answered ${answer.decimals} decimals`))
    : Effect.succeed(answer)

export class Stablecoins extends Context.Service<
  Stablecoins,
  {
    /**
     * Registers a token. Errors: `STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND`, `STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED`,
     * `STABLECOIN_PROVIDER_ACCOUNT_INVALID`, `STABLECOIN_PROVIDER_ACCOUNT_REVOKED`, `INVALID_INPUT` (`TOKEN_NOT_FOUND`), `CONFLICT`,
     * `SERVICE_UNAVAILABLE`.
     */
    readonly register: (
      request: StablecoinRegisterRequest,
      keyed: Operation.Keyed,
    ) => Reply<Operation.Answered<StablecoinResource>>
    readonly get: (stablecoinId: string) => Reply<StablecoinResource>
    readonly list: (query: StablecoinsQuery) => Reply<Page<StablecoinResource>>
    /** The handler of describe jobs: asks the provider about an issuance that has not ended. */
    readonly describe: JobHandler
  }
>()("@countersign/core/Stablecoins") {
  static readonly layer = Layer.effect(
    Stablecoins,
    Effect.gen(function* () {
      const store = yield* Store
      const provider = yield* StablecoinProvider
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom | SecretServices>()

      const load = Effect.fnUntraced(function* (read: Operation.Read, named: string | undefined) {
        if (named !== undefined) {
          const records = yield* read({ records: [{ kind: "StablecoinProviderAccount", id: named }] })
          const found: RegistrationLoaded = {
            account: records.record("StablecoinProviderAccount", named),
            areSeveralActive: false,
          }
          return found
        }
        yield* read({})
        const newest = (filters: Parameters<typeof where>[0]) =>
          store.list("StablecoinProviderAccount", where(filters), { limit: 2, order: "desc" })
        const active = yield* newest({ status: "ACTIVE" })
        const [account] = active.data.length === 0 ? (yield* newest({})).data : active.data
        const found: RegistrationLoaded = { account, areSeveralActive: active.data.length > 1 }
        return found
      })

      const askToken = Effect.fnUntraced(function* (
        account: Stored<"StablecoinProviderAccount">,
        {
          network,
          networkTokenIdentifier,
          providerTokenIdentifier,
        }: Omit<StablecoinRegisterRequest, "stablecoinProviderAccountId">,
        registeredAt: number,
      ) {
        const linked = yield* openLinkedAccount(account)
        if (linked === undefined) return unopened
        const token = { network, networkTokenIdentifier, providerTokenIdentifier }
        return yield* Effect.flatMap(provider.describe({ account: linked, token, registeredAt }), requireDecimals)
      })

      const register = Effect.fnUntraced(
        function* (request: StablecoinRegisterRequest, keyed: Operation.Keyed) {
          return yield* Operation.run({
            name: "Stablecoins.register",
            ids: 4,
            keyed: { ...keyed, keptMillis: answerKeptMillis },
            load: (read) => load(read, request.stablecoinProviderAccountId),
            ask: Effect.fnUntraced(function* ({ account, areSeveralActive }: RegistrationLoaded) {
              const isUsable = account?.data.status === "ACTIVE" && !areSeveralActive
              const now = yield* Clock.currentTimeMillis
              return { described: isUsable ? yield* askToken(account, request, now) : undefined }
            }),
            decide: decideRegistration(request),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const describe: JobHandler = Effect.fnUntraced(function* (job) {
        const { stablecoinId } = yield* Effect.orDie(decodePayload(job.payload))
        const stablecoin = yield* readStablecoin(store.read, stablecoinId)
        if (!awaitsIssuance(stablecoin.data)) return yield* finish(job)
        const account = yield* readProviderAccount(store.read, stablecoin.data.stablecoinProviderAccountId)
        const answer = yield* askToken(account, stablecoin.data, stablecoin.data.registeredAt)
        if (answer._tag === "CredentialsRefused" || answer._tag === "Withdrawn") {
          yield* Operation.run({
            name: "Stablecoins.describe",
            ids: 1,
            load: (read) => Effect.map(readProviderAccount(read, account.id), (found) => ({ account: found })),
            decide: decideTrouble(answer, account.data.linkedAt),
          })
        }
        if (answer._tag !== "Described") {
          return yield* new JobFailed({ reason: `the provider does not describe the token: ${answer._tag}` })
        }
        yield* Operation.run({
          name: "Stablecoins.describe",
          ids: 2,
          load: (read) => Effect.map(readStablecoin(read, stablecoinId), (found) => ({ stablecoin: found })),
          decide: decideIssuance(answer, finishing(job)),
        })
      }, Effect.provideContext(services))

      return Stablecoins.of({
        register,
        describe,
        get: (id) => Effect.map(readStablecoin(store.read, id), toStablecoin).pipe(platformOnly),
        list: ({ issuanceStatus, provider: name, serviceOperationsStatus, ...query }) =>
          listPage("Stablecoin", where({ issuanceStatus, serviceOperationsStatus, provider: name }), query).pipe(
            Effect.map((page) => ({ ...page, data: page.data.map(toStablecoin) })),
            platformOnly,
            Effect.provideService(Store, store),
          ),
      })
    }),
  )
}
