/**
 * Strong customer authentication of the sandbox: stateless, with one fixed code; every passkey and every reset is accepted.
 * Source: wire contract 5.12 and 7.6 (strong authentication `123456`); wire contract areas 1.3.5.
 */
import { Effect, Layer, Redacted } from "effect"
import * as Secrets from "../foundation/crypto/Secrets.ts"
import * as Suffix from "../foundation/kit/Suffix.ts"
import { mainIdentifier } from "../model/account/MainIdentifier.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import { ScaProvider } from "../ports/ScaProvider.ts"
import { sandboxCode } from "./SandboxCodes.ts"
import { TrustSuffixes } from "./TrustSuffixes.ts"

const relyingPartyId = "sandbox.example"
const allowedOrigins = ["https://sandbox.example"]
const challengeOf = (name: string): string => Secrets.hash(name).slice(0, 43)
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
/** Encodes ASCII text as base32 (RFC 4648) without padding. */
const base32 = (text: string): string => {
  const bits = Array.from(text, (char) => char.charCodeAt(0).toString(2).padStart(8, "0")).join("")
  return (bits.match(/.{1,5}/gu) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, "0"), 2)]).join("")
}
const isCode = (code: Redacted.Redacted | undefined): boolean =>
  code !== undefined && Redacted.value(code) === sandboxCode

/** Provides a `ScaProvider` that accepts the fixed code for every factor with a code. */
export const layer: Layer.Layer<ScaProvider> = Layer.succeed(ScaProvider, {
  startEnrollment: (customerId, type) =>
    Effect.sync(() => {
      if (type === "PASSKEY") {
        const options = { challenge: challengeOf(`enroll ${customerId}`), rp: { id: relyingPartyId, name: "Sandbox" } }
        return { type, options, allowedOrigins, relyingPartyId }
      }
      const secret = Secrets.hash(`totp ${customerId}`).slice(0, 20)
      const secretBase32Encoded = base32(secret)
      const totpUri = `otpauth://totp/Sandbox:${encodeURIComponent(customerId)}?secret=${secretBase32Encoded}&issuer=Sandbox`
      return { type, secret, secretBase32Encoded, totpUri }
    }),
  confirmEnrollment: (customerId, confirmation) =>
    Effect.sync(() => {
      if (confirmation.type === "TOTP") {
        if (!isCode(confirmation.code)) return { _tag: "Refused", field: "code" }
        const recoveryCodes = Array.from({ length: 8 }, (_, at) =>
          Secrets.hash(`${customerId} recovery ${at}`).slice(0, 10),
        )
        return { _tag: "Enrolled", credentialId: `totp-${Secrets.hash(customerId).slice(0, 12)}`, recoveryCodes }
      }
      const { id } = confirmation.credential
      return typeof id === "string" && id !== ""
        ? { _tag: "Enrolled", credentialId: id, recoveryCodes: [] }
        : { _tag: "Refused", field: "credential.id" }
    }),
  challenge: ({ challengeId, factor }) =>
    Effect.succeed(
      factor === "PASSKEY"
        ? {
            passkeyOptions: { challenge: challengeOf(challengeId), rpId: relyingPartyId },
            allowedOrigins,
            relyingPartyId,
          }
        : {},
    ),
  challengesTrust: ({ accountInfo }) =>
    Effect.succeed(TrustSuffixes.find(Suffix.of(mainIdentifier(accountInfo) ?? "")) !== "NO_CHALLENGE"),
  check: ({ code, factor, passkeyAssertion }) =>
    Effect.succeed(factor === "PASSKEY" ? typeof passkeyAssertion?.["id"] === "string" : isCode(code)),
  startReset: (_customerId, resetId) =>
    Effect.succeed({ verificationLink: `https://verify.sandbox.example/reset/${Secrets.hash(resetId).slice(0, 32)}` }),
  resetState: () => Effect.succeed("LIVENESS_PASSED"),
}).pipe(sandboxOnly("SandboxSca"))
