/**
 * The key schedule of HPKE and the shared secret of its key encapsulation.
 * Source: RFC 9180, 4.1 and 5.1; suite of wire contract 4.9.
 */
import { type HpkeOptions, pskOf } from "@countersign/core/crypto"
import { concat, empty, labelled } from "./Hkdf.ts"

/** "KEM" and DHKEM(P-256, HKDF-SHA256). */
export const kemSuiteId = concat(Buffer.from("KEM"), Uint8Array.of(0x00, 0x10))

/** "HPKE", that KEM, HKDF-SHA256 and AES-256-GCM. */
const suiteId = concat(Buffer.from("HPKE"), Uint8Array.of(0x00, 0x10, 0x00, 0x01, 0x00, 0x02))

const kem = labelled(kemSuiteId)
const kdf = labelled(suiteId)

const secretBytes = 32
const keyBytes = 32
const nonceBytes = 12

/** ExtractAndExpand. `agreed` is the Diffie-Hellman output, or both outputs for an authenticated sender; `context` is all points. */
export const sharedSecret = (agreed: Uint8Array, context: Uint8Array): Uint8Array =>
  kem.expand(kem.extract(empty, "eae_prk", agreed), "shared_secret", context, secretBytes)

/** Bit 0: pre-shared key; bit 1: authenticated sender. */
const modeOf = (hasPsk: boolean, isAuthenticated: boolean) => (hasPsk ? 1 : 0) + (isAuthenticated ? 2 : 0)

const noPskIdHash = kdf.extract(empty, "psk_id_hash", empty)

export interface Schedule {
  readonly key: Uint8Array
  readonly nonceAt: (sequence: number) => Uint8Array
  readonly export: (context: Uint8Array, lengthBytes: number) => Uint8Array
}

export const schedule = (secretOfKem: Uint8Array, options: HpkeOptions, isAuthenticated: boolean): Schedule => {
  const psk = pskOf(options)
  const context = concat(
    Uint8Array.of(modeOf(psk !== undefined, isAuthenticated)),
    psk === undefined ? noPskIdHash : kdf.extract(empty, "psk_id_hash", psk.id),
    kdf.extract(empty, "info_hash", options.info),
  )
  const secret = kdf.extract(secretOfKem, "secret", psk?.key ?? empty)
  const baseNonce = kdf.expand(secret, "base_nonce", context, nonceBytes)
  return {
    key: kdf.expand(secret, "key", context, keyBytes),
    nonceAt: (sequence) => {
      const nonce = Uint8Array.from(baseNonce)
      for (let at = nonceBytes - 1, rest = sequence; rest > 0; at--, rest = Math.floor(rest / 256)) {
        nonce[at] = (nonce[at] ?? 0) ^ (rest % 256)
      }
      return nonce
    },
    export: (exporterContext, lengthBytes) =>
      kdf.expand(kdf.expand(secret, "exp", context, secretBytes), "sec", exporterContext, lengthBytes),
  }
}
