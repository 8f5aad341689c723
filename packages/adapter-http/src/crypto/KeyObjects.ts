/**
 * A cache of Node's key objects: parsing a key costs about as much as verifying with it.
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

/** The bytes before the uncompressed point in a SubjectPublicKeyInfo of P-256. */
const spkiHead = Buffer.from("3059301306072a8648ce3d020106082a8648ce3d030107034200", "hex")

/** Returns the key object of an uncompressed point. Throws if the point is not on the curve. */
export const importPoint = (point: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([spkiHead, point]), format: "der", type: "spki" })

/** Returns the uncompressed point of a key. Node exports a JWK in half the time of the other formats. */
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

interface Cached extends Known {
  /** Whether the key was used since the eviction last passed over it. */
  isUsed: boolean
}

export class KeyObjects {
  /** Public keys by compressed point, in the order of eviction. */
  readonly #known = new Map<string, Cached>()
  /** Private keys. An entry lives as long as the pair and is found by the pair only. */
  readonly #pairs = new WeakMap<KeyPair, KeyObject>()
  readonly #publicKeysMax: number

  constructor(publicKeysMax: number) {
    this.#publicKeysMax = publicKeysMax
  }

  /** Number of cached public keys. */
  get size(): number {
    return this.#known.size
  }

  /** Validates the hex text of a public key and returns the key with its key object. */
  read(text: string): Result.Result<Known, InvalidPublicKey> {
    // A cached text was validated before.
    const same = this.#find(text)
    if (same !== undefined) return Result.succeed(same)
    if (!publicKeyPattern.test(text)) return Result.fail(InvalidPublicKey.notHex())
    const hex = text.toLowerCase()
    const isCompressed = hex.length === 66
    const compressed = isCompressed ? hex : compressedOf(hex)
    const found = this.#find(compressed)
    // An uncompressed text may have the x and the parity of a known point and still not be that point.
    if (found !== undefined && (isCompressed || found.publicKey.uncompressed === hex)) return Result.succeed(found)
    try {
      const uncompressed = isCompressed ? String(ECDH.convertKey(hex, curve, "hex", "hex", "uncompressed")) : hex
      return Result.succeed(this.#cache({ compressed, uncompressed }))
    } catch {
      return Result.fail(InvalidPublicKey.notOnCurve())
    }
  }

  public(key: PublicKey): KeyObject {
    return (this.#find(key.compressed) ?? this.#cache(key)).keyObject
  }

  private(pair: KeyPair): KeyObject {
    const found = this.#pairs.get(pair)
    return found ?? this.remember(pair, importPair(pair))
  }

  /** Caches the key object that was generated with a pair. */
  remember(pair: KeyPair, keyObject: KeyObject): KeyObject {
    this.#pairs.set(pair, keyObject)
    return keyObject
  }

  #find(compressed: string): Known | undefined {
    const found = this.#known.get(compressed)
    if (found !== undefined) found.isUsed = true
    return found
  }

  #cache(publicKey: PublicKey): Known {
    const keyObject = importPoint(Buffer.from(publicKey.uncompressed, "hex"))
    if (this.#known.size >= this.#publicKeysMax) this.#evictOne()
    const cached = { publicKey, keyObject, isUsed: false }
    this.#known.set(publicKey.compressed, cached)
    return cached
  }

  /** Evicts the first key that was not used since the last pass (second chance). A mark per use costs less than reordering. */
  #evictOne(): void {
    for (const [compressed, cached] of this.#known) {
      this.#known.delete(compressed)
      if (!cached.isUsed) return
      cached.isUsed = false
      this.#known.set(compressed, cached)
    }
  }
}
