/**
 * Quotes that an agent asks for within its policy. Their execution is an action (`AgentActions.submitQuote`).
 * Spec: AgentAction; wire contract 1.1, 1.4 and 1.6.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { type AgentQuoteLoaded, createAgentQuote, touchedBy } from "../../decision/approval/AgentQuoteDecision.ts"
import { sendingCurrencyOf } from "../../decision/quote/QuoteCreationDecision.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { QuoteRequest, QuoteResource } from "../../model/quote/QuoteResource.ts"
import * as Operation from "../../operation/Operation.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { QuoteLifetimes } from "../../settings/QuoteLifetimes.ts"
import { type Caller, CurrentCaller } from "../../store/Caller.ts"
import type { Store, StoreUnavailable } from "../../store/Store.ts"
import { idsMax } from "../quote/QuoteLoads.ts"
import * as ActionLoads from "./ActionLoads.ts"

type Agent = Extract<Caller, { readonly _tag: "Agent" }>

export class AgentQuotes extends Context.Service<
  AgentQuotes,
  {
    /** The calling agent's quote, for its customer. Errors: those of `QuoteRules`; `FORBIDDEN` by the agent's policy. */
    readonly create: (
      request: QuoteRequest,
      keyed?: Operation.Keyed,
    ) => Effect.Effect<Operation.Answered<QuoteResource>, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/AgentQuotes") {
  static readonly layer = Layer.effect(
    AgentQuotes,
    Effect.gen(function* () {
      const loads = yield* ActionLoads.make
      const lifetimes = yield* QuoteLifetimes
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const load = Effect.fnUntraced(function* (
        read: Operation.Read,
        caller: Agent,
        request: QuoteRequest,
        drawn: Effect.Success<typeof loads.quotes.draw>,
      ) {
        const { opened } = yield* loads.open(read, caller, {})
        const quote = yield* loads.quotes.creation(read, request, drawn)
        const currency = sendingCurrencyOf(request, quote.sourceAccount)
        const isCompared = request.immediatelyExecute === true && currency !== undefined
        const loaded: AgentQuoteLoaded = {
          ...opened,
          quote,
          rates: isCompared ? yield* loads.ratesOf(opened.agent, { accounts: touchedBy(quote), currency }) : new Map(),
        }
        return loaded
      })

      const create = Effect.fnUntraced(function* (request: QuoteRequest, keyed?: Operation.Keyed) {
        const caller = yield* CurrentCaller
        if (caller._tag !== "Agent") return yield* Effect.die(new Error("only an agent asks within its policy"))
        const drawn = yield* loads.quotes.draw
        const answered = yield* Operation.run({
          name: "AgentQuotes.create",
          ids: idsMax,
          keyed,
          load: (read) => load(read, caller, request, drawn),
          decide: createAgentQuote(request, lifetimes),
        })
        if (!answered.replayed) yield* loads.quotes.sendCodeOf(answered.body)
        return answered
      }, Effect.provideContext(services))

      return AgentQuotes.of({ create })
    }),
  )
}
