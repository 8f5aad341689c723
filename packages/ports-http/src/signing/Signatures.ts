/**
 * Signs and verifies messages of the contract by HMAC-SHA-256. A message has a signature for each secret of its sender, so that the two sides
 * change to a new secret one after the other.
 * Source: RFC 2104; D-527. The header has the form of the webhooks' signatures: `v1,base64`, separated by spaces.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import { Redacted } from "effect"
import { type Signable, signedText } from "./SignedText.ts"

/** The headers of a request; an answer has the signature only. */
export const headerNames = { id: "port-request-id", timestamp: "port-timestamp", signature: "port-signature" } as const

/** A secret, or the new one and the one before it. */
export type PortSecrets = readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]

const scheme = "v1,"

/** Limits of what is read of a header: a rotation needs two signatures. */
const headerLengthMax = 1024
const signaturesMax = 4

const macOf = (secret: Redacted.Redacted, text: string): Buffer =>
  createHmac("sha256", Redacted.value(secret)).update(text).digest()

/** Returns the value of the signature's header. */
export const sign = (secrets: PortSecrets, message: Signable): string => {
  const text = signedText(message)
  return secrets.map((secret) => scheme + macOf(secret, text).toString("base64")).join(" ")
}

/** Whether one of the secrets has signed the message. The comparison takes the same time wherever two signatures differ. */
export const isSigned = (secrets: PortSecrets, message: Signable, header: string | null | undefined): boolean => {
  if (header === null || header === undefined || header.length > headerLengthMax) return false
  const given = header
    .split(" ")
    .filter((entry) => entry.startsWith(scheme))
    .slice(0, signaturesMax)
    .map((entry) => Buffer.from(entry.slice(scheme.length), "base64"))
  const text = signedText(message)
  return secrets.some((secret) => {
    const own = macOf(secret, text)
    return given.some((mac) => mac.length === own.length && timingSafeEqual(mac, own))
  })
}
