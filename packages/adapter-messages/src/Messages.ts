/**
 * The ports `OtpSender` and `SecurityCodes` by e-mail and text message.
 * Source: wire contract 4.12, 5.12 and 7.6; D-322, D-528.
 */
import { createHmac } from "node:crypto"
import {
  drawCode,
  OtpSender,
  portChecksOf,
  type SecurityCodeRequest,
  SecurityCodes,
  weaknessOf,
  withPortChecks,
} from "@countersign/core/ports"
import { Clock, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { codeMessages } from "./CodeMessages.ts"
import { CodeStore } from "./CodeStore.ts"
import type { MailServer } from "./MailServer.ts"
import { MessagesUnusable } from "./MessageFailure.ts"
import { isEmailContact, type MessageOptions, problemOf } from "./MessageOptions.ts"
import type { TextGateway } from "./TextGateway.ts"

/** The texts of security codes, and how long and how often each can be tried. */
export interface SecurityCodeOptions extends MessageOptions {
  /** The key of the digests in the `CodeStore`: at least 32 random characters, the same in all processes. */
  readonly secret: Redacted.Redacted
  /** Digits of a code. Default: 6. */
  readonly length?: number
  /** How long a code is valid (milliseconds). Default: 10 minutes. */
  readonly lifetimeMillis?: number
  /** How often a code may be checked. Default: 5. */
  readonly attemptsMax?: number
}

const secretMin = 32
const usable = (message: string | undefined) =>
  message === undefined ? Effect.void : Effect.fail(new MessagesUnusable({ message }))

/** Codes of wallets. The service generates and checks them; here they are sent. */
const layerOtp = (options: MessageOptions): Layer.Layer<OtpSender, MessagesUnusable, MailServer | TextGateway> =>
  Layer.effect(
    OtpSender,
    Effect.gen(function* () {
      yield* usable(problemOf(options))
      const { checks, send } = yield* codeMessages(options)
      const sender: OtpSender["Service"] = {
        send: ({ code, contact, customerId, expiresAt, platformId, settings, type }) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            send({
              channel: type === "SMS_OTP" ? "sms" : "email",
              purpose: "signIn",
              recipient: { contact, customerId, platformId },
              code,
              validMillis: expiresAt - now,
              appName: settings.appName,
              logoUrl: settings.logoUrl,
              fromAddress: settings.sendFromEmailAddress,
              fromName: settings.sendFromEmailSenderName,
              replyTo: settings.replyToEmailAddress,
            }),
          ),
      }
      return withPortChecks(sender, checks)
    }),
  )

const problemOfCodes = (options: SecurityCodeOptions): string | undefined => {
  const { attemptsMax = 5, length = 6, lifetimeMillis = 1, secret } = options
  const weakness = weaknessOf(Redacted.value(secret), secretMin)
  if (weakness !== undefined) return `\`secret\` ${weakness}.`
  if (!(Number.isInteger(length) && length >= 4 && length <= 12)) return "`length` must be a whole number from 4 to 12."
  if (!(Number.isInteger(attemptsMax) && attemptsMax >= 1 && attemptsMax <= 10))
    return "`attemptsMax` must be a whole number from 1 to 10."
  return lifetimeMillis > 0 ? problemOf(options) : "`lifetimeMillis` must be positive."
}

/** Codes that confirm contacts. Drawn and sent here; the store has keyed digests of recipients and codes, and nothing else. */
const layerSecurityCodes = (
  options: SecurityCodeOptions,
): Layer.Layer<SecurityCodes, MessagesUnusable, CodeStore | MailServer | TextGateway> =>
  Layer.effect(
    SecurityCodes,
    Effect.gen(function* () {
      yield* usable(problemOfCodes(options))
      const { attemptsMax = 5, length = 6, lifetimeMillis = 600_000, secret } = options
      const store = yield* CodeStore
      const { checks, send } = yield* codeMessages(options)
      const random = yield* SecureRandom.SecureRandom
      const digest = (...parts: ReadonlyArray<string>) =>
        createHmac("sha256", Redacted.value(secret)).update(JSON.stringify(parts)).digest("hex")
      const recipientOf = ({ address, customerId, purpose }: SecurityCodeRequest) =>
        digest("recipient", customerId, purpose, address)
      const digestOf = (recipient: string, code: Redacted.Redacted) => digest("code", recipient, Redacted.value(code))
      const codes: SecurityCodes["Service"] = {
        send: Effect.fnUntraced(function* (request: SecurityCodeRequest) {
          const { address, customerId, purpose } = request
          const code = yield* Effect.provideService(
            drawCode({ length, alphanumeric: false }),
            SecureRandom.SecureRandom,
            random,
          )
          const recipient = recipientOf(request)
          const now = yield* Clock.currentTimeMillis
          // Kept before it is sent: a code that arrives is valid.
          yield* store.keep(
            recipient,
            { digest: digestOf(recipient, code), expiresAt: now + lifetimeMillis, attemptsMax },
            now,
          )
          yield* send({
            channel: isEmailContact(address) ? "email" : "sms",
            purpose: purpose === "sca" ? "approval" : "contact",
            recipient: { contact: address, customerId },
            code,
            validMillis: lifetimeMillis,
          })
        }),
        check: Effect.fnUntraced(function* (request: SecurityCodeRequest, code: Redacted.Redacted) {
          const recipient = recipientOf(request)
          return yield* store.use(recipient, digestOf(recipient, code), yield* Clock.currentTimeMillis)
        }),
      }
      return withPortChecks(codes, [...checks, ...portChecksOf(store)])
    }),
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))

export const Messages = { layerOtp, layerSecurityCodes }
