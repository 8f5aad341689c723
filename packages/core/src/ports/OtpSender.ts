/**
 * Brings a one-time code to its person, by e-mail or text message. A platform brings its own; the service draws the code, keeps only
 * a keyed hash of it, and forgets it once it was handed over.
 * Spec: Sandbox authentication behavior (1); wire contract 4.12 (settings of the platform).
 */
import { Context, Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import type { EmbeddedWalletConfig } from "../model/platform/PlatformSetting.ts"

/** How a code looks. */
export interface OtpFormat {
  readonly length: number
  /** Upper-case letters too. */
  readonly alphanumeric: boolean
}

export interface OtpMessage {
  readonly platformId: string
  readonly customerId: string | null
  readonly accountId: string
  readonly type: "EMAIL_OTP" | "SMS_OTP"
  /** An e-mail address or a telephone number. */
  readonly contact: string
  readonly code: Redacted.Redacted
  /** Business time (ms). */
  readonly expiresAt: number
  /** How the platform's messages look. */
  readonly settings: typeof EmbeddedWalletConfig.Type
}

const digits = "0123456789"
const lettersToo = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"

/** Characters drawn evenly: bytes beyond the last whole round of the alphabet are drawn again. */
export const drawCode = Effect.fnUntraced(function* ({ alphanumeric, length }: OtpFormat) {
  const random = yield* SecureRandom.SecureRandom
  const alphabet = alphanumeric ? lettersToo : digits
  const limit = 256 - (256 % alphabet.length)
  let code = ""
  while (code.length < length) {
    const drawn = yield* random.randomBytes(2 * length)
    for (const byte of drawn) if (byte < limit && code.length < length) code += alphabet.charAt(byte % alphabet.length)
  }
  return Redacted.make(code, { label: "OTP code" })
})

export class OtpSender extends Context.Service<
  OtpSender,
  {
    readonly send: (message: OtpMessage) => Effect.Effect<void>
    /** Instead of a drawn code; absent: `drawCode`. */
    readonly draw?: (format: OtpFormat) => Effect.Effect<Redacted.Redacted>
    /** Told of each code that came back right. */
    readonly accepted?: Effect.Effect<void>
  }
>()("@countersign/core/OtpSender") {}
