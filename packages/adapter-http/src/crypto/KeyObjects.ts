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
import { Redacted } from "effect"

const curve = "prime256v1"

/** What stands before an uncompressed point in a SubjectPublicKeyInfo of P-256. */
const spkiHead = Buffer.from("3059301306072a8648ce3d020106082a8648ce3d030107034200", "hex")

/** The key object of an uncompressed point; throws where it is not on the curve. */
export const importPoint = (point: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([spkiHead, point]), format: "der", type: "spki" })

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

interface Known {
  readonly publicKey: PublicKey
  readonly keyObject: KeyObject
}

export class KeyObjects {
  /** By the compressed point, the one used longest ago first. */
  readonly #known = new Map<string, Known>()
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

  /** The checked key of a hex text. */
  publicKey(text: string): PublicKey {
    if (!publicKeyPattern.test(text)) throw InvalidPublicKey.notHex()
    const hex = text.toLowerCase()
    const isCompressed = hex.length === 66
    const compressed = isCompressed ? hex : compressedOf(hex)
    const found = this.#find(compressed)
    // The other point of the same x and parity does not exist, but a text may name one.
    if (found !== undefined && (isCompressed || found.publicKey.uncompressed === hex)) return found.publicKey
    try {
      const uncompressed = isCompressed ? String(ECDH.convertKey(hex, curve, "hex", "hex", "uncompressed")) : hex
      return this.#keep({ compressed, uncompressed }).publicKey
    } catch {
      throw InvalidPublicKey.notOnCurve()
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
    if (found === undefined) return undefined
    // Last in the map's order is what was used last.
    this.#known.delete(compressed)
    this.#known.set(compressed, found)
    return found
  }

  #keep(publicKey: PublicKey): Known {
    const known = { publicKey, keyObject: importPoint(Buffer.from(publicKey.uncompressed, "hex")) }
    this.#known.set(publicKey.compressed, known)
    if (this.#known.size > this.#publicKeysMax) {
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest)
        break
      }
    }
    return known
  }
}
