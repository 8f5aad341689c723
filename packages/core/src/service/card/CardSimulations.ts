/**
 * Simulates the card network: turns the sandbox's requests into network messages, and audits them.
 * Source: wire contract 7.1, 7.5 and 11 (60); D-172, D-262.
 */
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
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
import { CardTransactions } from "./CardTransactions.ts"

type Reply = Effect.Effect<SandboxCardSimulationResponse, ServiceError | StoreUnavailable, CurrentCaller>

/** Direction of the money, and whether it clears at once. */
export interface SimulatedAuthorization {
  readonly direction: "CREDIT" | "DEBIT"
  readonly isFinancial: boolean
}

export class CardSimulations extends Context.Service<
  CardSimulations,
  {
    /** Authorizes an amount. A declined authorization is answered, too, and leaves no transaction. */
    readonly authorize: (
      cardId: string,
      request: SandboxCardAuthorizationRequest,
      type: SimulatedAuthorization,
    ) => Reply
    /** Authorizes an amount of 0, which holds nothing. */
    readonly inquire: (cardId: string, merchant: CardMerchant) => Reply
    /** Sends a message about a transaction. */
    readonly send: (cardId: string, cardTransactionId: string, message: CardMessage) => Reply
  }
>()("@countersign/core/CardSimulations") {
  static readonly layer = Layer.effect(
    CardSimulations,
    Effect.gen(function* () {
      const transactions = yield* CardTransactions
      const store = yield* Store
      const random = yield* SecureRandom.SecureRandom

      const drawToken = (prefix: string) =>
        Effect.map(random.randomBytes(12), (bytes) => `${prefix}_${Hex.encode(bytes)}`)

      const simulate = Effect.fnUntraced(function* (
        cardId: string,
        request: { readonly amount: number; readonly currency: CurrencyCode; readonly merchant: CardMerchant },
        type: SimulatedAuthorization,
      ) {
        const issuerTransactionToken = yield* drawToken("txn")
        const { amount, currency } = request
        const authorized = yield* transactions.authorize(
          { cardId, issuerTransactionToken, ...request, ...type },
          { message: "Authorization", ...type, amount, currency },
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

      const send = Effect.fnUntraced(function* (cardId: string, cardTransactionId: string, message: CardMessage) {
        const messageId = yield* drawToken("msg")
        const { _tag, ...rest } = message
        const { issuerTransactionToken } = yield* transactions.receive(
          { cardId, cardTransactionId, messageId, message },
          { message: _tag, ...rest, cardTransactionId },
        )
        return { issuerTransactionToken }
      })

      return CardSimulations.of({
        authorize: (cardId, { amount, currency, merchant }, type) =>
          simulate(
            cardId,
            { amount, merchant, currency: typeof currency === "string" ? currency : currency.code },
            type,
          ),
        inquire: (cardId, merchant) => platformOnly(inquire(cardId, merchant)),
        send,
      })
    }),
  )
}
