/**
 * A quote, decided: refused, or made with its transaction; and executed at once, or challenged, where that is due.
 * Source: wire contract 5.2, 5.3, 5.5 and 5.12; D-120 to D-125.
 */

import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { OfferedRate } from "../../foundation/money/Rate.ts"
import { paymentRailsOfAccount } from "../../model/account/AccountRoute.ts"
import type { PaymentInstructions } from "../../model/account/PaymentInstruction.ts"
import { umaAccountInfo } from "../../model/account/UmaAccount.ts"
import { counterpartyInformation, requiredInformation } from "../../model/quote/CounterpartyInformation.ts"
import { type Price, platformFee, price, rateDetailsOf, serviceFee, totalFee } from "../../model/quote/QuotePricing.ts"
import { type QuoteRequest, type QuoteResource, toQuote } from "../../model/quote/QuoteResource.ts"
import { QuoteRules, type ResolvedDestination, type ResolvedSource } from "../../model/quote/QuoteRules.ts"
import { expiryOf, feeTerms, type Lifetimes } from "../../model/quote/QuoteTermRules.ts"
import { walletInstruction } from "../../model/quote/WalletPayload.ts"
import type { ReceiverLookup } from "../../model/receiver/FoundReceiver.ts"
import { payerInformation } from "../../model/receiver/PayerInformation.ts"
import type { Owner } from "../../model/record/Record.ts"
import type { FundingMethod } from "../../model/transaction/Exchange.ts"
import { shortOfFunds } from "../../model/transaction/TransferRules.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { lookupIdOf } from "../receiver/ReceiverDecision.ts"
import { type FirstStep, insertQuote, type QuoteTransition } from "../transaction/QuotePaymentChanges.ts"
import type { Initiator } from "../transaction/TransferDecision.ts"
import { type Challenging, challengeOf, unable } from "./QuoteChallengeDecision.ts"

/** What a quote rests on. */
export interface QuoteLoaded {
  readonly platform: Stored<"Platform">
  /** The customer that pays; absent: the platform itself. */
  readonly customer: Stored<"Customer"> | undefined
  readonly isCustomerKnown: boolean
  readonly sourceAccount: Stored<"InternalAccount"> | Stored<"ExternalAccount"> | undefined
  readonly isPullable: boolean
  /** How a payer can send the money. */
  readonly instructions: ReadonlyArray<PaymentInstructions>
  /** By which a payer's money is recognised. */
  readonly paymentReference: string
  /** That of a customer of the platform behind its UMA address, too. */
  readonly destinationAccount: Stored<"InternalAccount"> | Stored<"ExternalAccount"> | undefined
  /** Who receives under the UMA address that is to be paid; absent: it is an account. */
  readonly receiver: ReceiverLookup | undefined
  /** The internal account that takes back what a payer sent in a crypto asset. */
  readonly refundAccount: Stored<"InternalAccount"> | undefined
  /** Of the source, where it is an internal account. */
  readonly available: number
  readonly rate: OfferedRate | undefined
  /** From the sending currency to bitcoin. */
  readonly toBitcoin: OfferedRate | undefined
  /** What strong authentication needs; absent: the customer is not under it. */
  readonly challenging: Challenging | undefined
}

type AnyAccount = QuoteLoaded["sourceAccount"]

const isInternal = (account: AnyAccount): account is Stored<"InternalAccount"> => account?.kind === "InternalAccount"
const isExternal = (account: AnyAccount): account is Stored<"ExternalAccount"> => account?.kind === "ExternalAccount"

const sourceOf = ({ instructions, isPullable, sourceAccount }: QuoteLoaded, request: QuoteRequest) => {
  if (request.source.sourceType === "REALTIME_FUNDING") {
    const payer: ResolvedSource = { _tag: "Payer", instructions }
    return payer
  }
  if (isInternal(sourceAccount)) {
    const internal: ResolvedSource = { _tag: "Internal", account: sourceAccount.data }
    return internal
  }
  if (!isExternal(sourceAccount)) return undefined
  const external: ResolvedSource = { _tag: "External", account: sourceAccount.data, isPullable }
  return external
}

