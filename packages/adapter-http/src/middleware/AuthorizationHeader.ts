/**
 * Parses the Authorization header by scheme. The core checks the credentials.
 * Spec: Authentication; wire contract 9. RFC 7617 (Basic) and RFC 6750 (Bearer).
 */
import { Redacted, Result } from "effect"
import { Base64 } from "effect/encoding"

export type Malformed = "MISSING_CREDENTIALS" | "MALFORMED_CREDENTIALS"

export interface Basic {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
}

const credentialsOf = (header: string | undefined, scheme: string): Result.Result<string, Malformed> => {
  if (header === undefined || header.trim() === "") return Result.fail("MISSING_CREDENTIALS")
  const [, sentScheme, credentials] = /^([^\s]+) +([^\s]+) *$/u.exec(header) ?? []
  return sentScheme?.toLowerCase() === scheme && credentials !== undefined
    ? Result.succeed(credentials)
    : Result.fail("MALFORMED_CREDENTIALS")
}

/** Parses HTTP Basic into client id and secret, which the first colon separates. */
export const basic = (header: string | undefined): Result.Result<Basic, Malformed> =>
  Result.flatMap(credentialsOf(header, "basic"), (encoded) => {
    const text = Base64.decodeString(encoded)
    const colon = Result.isSuccess(text) ? text.success.indexOf(":") : -1
    // RFC 7617 forbids control characters in both parts, and no store keeps U+0000.
    return Result.isFailure(text) || colon === -1 || /\p{Cc}/u.test(text.success)
      ? Result.fail("MALFORMED_CREDENTIALS" as const)
      : Result.succeed({
          clientId: text.success.slice(0, colon),
          clientSecret: Redacted.make(text.success.slice(colon + 1)),
        })
  })

export const bearer = (header: string | undefined): Result.Result<Redacted.Redacted, Malformed> =>
  Result.map(credentialsOf(header, "bearer"), (token) => Redacted.make(token))
