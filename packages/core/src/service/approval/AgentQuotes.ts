/**
 * Quotes that an agent requests within its policy. Their execution is an action (`AgentActions.submitQuote`).
 * Spec: AgentAction; wire contract 1.1, 1.4 and 1.6.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import {
  type AgentQuoteFacts,
  type AgentQuoteRecords,
  createAgentQuote,
  touchedAccountsOf,
} from "../../decision/approval/AgentQuoteDecision.ts"
import { sendingCurrencyOf } from "../../decision/quote/QuoteCreationLoaded.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { QuoteRequest, QuoteResource } from "../../model/quote/QuoteResource.ts"
import * as Operation from "../../operation/Operation.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { QuoteLifetimes } from "../../settings/QuoteLifetimes.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Store, StoreUnavailable } from "../../store/Store.ts"
import { sendCodeIfPending } from "../quote/QuoteChallenges.ts"
import {
  accountsQuery,
  askQuoteCreation,
  drawQuoteIdentifiers,
  idsMax,
  loadQuoteCreation,
  type QuoteCreationPorts,
  type QuoteIdentifiers,
} from "../quote/QuoteCreationSteps.ts"
import { type Actor, askApprovals, askRates, loadAgentRecords } from "./ActionSteps.ts"
import { callingAgent } from "./CallingAgent.ts"

const loadAgentQuote = Effect.fnUntraced(function* (read: Operation.Read, actor: Actor, request: QuoteRequest) {
  const { found, records } = yield* loadAgentRecords(read, actor, accountsQuery(request))
  const { customer } = records
  const quoteRecords = yield* loadQuoteCreation(read, request, { customer, found })
  const loaded: AgentQuoteRecords = { ...records, quoteRecords }
  return loaded
})

const askAgentQuote = Effect.fnUntraced(function* (
  { agent, quoteRecords }: AgentQuoteRecords,
  request: QuoteRequest,
  identifiers: QuoteIdentifiers,
) {
  const quoteFacts = yield* askQuoteCreation(quoteRecords, request, identifiers)
  const { sourceAccount } = quoteRecords
  const currency = sendingCurrencyOf(request, sourceAccount)
  const isCompared = request.immediatelyExecute === true && currency !== undefined
  const money = isCompared
    ? { accounts: touchedAccountsOf(sourceAccount, quoteFacts.destinationAccount), currency }
    : undefined
  const approvals = yield* askApprovals(agent.platformId)
  const facts: AgentQuoteFacts = { quoteFacts, approvals, rates: yield* askRates(agent, money, approvals) }
  return facts
})

export class AgentQuotes extends Context.Service<
  AgentQuotes,
  {
    /** Creates a quote of the calling agent for its customer. Errors: those of `QuoteRules`; `FORBIDDEN` by its policy. */
    readonly create: (
      request: QuoteRequest,
      keyed?: Operation.Keyed,
    ) => Effect.Effect<Operation.Answered<QuoteResource>, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/AgentQuotes") {
  static readonly layer = Layer.effect(
    AgentQuotes,
    Effect.gen(function* () {
      const lifetimes = yield* QuoteLifetimes
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom | QuoteCreationPorts>()

      const create = Effect.fnUntraced(function* (request: QuoteRequest, keyed?: Operation.Keyed) {
        const caller = yield* callingAgent
        const identifiers = yield* drawQuoteIdentifiers
        const answered = yield* Operation.run({
          name: "AgentQuotes.create",
          ids: idsMax,
          keyed,
          load: (read) => loadAgentQuote(read, caller, request),
          ask: (loaded) => askAgentQuote(loaded, request, identifiers),
          decide: createAgentQuote(request, lifetimes),
        })
        if (!answered.replayed) yield* sendCodeIfPending(answered.body)
        return answered
      }, Effect.provideContext(services))

      return AgentQuotes.of({ create })
    }),
  )
}
