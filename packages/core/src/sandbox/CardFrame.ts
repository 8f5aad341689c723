/**
 * The URL of the page that shows a sandbox card: signed by the deployment and valid for minutes. It contains all data of the page, so
 * that nothing is stored.
 * Spec: 4.4, Limits (reveal URL); wire contract 3.4 and 11 (48).
 */
import { p256 } from "@noble/curves/nist.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect, Result } from "effect"
import { Base64, Base64Url } from "effect/encoding"

/** The path of the page. */
export const framePath = "/sandbox/card-frame"

/** The lifetime of the URL. */
export const frameMillis = 5 * 60 * 1000

/** What the page shows of a card, and until when. */
export interface Frame {
  readonly cardId: string
  readonly expMonth: number
  readonly expYear: number
  /** Unix milliseconds. */
  readonly expiresAt: number
}

/** The signed text. Its prefix differs from everything else that the key signs. */
const signedText = ({ cardId, expMonth, expYear, expiresAt }: Frame): string =>
  ["countersign card frame", cardId, expMonth, expYear, expiresAt].join("\n")

export const frameUrl = Effect.fnUntraced(function* (
  origin: string,
  frame: Frame,
  sign: (text: string) => Effect.Effect<string>,
) {
  const signature = yield* sign(signedText(frame))
  const query = {
    card: frame.cardId,
    month: frame.expMonth,
    year: frame.expYear,
    expires: frame.expiresAt,
    // Spans and logs redact a query member of this name.
    signature: signature.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""),
  }
  const members = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${origin}${framePath}?${members.join("&")}`
})

/** Returns the point of a public key in PEM: the end of its SubjectPublicKeyInfo. */
const pointOf = (pem: string): Uint8Array => {
  const der = Base64.decode(pem.replace(/-----[^-]+-----|\s/gu, ""))
  return Result.isSuccess(der) ? der.success.slice(-65) : new Uint8Array()
}

const isSigned = (publicKey: string, frame: Frame, signature: string): boolean => {
  const bytes = Base64Url.decode(signature)
  if (Result.isFailure(bytes)) return false
  // Bytes that are no signature, and those that are no point, are not valid either.
  const format = { format: "der", lowS: false } as const
  return p256.verify(bytes.success, utf8ToBytes(signedText(frame)), pointOf(publicKey), format)
}

/** The frame of a URL, or why the URL is not valid. */
export type Opened =
  | { readonly _tag: "Frame"; readonly frame: Frame }
  | { readonly _tag: "Altered" }
  | { readonly _tag: "Expired" }

/** Verifies the query of a URL. */
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
