/**
 * Quotes: created, read, executed.
 * Spec: Quote, 4.5; wire contract 5.1, 5.2 and 5.5.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { notFound, ServiceError } from "../errors/ServiceError.ts"
import * as IdPool from "../ids/IdPool.ts"
import { isId } from "../ids/IdTypes.ts"
import * as Ledger from "../ledger/LedgerAccounts.ts"
import { Currencies, type CurrencyCode } from "../money/Currencies.ts"
import { identity } from "../money/Rate.ts"
import { asOf } from "../operation/AsOf.ts"
import * as Operation from "../operation/Operation.ts"
import { platformOnly } from "../operation/PlatformOnly.ts"
import { CurrentCaller, tenant } from "../ports/Caller.ts"
import type { RecordRef, Stored } from "../ports/ChangeSet.ts"
import { ExchangeRates, type OfferedRate } from "../ports/ExchangeRates.ts"
import { FundingInstructions } from "../ports/FundingInstructions.ts"
import { QuoteLifetimes } from "../ports/QuoteLifetimes.ts"
import { Rails } from "../ports/Rails.ts"
import type { ScaProvider } from "../ports/ScaProvider.ts"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import { UmaNetwork } from "../ports/UmaNetwork.ts"
import type { WallTime } from "../ports/WallTime.ts"
import { seekReceiver } from "../receiver/ReceiverReads.ts"
import type { ScaFactor } from "../sca/ScaProfile.ts"
import { referenceOf } from "../transaction/Transaction.ts"
import { undeleted } from "../transaction/TransferInDecision.ts"
import { challengingOf, drawChallenge, sendCode } from "./QuoteChallenges.ts"
import { createQuote, type QuoteLoaded, receivingCurrencyOf, sendingCurrencyOf } from "./QuoteCreationDecision.ts"
import { executeQuote } from "./QuoteExecutionDecision.ts"
import { readQuote, readQuoteParts } from "./QuoteReads.ts"
import { type QuoteRequest, type QuoteResource, toQuote } from "./QuoteResource.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>
type Answered = Operation.Answered<QuoteResource>

const isInternalId = (id: string): boolean => isId("InternalAccount", id)

const accountRef = (id: string): RecordRef => ({ kind: isInternalId(id) ? "InternalAccount" : "ExternalAccount", id })

/** So many identifiers as two records with their events, balances and jobs may draw. */
const idsMax = 24

export class Quotes extends Context.Service<
  Quotes,
  {
    /** Errors: those of `QuoteRules`. An agent's quote is its own, and for its customer. */
    readonly create: (request: QuoteRequest, keyed?: Operation.Keyed) => Result<Answered>
    /** An agent sees the quotes that it created. Errors: `QUOTE_NOT_FOUND`. */
    readonly get: (quoteId: string) => Result<QuoteResource>
    /** Executes at the stored amounts. Errors: those of `QuoteExecutionRules`, `INVALID_INPUT` where funds are missing. */
    readonly execute: (quoteId: string, scaFactor?: ScaFactor, keyed?: Operation.Keyed) => Result<Answered>
  }
