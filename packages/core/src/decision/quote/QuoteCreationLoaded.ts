/**
 * What the creation of a quote is decided on: the loaded records, the facts that ports answered, and what follows from both.
 * Source: architecture, "Load, ask, decide, commit"; wire contract 5.2 and 5.3.
 */
import type { CryptoNetwork } from "../../foundation/money/CryptoNetwork.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { OfferedRate } from "../../foundation/money/Rate.ts"
import type { PaymentInstructions } from "../../model/account/PaymentInstruction.ts"
import { networkOfWallet } from "../../model/account/PaymentInstructionTypes.ts"
import type { QuoteRequest } from "../../model/quote/QuoteResource.ts"
import type { ResolvedDestination, ResolvedSource } from "../../model/quote/QuoteRules.ts"
import type { ReceiverLookup } from "../../model/receiver/FoundReceiver.ts"
import { payerInformation } from "../../model/receiver/PayerInformation.ts"
import type { ScaLoaded } from "../../model/sca/ScaFactorRules.ts"
import type { FundingMethod } from "../../model/transaction/Exchange.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import type { RequiredAuthentication } from "./QuoteChallengeDecision.ts"

/** An account of either kind. Absent: the request names none, or the account does not exist for the caller. */
type AnyAccount = Stored<"InternalAccount"> | Stored<"ExternalAccount"> | undefined

/** The records that the creation of a quote is decided on. */
export interface QuoteCreationRecords {
  readonly platform: Stored<"Platform">
  /** The customer that pays. Absent: the platform itself. */
  readonly customer: Stored<"Customer"> | undefined
  /** The customer of the destination account that the request names, when the platform pays. */
  readonly receivingCustomer: Stored<"Customer"> | undefined
  /** Whether the customer that the request names exists. True if the request names none. */
  readonly isCustomerKnown: boolean
  readonly sourceAccount: AnyAccount
  /** The available balance of the source account, if it is an internal account. */
  readonly available: number
  /** The destination account that the request names. */
  readonly namedDestination: AnyAccount
  /** The internal account that takes a refund of a crypto payment. */
  readonly refundAccount: Stored<"InternalAccount"> | undefined
  /** The customer's strong authentication. Absent: the customer is not under it. */
  readonly sca: ScaLoaded | undefined
}

/** The facts that ports answered for the creation of a quote. */
export interface QuoteCreationFacts extends RequiredAuthentication {
  /** The result of looking up the destination's UMA address. Absent: the destination is an account. */
  readonly receiver: ReceiverLookup | undefined
  /** The named destination account, or the account of the platform's customer with the UMA address. */
  readonly destinationAccount: AnyAccount
  readonly isPullable: boolean
  /** The ways in which a payer can send the money. */
  readonly instructions: ReadonlyArray<PaymentInstructions>
  /** The reference by which a payer's money is recognized. */
  readonly paymentReference: string
  readonly rate: OfferedRate | undefined
  /** The rate from the sending currency to bitcoin. */
  readonly toBitcoin: OfferedRate | undefined
}

export type QuoteCreationLoaded = QuoteCreationRecords & QuoteCreationFacts

export const isInternal = (account: AnyAccount): account is Stored<"InternalAccount"> =>
  account?.kind === "InternalAccount"
export const isExternal = (account: AnyAccount): account is Stored<"ExternalAccount"> =>
  account?.kind === "ExternalAccount"

const currencyOf = (account: AnyAccount): CurrencyCode | undefined => account?.data.currency

/** Returns the sending currency, or `undefined` if the source account is unknown. */
export const sendingCurrencyOf = ({ source }: QuoteRequest, account: AnyAccount): CurrencyCode | undefined =>
  source.sourceType === "REALTIME_FUNDING" ? source.currency : currencyOf(account)

/** Returns the requested currency of a UMA address if it receives it, otherwise its preferred currency. */
const umaCurrencyOf = (
  { destination }: QuoteRequest,
  receiver: QuoteCreationFacts["receiver"],
): CurrencyCode | undefined => {
  if (destination.destinationType === "ACCOUNT" || receiver?._tag !== "Found") return undefined
  const codes = receiver.currencies.map(({ code }) => code)
  return codes.find((code) => destination.currency === undefined || destination.currency === code)
}

