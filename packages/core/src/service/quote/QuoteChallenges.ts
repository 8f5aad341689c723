/**
 * The strong authentication of a payment: loads the customer's profile, asks the provider for a challenge, and sends its code after
 * the commit.
 * Source: wire contract 5.12; wire contract areas 1.3.5; D-086, D-129, D-381.
 */
import { Effect } from "effect"
import type { RequiredAuthentication, RequiredChallenge } from "../../decision/quote/QuoteChallengeDecision.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import type { QuoteChallenge } from "../../model/quote/Quote.ts"
import type { QuoteResource } from "../../model/quote/QuoteResource.ts"
import { isTrustedBy } from "../../model/sca/BeneficiaryTrust.ts"
import { hasFactor, type ScaLoaded } from "../../model/sca/ScaFactorRules.ts"
import type { ScaFactor } from "../../model/sca/ScaProfile.ts"
import type { Read } from "../../operation/Operation.ts"
import { type PaymentFacts, ScaProvider } from "../../ports/ScaProvider.ts"
import { ScaRegions } from "../../settings/ScaRegions.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { Store } from "../../store/Store.ts"
import { loadProfileOf } from "../sca/ScaProfiles.ts"
import { loadQuoteRecords } from "./QuoteReads.ts"

/** Draws the id of a challenge, once per operation, so that every attempt asks the provider about the same challenge. */
export const drawChallengeId = IdPool.draw("ScaChallenge")

/**
 * Loads the customer's strong authentication, or `undefined` if its region does not require it. The customer is not read again: the commit
 * guards the version that the region was read from.
 */
export const loadRequiredSca = Effect.fnUntraced(function* <E>(
  read: Read<E>,
  customer: Stored<"Customer"> | undefined,
) {
  const regions = yield* ScaRegions
  const region = customer?.data.region
  if (customer === undefined || region === undefined || !regions.includes(region)) return undefined
  return yield* loadProfileOf(read, customer)
})

interface ChallengeRequest extends Omit<PaymentFacts, "customerId"> {
  /** The external account that is paid. */
  readonly beneficiary: Stored<"ExternalAccount"> | undefined
  readonly challengeId: string
  readonly factor: ScaFactor | undefined
}

/** Asks the provider for the challenge that a payment requires. A payment to a trusted account requires the session of a login. */
export const askAuthentication = Effect.fnUntraced(function* (
  sca: ScaLoaded | undefined,
  { beneficiary, challengeId, factor = "SMS_OTP", ...payment }: ChallengeRequest,
) {
  const none: RequiredAuthentication = { requiredChallenge: undefined, requiredSession: undefined }
  if (sca === undefined) return none
  if (isTrustedBy(beneficiary, sca.customer.id)) return { ...none, requiredSession: { sca } }
  const provider = yield* ScaProvider
  const customerId = sca.customer.id
  // The quote shows the options of a passkey. A code is sent after the commit.
  const isPasskey = factor === "PASSKEY" && hasFactor(sca, factor)
  const requiredChallenge: RequiredChallenge = {
    sca,
    challengeId,
    factor,
    purposes: provider.purposes === undefined ? ["PAYMENT"] : yield* provider.purposes({ customerId, ...payment }),
    passkeyChallenge: isPasskey ? yield* provider.challenge({ customerId, challengeId, factor }) : undefined,
  }
  return { ...none, requiredChallenge }
})

/** Sends the code of a stored challenge by text message. */
export const sendCode = Effect.fnUntraced(function* (customer: Stored<"Customer">, challenge: QuoteChallenge) {
  if (challenge.factor !== "SMS_OTP") return
  const provider = yield* ScaProvider
  const { phoneNumber } = customer.data
  yield* provider.challenge({
    customerId: customer.id,
    challengeId: challenge.id,
    factor: challenge.factor,
    ...(phoneNumber === undefined ? {} : { phoneNumber }),
  })
})

/** Sends the code of a quote's stored challenge. */
export const sendCodeOfQuote = Effect.fnUntraced(function* (quoteId: string) {
  const store = yield* Store
  const { customer, quote } = yield* loadQuoteRecords(store.read, quoteId)
  const { challenge } = quote.data
  if (customer !== undefined && challenge !== undefined) yield* sendCode(customer, challenge)
})

/** Sends the code after the commit of a quote that waits for its authorization. */
export const sendCodeIfPending = ({ id, status }: Pick<QuoteResource, "id" | "status">) =>
  status === "PENDING_AUTHORIZATION" ? sendCodeOfQuote(id) : Effect.void
