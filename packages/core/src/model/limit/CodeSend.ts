/**
 * A code that is sent after a commit, and the limits that it counts towards in that commit.
 * Source: D-336.
 */
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { type CodePrices, countedPrefix, priceOf } from "./CodePrices.ts"
import { limitKey } from "./LimitCounter.ts"
import { countOf, type UseLimitCounts, type UseLimitName } from "./UseLimits.ts"

export interface CodeSend {
  readonly channel: "EMAIL" | "SMS"
  /** The e-mail address or telephone number. No counter contains it. */
  readonly recipient: string
  readonly customerId: string | null
}

/** What a deployment chooses. */
export interface SendLimits {
  readonly counts: UseLimitCounts
  readonly prices: CodePrices
}

export interface SendCharge {
  readonly key: string
  readonly delta: number
  readonly max: number
}

const notSent: Refusal = {
  code: "INVALID_INPUT",
  message: "No code is sent to numbers of this prefix.",
  details: { reason: "RECIPIENT_NOT_SUPPORTED" },
}

/** The same recipient in another spelling is the same. */
const subjectOf = ({ channel, recipient }: CodeSend): string =>
  Secrets.hash(`${channel} ${recipient.trim().toLowerCase()}`).slice(0, 32)

/** Returns what a code counts towards, or the refusal of a number that gets none. */
export const chargesOfSend = (
  send: CodeSend,
  { counts, prices }: SendLimits,
  now: number,
): ReadonlyArray<SendCharge> | Refusal => {
  const charge = (name: UseLimitName, subject: string, delta = 1): ReadonlyArray<SendCharge> => {
    const max = countOf(name, counts)
    return max === undefined || delta === 0 ? [] : [{ key: limitKey(name, subject, now), delta, max }]
  }
  const always = [
    ...charge("CODE_SENDS_TO_RECIPIENT", subjectOf(send)),
    ...(send.customerId === null ? [] : charge("CODE_SENDS_FOR_CUSTOMER", send.customerId)),
    ...charge("CODE_SENDS_OF_PLATFORM", ""),
  ]
  if (send.channel === "EMAIL") return always
  const { cents, prefix } = priceOf(send.recipient, prices)
  if (cents === null) return notSent
  return [
    ...always,
    ...charge("CODE_SENDS_TO_PREFIX", countedPrefix(send.recipient, prefix)),
    ...charge("CODE_PRICE_OF_PLATFORM", "", cents),
  ]
}
