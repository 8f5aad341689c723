/**
 * Quotes: created, read, executed. An agent's are created and executed within its policy (`AgentQuotes`).
 * Spec: Quote, 4.5; wire contract 5.1, 5.2 and 5.5.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { createQuote } from "../../decision/quote/QuoteCreationDecision.ts"
import { executeQuote } from "../../decision/quote/QuoteExecutionDecision.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import { type QuoteRequest, type QuoteResource, toQuote } from "../../model/quote/QuoteResource.ts"
import type { ScaFactor } from "../../model/sca/ScaProfile.ts"
import type { WalletHeaders } from "../../model/wallet/SignedRequest.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { QuoteLifetimes } from "../../settings/QuoteLifetimes.ts"
import { asOf } from "../../store/AsOf.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import * as QuoteLoads from "./QuoteLoads.ts"
import { readQuote, readQuoteParts } from "./QuoteReads.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>
type Answered = Operation.Answered<QuoteResource>

/** What a call for an execution brings. */
export interface ExecutionCall {
  readonly scaFactor?: ScaFactor
  /** The signature of a payment out of an embedded wallet. */
  readonly headers?: WalletHeaders
}

export class Quotes extends Context.Service<
  Quotes,
  {
    /** Errors: those of `QuoteRules`. */
    readonly create: (request: QuoteRequest, keyed?: Operation.Keyed) => Result<Answered>
    /** An agent sees the quotes that it created. Errors: `QUOTE_NOT_FOUND`. */
    readonly get: (quoteId: string) => Result<QuoteResource>
    /**
     * Executes at the stored amounts. Errors: those of `QuoteExecutionRules`, `INVALID_INPUT` where funds are missing; out of a wallet
     * those of `SignedRequestRules`.
     */
    readonly execute: (quoteId: string, call?: ExecutionCall, keyed?: Operation.Keyed) => Result<Answered>
  }
>()("@countersign/core/Quotes") {
  static readonly layer = Layer.effect(
    Quotes,
    Effect.gen(function* () {
      const store = yield* Store
      const loads = yield* QuoteLoads.make
      const lifetimes = yield* QuoteLifetimes
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const told = Effect.fnUntraced(function* (answered: Answered) {
        if (!answered.replayed) yield* loads.sendCodeOf(answered.body)
        return answered
      })

      const create = Effect.fnUntraced(
        function* (request: QuoteRequest, keyed?: Operation.Keyed) {
          const drawn = yield* loads.draw
          const answered = yield* Operation.run({
            name: "Quotes.create",
            ids: QuoteLoads.idsMax,
            keyed,
            load: (read) => loads.creation(read, request, drawn),
            decide: createQuote(request, lifetimes),
          })
          return yield* told(answered)
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const execute = Effect.fnUntraced(
        function* (quoteId: string, { headers = {}, scaFactor }: ExecutionCall = {}, keyed?: Operation.Keyed) {
          const { challengeId } = yield* loads.draw
          const called = { challengeId, factor: scaFactor, headers }
          const answered = yield* Operation.run({
            name: "Quotes.execute",
            ids: QuoteLoads.idsMax,
            keyed,
            load: (read) =>
              Effect.flatMap(readQuoteParts(read, quoteId), (parts) => loads.execution(read, parts, called)),
            decide: executeQuote,
          })
          return yield* told(answered)
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return Quotes.of({
        create,
        get: Effect.fnUntraced(function* (quoteId) {
          return toQuote(asOf(yield* readQuote(store.read, quoteId), yield* Clock.currentTimeMillis))
        }),
        execute,
      })
    }),
  )
}
