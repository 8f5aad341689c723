/**
 * Cards: issued, listed, read, frozen, closed, and funded anew.
 * Spec: Card, 4.4, States: Card; wire contract 3.1 to 3.3.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { ServiceError } from "../errors/ServiceError.ts"
import * as IdPool from "../ids/IdPool.ts"
import type { Page } from "../kit/Page.ts"
import { type ListQuery, listPage, where } from "../operation/Listing.ts"
import * as Operation from "../operation/Operation.ts"
import { platformOnly } from "../operation/PlatformOnly.ts"
import type { CurrentCaller } from "../ports/Caller.ts"
import { CardCurrencies } from "../ports/CardCurrencies.ts"
import { Issuer } from "../ports/Issuer.ts"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import type { WallTime } from "../ports/WallTime.ts"
import type { CardState } from "./Card.ts"
import { decideIssue, type SourceLoaded } from "./CardIssueDecision.ts"
import { offered, readCard } from "./CardReads.ts"
import { type CardCreateRequest, type CardResource, type CardUpdateRequest, toCard } from "./CardResource.ts"
import { decideUpdate } from "./CardUpdateDecision.ts"

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
     * Errors: `FUNDING_SOURCE_INELIGIBLE`, `INVALID_STATE_TRANSITION`, `CARD_ALREADY_CLOSED`, `CARD_NOT_MUTABLE`.
     * While no wallet credential exists there is no key that could sign a replacement of funding sources: it is made at once.
     */
    readonly update: (cardId: string, request: CardUpdateRequest) => Result<Answered>
  }
>()("@countersign/core/Cards") {
  static readonly layer = Layer.effect(
    Cards,
    Effect.gen(function* () {
      const store = yield* Store
      const issuer = yield* Issuer
      const eligibleCurrencies = yield* CardCurrencies
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

      const loadUpdate = Effect.fnUntraced(function* (
        read: Operation.Read,
        cardId: string,
        { fundingSources = [] }: CardUpdateRequest,
      ) {
        const card = yield* readCard(read, cardId)
        return { card, sources: yield* readSources(read, fundingSources) }
      })

      const update = Effect.fnUntraced(
        function* (cardId: string, request: CardUpdateRequest) {
          return yield* Operation.run({
            name: "Cards.update",
            ids: (request.fundingSources?.length ?? 0) + 8,
            load: (read) => loadUpdate(read, cardId, request),
            // The one place where a replacement of funding sources becomes a signed retry: around this decision, for a request
            // with `fundingSources` of a cardholder who has a wallet credential (wire contract 3.3).
            decide: decideUpdate(request, eligibleCurrencies),
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
