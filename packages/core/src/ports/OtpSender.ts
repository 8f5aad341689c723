/**
 * Delivers a one-time code by e-mail or text message. A platform provides its own sender. The service generates the code and stores
 * only a keyed hash of it.
 * Spec: Sandbox authentication behavior (1); wire contract 4.12 (settings of the platform).
 */
import { Context, Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import type { EmbeddedWalletConfig } from "../model/platform/PlatformSetting.ts"

/** The format of a code. */
export interface OtpFormat {
  readonly length: number
  /** Whether the code also contains upper-case letters. */
  readonly alphanumeric: boolean
}

/** A code to deliver, and what a sender needs to write and address the message. */
export interface OtpMessage {
  readonly platformId: string
  /** `null` if the wallet is not a customer's. */
  readonly customerId: string | null
  /** The internal account of the embedded wallet that the code signs in to. */
  readonly accountId: string
  readonly type: "EMAIL_OTP" | "SMS_OTP"
  /** An e-mail address or a telephone number. */
  readonly contact: string
  /** Keep it out of logs, errors and stores. */
  readonly code: Redacted.Redacted
  /** Business time (ms). */
  readonly expiresAt: number
  /** The platform's settings for its messages. */
  readonly settings: typeof EmbeddedWalletConfig.Type
}

const digits = "0123456789"
const digitsAndLetters = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"

/** Generates a code of uniformly distributed characters: bytes beyond the last multiple of the alphabet's length are discarded. */
export const drawCode = Effect.fnUntraced(function* ({ alphanumeric, length }: OtpFormat) {
  const random = yield* SecureRandom.SecureRandom
  const alphabet = alphanumeric ? digitsAndLetters : digits
  const limit = 256 - (256 % alphabet.length)
  let code = ""
  while (code.length < length) {
    const bytes = yield* random.randomBytes(2 * length)
    for (const byte of bytes) if (byte < limit && code.length < length) code += alphabet.charAt(byte % alphabet.length)
  }
  return Redacted.make(code, { label: "OTP code" })
})

export class OtpSender extends Context.Service<
  OtpSender,
  {
    /** Delivers the code. If it cannot, it dies with `PortUnavailable`, and the request answers 503 (D-527). */
    readonly send: (message: OtpMessage) => Effect.Effect<void>
    /** Replaces the generated code; absent: `drawCode`. */
    readonly draw?: (format: OtpFormat) => Effect.Effect<Redacted.Redacted>
    /** Runs after each correct code. */
    readonly accepted?: Effect.Effect<void>
  }
>()("@countersign/core/OtpSender") {}