const destinationOf = ({ destinationAccount, receiver }: QuoteLoaded): ResolvedDestination | undefined => {
  if (destinationAccount === undefined && receiver?._tag === "Found") return { _tag: "Uma" }
  if (isInternal(destinationAccount)) return { _tag: "Internal", account: destinationAccount.data }
  return isExternal(destinationAccount) ? { _tag: "External", account: destinationAccount.data } : undefined
}

/**
 * Whether the accounts go together: a pooled account of the platform pays for any customer, any other only for its own; an
 * external account is paid by its own customer, or by the platform; an internal one by anybody of the platform.
 */
const isOwners = ({ customer, destinationAccount, sourceAccount }: QuoteLoaded): boolean => {
  const payer = customer?.id ?? null
  const pays = sourceAccount === undefined || sourceAccount.customerId === null || sourceAccount.customerId === payer
  const isPaid = !isExternal(destinationAccount) || payer === null || destinationAccount.customerId === payer
  return pays && isPaid
}

const currencyOf = (account: AnyAccount): CurrencyCode | undefined => account?.data.currency

/** The currency in which a UMA address is paid: the wanted one, or the preferred one. */
const umaCurrencyOf = ({ destination }: QuoteRequest, receiver: QuoteLoaded["receiver"]): CurrencyCode | undefined => {
  if (destination.destinationType === "ACCOUNT" || receiver?._tag !== "Found") return undefined
  const codes = receiver.currencies.map(({ code }) => code)
  return codes.find((code) => destination.currency === undefined || destination.currency === code)
}

/** The currency that is received, as far as it is known. */
export const receivingCurrencyOf = (
  request: QuoteRequest,
  { destinationAccount, receiver }: Pick<QuoteLoaded, "destinationAccount" | "receiver">,
): CurrencyCode | undefined => currencyOf(destinationAccount) ?? umaCurrencyOf(request, receiver)

/** What the receiver is told of who pays. */
const payerOf = ({ customer, receiver }: QuoteLoaded, { senderCustomerInfo = {} }: QuoteRequest) =>
  payerInformation(receiver?._tag === "Found" ? receiver.requiredPayerData : [], senderCustomerInfo, customer?.data)

/** What the quote tells of who receives. */
const counterpartyOf = (loaded: QuoteLoaded, received: CurrencyCode) => {
  const { destinationAccount, platform, receiver } = loaded
  if (isExternal(destinationAccount)) return counterpartyInformation(platform.data, destinationAccount.data)
  return receiver?._tag === "Found"
    ? requiredInformation(platform.data, received, (field) => receiver.information[field])
    : undefined
}

/** The currency that is sent, as far as it is known. */
export const sendingCurrencyOf = (
  { source }: QuoteRequest,
  account: QuoteLoaded["sourceAccount"],
): CurrencyCode | undefined => (source.sourceType === "REALTIME_FUNDING" ? source.currency : currencyOf(account))

const priceOf = ({ platform, rate }: QuoteLoaded, request: QuoteRequest) => {
  const { lockedCurrencyAmount, lockedCurrencySide, platformFeeOverride } = request
  return rate === undefined || lockedCurrencyAmount < 1 || !Number.isSafeInteger(lockedCurrencyAmount)
    ? undefined
    : price(lockedCurrencySide, lockedCurrencyAmount, rate, feeTerms(platform.data, rate, platformFeeOverride))
}

const fundingOf = (loaded: QuoteLoaded): FundingMethod => {
  if (isInternal(loaded.sourceAccount)) return "ACCOUNT"
  return isExternal(loaded.sourceAccount) && loaded.isPullable ? "PULL" : "PUSH"
}