>()("@countersign/core/Quotes") {
  static readonly layer = Layer.effect(
    Quotes,
    Effect.gen(function* () {
      const store = yield* Store
      const rails = yield* Rails
      const rates = yield* ExchangeRates
      const instructions = yield* FundingInstructions
      const lifetimes = yield* QuoteLifetimes
      const network = yield* UmaNetwork
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom | ScaProvider>()

      /** The platform's configuration, which an agent rests on and does not see. */
      const platformOf = Effect.fnUntraced(function* (platformId: string) {
        const read = yield* store
          .read({ records: [{ kind: "Platform", id: platformId }] })
          .pipe(Effect.provideService(CurrentCaller, tenant(platformId)))
        return read.record("Platform", platformId) ?? (yield* new ServiceError(notFound("platform")))
      })

      const rateOf = (from: CurrencyCode, to: CurrencyCode): Effect.Effect<OfferedRate | undefined> =>
        from === to ? Effect.succeed(identity(from)) : rates.rate(from, to)

      const customerOf = Effect.fnUntraced(function* (read: Operation.Read, id: string | null | undefined) {
        if (id === null || id === undefined) return undefined
        const customer = (yield* read({ records: [{ kind: "Customer", id }] })).record("Customer", id)
        return customer?.data.isDeleted === true ? undefined : customer
      })

      /** The customer's own account for a crypto asset that a payer sends. */
      const refundAccountOf = Effect.fnUntraced(function* ({ source }: QuoteRequest, customerId: string | undefined) {
        if (source.sourceType === "ACCOUNT" || !Currencies.get(source.currency).crypto) return undefined
        const found = yield* store.list(
          "InternalAccount",
          {
            customerId: { eq: customerId ?? null },
            currency: { eq: source.currency },
            type: { eq: "INTERNAL_CRYPTO" },
            status: { eq: "ACTIVE" },
          },
          { limit: 1, order: "desc" },
        )
        return found.data[0]
      })

      const accountsOf = Effect.fnUntraced(function* (read: Operation.Read, { destination, source }: QuoteRequest) {
        const sourceId = source.sourceType === "ACCOUNT" ? source.accountId : undefined
        const destinationId = destination.destinationType === "ACCOUNT" ? destination.accountId : undefined
        const ids = [...new Set([sourceId, destinationId].filter((id) => id !== undefined))]
        const found = yield* read({
          records: ids.map(accountRef),
          balances: sourceId === undefined ? [] : [Ledger.available(sourceId)],
        })
        const accountOf = (id: string | undefined) =>
          id === undefined
            ? undefined
            : isInternalId(id)
              ? found.record("InternalAccount", id)
              : undeleted(found.record("ExternalAccount", id))
        return {
          sourceAccount: accountOf(sourceId),
          destinationAccount: accountOf(destinationId),
          available: sourceId === undefined ? 0 : found.balance(Ledger.available(sourceId)).balance,
        }
      })

      const isPullable = (account: QuoteLoaded["sourceAccount"]) =>
        account?.kind === "ExternalAccount"
          ? Effect.map(
              rails.inspectPull(
                { accountId: account.id, currency: account.data.currency, accountInfo: account.data.accountInfo },
                undefined,
              ),
              ({ pullable }) => pullable,
            )
          : Effect.succeed(false)

      /** How the payer can send: to a deposit account, or to that of an external source which cannot be pulled. */
      const waysOf = (
        { source }: QuoteRequest,
        currency: CurrencyCode | undefined,
        reference: string,
        customer: Stored<"Customer"> | undefined,
      ) => {
        if (currency === undefined) return Effect.succeed([])
        const region = customer?.data.region
        const cryptoNetwork = source.sourceType === "ACCOUNT" ? undefined : source.cryptoNetwork
        return instructions.forPayment({
          reference,
          currency,
          ...(cryptoNetwork === undefined ? {} : { cryptoNetwork }),
          ...(region === undefined ? {} : { region }),
        })
      }

      const load = Effect.fnUntraced(function* (
        read: Operation.Read,
        request: QuoteRequest,
        drawn: { readonly challengeId: string; readonly paymentReference: string },
      ) {
        const caller = yield* CurrentCaller
        const accounts = yield* accountsOf(read, request)
        const { sourceAccount } = accounts
        const platform = yield* platformOf(caller.platformId)
        const named = request.source.customerId
        const agents = caller._tag === "Agent" ? caller.customerId : undefined
        const customer = yield* customerOf(read, named ?? sourceAccount?.customerId ?? agents)
        const from = sendingCurrencyOf(request, sourceAccount)
        const { destination } = request
        const receiver =
          destination.destinationType === "ACCOUNT"
            ? undefined
            : yield* seekReceiver(
                platform.data,
                destination.umaAddress,
                customer?.data.umaAddress,
                "destination.umaAddress",
              )
        const own = receiver?._tag === "Found" ? receiver.accounts : []
        const to = receivingCurrencyOf(request, { destinationAccount: accounts.destinationAccount, receiver })
        const destinationAccount = accounts.destinationAccount ?? own.find(({ data }) => data.currency === to)
        const pullable = yield* isPullable(sourceAccount)
        const isPushed = request.source.sourceType === "REALTIME_FUNDING" || sourceAccount?.kind === "ExternalAccount"
        const loaded: QuoteLoaded = {
          ...accounts,
          destinationAccount,
          receiver,
          platform,
          customer,
          isCustomerKnown: named === undefined || customer?.id === named,
          isPullable: pullable,
          instructions: isPushed && !pullable ? yield* waysOf(request, from, drawn.paymentReference, customer) : [],
          paymentReference: drawn.paymentReference,
          refundAccount: yield* refundAccountOf(request, customer?.id),
          rate: from === undefined || to === undefined ? undefined : yield* rateOf(from, to),
          toBitcoin: from === undefined ? undefined : yield* rateOf(from, "BTC"),
          challenging: yield* challengingOf(read, customer, {
            challengeId: drawn.challengeId,
            factor: request.scaFactor,
            isExchange: from !== to,
            isPayout: destinationAccount?.kind !== "InternalAccount",
          }),
        }
        return loaded
      })

      /** Sends the code of a challenge that a fresh answer tells of. */
      const told = Effect.fnUntraced(function* (answered: Answered) {
        const { id, status } = answered.body
        if (answered.replayed || status !== "PENDING_AUTHORIZATION") return answered
        const { customer, quote } = yield* readQuoteParts(store.read, id)
        const { challenge } = quote.data
        if (customer !== undefined && challenge !== undefined) yield* sendCode(customer, challenge)
        return answered
      })

      const create = Effect.fnUntraced(function* (request: QuoteRequest, keyed?: Operation.Keyed) {
        const caller = yield* CurrentCaller
        const challengeId = yield* drawChallenge
        const paymentReference = referenceOf("Q", (yield* IdPool.make(1)).source()("Quote"))
        const by = caller._tag === "Agent" ? { agentId: caller.agentId } : {}
        const answered = yield* Operation.run({
          name: "Quotes.create",
          ids: idsMax,
          keyed,
          load: (read) =>
            Effect.provideService(load(read, request, { challengeId, paymentReference }), UmaNetwork, network),
          decide: createQuote(request, lifetimes, by),
        })
        return yield* told(answered)
      }, Effect.provideContext(services))

      const loadExecution = Effect.fnUntraced(function* (
        read: Operation.Read,
        quoteId: string,
        challengeId: string,
        factor: ScaFactor | undefined,
      ) {
        const parts = yield* readQuoteParts(read, quoteId)
        const { receivingCurrency, sendingCurrency } = parts.quote.data
        const isExchange = sendingCurrency !== receivingCurrency
        const isPayout = parts.receiver === undefined
        const wanted = { challengeId, factor, isExchange, isPayout }
        return { parts, challenging: yield* challengingOf(read, parts.customer, wanted) }
      })

      const execute = Effect.fnUntraced(
        function* (quoteId: string, scaFactor?: ScaFactor, keyed?: Operation.Keyed) {
          const challengeId = yield* drawChallenge
          const answered = yield* Operation.run({
            name: "Quotes.execute",
            ids: idsMax,
            keyed,
            load: (read) => loadExecution(read, quoteId, challengeId, scaFactor),
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
