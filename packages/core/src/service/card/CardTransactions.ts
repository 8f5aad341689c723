/**
 * What the card network says: authorizations, clearings, returns; and the jobs that collect what was spent and end what was
 * forgotten. A live issuer's messages come in here, and so do the sandbox's.
 * Source: wire contract 3.5, 7.1 and 7.5; architecture, "Jobs, outside calls and time".
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import {
  type AuthorizationLoaded,
  type Authorized,
  type CardAuthorization,
  type CardTransactionLoaded,
  decideAuthorization,
  decideExpiry,
  decideMessage,
  decidePull,
  type SourceLoaded,
} from "../../decision/card/CardTransactionDecision.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { DeclineReason } from "../../model/card/CardAuthorizationRules.ts"
import type { CardMessage } from "../../model/card/CardMessageRules.ts"
import type { CardTransactionResource } from "../../model/card/CardTransactionResource.ts"
import { reachFailPoint } from "../../operation/FailPoints.ts"
import { finish, finishing, JobFailed, type JobHandler } from "../../operation/Jobs.ts"
import { where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { type CollectOutcome, Issuer } from "../../ports/Issuer.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { type ClaimedJob, Store, type StoreUnavailable } from "../../store/Store.ts"
import { offered, readCard } from "./CardReads.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>
/** What a caller puts on record with what it did, in the same commit. */
export type CardNotification<A> = (context: Operation.DecisionContext, card: Stored<"Card">, said: A) => Changes.Changes
type Certain = Exclude<CollectOutcome, { readonly _tag: "Unknown" }>

const decodePayload = Schema.decodeUnknownEffect(
  Schema.Struct({ cardTransactionId: Schema.String, pull: Schema.optionalKey(Schema.Int) }),
)

const noTransaction = new ServiceError(notFound("transaction", "TRANSACTION_NOT_FOUND"))

/** What is refused was a mistake of the request, and is not told. */
const told = <A>(
  decision: Operation.Decision<A>,
  context: Operation.DecisionContext,
  card: Stored<"Card">,
  telling: CardNotification<A> = () => ({}),
): Operation.Decision<A> =>
  decision._tag === "Refuse"
    ? decision
    : { ...decision, changes: Changes.combine(decision.changes, telling(context, card, decision.body)) }

/** A message about a transaction of a card. */
export interface CardMessageOrder {
  readonly cardId: string
  readonly cardTransactionId: string
  /** The network's name of the message: one that comes again changes nothing. */
  readonly messageId: string
  readonly message: CardMessage
}

export class CardTransactions extends Context.Service<
  CardTransactions,
  {
    /** Approved: the whole amount is held on the first funding source that covers it. Errors: 404, `INVALID_CURRENCY`. */
    readonly authorize: (asked: CardAuthorization, telling?: CardNotification<Authorized>) => Result<Authorized>
    /** Errors: `REFERENCE_NOT_FOUND`, `TRANSACTION_NOT_FOUND`, `INVALID_INPUT` with a reason, `AMOUNT_OUT_OF_RANGE`. */
    readonly take: (
      order: CardMessageOrder,
      telling?: CardNotification<CardTransactionResource>,
    ) => Result<CardTransactionResource>
    /**
     * Stores what an issuer reports of a transaction's pull (0 is its first), as its platform; what comes too late or twice is
     * dropped. `Done` of a failed pull is how somebody acts on an `EXCEPTION`.
     */
    readonly report: (cardTransactionId: string, pull: number, said: Certain) => Result<void>
    /** The handler of the jobs that ask the issuer for a pull's money. */
    readonly collect: JobHandler
    /** The handler of the jobs that end an authorization whose time is over. */
    readonly expire: JobHandler
  }
