/**
 * Issues, lists, reads and updates cards.
 * Spec: Card, 4.4, States: Card; wire contract 3.1 to 3.3; D-260.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import type { SecureRandom } from "effect/crypto"
import { decideIssue, type NamedSource } from "../../decision/card/CardIssueDecision.ts"
import { type CardUpdateLoaded, decideUpdate } from "../../decision/card/CardUpdateDecision.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import type { CardState } from "../../model/card/Card.ts"
import {
  type CardCreateRequest,
  type CardResource,
  type CardUpdateRequest,
  toCard,
} from "../../model/card/CardResource.ts"
import { anySessionOf, type SignedRequestChallenge, type WalletHeaders } from "../../model/wallet/SignedRequest.ts"
import * as SigningPayload from "../../model/wallet/SigningPayload.ts"
import * as DeferredSignIn from "../../operation/DeferredSignIn.ts"
import { type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { Issuer } from "../../ports/Issuer.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { CardCurrencies } from "../../settings/CardCurrencies.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { RecordRef } from "../../store/ChangeSet.ts"
import { dependentCounter } from "../../store/Kinds.ts"
import { type ReadResult, Store, type StoreUnavailable } from "../../store/Store.ts"
import { SignedRequests } from "../wallet/SignedRequests.ts"
import { accountIdsOf, credentialsOf } from "../wallet/WalletReads.ts"
import { type PasswordServices, sealPassword } from "./CardPasswords.ts"
import { loadCard, readCard, requireIssuer } from "./CardReads.ts"

type Reply<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

export interface CardsQuery extends ListQuery {
  readonly cardholderId?: string
  /** Cards that this internal account funds. */
  readonly accountId?: string
  readonly platformCardId?: string
  readonly state?: CardState
}

const sourceRefs = (accountIds: ReadonlyArray<string>): ReadonlyArray<RecordRef> =>
  accountIds.map((id) => ({ kind: "InternalAccount", id }))

const sourcesOf = ({ record }: ReadResult, accountIds: ReadonlyArray<string>): ReadonlyArray<NamedSource> =>
  accountIds.map((accountId) => ({ accountId, account: record("InternalAccount", accountId) }))

const loadIssue = Effect.fnUntraced(function* (read: Operation.Read, request: CardCreateRequest) {
  const { cardholderId: id, fundingSources } = request
  const found = yield* read({ records: [{ kind: "Customer", id }, ...sourceRefs(fundingSources)] })
  return { cardholder: found.record("Customer", id), sources: sourcesOf(found, fundingSources) }
})

const loadUpdate = Effect.fnUntraced(function* (read: Operation.Read, cardId: string, request: CardUpdateRequest) {
  const { card } = yield* loadCard(read, cardId)
  const { fundingSources = [] } = request
  const counter = dependentCounter(card.customerId ?? "")
  // The counter is read before the credentials, so that a credential added later makes an unsigned commit a conflict.
  const query = { counters: [counter], records: sourceRefs(fundingSources) }
  const found = fundingSources.length === 0 ? undefined : yield* read(query)
  return {
    card,
    dependents: found?.counter(counter),
    sources: found === undefined ? [] : sourcesOf(found, fundingSources),
  }
})

export class Cards extends Context.Service<
  Cards,
  {
    /**
     * Returns a card in `PROCESSING`, which a job has the issuer make. Errors: `USER_NOT_FOUND`, `CARDHOLDER_KYC_NOT_APPROVED`,
     * `FUNDING_SOURCE_INELIGIBLE`, `CONFLICT`, `INVALID_INPUT`.
     */
    readonly issue: (request: CardCreateRequest) => Reply<Operation.Answered<CardResource>>
    readonly get: (cardId: string) => Reply<CardResource>
    readonly list: (query: CardsQuery) => Reply<Page<CardResource>>
    /**
     * Answers 202 first for a replacement of funding sources, unless the cardholder has no wallet credential that could sign it.
     * Errors: `FUNDING_SOURCE_INELIGIBLE`, `INVALID_STATE_TRANSITION`, `CARD_ALREADY_CLOSED`, `CARD_NOT_MUTABLE`, those of signed
     * requests.
     */
    readonly update: (
      cardId: string,
      request: CardUpdateRequest,
      headers?: WalletHeaders,
    ) => Reply<Operation.Answered<CardResource | SignedRequestChallenge>>
  }
