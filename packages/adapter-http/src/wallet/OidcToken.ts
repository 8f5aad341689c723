/**
 * An OIDC token read, without a word on whether it is true.
 * Spec: Sandbox authentication behavior (3): JWT-shaped; wire contract 4.12.
 */
import type { Claims } from "@countersign/core/ports"
import { decodeJwt, decodeProtectedHeader } from "jose"
import { bytesOf } from "./Base64UrlText.ts"

/** Longer than any issuer writes them. */
const lengthMax = 16 * 1024

/** Two parts that say something, and one that may say anything. */
const shape = /^[\w-]+\.[\w-]+\.[\w-]*$/u

/** The claims; undefined where the text is no token. */
export const claimsOf = (token: string): Claims | undefined => {
  if (token.length > lengthMax || !shape.test(token)) return undefined
  const [header = "", payload = ""] = token.split(".")
  if (bytesOf(header) === undefined || bytesOf(payload) === undefined) return undefined
  try {
    decodeProtectedHeader(token)
    return decodeJwt(token)
  } catch {
    return undefined
  }
}