/** Returns the receiving currency, or `undefined` if neither the account nor the receiver determines it. */
export const receivingCurrencyOf = (
  request: QuoteRequest,
  destinationAccount: AnyAccount,
  receiver: QuoteCreationFacts["receiver"],
): CurrencyCode | undefined => currencyOf(destinationAccount) ?? umaCurrencyOf(request, receiver)

/** Returns the network over which the payer sends: the requested one, or that of the paying wallet. */
export const payersNetwork = (
  { sourceAccount }: Pick<QuoteCreationRecords, "sourceAccount">,
  { source }: QuoteRequest,
): CryptoNetwork | undefined => {
  if (source.sourceType === "REALTIME_FUNDING") return source.cryptoNetwork
  return isExternal(sourceAccount) ? networkOfWallet(sourceAccount.data.accountInfo) : undefined
}

/** Returns the source as the rules see it, or `undefined` if its account does not exist. */
export const sourceOf = (
  { instructions, isPullable, sourceAccount }: QuoteCreationLoaded,
  request: QuoteRequest,
): ResolvedSource | undefined => {
  if (request.source.sourceType === "REALTIME_FUNDING") return { _tag: "Payer", instructions }
  if (isInternal(sourceAccount)) return { _tag: "Internal", account: sourceAccount.data }
  return isExternal(sourceAccount)
    ? { _tag: "External", account: sourceAccount.data, isPullable, instructions }
    : undefined
}

/** Returns the destination as the rules see it, or `undefined` if its account does not exist. */
export const destinationOf = ({
  destinationAccount,
  receiver,
}: QuoteCreationLoaded): ResolvedDestination | undefined => {
  if (destinationAccount === undefined && receiver?._tag === "Found") return { _tag: "Uma" }
  if (isInternal(destinationAccount)) return { _tag: "Internal", account: destinationAccount.data }
  return isExternal(destinationAccount) ? { _tag: "External", account: destinationAccount.data } : undefined
}

/**
 * Whether the owners of the accounts allow the payment. A pooled account of the platform pays for any customer, any other account
 * only for its own customer. An external account is paid by its own customer or by the platform, an internal account by anyone.
 */
export const isOwnersAccount = ({ customer, destinationAccount, sourceAccount }: QuoteCreationLoaded): boolean => {
  const payer = customer?.id ?? null
  const mayPay = sourceAccount === undefined || sourceAccount.customerId === null || sourceAccount.customerId === payer
  const mayBePaid = !isExternal(destinationAccount) || payer === null || destinationAccount.customerId === payer
  return mayPay && mayBePaid
}

/** Returns the payer's information that the receiver requires, and what of it is missing. */
export const payerOf = ({ customer, receiver }: QuoteCreationLoaded, { senderCustomerInfo = {} }: QuoteRequest) =>
  payerInformation(receiver?._tag === "Found" ? receiver.requiredPayerData : [], senderCustomerInfo, customer?.data)

/**
 * Returns the customer to whom the transaction belongs: the one that pays, or that the platform pays. Absent: the platform.
 * Source: wire contract areas 3.7; D-402.
 */
export const ownerOf = ({ customer, receivingCustomer }: QuoteCreationLoaded): Stored<"Customer"> | undefined =>
  customer ?? receivingCustomer

/**
 * Returns the direction for the owner of the transaction: `CREDIT` if money from outside or from the platform enters one of its internal
 * accounts. Source: wire contract areas 3.6.
 */
export const directionOf = (loaded: QuoteCreationLoaded): "CREDIT" | "DEBIT" => {
  const { namedDestination, sourceAccount } = loaded
  const owner = ownerOf(loaded)
  const isOwn = (account: AnyAccount) => isInternal(account) && owner !== undefined && account.customerId === owner.id
  return isOwn(namedDestination) && !isOwn(sourceAccount) ? "CREDIT" : "DEBIT"
}

/** Returns how the money arrives: from an internal account, pulled from an external account, or sent by a payer. */
export const fundingOf = ({ isPullable, sourceAccount }: QuoteCreationLoaded): FundingMethod => {
  if (isInternal(sourceAccount)) return "ACCOUNT"
  return isExternal(sourceAccount) && isPullable ? "PULL" : "PUSH"
}
