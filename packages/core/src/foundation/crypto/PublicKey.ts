/**
 * A P-256 public key: a point that is verified to be on the curve, in the two encodings of the wire.
 * Spec: Wallet action signing; wire contract 4.4, 4.9.
 */
import { Data } from "effect"

/** Created by `P256.publicKey`, which checks the point. Lower-case hex. */
export interface PublicKey {
  /** 66 digits, beginning with `02` or `03`. */
  readonly compressed: string
  /** 130 digits, beginning with `04`. */
  readonly uncompressed: string
}

/** The text is not a public key of P-256 in one of its two encodings. */
export class InvalidPublicKey extends Data.TaggedError("InvalidPublicKey")<{ readonly message: string }> {
  static readonly notHex = () =>
    new InvalidPublicKey({
      message: "A public key is 66 hex digits beginning with 02 or 03, or 130 beginning with 04.",
    })
  static readonly notOnCurve = () => new InvalidPublicKey({ message: "The public key is not a point of P-256." })
}

/** The hex of a public key, compressed or not. */
export const publicKeyPattern = /^(?:0[23][0-9a-fA-F]{64}|04[0-9a-fA-F]{128})$/u

/** Returns the compressed encoding of an uncompressed point. */
export const compressedOf = (uncompressed: string): string => {
  const isOdd = Number.parseInt(uncompressed.slice(-1), 16) % 2 === 1
  return `${isOdd ? "03" : "02"}${uncompressed.slice(2, 66)}`
}

/** Returns both encodings of a point that is known to be on the curve, from its uncompressed one. */
export const publicKeyOfPoint = (uncompressed: string): PublicKey => ({
  compressed: compressedOf(uncompressed),
  uncompressed,
})
