/**
 * The card network, simulated: what a test asks for becomes the network's message.
 * Source: wire contract 7.1, 7.5 and 11 (60); D-172, D-262.
 */
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import { auditRecord } from "../../decision/audit/Audit.ts"
import type { Authorized } from "../../decision/card/CardTransactionDecision.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { CardMessage } from "../../model/card/CardMessageRules.ts"
import type { CardMerchant } from "../../model/card/CardTransaction.ts"
import type {
  SandboxCardAuthorizationRequest,
  SandboxCardSimulationResponse,
} from "../../model/card/CardTransactionResource.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { readCard } from "./CardReads.ts"
import { type CardNotification, CardTransactions } from "./CardTransactions.ts"

type Result = Effect.Effect<SandboxCardSimulationResponse, ServiceError | StoreUnavailable, CurrentCaller>

/** Which way the money goes, and whether it is cleared at once. */
export interface SimulatedKind {
  readonly direction: "CREDIT" | "DEBIT"
  readonly isFinancial: boolean
}

/** A simulated authorization on record: what was asked, and what came of it; never at which merchant. */
const asking =
  (details: { readonly [name: string]: string | number | boolean }): CardNotification<Authorized> =>
  (context, card, said) =>
    said._tag === "Approved"
      ? auditRecord(context, "SANDBOX_CARD_MESSAGE", card, {
          details: { ...details, cardTransactionId: said.transaction.id },
        })
      : auditRecord(context, "SANDBOX_CARD_MESSAGE", card, {
          outcome: "REFUSED",
          details: { ...details, declineReason: said.reason },
        })

export class CardSimulations extends Context.Service<
  CardSimulations,
  {
    /** A declined authorization is answered as well, and leaves no transaction. */
    readonly authorize: (cardId: string, request: SandboxCardAuthorizationRequest, kind: SimulatedKind) => Result
    /** An authorization of nothing, which holds nothing. */
    readonly inquire: (cardId: string, merchant: CardMerchant) => Result
    readonly say: (cardId: string, cardTransactionId: string, message: CardMessage) => Result
  }
>()("@countersign/core/CardSimulations") {
  static readonly layer = Layer.effect(
    CardSimulations,
    Effect.gen(function* () {
      const transactions = yield* CardTransactions
      const store = yield* Store
      const random = yield* SecureRandom.SecureRandom

      const draw = (prefix: string) => Effect.map(random.randomBytes(12), (bytes) => `${prefix}_${Hex.encode(bytes)}`)

      const simulate = Effect.fnUntraced(function* (
        cardId: string,
        asked: { readonly amount: number; readonly currency: CurrencyCode; readonly merchant: CardMerchant },
        kind: SimulatedKind,
      ) {
        const issuerTransactionToken = yield* draw("txn")
        const { amount, currency } = asked
        const authorized = yield* transactions.authorize(
          { cardId, issuerTransactionToken, ...asked, ...kind },
          asking({ message: "Authorization", ...kind, amount, currency }),
        )
        return {
          issuerTransactionToken,
          ...(authorized._tag === "Declined" ? { declineReason: authorized.reason } : {}),
        }
      })

      const inquire = Effect.fnUntraced(function* (cardId: string, merchant: CardMerchant) {
        const { currency } = (yield* readCard(store.read, cardId)).data
        return yield* simulate(cardId, { amount: 0, currency, merchant }, { direction: "DEBIT", isFinancial: false })
      })

      const say = Effect.fnUntraced(function* (cardId: string, cardTransactionId: string, message: CardMessage) {
        const messageId = yield* draw("msg")
        const { _tag, ...rest } = message
        const details = { message: _tag, ...rest, cardTransactionId }
        const { issuerTransactionToken } = yield* transactions.take(
          { cardId, cardTransactionId, messageId, message },
          (context, card) => auditRecord(context, "SANDBOX_CARD_MESSAGE", card, { details }),
        )
        return { issuerTransactionToken }
      })

      return CardSimulations.of({
        authorize: (cardId, { amount, currency, merchant }, kind) =>
          simulate(
            cardId,
            { amount, merchant, currency: typeof currency === "string" ? currency : currency.code },
            kind,
          ),
        inquire: (cardId, merchant) => platformOnly(inquire(cardId, merchant)),
        say,
      })
    }),
  )
}
