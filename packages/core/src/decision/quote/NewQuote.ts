/**
 * The data of a new quote and of its transaction, from the request, the price and the loaded accounts.
 * Source: wire contract 5.2 and 5.3; D-120 to D-125.
 */
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { OfferedRate } from "../../foundation/money/Rate.ts"
import { paymentRailsOfAccount } from "../../model/account/AccountRoute.ts"
import { umaAccountInfo } from "../../model/account/UmaAccount.ts"
import { counterpartyInformation, requiredInformation } from "../../model/quote/CounterpartyInformation.ts"
import { type Price, platformFee, rateDetailsOf, serviceFee, totalFee } from "../../model/quote/QuotePricing.ts"
import type { QuoteRequest } from "../../model/quote/QuoteResource.ts"
import { feeTerms } from "../../model/quote/QuoteTermRules.ts"
import { walletInstruction } from "../../model/quote/WalletPayload.ts"
import type { Initiator } from "../transaction/TransferDecision.ts"
import {
  directionOf,
  fundingOf,
  isExternal,
  isInternal,
  ownerOf,
  payerOf,
  payersNetwork,
  type QuoteCreationLoaded,
} from "./QuoteCreationLoaded.ts"

/** Returns the information about the receiving side that the platform requires, as far as it is known. */
const counterpartyOf = (
  { destinationAccount, platform, receiver }: QuoteCreationLoaded,
  receivingCurrency: CurrencyCode,
) => {
  if (isExternal(destinationAccount)) return counterpartyInformation(platform.data, destinationAccount.data)
  return receiver?._tag === "Found"
    ? requiredInformation(platform.data, receivingCurrency, (field) => receiver.information[field])
    : undefined
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

/** Returns the external account as the transaction stores it, with its rail. */
const externalAccountOf = (
  { destinationAccount }: QuoteCreationLoaded,
  requestedRail: string | undefined,
  umaAddress: string | undefined,
) => {
  const external = isExternal(destinationAccount) ? destinationAccount.data : undefined
  const accountInfo =
    umaAddress === undefined || isInternal(destinationAccount) ? external?.accountInfo : umaAccountInfo(umaAddress)
  if (accountInfo === undefined) return undefined
  const rails = external === undefined ? [] : paymentRailsOfAccount(external.accountInfo)
  const rail = rails.find((supported) => supported === requestedRail) ?? rails[0]
  return { accountInfo, ...(rail === undefined ? {} : { rail }) }
}

/** Returns the data of the quote and its transaction, and the internal account that pays or takes a refund. */
export const newQuote = (
  loaded: QuoteCreationLoaded,
  request: QuoteRequest,
  priced: Price & { readonly rate: OfferedRate },
  { expiresAt, id, now }: { readonly id: string; readonly now: number; readonly expiresAt: number },
  by: Initiator,
) => {
  const { customer, destinationAccount, platform, refundAccount, sourceAccount, toBitcoin } = loaded
  const { description, destination, purposeOfPayment, remittanceInformation, source } = request
  const { fees, rate, receiving, sending } = priced
  const fraction = { numerator: String(rate.numerator), denominator: String(rate.denominator) }
  const rateDetails =
    toBitcoin && rateDetailsOf(rate, toBitcoin, feeTerms(platform.data, rate, request.platformFeeOverride), fees)
  const funding = fundingOf(loaded)
  const network = payersNetwork(loaded, request)
  const account = isInternal(sourceAccount) ? sourceAccount : refundAccount
  const requestedRail = destination.destinationType === "ACCOUNT" ? destination.paymentRail : undefined
  const umaAddress = destination.destinationType === "UMA_ADDRESS" ? destination.umaAddress : undefined
  const externalAccount = externalAccountOf(loaded, requestedRail, umaAddress)
  const counterparty = counterpartyOf(loaded, rate.to)
  const payer = payerOf(loaded, request).provided
  const { agentId } = by
  const terms = {
    expiresAt,
    destination,
    sendingCurrency: rate.from,
    receivingCurrency: rate.to,
    totalSendingAmount: sending,
    totalReceivingAmount: receiving,
    feesIncluded: totalFee(fees),
  }
  const isWallet = isInternal(sourceAccount) && sourceAccount.data.type === "EMBEDDED_WALLET"
  const instructions = isWallet ? [walletInstruction(id, sourceAccount.id, terms, now)] : loaded.instructions
  return {
    account,
    quote: {
      ...terms,
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
      direction: directionOf(loaded),
      platformCustomerId: ownerOf(loaded)?.data.platformCustomerId ?? "",
      amount: sending,
      currency: rate.from,
      ...(source.sourceType === "ACCOUNT"
        ? { sourceAccountId: source.accountId }
        : { fundingSource: fundingSourceOf(source) }),
      ...(funding === "PUSH" ? { reference: loaded.paymentReference } : {}),
      destinationAccountId: destinationAccount?.id ?? umaAddress ?? "",
      ...(externalAccount === undefined ? {} : { externalAccount }),
      ...(umaAddress === undefined ? {} : { receiverUmaAddress: umaAddress }),
      ...(Object.keys(payer).length === 0 ? {} : { payerInformation: payer }),
      railSelectionMode: requestedRail === undefined ? ("AUTO" as const) : ("MANUAL" as const),
      ...(remittanceInformation === undefined ? {} : { remittanceInformation }),
      ...(purposeOfPayment === undefined ? {} : { purposeOfPayment }),
      ...(description === undefined ? {} : { description }),
      ...(funding === "PUSH" ? { paymentInstructions: instructions } : {}),
      ...(counterparty === undefined ? {} : { counterpartyInformation: counterparty }),
      ...by,
      exchange: {
        received: { amount: receiving, currency: rate.to },
        rate: fraction,
        fees: { service: serviceFee(fees), platform: platformFee(fees) },
        funding,
        isInternal: isInternal(destinationAccount),
        ...(customer === undefined && ownerOf(loaded) !== undefined ? { isPaidByPlatform: true as const } : {}),
        ...(rateDetails === undefined ? {} : { rateDetails }),
        ...(network === undefined ? {} : { network }),
        ...(funding === "PULL" && isExternal(sourceAccount)
          ? { pull: { accountInfo: sourceAccount.data.accountInfo } }
          : {}),
        ...(funding === "ACCOUNT" || account === undefined ? {} : { refundAccountId: account.id }),
      },
    },
  }
}
