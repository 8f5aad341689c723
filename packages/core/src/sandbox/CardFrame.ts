/**
 * The address of the page that shows a sandbox's card: signed by the deployment, good for minutes. It says all that the page
 * needs, so that nothing of it is kept.
 * Spec: 4.4, Limits (reveal URL); wire contract 3.4 and 11 (48).
 */
import { p256 } from "@noble/curves/nist.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect, Result } from "effect"
import { Base64, Base64Url } from "effect/encoding"

/** Where the page is, below the server's root. */
export const framePath = "/sandbox/card-frame"

/** How long the address may be opened. */
export const frameMillis = 5 * 60 * 1000

export interface Frame {
  readonly cardId: string
  readonly expMonth: number
  readonly expYear: number
  /** Unix milliseconds. */
  readonly expiresAt: number
}

/** What is signed begins unlike anything else that the key signs. */
const signed = ({ cardId, expMonth, expYear, expiresAt }: Frame): string =>
  ["countersign card frame", cardId, expMonth, expYear, expiresAt].join("\n")

export const frameUrl = Effect.fnUntraced(function* (
  origin: string,
  frame: Frame,
  sign: (text: string) => Effect.Effect<string>,
) {
  const signature = yield* sign(signed(frame))
  const query = {
    card: frame.cardId,
    month: frame.expMonth,
    year: frame.expYear,
    expires: frame.expiresAt,
    // By this name no span or log of a request shows it.
    signature: signature.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""),
  }
  const members = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${origin}${framePath}?${members.join("&")}`
})

/** The point of a public key in PEM: the end of its SubjectPublicKeyInfo. */
const pointOf = (pem: string): Uint8Array => {
  const der = Base64.decode(pem.replace(/-----[^-]+-----|\s/gu, ""))
  return Result.isSuccess(der) ? der.success.slice(-65) : new Uint8Array()
}

const isSigned = (publicKey: string, frame: Frame, signature: string): boolean => {
  const bytes = Base64Url.decode(signature)
  if (Result.isFailure(bytes)) return false
  try {
    const format = { format: "der", lowS: false } as const
    return p256.verify(bytes.success, utf8ToBytes(signed(frame)), pointOf(publicKey), format)
  } catch {
    return false
  }
}

/** What the address shows, or why it shows nothing. */
export type Opened =
  | { readonly _tag: "Frame"; readonly frame: Frame }
  | { readonly _tag: "Altered" }
  | { readonly _tag: "Expired" }

/** `query`: the members of the address's query. */
export const openFrame = (publicKey: string, query: ReadonlyMap<string, string>, now: number): Opened => {
  const frame: Frame = {
    cardId: query.get("card") ?? "",
    expMonth: Number(query.get("month")),
    expYear: Number(query.get("year")),
    expiresAt: Number(query.get("expires")),
  }
  if (!isSigned(publicKey, frame, query.get("signature") ?? "")) return { _tag: "Altered" }
  return now >= frame.expiresAt ? { _tag: "Expired" } : { _tag: "Frame", frame }
}
