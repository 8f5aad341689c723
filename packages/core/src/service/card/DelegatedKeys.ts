/**
 * Creates, lists, reads and revokes delegated keys.
 * Source: wire contract 4.1 and 4.11; D-177, D-261.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import {
  type DelegatedKeyLoaded,
  decideKeyCreation,
  delegationMemo,
  delegationOperation,
} from "../../decision/card/DelegatedKeyCreationDecision.ts"
import { revokeKey } from "../../decision/card/DelegatedKeyDecision.ts"
import { P256 } from "../../foundation/crypto/P256.ts"
import { invalidInput, notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import {
  type DelegatedKeyCreateRequest,
  type DelegatedKeyResource,
  toDelegatedKey,
} from "../../model/card/DelegatedKey.ts"
import { bindingOf } from "../../model/card/DelegationRules.ts"
import type { SignedRequestChallenge, WalletHeaders } from "../../model/wallet/SignedRequest.ts"
import type { Delegate } from "../../model/wallet/SigningPayload.ts"
import { listAll, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import { Issuer } from "../../ports/Issuer.ts"
import type { KeyVault } from "../../ports/KeyVault.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { deriveOfWallet, newestRoot } from "../wallet/RootVault.ts"
import { SignedRequests } from "../wallet/SignedRequests.ts"
import { readCard, requireIssuer } from "./CardReads.ts"

type Reply<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

/** At least one is required. */
export interface DelegatedKeyFilters {
  readonly accountId?: string
  readonly fundingSourceId?: string
}

const noFilter = invalidInput([{ field: "accountId", message: "or fundingSourceId must be given" }])

const readKey = <E>(read: Operation.Read<E>, keyId: string) =>
  readExisting(read, "DelegatedKey", keyId, notFound("delegated key"))

const loadKey = Effect.fnUntraced(function* (read: Operation.Read, keyId: string) {
  return { key: yield* readKey(read, keyId) }
})

export class DelegatedKeys extends Context.Service<
  DelegatedKeys,
  {
    /**
     * Answers 202, 202 and 201 to three calls with the same body, the last two signed by the same session of the wallet. Errors: 404,
     * `INVALID_INPUT`, `CARD_NOT_MUTABLE`, `CONFLICT` while an active key exists, those of signed requests.
     */
    readonly create: (
      request: DelegatedKeyCreateRequest,
      headers: WalletHeaders,
    ) => Reply<Operation.Answered<DelegatedKeyResource | SignedRequestChallenge>>
    /** Lists keys in every status, newest first. Errors: `INVALID_INPUT` without a filter. */
    readonly list: (filters: DelegatedKeyFilters) => Reply<{ readonly data: ReadonlyArray<DelegatedKeyResource> }>
    readonly get: (keyId: string) => Reply<DelegatedKeyResource>
    /** Errors: `INVALID_INPUT` for a key that is not active. */
    readonly revoke: (keyId: string) => Reply<Operation.Answered<null>>
  }
>()("@countersign/core/DelegatedKeys") {
  static readonly layer = Layer.effect(
    DelegatedKeys,
    Effect.gen(function* () {
      const store = yield* Store
      const issuer = yield* Issuer
      const p256 = yield* P256
      const requests = yield* SignedRequests
      const services = yield* Effect.context<Store | KeyVault | WallTime | SecureRandom.SecureRandom>()

      /** The root of a wallet's keys. An account without a wallet gets its key from the root that the wallet will have. */
      const rootOf = Effect.fnUntraced(function* (read: Operation.Read, accountId: string) {
        const found = yield* read({ records: [{ kind: "Wallet", id: accountId }] })
        const wallet = found.record("Wallet", accountId)
        return wallet === undefined ? yield* newestRoot : wallet.data.rootId
      })

      /** Derives a new key pair from the wallet's root by its id. */
      const drawKey = Effect.fnUntraced(function* (read: Operation.Read, accountId: string) {
        const keyId = yield* IdPool.draw("DelegatedKey", accountId)
        const rootId = yield* rootOf(read, accountId)
        const { publicKey } = yield* p256.derive(yield* deriveOfWallet("delegated-key", keyId, rootId))
        const delegate: Delegate = {
          keyId,
          publicKey: publicKey.compressed,
          ...(rootId === undefined ? {} : { rootId }),
        }
        return delegate
      })

      const hasActiveKey = Effect.fnUntraced(function* (fundingSourceId: string | undefined) {
        if (fundingSourceId === undefined) return false
        const filters = where({ fundingSourceId, status: "ACTIVE" })
        return (yield* store.list("DelegatedKey", filters, { limit: 1, order: "desc" })).data.length > 0
      })

      const findKey = Effect.fnUntraced(function* (read: Operation.Read, id: string) {
        return (yield* read({ records: [{ kind: "DelegatedKey", id }] })).record("DelegatedKey", id)
      })

      const loadCreation = Effect.fnUntraced(function* (
        read: Operation.Read,
        { cardId, internalAccountId }: DelegatedKeyCreateRequest,
        { requestId }: WalletHeaders,
      ) {
        const card = yield* readCard(read, cardId)
        const account = yield* readExisting(read, "InternalAccount", internalAccountId, notFound("internal account"))
        const pending = yield* requests.findPending(read, requestId)
        const memo = delegationMemo(pending)
        const loaded: DelegatedKeyLoaded = {
          card,
          account,
          hasActiveKey: yield* hasActiveKey(bindingOf({ account, card })?.id),
          pending,
          // The third call finds the key that the second has registered.
          key: memo?.sessionId === undefined ? undefined : yield* findKey(read, memo.delegate.keyId),
        }
        return loaded
      })

      const askCreation = Effect.fnUntraced(function* (
        read: Operation.Read,
        loaded: DelegatedKeyLoaded,
        request: DelegatedKeyCreateRequest,
        headers: WalletHeaders,
      ) {
        const delegate = delegationMemo(loaded.pending)?.delegate ?? (yield* drawKey(read, loaded.account.id))
        const signing = yield* requests.verify(read, delegationOperation(loaded, delegate, request, headers))
        return { delegate, signing }
      })

      const create = Effect.fnUntraced(
        function* (request: DelegatedKeyCreateRequest, headers: WalletHeaders) {
          return yield* Operation.run({
            name: "DelegatedKeys.create",
            load: (read) => loadCreation(read, request, headers),
            ask: (loaded, read) => askCreation(read, loaded, request, headers),
            decide: decideKeyCreation(request),
          })
        },
        requireIssuer(issuer),
        platformOnly,
        Effect.provideContext(services),
      )

      const revoke = Effect.fnUntraced(
        function* (keyId: string) {
          return yield* Operation.run({
            name: "DelegatedKeys.revoke",
            load: (read) => loadKey(read, keyId),
            decide: revokeKey,
          })
        },
        requireIssuer(issuer),
        platformOnly,
        Effect.provideContext(services),
      )

      const list = Effect.fnUntraced(
        function* (filters: DelegatedKeyFilters) {
          if (filters.accountId === undefined && filters.fundingSourceId === undefined) {
            return yield* new ServiceError(noFilter)
          }
          return { data: (yield* listAll("DelegatedKey", where({ ...filters }))).map(toDelegatedKey) }
        },
        requireIssuer(issuer),
        platformOnly,
        Effect.provideService(Store, store),
      )

      const get = Effect.fnUntraced(
        function* (keyId: string) {
          return toDelegatedKey(yield* readKey(store.read, keyId))
        },
        requireIssuer(issuer),
        platformOnly,
      )

      return DelegatedKeys.of({ create, list, get, revoke })
    }),
  )
}