/** The two records of a quote that can be made, as they are to be. */
const recordsOf = (
  loaded: QuoteLoaded,
  request: QuoteRequest,
  priced: Price & { readonly rate: OfferedRate },
  { expiresAt, id, now }: { readonly id: string; readonly now: number; readonly expiresAt: number },
  by: Initiator,
) => {
  const { customer, destinationAccount, platform, refundAccount, sourceAccount } = loaded
  const { description, destination, purposeOfPayment, remittanceInformation, source } = request
  const { fees, rate, receiving, sending } = priced
  const fraction = { numerator: String(rate.numerator), denominator: String(rate.denominator) }
  const terms = feeTerms(platform.data, rate, request.platformFeeOverride)
  const { toBitcoin } = loaded
  const rateDetails = toBitcoin && rateDetailsOf(rate, toBitcoin, terms, fees)
  const funding = fundingOf(loaded)
  const external = isExternal(destinationAccount) ? destinationAccount.data : undefined
  const wantedRail = destination.destinationType === "ACCOUNT" ? destination.paymentRail : undefined
  const rails = external === undefined ? [] : paymentRailsOfAccount(external.accountInfo)
  const rail = rails.find((known) => known === wantedRail) ?? rails[0]
  const account = isInternal(sourceAccount) ? sourceAccount : refundAccount
  const counterparty = counterpartyOf(loaded, rate.to)
  const umaAddress = destination.destinationType === "UMA_ADDRESS" ? destination.umaAddress : undefined
  const payer = payerOf(loaded, request).provided
  const info =
    umaAddress === undefined || isInternal(destinationAccount) ? external?.accountInfo : umaAccountInfo(umaAddress)
  const { agentId } = by
  const price = {
    expiresAt,
    destination,
    sendingCurrency: rate.from,
    receivingCurrency: rate.to,
    totalSendingAmount: sending,
    totalReceivingAmount: receiving,
    feesIncluded: totalFee(fees),
  }
  const isWallet = isInternal(sourceAccount) && sourceAccount.data.type === "EMBEDDED_WALLET"
  const instructions = isWallet ? [walletInstruction(id, sourceAccount.id, price, now)] : loaded.instructions
  return {
    account,
    quote: {
      ...price,
      source,
      rate: fraction,
      platformFeesIncluded: platformFee(fees),
      funding,
      ...(rateDetails === undefined ? {} : { rateDetails }),
      ...(account === undefined ? {} : { accountId: account.id }),
      ...(umaAddress === undefined || destinationAccount === undefined
        ? {}
        : { receiverAccountId: destinationAccount.id }),
      ...(funding === "PUSH" || isWallet ? { paymentInstructions: instructions } : {}),
      ...(remittanceInformation === undefined ? {} : { remittanceInformation }),
      ...(counterparty === undefined ? {} : { counterpartyInformation: counterparty }),
      ...(agentId === undefined ? {} : { agentId }),
    },
    details: {
      platformCustomerId: customer?.data.platformCustomerId ?? "",
      amount: sending,
      currency: rate.from,
      ...(source.sourceType === "ACCOUNT"
        ? { sourceAccountId: source.accountId }
        : { fundingSource: fundingSourceOf(source), reference: loaded.paymentReference }),
      destinationAccountId: destinationAccount?.id ?? umaAddress ?? "",
      ...(info === undefined
        ? {}
        : { externalAccount: { accountInfo: info, ...(rail === undefined ? {} : { rail }) } }),
      ...(umaAddress === undefined ? {} : { receiverUmaAddress: umaAddress }),
      ...(Object.keys(payer).length === 0 ? {} : { payerInformation: payer }),
      railSelectionMode: wantedRail === undefined ? ("AUTO" as const) : ("MANUAL" as const),
      ...(remittanceInformation === undefined ? {} : { remittanceInformation }),
      ...(purposeOfPayment === undefined ? {} : { purposeOfPayment }),
      ...(description === undefined ? {} : { description }),
      ...by,
      exchange: {
        received: { amount: receiving, currency: rate.to },
        rate: fraction,
        fees: { service: serviceFee(fees), platform: platformFee(fees) },
        funding,
        isInternal: isInternal(destinationAccount),
        ...(rateDetails === undefined ? {} : { rateDetails }),
        ...(isExternal(sourceAccount) ? { pull: { accountInfo: sourceAccount.data.accountInfo } } : {}),
        ...(funding === "ACCOUNT" || account === undefined ? {} : { refundAccountId: account.id }),
      },
    },
  }
}

