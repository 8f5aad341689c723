/**
 * The load and ask steps of the creation of a quote, for a platform and for an agent.
 * Source: architecture, "Load, ask, decide, commit"; wire contract 5.2.
 */
import { Effect } from "effect"
import {
  isExternal,
  payersNetwork,
  type QuoteCreationFacts,
  type QuoteCreationRecords,
  receivingCurrencyOf,
  sendingCurrencyOf,
} from "../../decision/quote/QuoteCreationLoaded.ts"
import { undeleted } from "../../decision/transaction/TransferDecision.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import { isId } from "../../foundation/ids/IdTypes.ts"
import { Currencies, type CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { OfferedRate } from "../../foundation/money/Rate.ts"
import { identity } from "../../foundation/money/Rate.ts"
import type { QuoteRequest } from "../../model/quote/QuoteResource.ts"
import { paymentReference } from "../../model/transaction/Transaction.ts"
import type { Read } from "../../operation/Operation.ts"
import { ExchangeRates } from "../../ports/ExchangeRates.ts"
import { FundingInstructions } from "../../ports/FundingInstructions.ts"
import { Rails } from "../../ports/Rails.ts"
import type { ScaProvider } from "../../ports/ScaProvider.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Ledger from "../../store/LedgerAccounts.ts"
import { type AccountRef, type ReadQuery, type ReadResult, Store } from "../../store/Store.ts"
import { findReceiver } from "../receiver/ReceiverReads.ts"
import { askAuthentication, drawChallengeId, loadRequiredSca } from "./QuoteChallenges.ts"

/** The ports that `askQuoteCreation` asks, besides those that are references with a default. */
export type QuoteCreationPorts = Rails | ExchangeRates | ScaProvider

/** Maximum number of ids that a quote and its transaction draw, with their events, balances, jobs and action. */
export const idsMax = 32

/** The identifiers that are drawn once per operation, so that every attempt uses the same. */
export interface QuoteIdentifiers {
  readonly challengeId: string
  readonly paymentReference: string
}

/** Draws the identifiers of a new quote. */
export const drawQuoteIdentifiers = Effect.all({
  challengeId: drawChallengeId,
  paymentReference: Effect.map(IdPool.draw("Quote"), (id) => paymentReference("Q", id)),
})

const isInternalId = (id: string): boolean => isId("InternalAccount", id)

const accountRef = (id: string): AccountRef => ({ kind: isInternalId(id) ? "InternalAccount" : "ExternalAccount", id })

const namedIds = ({ destination, source }: QuoteRequest) => ({
  sourceId: source.sourceType === "ACCOUNT" ? source.accountId : undefined,
  destinationId: destination.destinationType === "ACCOUNT" ? destination.accountId : undefined,
})

/** Returns what to read for the accounts that the request names. */
export const accountsQuery = (request: QuoteRequest) => {
  const { destinationId, sourceId } = namedIds(request)
  const ids = [...new Set([sourceId, destinationId].filter((id) => id !== undefined))]
  const balances = sourceId === undefined ? [] : [Ledger.available(sourceId)]
  return { records: ids.map(accountRef), balances, platform: true } satisfies ReadQuery
}

const accountsOf = (found: ReadResult, request: QuoteRequest) => {
  const { destinationId, sourceId } = namedIds(request)
  const accountOf = (id: string | undefined) => {
    if (id === undefined) return undefined
    return isInternalId(id) ? found.record("InternalAccount", id) : undeleted(found.record("ExternalAccount", id))
  }
  return {
    sourceAccount: accountOf(sourceId),
    namedDestination: accountOf(destinationId),
    available: sourceId === undefined ? 0 : found.balance(Ledger.available(sourceId)).balance,
  }
}

/** Loads the customer's own account that takes a refund of a crypto payment. */
const loadRefundAccount = Effect.fnUntraced(function* ({ source }: QuoteRequest, customerId: string | undefined) {
  if (source.sourceType === "ACCOUNT" || !Currencies.get(source.currency).crypto) return undefined
  const store = yield* Store
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

/** What an agent's trip has read: its customer, and the accounts of `accountsQuery`. */
interface AgentsRead {
  readonly customer: Stored<"Customer">
  readonly found: ReadResult
}

/** Reads what the request names, whose its accounts are, and the platform. */
const readNamed = Effect.fnUntraced(function* <E>(read: Read<E>, request: QuoteRequest) {
  const { records, ...query } = accountsQuery(request)
  const { customerId: id } = request.source
  const named = id === undefined ? [] : [{ kind: "Customer", id } as const]
  const found = yield* read({ ...query, records: [...records, ...named], ownersOf: records })
  return { found, customers: [...named.map(({ kind, id }) => found.record(kind, id)), ...records.map(found.owner)] }
})

/** Loads the records that the creation of a quote is decided on. An agent has read a part of them with its own. */
export const loadQuoteCreation = Effect.fnUntraced(function* <E>(
  read: Read<E>,
  request: QuoteRequest,
  agents?: AgentsRead,
) {
  const caller = yield* CurrentCaller
  const { customers, found } =
    agents === undefined ? yield* readNamed(read, request) : { customers: [agents.customer], found: agents.found }
  const platform = found.platform ?? (yield* new ServiceError(notFound("platform")))
  const accounts = accountsOf(found, request)
  /** For an agent there is its own customer alone. */
  const customerOf = (id: string | null | undefined) =>
    customers.find((customer) => customer?.id === id && customer?.data.isDeleted !== true)
  const named = request.source.customerId
  const agentsCustomer = caller._tag === "Agent" ? caller.customerId : undefined
  const payerId = named ?? accounts.sourceAccount?.customerId ?? agentsCustomer
  const customer = customerOf(payerId)
  const receiverId = payerId === undefined ? accounts.namedDestination?.customerId : undefined
  const records: QuoteCreationRecords = {
    ...accounts,
    platform,
    customer,
    receivingCustomer: customerOf(receiverId),
    isCustomerKnown: named === undefined || customer?.id === named,
    refundAccount: yield* loadRefundAccount(request, customer?.id),
    sca: yield* loadRequiredSca(read, customer),
  }
  return records
})

/** Looks up the destination's UMA address; `undefined`: the destination is an account. */
const askReceiver = ({ customer, platform }: QuoteCreationRecords, { destination }: QuoteRequest) =>
  destination.destinationType === "ACCOUNT"
    ? Effect.undefined
    : findReceiver(platform.data, destination.umaAddress, customer?.data.umaAddress, "destination.umaAddress")

const askPullable = Effect.fnUntraced(function* ({ customer, sourceAccount }: QuoteCreationRecords) {
  if (sourceAccount?.kind !== "ExternalAccount") return false
  const rails = yield* Rails
  const { accountInfo, currency, ownershipType } = sourceAccount.data
  const isPayersAccount = sourceAccount.customerId === (customer?.id ?? null)
  const inspection = yield* rails.inspectPull({ accountId: sourceAccount.id, currency, accountInfo }, undefined, {
    _tag: "Quote",
    ownershipType,
    isPayersAccount,
  })
  return inspection.pullable
})

/** Asks how a payer can send the money to a deposit account. */
const askInstructions = Effect.fnUntraced(function* (
  records: QuoteCreationRecords,
  request: QuoteRequest,
  currency: CurrencyCode | undefined,
  reference: string,
) {
  if (currency === undefined) return []
  const instructions = yield* FundingInstructions
  const region = records.customer?.data.region
  const cryptoNetwork = payersNetwork(records, request)
  return yield* instructions.forPayment({
    reference,
    currency,
    ...(cryptoNetwork === undefined ? {} : { cryptoNetwork }),
    ...(region === undefined ? {} : { region }),
  })
})

const askRate = Effect.fnUntraced(function* (from: CurrencyCode | undefined, to: CurrencyCode | undefined) {
  if (from === undefined || to === undefined) return undefined
  const rates = yield* ExchangeRates
  const rate: OfferedRate | undefined = from === to ? identity(from) : yield* rates.rate(from, to)
  return rate
})

/** Asks the ports about a quote to be created. */
export const askQuoteCreation = Effect.fnUntraced(function* (
  records: QuoteCreationRecords,
  request: QuoteRequest,
  { challengeId, paymentReference }: QuoteIdentifiers,
) {
  const { namedDestination, sourceAccount } = records
  const from = sendingCurrencyOf(request, sourceAccount)
  const receiver = yield* askReceiver(records, request)
  const to = receivingCurrencyOf(request, namedDestination, receiver)
  const receivingAccounts = receiver?._tag === "Found" ? receiver.accounts : []
  const destinationAccount = namedDestination ?? receivingAccounts.find(({ data }) => data.currency === to)
  const isPullable = yield* askPullable(records)
  const isSent = request.source.sourceType === "REALTIME_FUNDING" || sourceAccount?.kind === "ExternalAccount"
  const facts: QuoteCreationFacts = {
    receiver,
    destinationAccount,
    isPullable,
    instructions: isSent && !isPullable ? yield* askInstructions(records, request, from, paymentReference) : [],
    paymentReference,
    rate: yield* askRate(from, to),
    toBitcoin: yield* askRate(from, "BTC"),
    ...(yield* askAuthentication(records.sca, {
      beneficiary: isExternal(destinationAccount) ? destinationAccount : undefined,
      challengeId,
      factor: request.scaFactor,
      isExchange: from !== to,
      isPayout: destinationAccount?.kind !== "InternalAccount",
    })),
  }
  return facts
})
