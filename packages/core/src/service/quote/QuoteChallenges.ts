/**
 * What strong authentication needs of a payment, asked before it is decided; and its codes, sent after it was kept.
 * Source: wire contract 5.12; D-086, D-129.
 */
import { Effect } from "effect"
import type { Challenging } from "../../decision/quote/QuoteChallengeDecision.ts"
import * as IdPool from "../../foundation/ids/IdPool.ts"
import type { QuoteChallenge } from "../../model/quote/Quote.ts"
import { hasFactor } from "../../model/sca/ScaFactorRules.ts"
import type { ScaFactor } from "../../model/sca/ScaProfile.ts"
import type { Read } from "../../operation/Operation.ts"
import { type PaymentFacts, ScaProvider } from "../../ports/ScaProvider.ts"
import { ScaRegions } from "../../settings/ScaRegions.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { loadSca } from "../sca/ScaProfiles.ts"

/** Draws the identifier of a challenge: once per operation, however often it is decided. */
export const drawChallenge = Effect.map(IdPool.make(1), (pool) => pool.source()("ScaChallenge"))

interface Wanted extends Omit<PaymentFacts, "customerId"> {
  readonly challengeId: string
  readonly factor: ScaFactor | undefined
}

/** What the challenge of a customer needs; `undefined`: it is not under strong authentication. */
export const challengingOf = Effect.fnUntraced(function* <E>(
  read: Read<E>,
  customer: Stored<"Customer"> | undefined,
  { challengeId, factor = "SMS_OTP", ...facts }: Wanted,
) {
  const regions = yield* ScaRegions
  const provider = yield* ScaProvider
  const region = customer?.data.region
  if (customer === undefined || region === undefined || !regions.includes(region)) return undefined
  const customerId = customer.id
  const sca = yield* loadSca(read, regions, customerId)
  // The options of a passkey are shown with the quote; a code is sent once the quote waits for it.
  const isAsked = factor === "PASSKEY" && hasFactor(sca, factor)
  const challenging: Challenging = {
    sca,
    challengeId,
    factor,
    purposes: provider.purposes === undefined ? ["PAYMENT"] : yield* provider.purposes({ customerId, ...facts }),
    asked: isAsked ? yield* provider.challenge({ customerId, challengeId, factor }) : undefined,
  }
  return challenging
})

/** Sends the code of a challenge that is kept. */
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
