/**
 * Decodes an OIDC token without verifying it.
 * Spec: Sandbox authentication behavior (3): JWT-shaped; wire contract 4.12.
 */

import { Outside } from "@countersign/core"
import type { Claims } from "@countersign/core/ports"
import { decodeJwt, decodeProtectedHeader } from "jose"
import { bytesOf } from "./Base64UrlText.ts"

/** Length limit of a token, above what issuers use. */
const lengthMax = 16 * 1024

/** A non-empty header and payload, and any signature. */
const shape = /^[\w-]+\.[\w-]+\.[\w-]*$/u

/** Returns the claims; `undefined` if the text is not a token. */
export const claimsOf = (token: string): Claims | undefined => {
  if (token.length > lengthMax || !shape.test(token)) return undefined
  const [header = "", payload = ""] = token.split(".")
  if (bytesOf(header) === undefined || bytesOf(payload) === undefined) return undefined
  try {
    decodeProtectedHeader(token)
    const claims = decodeJwt(token)
    return Outside.isStorable(claims) ? claims : undefined
  } catch {
    return undefined
  }
}
