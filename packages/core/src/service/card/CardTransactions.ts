/**
 * Receives the card network's messages, from a live issuer or from the sandbox: authorizations, clearings and returns. Its jobs
 * collect what was spent and expire open authorizations.
 * Source: wire contract 3.5, 7.1 and 7.5; architecture, "Jobs, external calls and time".
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import {
  type Authorized,
  type CardAuthorization,
  decideAuthorization,
} from "../../decision/card/CardAuthorizationDecision.ts"
import {
  decideExpiry,
  decideMessage,
  decidePull,
  type KnownCollectOutcome,
} from "../../decision/card/CardTransactionDecision.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as Outside from "../../foundation/kit/Outside.ts"
import type { AuditDetails } from "../../model/audit/AuditRecord.ts"
import type { DeclineReason } from "../../model/card/CardAuthorizationRules.ts"
import type { CardMessage } from "../../model/card/CardMessageRules.ts"
import type { CardTransactionResource } from "../../model/card/CardTransactionResource.ts"
import { reachFailPoint } from "../../operation/FailPoints.ts"
import { finish, finishing, JobFailed, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { Issuer } from "../../ports/Issuer.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type * as Changes from "../../store/Changes.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { requireIssuer } from "./CardReads.ts"
import { loadAuthorization, loadMessage, loadTransaction } from "./CardTransactionReads.ts"

type Reply<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

const decodePayload = Schema.decodeUnknownEffect(
  Schema.Struct({ cardTransactionId: Schema.String, pull: Schema.optionalKey(Schema.Int) }),
)

/** Network message about a transaction of a card. */
export interface CardMessageRequest {
  readonly cardId: string
  readonly cardTransactionId: string
  /** The network's identifier of the message. A repeated message changes nothing. */
  readonly messageId: string
  readonly message: CardMessage
}

export class CardTransactions extends Context.Service<
  CardTransactions,
  {
    /**
     * Approves or declines. An approval holds the whole amount on the first funding source that covers it. `audit` holds the details
     * of a simulation's audit record. Errors: 404, `INVALID_CURRENCY`.
     */
    readonly authorize: (authorization: CardAuthorization, audit?: AuditDetails) => Reply<Authorized>
    /** Errors: `REFERENCE_NOT_FOUND`, `TRANSACTION_NOT_FOUND`, `INVALID_INPUT` with a reason, `AMOUNT_OUT_OF_RANGE`. */
    readonly receive: (request: CardMessageRequest, audit?: AuditDetails) => Reply<CardTransactionResource>
    /**
     * Stores what an issuer reports of a transaction's pull (the first has index 0), as its platform. A late or repeated report
     * changes nothing. `Done` for a failed pull resolves an `EXCEPTION`.
     */
    readonly report: (cardTransactionId: string, pullIndex: number, outcome: KnownCollectOutcome) => Reply<void>
    /** Handles the jobs that ask the issuer to collect a pull. */
    readonly collect: JobHandler
    /** Handles the jobs that expire an authorization. */
    readonly expire: JobHandler
  }
>()("@countersign/core/CardTransactions") {
  static readonly layer = Layer.effect(
    CardTransactions,
    Effect.gen(function* () {
      const store = yield* Store
      const issuer = yield* Issuer
      const { needsDelegatedKeys } = issuer
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const authorize = Effect.fnUntraced(
        function* (authorization: CardAuthorization, audit?: AuditDetails) {
          const { amount, issuerTransactionToken: reference, merchant } = authorization
          // The issuer screens an authorization once, however often it is decided.
          let screening: { readonly screeningDecline: DeclineReason | undefined } | undefined
          const answered = yield* Operation.run({
            name: "CardTransactions.authorize",
            load: (read) => loadAuthorization(read, authorization, needsDelegatedKeys),
            ask: Effect.fnUntraced(function* ({ card }) {
              screening ??= {
                screeningDecline: yield* issuer.screen({ reference, card: card.data, merchant, amount }),
              }
              return screening
            }),
            decide: decideAuthorization(authorization, {
              needsDelegatedKeys,
              ...(audit === undefined ? {} : { audit }),
            }),
          })
          return answered.body
        },
        requireIssuer(issuer),
        platformOnly,
        Effect.provideContext(services),
      )

      const receive = Effect.fnUntraced(
        function* ({ cardId, cardTransactionId, message, messageId }: CardMessageRequest, audit?: AuditDetails) {
          const answered = yield* Operation.run({
            name: "CardTransactions.receive",
            load: (read) => loadMessage(read, cardId, cardTransactionId),
            decide: decideMessage(message, messageId, audit),
          })
          return answered.body
        },
        requireIssuer(issuer),
        platformOnly,
        Effect.provideContext(services),
      )

      const record = (id: string, pullIndex: number, outcome: KnownCollectOutcome, fence?: Changes.Changes) =>
        Operation.run({
          name: "CardTransactions.report",
          load: (read) => loadTransaction(read, id),
          decide: decidePull(pullIndex, outcome, fence),
        }).pipe(Effect.asVoid, Effect.provideContext(services))

      const collect: JobHandler = Effect.fnUntraced(function* (job) {
        const { cardTransactionId: id, pull: pullIndex = 0 } = yield* Effect.orDie(decodePayload(job.payload))
        const { transaction } = yield* loadTransaction(store.read, id)
        const { accountId, cardId, currency, merchant, pulls } = transaction.data
        const pull = pulls[pullIndex]
        if (pull?.status !== "PENDING") return yield* finish(job)
        const { amount, requestedAt } = pull
        const outcome = yield* issuer.collect({
          reference: `${id}:${pullIndex}`,
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
        return yield* record(id, pullIndex, outcome, finishing(job))
      })

      const expire: JobHandler = Effect.fnUntraced(function* (job) {
        const { cardTransactionId: id } = yield* Effect.orDie(decodePayload(job.payload))
        yield* Operation.run({
          name: "CardTransactions.expire",
          load: (read) => loadTransaction(read, id),
          decide: decideExpiry(finishing(job)),
        }).pipe(Effect.provideContext(services))
      })

      return CardTransactions.of({
        authorize: (authorization, audit) => authorize(Outside.clean(authorization), audit),
        receive: (request, audit) => receive(Outside.clean(request), audit),
        collect,
        expire,
        report: (id, pullIndex, outcome) => platformOnly(record(id, pullIndex, outcome)),
      })
    }),
  )
}
