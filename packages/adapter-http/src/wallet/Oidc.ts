/**
 * `OidcChecks` of live mode: the issuer's published keys verify the signature of a token.
 * Source: wire contract 4.12; D-166.
 */
import { OidcChecks } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import { compactVerify, decodeProtectedHeader, errors } from "jose"
import { bytesOf } from "./Base64UrlText.ts"
import * as IssuerKeys from "./IssuerKeys.ts"
import * as OidcTokens from "./OidcTokens.ts"

export interface Options extends OidcTokens.OidcOptions, IssuerKeys.IssuerKeyOptions {}

/** Asymmetric algorithms only: a party that can verify must not be able to sign. */
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"]

type Outcome = "signed" | "not signed" | "unknown key"

const verify = async (token: string, { set }: IssuerKeys.IssuerKeys): Promise<Outcome> => {
  // Only the canonical base64url text of the signature counts as the issuer's.
  if (bytesOf(token.slice(token.lastIndexOf(".") + 1)) === undefined) return "not signed"
  // The library verifies messages whose payload is signed as it is (RFC 7797), and knows its name among critical extensions, even twice. Claims
  // are read from an encoded payload, and a token needs no extension.
  const { b64, crit } = decodeProtectedHeader(token)
  if (b64 === false || crit !== undefined) return "not signed"
  try {
    await compactVerify(token, set, { algorithms })
    return "signed"
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return "unknown key"
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) return "not signed"
    // The token names no key and the issuer has several.
    for await (const key of error) {
      const isOwn = await compactVerify(token, key, { algorithms }).then(
        () => true,
        () => false,
      )
      if (isOwn) return "signed"
    }
    return "not signed"
  }
}

export const layer = (options: Options = {}): Layer.Layer<OidcChecks> =>
  Layer.sync(OidcChecks, () => {
    const keys = IssuerKeys.make(options)
    const isSigned = Effect.fn("Oidc.isSigned")(function* (token: string, address: string) {
      const known = yield* keys.of(address)
      const outcome = yield* Effect.promise(() => verify(token, known))
      if (outcome !== "unknown key") return outcome === "signed"
      const newer = yield* keys.newer(address, known)
      return newer !== known && (yield* Effect.promise(() => verify(token, newer))) === "signed"
    })
    return OidcTokens.make(options, isSigned)
  })
