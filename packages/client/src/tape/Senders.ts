/** Which sender a tape records for an `Authorization` header. No accepted credential is recorded that no response contained. Source: D-449. */
import { Result } from "effect"
import { Base64 } from "effect/encoding"
import { literal } from "./References.ts"
import type { TapeSender } from "./Tape.ts"

interface Known {
  /** Returns the reference of a text that a response contained. */
  readonly referenceOf: (text: string) => string | undefined
  readonly platform: { readonly clientId: string; readonly clientSecret: string }
  readonly status: number
  /** The variables of headers that the tape does not contain. */
  readonly variables: Map<string, string>
}

/** Decodes as servers do: also without padding, and whatever is not of the alphabet is ignored. */
const decoded = (encoded: string): string => {
  const [digits = ""] = encoded.replaceAll("-", "+").replaceAll("_", "/").split("=")
  const known = digits.replace(/[^A-Za-z0-9+/]/gu, "")
  const whole = known.length % 4 === 1 ? known.slice(0, -1) : known
  return Result.getOrElse(Base64.decodeString(whole.padEnd(Math.ceil(whole.length / 4) * 4, "=")), () => "")
}

const basicOf = (authorization: string): readonly [clientId: string, clientSecret: string] | undefined => {
  const [, encoded] = /^Basic (\S+)$/iu.exec(authorization) ?? []
  if (encoded === undefined) return undefined
  const [clientId = "", ...secret] = decoded(encoded).split(":")
  return [clientId, secret.join(":")]
}

/** Returns the sender of a header. A header with unknown credentials becomes a variable, which is added to `variables`. */
export const senderOf = (
  authorization: string | null,
  { platform, referenceOf, status, variables }: Known,
): TapeSender => {
  if (authorization === null) return "nobody"
  const basic = basicOf(authorization)
  const [, token] = /^Bearer (\S+)$/iu.exec(authorization) ?? []
  // Refused credentials protect nothing, and a replay must be refused as well.
  const boundOf = (text: string) => referenceOf(text) ?? (status === 401 ? literal(text) : undefined)
  if (basic !== undefined) {
    const [clientId, clientSecret] = basic
    if (clientId === platform.clientId && clientSecret === platform.clientSecret) return "platform"
    const secret = clientSecret === platform.clientSecret ? undefined : boundOf(clientSecret)
    if (secret !== undefined) return { clientId: referenceOf(clientId) ?? literal(clientId), clientSecret: secret }
  }
  const reference = token === undefined ? undefined : boundOf(token)
  if (reference !== undefined) return { token: reference }
  const variable = variables.get(authorization) ?? `AUTHORIZATION_${variables.size + 1}`
  variables.set(authorization, variable)
  return { variable }
}
