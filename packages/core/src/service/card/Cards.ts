/**
 * Cards: issued, listed, read, frozen, closed, and funded anew.
 * Spec: Card, 4.4, States: Card; wire contract 3.1 to 3.3; D-260.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import type { SecureRandom } from "effect/crypto"
import { decideIssue, type SourceLoaded } from "../../decision/card/CardIssueDecision.ts"
import { decideUpdate, nothingNew } from "../../decision/card/CardUpdateDecision.ts"
import { decideSigned } from "../../decision/wallet/SignedDecision.ts"
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
import { type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { Issuer } from "../../ports/Issuer.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { CardCurrencies } from "../../settings/CardCurrencies.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { dependentCounter } from "../../store/Kinds.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { SignedRequests } from "../wallet/SignedRequests.ts"
import { accountsOf, credentialsOf } from "../wallet/WalletReads.ts"
import { offered, readCard } from "./CardReads.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>
type Answered = Operation.Answered<CardResource>

export interface CardsQuery extends ListQuery {
  readonly cardholderId?: string
  /** Cards that this internal account funds. */
  readonly accountId?: string
  readonly platformCardId?: string
  readonly state?: CardState
}

export class Cards extends Context.Service<
  Cards,
  {
    /**
     * A card in `PROCESSING`; the issuer makes it later. Errors: `USER_NOT_FOUND`, `CARDHOLDER_KYC_NOT_APPROVED`,
     * `FUNDING_SOURCE_INELIGIBLE`, `CONFLICT`, `INVALID_INPUT`.
     */
    readonly issue: (request: CardCreateRequest) => Result<Answered>
    readonly get: (cardId: string) => Result<CardResource>
    readonly list: (query: CardsQuery) => Result<Page<CardResource>>
    /**
     * 202 first where funding sources are replaced, unless the cardholder has no wallet credential that could sign it. Errors:
     * `FUNDING_SOURCE_INELIGIBLE`, `INVALID_STATE_TRANSITION`, `CARD_ALREADY_CLOSED`, `CARD_NOT_MUTABLE`, those of signed requests.
     */
    readonly update: (
      cardId: string,
      request: CardUpdateRequest,
      headers?: WalletHeaders,
    ) => Result<Operation.Answered<CardResource | SignedRequestChallenge>>
  }
>()("@countersign/core/Cards") {
  static readonly layer = Layer.effect(
    Cards,
    Effect.gen(function* () {
      const store = yield* Store
      const issuer = yield* Issuer
      const eligibleCurrencies = yield* CardCurrencies
      const requests = yield* SignedRequests
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()
      const isOffered = offered(issuer)

      const readSources = Effect.fnUntraced(function* (read: Operation.Read, accountIds: ReadonlyArray<string>) {
        const found = yield* read({ records: accountIds.map((id) => ({ kind: "InternalAccount", id })) })
        return yield* Effect.forEach(accountIds, (accountId) =>
          Effect.map(
            issuer.admits(accountId),
            (isAdmitted): SourceLoaded => ({
              accountId,
              account: found.record("InternalAccount", accountId),
              isAdmitted,
            }),
          ),
        )
      })

      const loadIssue = Effect.fnUntraced(function* (read: Operation.Read, request: CardCreateRequest) {
        const { cardholderId: id } = request
        const cardholder = (yield* read({ records: [{ kind: "Customer", id }] })).record("Customer", id)
        return { cardholder, sources: yield* readSources(read, request.fundingSources) }
      })

      const issue = Effect.fnUntraced(
        function* (request: CardCreateRequest) {
          const { fundingSources, threeDSecurePassword } = request
          const cardId = (yield* IdPool.make(1)).source()("Card")
          const takesPassword = issuer.takePassword !== undefined
          // It is kept nowhere, so the issuer is told before the card is there: a factor of a card that never comes is nothing.
          if (threeDSecurePassword !== undefined) {
            yield* issuer.takePassword?.(cardId, Redacted.make(threeDSecurePassword)) ?? Effect.void
          }
          return yield* Operation.run({
            name: "Cards.issue",
            ids: fundingSources.length + 4,
            load: (read) => loadIssue(read, request),
            decide: decideIssue(cardId, request, { eligibleCurrencies, takesPassword }),
          })
        },
        isOffered,
        platformOnly,
        Effect.provideContext(services),
      )

      /** Who has to sign a replacement of funding sources, if anybody can. */
      const loadSigning = Effect.fnUntraced(function* (
        read: Operation.Read,
        card: Stored<"Card">,
        request: CardUpdateRequest,
        headers: WalletHeaders,
      ) {
        const [first] = request.fundingSources ?? []
        if (first === undefined) return { resting: {}, signing: undefined }
        const customerId = card.customerId ?? ""
        const counter = dependentCounter(customerId)
        // The counter first: a credential that comes after it makes an unsigned commit a conflict.
        const attached = (yield* read({ counters: [counter] })).counter(counter)
        const credentials = yield* credentialsOf(customerId)
        if (credentials.length === 0) return { resting: nothingNew(customerId, attached), signing: undefined }
        const signing = yield* requests.load(read, {
          operation: "PATCH /cards/{id}",
          target: card,
          body: request,
          headers,
          admits: anySessionOf(...accountsOf(credentials)),
          payload: SigningPayload.signRaw(first, { ...request }, card.id),
        })
        return { resting: {}, signing }
      })

      const loadUpdate = Effect.fnUntraced(function* (
        read: Operation.Read,
        cardId: string,
        request: CardUpdateRequest,
        headers: WalletHeaders,
      ) {
        const card = yield* readCard(read, cardId)
        const { resting, signing } = yield* loadSigning(read, card, request, headers)
        return { card, resting, signing, sources: yield* readSources(read, request.fundingSources ?? []) }
      })

      const update = Effect.fnUntraced(
        function* (cardId: string, request: CardUpdateRequest, headers: WalletHeaders = {}) {
          const decide = decideUpdate(request, eligibleCurrencies)
          return yield* Operation.run({
            name: "Cards.update",
            ids: (request.fundingSources?.length ?? 0) + 8,
            load: (read) => loadUpdate(read, cardId, request, headers),
            decide: ({ signing, ...loaded }, context): Operation.Decision<CardResource | SignedRequestChallenge> =>
              signing === undefined
                ? decide(loaded, context)
                : decideSigned(signing, context, () => decide(loaded, context)),
          })
        },
        isOffered,
        platformOnly,
        Effect.provideContext(services),
      )

      return Cards.of({
        issue,
        update,
        get: (cardId) => Effect.map(readCard(store.read, cardId), toCard).pipe(isOffered, platformOnly),
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
            isOffered,
            platformOnly,
            Effect.provideService(Store, store),
          ),
      })
    }),
  )
}
