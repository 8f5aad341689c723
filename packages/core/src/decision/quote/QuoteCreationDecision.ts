/**
 * Decides the creation of a quote: refused, or created with its transaction; and executed at once or challenged, if required.
 * Source: wire contract 5.2, 5.3, 5.5 and 5.12; D-120 to D-125.
 */

import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { price } from "../../model/quote/QuotePricing.ts"
import { type QuoteRequest, type QuoteResource, toQuote } from "../../model/quote/QuoteResource.ts"
import { QuoteRules } from "../../model/quote/QuoteRules.ts"
import { expiryOf, feeTerms, type Lifetimes } from "../../model/quote/QuoteTermRules.ts"
import type { Owner } from "../../model/record/Record.ts"
import type { FundingMethod } from "../../model/transaction/Exchange.ts"
import { shortOfFunds } from "../../model/transaction/TransferRules.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { lookupIdOf } from "../receiver/ReceiverDecision.ts"
import { sendOfChallenge } from "../sca/ScaProfileChanges.ts"
import { type FirstStep, insertQuote, type QuoteTransition } from "../transaction/QuotePaymentChanges.ts"
import type { Initiator } from "../transaction/TransferDecision.ts"
import { newQuote } from "./NewQuote.ts"
import { authenticationRefusal, guardSession, newChallenge } from "./QuoteChallengeDecision.ts"
import {
  destinationOf,
  isInternal,
  isOwnersAccount,
  ownerOf,
  payerOf,
  type QuoteCreationLoaded,
  receivingCurrencyOf,
  sendingCurrencyOf,
  sourceOf,
} from "./QuoteCreationLoaded.ts"

const priceOf = ({ platform, rate }: QuoteCreationLoaded, request: QuoteRequest) => {
  const { lockedCurrencyAmount, lockedCurrencySide, platformFeeOverride } = request
  return rate === undefined || lockedCurrencyAmount < 1 || !Number.isSafeInteger(lockedCurrencyAmount)
    ? undefined
    : price(lockedCurrencySide, lockedCurrencyAmount, rate, feeTerms(platform.data, rate, platformFeeOverride))
}

/**
 * Returns the first step of the new quote. A customer under strong authentication is challenged before an execution, and before a
 * payer sees where to send the money.
 */
const firstStepOf = (
  { requiredChallenge }: QuoteCreationLoaded,
  request: QuoteRequest,
  funding: FundingMethod,
): FirstStep => {
  const isExecuted = request.immediatelyExecute === true
  if (requiredChallenge !== undefined && (isExecuted || funding === "PUSH")) return "challenge"
  return isExecuted ? "execute" : "wait"
}

/** Returns the new quote, or the refusal of the first rule that fails. `by`: the agent that asks; absent: the platform. */
export const decideQuote = (
  loaded: QuoteCreationLoaded,
  request: QuoteRequest,
  lifetimes: Lifetimes,
  { ids, now, volumeLimits }: DecisionContext,
  by: Initiator = {},
): QuoteTransition | Refusal => {
  const { customer, destinationAccount, platform, rate, receiver, sourceAccount } = loaded
  const priced = priceOf(loaded, request)
  const { destination, lookupId } = request
  const lookedUp = destination.destinationType === "ACCOUNT" ? destination.accountId : destination.umaAddress
  const refused = QuoteRules.first({
    request,
    receiver,
    isLookupKnown: lookupId === undefined || lookupId === lookupIdOf(platform.id, lookedUp),
    missingPayerFields: payerOf(loaded, request).missing,
    isSelfPayment: sourceAccount !== undefined && sourceAccount.id === destinationAccount?.id,
    isCustomerKnown: loaded.isCustomerKnown,
    source: sourceOf(loaded, request),
    destination: destinationOf(loaded),
    isOwnersAccount: isOwnersAccount(loaded),
    customer: customer?.data,
    platform: platform.data,
    sendingCurrency: sendingCurrencyOf(request, sourceAccount),
    receivingCurrency: receivingCurrencyOf(request, destinationAccount, receiver),
    rate,
    price: priced,
  })
  if (refused !== undefined) return refused.refusal
  if (rate === undefined || typeof priced !== "object") throw new Error("a quote that the rules allow has no price")
  const rail = destination.destinationType === "ACCOUNT" ? destination.paymentRail : undefined
  const expiresAt = expiryOf(now, lifetimes, [rate.from, rate.to], rail)
  const id = ids("Quote")
  const { account, details, quote } = newQuote(loaded, request, { ...priced, rate }, { id, now, expiresAt }, by)
  const firstStep = firstStepOf(loaded, request, quote.funding)
  if (firstStep === "execute" && quote.funding === "ACCOUNT" && loaded.available < priced.sending) return shortOfFunds
  const required = firstStep === "challenge" ? loaded.requiredChallenge : undefined
  const isAuthorized = request.immediatelyExecute === true || quote.funding === "PUSH"
  const unable = isAuthorized ? authenticationRefusal(loaded, now) : undefined
  if (unable !== undefined) return unable
  const payer: Owner = { platformId: platform.id, customerId: customer?.id ?? null }
  const owner: Owner = { platformId: platform.id, customerId: ownerOf(loaded)?.id ?? null }
  const challenge = required && newChallenge(required, now, expiresAt)
  const created = insertQuote(
    {
      ids,
      now,
      volumeLimits,
      source: account,
      destination: isInternal(destinationAccount) ? destinationAccount : undefined,
    },
    { id, payer, owner, details, quote: { ...quote, ...(challenge === undefined ? {} : { challenge }) } },
    firstStep,
  )
  const sent = required && sendOfChallenge(required.sca, required.factor)
  return {
    ...created,
    changes: Changes.combine(created.changes, sent, isAuthorized ? guardSession(loaded) : undefined),
  }
}

/** Answers with the new quote, and guards its accounts and its customer. */
export const answerQuote = (
  { customer, destinationAccount, sourceAccount }: QuoteCreationLoaded,
  { changes, quote }: QuoteTransition,
  more: Changes.Changes = {},
): Decision<QuoteResource> =>
  answer(
    quote.data.status === "PENDING_AUTHORIZATION" ? 202 : 201,
    toQuote(quote),
    Changes.combine(
      changes,
      Changes.guard(...[customer, sourceAccount, destinationAccount].filter((record) => record !== undefined)),
      more,
    ),
  )

/** Decides a platform's request for a quote. */
export const createQuote =
  (request: QuoteRequest, lifetimes: Lifetimes) =>
  (loaded: QuoteCreationLoaded, context: DecisionContext): Decision<QuoteResource> => {
    const transition = decideQuote(loaded, request, lifetimes, context)
    return "code" in transition ? refuse(transition) : answerQuote(loaded, transition)
  }
