/**
 * Node's key objects of keys that are used again: reading a key costs about as much as verifying with it.
 * Source: D-071 (how many are kept, and for how long).
 */
import { createPrivateKey, createPublicKey, ECDH, type KeyObject } from "node:crypto"
import {
  compressedOf,
  InvalidPublicKey,
  type KeyPair,
  type PublicKey,
  publicKeyPattern,
} from "@countersign/core/crypto"
import { Redacted, Result } from "effect"

const curve = "prime256v1"

/** What stands before an uncompressed point in a SubjectPublicKeyInfo of P-256. */
const spkiHead = Buffer.from("3059301306072a8648ce3d020106082a8648ce3d030107034200", "hex")

/** The key object of an uncompressed point; throws where it is not on the curve. */
export const importPoint = (point: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([spkiHead, point]), format: "der", type: "spki" })

/** The uncompressed point of a key. Node writes a JWK in half the time that the other forms take. */
export const pointOf = (key: KeyObject): Uint8Array => {
  const { x = "", y = "" } = key.export({ format: "jwk" })
  const point = new Uint8Array(65)
  point[0] = 4
  point.set(Buffer.from(x, "base64url"), 1)
  point.set(Buffer.from(y, "base64url"), 33)
  return point
}

const base64Url = (hex: string) => Buffer.from(hex, "hex").toString("base64url")

const importPair = ({ privateKey, publicKey: { uncompressed } }: KeyPair): KeyObject =>
  createPrivateKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: "P-256",
      d: Buffer.from(Redacted.value(privateKey)).toString("base64url"),
      x: base64Url(uncompressed.slice(2, 66)),
      y: base64Url(uncompressed.slice(66)),
    },
  })

export interface Known {
  readonly publicKey: PublicKey
  readonly keyObject: KeyObject
}

interface Kept extends Known {
  /** Whether it was used since it last stood first in the row of those that may go. */
  isUsed: boolean
}

export class KeyObjects {
  /** By the compressed point, in the order in which they may go. */
  readonly #known = new Map<string, Kept>()
  /** A private key lives as long as whoever holds the pair, and is found by nobody else. */
  readonly #pairs = new WeakMap<KeyPair, KeyObject>()
  readonly #publicKeysMax: number

  constructor(publicKeysMax: number) {
    this.#publicKeysMax = publicKeysMax
  }

  /** How many public keys are kept. */
  get size(): number {
    return this.#known.size
  }

  /** The checked key of a hex text, with its key object. */
  read(text: string): Result.Result<Known, InvalidPublicKey> {
    // What is known by this very text needs no second look at it.
    const same = this.#find(text)
    if (same !== undefined) return Result.succeed(same)
    if (!publicKeyPattern.test(text)) return Result.fail(InvalidPublicKey.notHex())
    const hex = text.toLowerCase()
    const isCompressed = hex.length === 66
    const compressed = isCompressed ? hex : compressedOf(hex)
    const found = this.#find(compressed)
    // A text may name the x and the parity of a known point, and still no point.
    if (found !== undefined && (isCompressed || found.publicKey.uncompressed === hex)) return Result.succeed(found)
    try {
      const uncompressed = isCompressed ? String(ECDH.convertKey(hex, curve, "hex", "hex", "uncompressed")) : hex
      return Result.succeed(this.#keep({ compressed, uncompressed }))
    } catch {
      return Result.fail(InvalidPublicKey.notOnCurve())
    }
  }

  public(key: PublicKey): KeyObject {
    return (this.#find(key.compressed) ?? this.#keep(key)).keyObject
  }

  private(pair: KeyPair): KeyObject {
    const found = this.#pairs.get(pair)
    return found ?? this.remember(pair, importPair(pair))
  }

  /** Keeps the key object of a pair that came with one. */
  remember(pair: KeyPair, keyObject: KeyObject): KeyObject {
    this.#pairs.set(pair, keyObject)
    return keyObject
  }

  #find(compressed: string): Known | undefined {
    const found = this.#known.get(compressed)
    if (found !== undefined) found.isUsed = true
    return found
  }

  #keep(publicKey: PublicKey): Known {
    const keyObject = importPoint(Buffer.from(publicKey.uncompressed, "hex"))
    if (this.#known.size >= this.#publicKeysMax) this.#letOneGo()
    const kept = { publicKey, keyObject, isUsed: false }
    this.#known.set(publicKey.compressed, kept)
    return kept
  }

  /** The first that was not used since it stood first before. A mark costs less on each use than a new place in the row. */
  #letOneGo(): void {
    for (const [compressed, kept] of this.#known) {
      this.#known.delete(compressed)
      if (!kept.isUsed) return
      kept.isUsed = false
      this.#known.set(compressed, kept)
    }
  }
}
