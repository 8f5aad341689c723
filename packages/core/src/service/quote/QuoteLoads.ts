/**
 * What quotes rest on, loaded and asked, whoever asks: a platform, or an agent within its policy.
 * Source: architecture, "Load, ask, decide, commit"; wire contract 5.2 and 5.5.
 */
import { Effect } from "effect"
import type { SecureRandom } from "effect/crypto"
import { type QuoteLoaded, receivingCurrencyOf, sendingCurrencyOf } from "../../decision/quote/QuoteCreationDecision.ts"
import type { ExecutionLoaded, QuoteParts } from "../../decision/quote/QuoteExecutionDecision.ts"
import { undeleted } from "../../decision/transaction/TransferDecision.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import { isId } from "../../foundation/ids/IdTypes.ts"
import { Currencies, type CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { OfferedRate } from "../../foundation/money/Rate.ts"
import { identity } from "../../foundation/money/Rate.ts"
import type { QuoteRequest, QuoteResource } from "../../model/quote/QuoteResource.ts"
import { payloadToSign } from "../../model/quote/WalletPayload.ts"
import type { ScaFactor } from "../../model/sca/ScaProfile.ts"
import { paymentReference } from "../../model/transaction/Transaction.ts"
import { anySessionOf, type WalletHeaders } from "../../model/wallet/SignedRequest.ts"
import type * as Operation from "../../operation/Operation.ts"
import { ExchangeRates } from "../../ports/ExchangeRates.ts"
import { FundingInstructions } from "../../ports/FundingInstructions.ts"
import { Rails } from "../../ports/Rails.ts"
import type { ScaProvider } from "../../ports/ScaProvider.ts"
import { UmaNetwork } from "../../ports/UmaNetwork.ts"
import { CurrentCaller, tenant } from "../../store/Caller.ts"
import type { RecordRef, Stored } from "../../store/ChangeSet.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { Store } from "../../store/Store.ts"
import { findReceiver } from "../receiver/ReceiverReads.ts"
import { SignedRequests } from "../wallet/SignedRequests.ts"
import { challengingOf, drawChallenge, sendCode } from "./QuoteChallenges.ts"
import { readQuoteParts } from "./QuoteReads.ts"

const isInternalId = (id: string): boolean => isId("InternalAccount", id)

const accountRef = (id: string): RecordRef => ({ kind: isInternalId(id) ? "InternalAccount" : "ExternalAccount", id })

/** So many identifiers as a quote and its transaction with their events, balances and jobs may draw, and an action with them. */
export const idsMax = 32

/** What is drawn once for a quote, however often it is decided. */
export interface Drawn {
  readonly challengeId: string
  readonly paymentReference: string
}

/** What a call for an execution brings. */
export interface Called {
  readonly challengeId: string
  readonly factor?: ScaFactor | undefined
  /** Absent: nobody signs now. */
  readonly headers?: WalletHeaders | undefined
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const rails = yield* Rails
  const rates = yield* ExchangeRates
  const instructions = yield* FundingInstructions
  const signedRequests = yield* SignedRequests
  const services = yield* Effect.context<SecureRandom.SecureRandom | ScaProvider | Store>()
  const network = yield* UmaNetwork

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

  /** What a quote to be made needs. */
  const creation = Effect.fnUntraced(
    function* (read: Operation.Read, request: QuoteRequest, drawn: Drawn) {
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
          : yield* findReceiver(
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
    },
    Effect.provideService(UmaNetwork, network),
    Effect.provideContext(services),
  )

  const draw: Effect.Effect<Drawn> = Effect.all({
    challengeId: drawChallenge,
    paymentReference: Effect.map(IdPool.make(1), (pool) => paymentReference("Q", pool.source()("Quote"))),
  }).pipe(Effect.provideContext(services))

  /** What an execution needs beside the quote's records. */
  const execution = Effect.fnUntraced(function* <E>(
    read: Operation.Read<E>,
    parts: QuoteParts,
    { challengeId, factor, headers }: Called,
  ) {
    const { accountId, receivingCurrency, sendingCurrency } = parts.quote.data
    const payload = payloadToSign(parts.quote.data)
    const loaded: ExecutionLoaded = {
      parts,
      challenging: yield* challengingOf(read, parts.customer, {
        challengeId,
        factor,
        isExchange: sendingCurrency !== receivingCurrency,
        isPayout: parts.receiver === undefined,
      }),
      signature:
        payload === undefined || headers === undefined || accountId === undefined
          ? undefined
          : yield* signedRequests.verifyPayload({ headers, allowedSigner: anySessionOf(accountId), payload }),
    }
    return loaded
  }, Effect.provideContext(services))

  /** Sends the code of a challenge that a fresh answer tells of. */
  const sendCodeOf = Effect.fnUntraced(function* ({ id, status }: Pick<QuoteResource, "id" | "status">) {
    if (status !== "PENDING_AUTHORIZATION") return
    const { customer, quote } = yield* readQuoteParts(store.read, id)
    const { challenge } = quote.data
    if (customer !== undefined && challenge !== undefined) yield* sendCode(customer, challenge)
  }, Effect.provideContext(services))

  return { draw, creation, execution, sendCodeOf }
})