const fundingSourceOf = ({
  cryptoNetwork,
  currency,
  customerId,
}: Extract<QuoteRequest["source"], { readonly sourceType: "REALTIME_FUNDING" }>) => ({
  currency,
  ...(customerId === undefined ? {} : { customerId }),
  ...(cryptoNetwork === undefined ? {} : { cryptoNetwork }),
})

/** A payer who sends the money is told how only after strong authentication; who executes proves it then. */
const firstStep = ({ challenging }: QuoteLoaded, request: QuoteRequest, funding: FundingMethod): FirstStep => {
  const isExecuted = request.immediatelyExecute === true
  if (challenging !== undefined && (isExecuted || funding === "PUSH")) return "challenge"
  return isExecuted ? "execute" : "wait"
}

/** The quote, made; or what makes it impossible. `by`: the agent who asks, where it is not the platform. */
export const makeQuote = (
  loaded: QuoteLoaded,
  request: QuoteRequest,
  lifetimes: Lifetimes,
  { ids, now }: DecisionContext,
  by: Initiator = {},
): QuoteTransition | Refusal => {
  const { challenging, customer, destinationAccount, platform, rate } = loaded
  const priced = priceOf(loaded, request)
  const { destination, lookupId } = request
  const paid = destination.destinationType === "ACCOUNT" ? destination.accountId : destination.umaAddress
  const refused = QuoteRules.first({
    request,
    receiver: loaded.receiver,
    isLookupKnown: lookupId === undefined || lookupId === lookupIdOf(platform.id, paid),
    missingPayerFields: payerOf(loaded, request).missing,
    isSelfPayment: loaded.sourceAccount !== undefined && loaded.sourceAccount.id === destinationAccount?.id,
    isCustomerKnown: loaded.isCustomerKnown,
    source: sourceOf(loaded, request),
    destination: destinationOf(loaded),
    isOwnersAccount: isOwners(loaded),
    customer: customer?.data,
    platform: platform.data,
    sendingCurrency: sendingCurrencyOf(request, loaded.sourceAccount),
    receivingCurrency: receivingCurrencyOf(request, loaded),
    rate,
    price: priced,
  })
  if (refused !== undefined) return refused.refusal
  if (rate === undefined || typeof priced !== "object") throw new Error("a quote that can be made has a price")
  const rail = destination.destinationType === "ACCOUNT" ? destination.paymentRail : undefined
  const expiresAt = expiryOf(now, lifetimes, [rate.from, rate.to], rail)
  const id = ids("Quote")
  const { account, details, quote } = recordsOf(loaded, request, { ...priced, rate }, { id, now, expiresAt }, by)
  const first = firstStep(loaded, request, quote.funding)
  if (first === "execute" && quote.funding === "ACCOUNT" && loaded.available < priced.sending) return shortOfFunds
  const challenge = first === "challenge" ? challenging : undefined
  const cannot = challenge && unable(challenge, now)
  if (cannot !== undefined) return cannot
  const owner: Owner = { platformId: platform.id, customerId: customer?.id ?? null }
  return insertQuote(
    { ids, now, source: account, destination: isInternal(destinationAccount) ? destinationAccount : undefined },
    {
      id,
      owner,
      details,
      quote: { ...quote, ...(challenge === undefined ? {} : { challenge: challengeOf(challenge, now, expiresAt) }) },
    },
    first,
  )
}

/** The answer to whom the quote was made for, and what it rests on. */
export const madeQuote = (
  { customer, destinationAccount, sourceAccount }: QuoteLoaded,
  made: QuoteTransition,
  more: Changes.Changes = {},
): Decision<QuoteResource> =>
  answer(
    made.quote.data.status === "PENDING_AUTHORIZATION" ? 202 : 201,
    toQuote(made.quote),
    Changes.combine(
      made.changes,
      Changes.guard(...[customer, sourceAccount, destinationAccount].filter((record) => record !== undefined)),
      more,
    ),
  )

/** Decides a platform's request for a quote. */
export const createQuote =
  (request: QuoteRequest, lifetimes: Lifetimes) =>
  (loaded: QuoteLoaded, context: DecisionContext): Decision<QuoteResource> => {
    const made = makeQuote(loaded, request, lifetimes, context)
    return "code" in made ? refuse(made) : madeQuote(loaded, made)
  }
