/**
 * Quotes of a platform: create, read and execute. Agents create and execute quotes within their policies (`AgentQuotes`).
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
import * as DeferredSignIn from "../../operation/DeferredSignIn.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { QuoteLifetimes } from "../../settings/QuoteLifetimes.ts"
import { asOf } from "../../store/AsOf.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { drawChallengeId, sendCodeIfPending } from "./QuoteChallenges.ts"
import {
  askQuoteCreation,
  drawQuoteIdentifiers,
  idsMax,
  loadQuoteCreation,
  type QuoteCreationPorts,
} from "./QuoteCreationSteps.ts"
import { askExecution, type ExecutionPorts, type ExecutionRequest, loadExecution } from "./QuoteExecutionSteps.ts"
import { loadQuote } from "./QuoteReads.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>
type Answered = Operation.Answered<QuoteResource>

/** The options of an execution. */
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
    /** Returns a quote. An agent sees the quotes that it created. Errors: `QUOTE_NOT_FOUND`. */
    readonly get: (quoteId: string) => Result<QuoteResource>
    /**
     * Executes a quote at its stored amounts. Errors: those of `QuoteExecutionRules`, `INVALID_INPUT` if funds are missing; for a
     * payment out of a wallet those of `SignedRequestRules`.
     */
    readonly execute: (quoteId: string, call?: ExecutionCall, keyed?: Operation.Keyed) => Result<Answered>
  }
>()("@countersign/core/Quotes") {
  static readonly layer = Layer.effect(
    Quotes,
    Effect.gen(function* () {
      const store = yield* Store
      const lifetimes = yield* QuoteLifetimes
      const services = yield* Effect.context<
        Store | WallTime | SecureRandom.SecureRandom | QuoteCreationPorts | ExecutionPorts
      >()

      /** Sends the code of a challenge that the operation has started. */
      const sendCodeAfter = Effect.fnUntraced(function* (answered: Answered) {
        if (!answered.replayed) yield* sendCodeIfPending(answered.body)
        return answered
      })

      const create = Effect.fnUntraced(
        function* (request: QuoteRequest, keyed?: Operation.Keyed) {
          const identifiers = yield* drawQuoteIdentifiers
          const answered = yield* Operation.run({
            name: "Quotes.create",
            ids: idsMax,
            keyed,
            load: (read) => loadQuoteCreation(read, request),
            ask: (records) => askQuoteCreation(records, request, identifiers),
            decide: createQuote(request, lifetimes),
          })
          return yield* sendCodeAfter(answered)
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const execute = Effect.fnUntraced(
        function* (quoteId: string, { headers = {}, scaFactor }: ExecutionCall = {}, keyed?: Operation.Keyed) {
          const request: ExecutionRequest = { challengeId: yield* drawChallengeId, factor: scaFactor, headers }
          const answered = yield* Operation.run({
            name: "Quotes.execute",
            ids: idsMax,
            keyed,
            load: (read) => loadExecution(read, quoteId),
            ask: (loaded) => askExecution(loaded, request),
            decide: executeQuote,
          })
          return yield* sendCodeAfter(answered)
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const get = Effect.fnUntraced(function* (quoteId: string) {
        return toQuote(asOf(yield* loadQuote(DeferredSignIn.reads(store), quoteId), yield* Clock.currentTimeMillis))
      })

      return Quotes.of({ create, get, execute })
    }),
  )
}
