/**
 * Draws, sends and verifies one-time codes. Codes and keys exist in memory only, from the draw to the sender.
 * Spec: Wallet action signing; wire contract 4.4, 4.5, 4.9 and 4.12; D-140, D-143.
 */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Context, Effect, Exit, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import type { IssuedChallenge } from "../../decision/wallet/CredentialDecision.ts"
import type { Hpke } from "../../foundation/crypto/Hpke.ts"
import * as OtpBundle from "../../foundation/crypto/OtpBundle.ts"
import { P256 } from "../../foundation/crypto/P256.ts"
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import type { EmbeddedWalletConfig } from "../../model/platform/PlatformSetting.ts"
import type { Owner } from "../../model/record/Record.ts"
import type { OtpCredential } from "../../model/wallet/Credential.ts"
import type { OtpChallenge } from "../../model/wallet/OtpChallenge.ts"
import { pendingMillis } from "../../model/wallet/SignedRequest.ts"
import { KeyVault } from "../../ports/KeyVault.ts"
import { drawCode, type OtpMessage, OtpSender } from "../../ports/OtpSender.ts"
import { signToken } from "./VerificationToken.ts"

const lengthDefault = 6
const expirationSecondsDefault = 300

/** A new code: what is stored of it, the bundle for the client, and the message to send after the commit. */
export interface IssuedCode extends IssuedChallenge {
  readonly message: OtpMessage
}

/** Content of a bundle with the right code. */
export interface VerifiedCode {
  /** Compressed key that was sealed with the code. */
  readonly publicKey: string
  /** Token that this key must sign. */
  readonly token: string
}

export class OtpChallenges extends Context.Service<
  OtpChallenges,
  {
    /** Draws a code. It sends nothing. */
    readonly issue: (
      owner: Owner,
      credential: OtpCredential,
      settings: typeof EmbeddedWalletConfig.Type,
    ) => Effect.Effect<IssuedCode>
    /** Sends the code. Call it after the commit that stores the challenge. */
    readonly send: (issued: IssuedCode) => Effect.Effect<void>
    /** Opens the client's bundle. Returns `undefined` for a bundle that does not open and for a wrong code alike. */
    readonly open: (
      authMethodId: string,
      credential: OtpCredential,
      challenge: OtpChallenge,
      bundle: string,
    ) => Effect.Effect<VerifiedCode | undefined>
  }
>()("@countersign/core/OtpChallenges") {
  static readonly layer = Layer.effect(
    OtpChallenges,
    Effect.gen(function* () {
      const vault = yield* KeyVault
      const sender = yield* OtpSender
      const random = yield* SecureRandom.SecureRandom
      const p256 = yield* P256
      const services = yield* Effect.context<SecureRandom.SecureRandom | P256 | Hpke>()
      const quorum = yield* p256.derive(yield* vault.derive("quorum", ""))

      const targetOf = (challengeId: string) => Effect.flatMap(vault.derive("otp-target", challengeId), p256.derive)

      const markOf = Effect.fnUntraced(function* (challengeId: string, code: Redacted.Redacted) {
        const key = Redacted.value(yield* vault.derive("otp-code", challengeId))
        return Hex.encode(hmac(sha256, key, utf8ToBytes(Redacted.value(code))))
      })

      const issue = Effect.fnUntraced(function* (
        owner: Owner,
        credential: OtpCredential,
        settings: typeof EmbeddedWalletConfig.Type,
      ) {
        const { accountId, contact, type } = credential
        const challengeId = Hex.encode(yield* random.randomBytes(16))
        const format = { length: settings.otpLength ?? lengthDefault, alphanumeric: settings.alphanumeric ?? false }
        const code = yield* (sender.draw ?? drawCode)(format)
        const now = yield* Clock.currentTimeMillis
        const expiresAt = now + (settings.expirationSeconds ?? expirationSecondsDefault) * 1000
        const target = yield* targetOf(challengeId)
        const issued: IssuedCode = {
          stored: { challengeId, contact, codeMark: yield* markOf(challengeId, code), expiresAt },
          bundle: yield* OtpBundle.makeTarget(quorum, target.publicKey, accountId),
          message: { ...owner, accountId, type, contact, code, expiresAt, settings },
        }
        return issued
      }, Effect.provideContext(services))

      const open = Effect.fnUntraced(function* (
        authMethodId: string,
        credential: OtpCredential,
        challenge: OtpChallenge,
        bundle: string,
      ) {
        const { challengeId, codeMark, contact } = challenge
        const opened = yield* Effect.exit(OtpBundle.open(yield* targetOf(challengeId), bundle))
        if (Exit.isFailure(opened)) return undefined
        const { otpCode, publicKey } = opened.value
        if (!Secrets.equal(yield* markOf(challengeId, otpCode), codeMark)) return undefined
        if (sender.accepted !== undefined) yield* sender.accepted
        const issuedAt = yield* Clock.currentTimeMillis
        const token = yield* signToken(quorum, {
          challengeId,
          authMethodId,
          type: credential.type,
          contact,
          organizationId: credential.accountId,
          publicKey: publicKey.compressed,
          issuedAt,
          expiresAt: issuedAt + pendingMillis,
        })
        return { publicKey: publicKey.compressed, token } satisfies VerifiedCode
      }, Effect.provideContext(services))

      return OtpChallenges.of({ issue, open, send: ({ message }) => sender.send(message) })
    }),
  )
}