>()("@countersign/core/Cards") {
  static readonly layer = Layer.effect(
    Cards,
    Effect.gen(function* () {
      const store = yield* Store
      const issuer = yield* Issuer
      const eligibleCurrencies = yield* CardCurrencies
      const requests = yield* SignedRequests
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom | PasswordServices>()
      const takesPassword = issuer.takesThreeDSecurePassword

      const askAdmissions = Effect.fnUntraced(function* (accountIds: ReadonlyArray<string> = []) {
        return { admittedAccountIds: yield* Effect.filter(accountIds, (accountId) => issuer.admits(accountId)) }
      })

      const issue = Effect.fnUntraced(
        function* ({ threeDSecurePassword: password, ...request }: CardCreateRequest) {
          const cardId = yield* IdPool.draw("Card", request.cardholderId)
          const sealedPassword =
            password === undefined || !takesPassword ? undefined : yield* sealPassword(cardId, Redacted.make(password))
          return yield* Operation.run({
            name: "Cards.issue",
            ids: request.fundingSources.length + 4,
            load: (read) => loadIssue(read, request),
            ask: () => Effect.map(askAdmissions(request.fundingSources), (asked) => ({ ...asked, sealedPassword })),
            decide: decideIssue(
              { ...request, cardId, hasPassword: password !== undefined },
              { eligibleCurrencies, takesPassword },
            ),
          })
        },
        requireIssuer(issuer),
        platformOnly,
        Effect.provideContext(services),
      )

      /** Verifies the signature of a replacement of funding sources, if the cardholder has a credential that can sign it. */
      const askSignature = Effect.fnUntraced(function* (
        read: Operation.Read,
        { card }: CardUpdateLoaded,
        request: CardUpdateRequest,
        headers: WalletHeaders,
      ) {
        const [first] = request.fundingSources ?? []
        if (first === undefined) return undefined
        const credentials = yield* credentialsOf(card.customerId ?? "")
        if (credentials.length === 0) return undefined
        return yield* requests.verify(read, {
          operation: "PATCH /cards/{id}",
          target: card,
          body: request,
          headers,
          allowedSigner: anySessionOf(...accountIdsOf(credentials)),
          payload: SigningPayload.signRaw(first, { ...request }, card.id),
        })
      })

      const askUpdate = Effect.fnUntraced(function* (
        read: Operation.Read,
        loaded: CardUpdateLoaded,
        request: CardUpdateRequest,
        headers: WalletHeaders,
      ) {
        const signing = yield* askSignature(read, loaded, request, headers)
        return { signing, ...(yield* askAdmissions(request.fundingSources)) }
      })

      const update = Effect.fnUntraced(
        function* (cardId: string, request: CardUpdateRequest, headers: WalletHeaders = {}) {
          return yield* Operation.run({
            name: "Cards.update",
            ids: (request.fundingSources?.length ?? 0) + 8,
            load: (read) => loadUpdate(read, cardId, request),
            ask: (loaded, read) => askUpdate(read, loaded, request, headers),
            decide: decideUpdate(request, eligibleCurrencies),
          })
        },
        requireIssuer(issuer),
        platformOnly,
        Effect.provideContext(services),
      )

      return Cards.of({
        issue,
        update,
        get: (cardId) =>
          Effect.map(readCard(DeferredSignIn.reads(store), cardId), toCard).pipe(requireIssuer(issuer), platformOnly),
        list: ({ accountId, cardholderId, platformCardId, state, ...query }) =>
          listPage(
            "Card",
            where({
              customerId: cardholderId,
              fundingSources: accountId === undefined ? undefined : { has: accountId },
              platformCardId,
              state,
            }),
            query,
          ).pipe(
            Effect.map((page) => ({ ...page, data: page.data.map(toCard) })),
            requireIssuer(issuer),
            platformOnly,
            Effect.provideService(Store, store),
          ),
      })
    }),
  )
}