>()("@countersign/core/CardTransactions") {
  static readonly layer = Layer.effect(
    CardTransactions,
    Effect.gen(function* () {
      const store = yield* Store
      const issuer = yield* Issuer
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const activeKey = (fundingSourceId: string) =>
        store
          .list("DelegatedKey", where({ fundingSourceId, status: "ACTIVE" }), { limit: 1, order: "desc" })
          .pipe(Effect.map((page) => page.data[0]))

      const loadSources = Effect.fnUntraced(function* (read: Operation.Read, card: Stored<"Card">) {
        const { data } = card
        const receivable = Ledger.receivable(card, data.currency).id
        const found = yield* read({
          records: data.fundingSources.map(({ accountId: id }) => ({ kind: "InternalAccount", id })),
          balances: [...data.fundingSources.map(({ accountId }) => Ledger.available(accountId)), receivable],
        })
        const sources = yield* Effect.forEach(data.fundingSources, ({ accountId, id }) =>
          Effect.gen(function* () {
            const account = found.record("InternalAccount", accountId)
            if (account === undefined) return []
            const needsKey = issuer.needsDelegatedKeys && account.data.type === "EMBEDDED_WALLET"
            const key = needsKey ? yield* activeKey(id) : undefined
            const source: SourceLoaded = {
              account,
              available: found.balance(Ledger.available(accountId)),
              owed: found.balance(receivable),
              isDrawable: !needsKey || key !== undefined,
              ...(key === undefined ? {} : { key }),
            }
            return [source]
          }),
        )
        return sources.flat()
      })

      const knownBy = (issuerTransactionToken: string) =>
        store
          .list("CardTransaction", where({ issuerTransactionToken }), { limit: 1, order: "desc" })
          .pipe(Effect.map((page) => page.data[0]))

      const authorize = Effect.fnUntraced(
        function* (asked: CardAuthorization, telling?: CardNotification<Authorized>) {
          const { amount, cardId, issuerTransactionToken, merchant } = asked
          // Asked once, however often it is decided.
          let screened: { readonly reason: DeclineReason | undefined } | undefined
          const answered = yield* Operation.run({
            name: "CardTransactions.authorize",
            load: Effect.fnUntraced(function* (read) {
              const card = yield* readCard(read, cardId)
              const id = card.customerId ?? ""
              const cardholder = (yield* read({ records: [{ kind: "Customer", id }] })).record("Customer", id)
              if (cardholder === undefined) return yield* new ServiceError(notFound("card"))
              const reference = issuerTransactionToken
              screened ??= { reason: yield* issuer.screen({ reference, card: card.data, merchant, amount }) }
              return {
                card,
                cardholder,
                sources: yield* loadSources(read, card),
                screened: screened.reason,
                known: yield* knownBy(issuerTransactionToken),
              }
            }),
            decide: (loaded: AuthorizationLoaded, context) =>
              told(decideAuthorization(asked)(loaded, context), context, loaded.card, telling),
          })
          return answered.body
        },
        offered(issuer),
        platformOnly,
        Effect.provideContext(services),
      )

      const load = Effect.fnUntraced(function* <E>(read: Operation.Read<E>, id: string) {
        const first = yield* read({ records: [{ kind: "CardTransaction", id }] })
        const transaction = first.record("CardTransaction", id)
        if (transaction === undefined) return yield* noTransaction
        const { accountId, currency } = transaction.data
        const receivable = Ledger.receivable(transaction, currency).id
        const second = yield* read({
          records: [{ kind: "InternalAccount", id: accountId }],
          balances: [Ledger.available(accountId), receivable],
        })
        const account = second.record("InternalAccount", accountId)
        if (account === undefined) return yield* Effect.die(new Error(`no account ${accountId}`))
        const loaded: CardTransactionLoaded = {
          transaction,
          account,
          available: second.balance(Ledger.available(accountId)),
          owed: second.balance(receivable),
        }
        return loaded
      })

      const take = Effect.fnUntraced(
        function* (
          { cardId, cardTransactionId, message, messageId }: CardMessageOrder,
          telling?: CardNotification<CardTransactionResource>,
        ) {
          const answered = yield* Operation.run({
            name: "CardTransactions.take",
            load: Effect.fnUntraced(function* (read) {
              const card = yield* readCard(read, cardId)
              const loaded = yield* load(read, cardTransactionId)
              return loaded.transaction.data.cardId === cardId ? { card, ...loaded } : yield* noTransaction
            }),
            decide: ({ card, ...loaded }: CardTransactionLoaded & { readonly card: Stored<"Card"> }, context) =>
              told(decideMessage(message, messageId)(loaded, context), context, card, telling),
          })
          return answered.body
        },
        offered(issuer),
        platformOnly,
        Effect.provideContext(services),
      )

      const record = (
        cardTransactionId: string,
        decide: (loaded: CardTransactionLoaded, context: Operation.DecisionContext) => Changes.Changes,
        fence: ClaimedJob | undefined,
      ) =>
        Operation.run({
          name: "CardTransactions.report",
          load: (read) => load(read, cardTransactionId),
          decide: (loaded, context) =>
            Operation.answer(200, null, Changes.combine(decide(loaded, context), fence && finishing(fence))),
        }).pipe(Effect.asVoid, Effect.provideContext(services))

      const collect: JobHandler = Effect.fnUntraced(function* (job) {
        const { cardTransactionId: id, pull: at = 0 } = yield* Effect.orDie(decodePayload(job.payload))
        const { transaction } = yield* load(store.read, id)
        const { accountId, cardId, currency, merchant, pulls } = transaction.data
        const pull = pulls[at]
        if (pull?.status !== "PENDING") return yield* finish(job)
        const { amount, requestedAt } = pull
        const outcome = yield* issuer.collect({
          reference: `${id}:${at}`,
          cardId,
          accountId,
          merchant,
          amount,
          currency,
          requestedAt,
        })
        yield* reachFailPoint("issuer.asked")
        if (outcome._tag === "Unknown") {
          return yield* new JobFailed({ reason: `the issuer does not know: ${outcome.cause}` })
        }
        return yield* record(id, (loaded, context) => decidePull(loaded, at, outcome, context), job)
      })

      const expire: JobHandler = Effect.fnUntraced(function* (job) {
        const { cardTransactionId } = yield* Effect.orDie(decodePayload(job.payload))
        return yield* record(cardTransactionId, decideExpiry, job)
      })

      return CardTransactions.of({
        authorize,
        take,
        collect,
        expire,
        report: (id, at, said) =>
          platformOnly(record(id, (loaded, context) => decidePull(loaded, at, said, context), undefined)),
      })
    }),
  )
}
