/**
 * Keys and sealed messages of a wallet with `node:crypto` alone, as a new client writes them.
 * Source: wire contract 4.9; RFC 9180 (base mode, DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM).
 */
import { createCipheriv, createDecipheriv, createECDH, createHmac, type ECDH } from "node:crypto"

export const curve = "prime256v1"
const info = "turnkey_hpke"

export interface NodeKeys {
  /** Hex; `uncompressed` is what a wallet sends as `clientPublicKey`. */
  readonly privateKey: string
  readonly compressed: string
  readonly uncompressed: string
}

const keysFrom = (ecdh: ECDH): NodeKeys => ({
  privateKey: ecdh.getPrivateKey("hex").padStart(64, "0"),
  compressed: ecdh.getPublicKey("hex", "compressed"),
  uncompressed: ecdh.getPublicKey("hex", "uncompressed"),
})

const ecdhOf = ({ privateKey }: Pick<NodeKeys, "privateKey">): ECDH => {
  const ecdh = createECDH(curve)
  ecdh.setPrivateKey(privateKey, "hex")
  return ecdh
}

export const newKeys = (): NodeKeys => {
  const ecdh = createECDH(curve)
  ecdh.generateKeys()
  return keysFrom(ecdh)
}

/** The keys of a private scalar. */
export const keysOf = (privateKey: string): NodeKeys => keysFrom(ecdhOf({ privateKey }))

export const hex = (text: string): Buffer => Buffer.from(text, "hex")

const hmac = (key: Buffer, ...parts: ReadonlyArray<Buffer>): Buffer =>
  createHmac("sha256", key).update(Buffer.concat(parts)).digest()
const kem = Buffer.concat([Buffer.from("KEM"), hex("0010")])
const suite = Buffer.concat([Buffer.from("HPKE"), hex("001000010002")])
const none = Buffer.alloc(0)

const extract = (id: Buffer, salt: Buffer, label: string, key: Buffer): Buffer =>
  hmac(salt, Buffer.from("HPKE-v1"), id, Buffer.from(label), key)
/** One block of HKDF-Expand is enough for 32 bytes. */
const expand = (id: Buffer, key: Buffer, label: string, info: Buffer, length: number): Buffer =>
  hmac(key, Buffer.from([0, length]), Buffer.from("HPKE-v1"), id, Buffer.from(label), info, Buffer.from([1])).subarray(
    0,
    length,
  )

/** The key, the nonce and the additional data that sender and recipient share. */
const sharedContext = (secret: Buffer, encapsulated: Buffer, recipient: Buffer) => {
  const context = Buffer.concat([encapsulated, recipient])
  const shared = expand(kem, extract(kem, none, "eae_prk", secret), "shared_secret", context, 32)
  const schedule = Buffer.concat([
    Buffer.from([0]),
    extract(suite, none, "psk_id_hash", none),
    extract(suite, none, "info_hash", Buffer.from(info)),
  ])
  const main = extract(suite, shared, "secret", none)
  return {
    key: expand(suite, main, "key", schedule, 32),
    nonce: expand(suite, main, "base_nonce", schedule, 12),
    data: context,
  }
}

/** Opens what was sealed to the own key. */
export const open = (own: NodeKeys, encapsulated: Buffer, sealed: Buffer): Buffer => {
  const secret = ecdhOf(own).computeSecret(encapsulated)
  const { data, key, nonce } = sharedContext(secret, encapsulated, hex(own.uncompressed))
  const decipher = createDecipheriv("aes-256-gcm", key, nonce)
  decipher.setAAD(data)
  decipher.setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
}

export interface Sealed {
  /** Hex, uncompressed. */
  readonly encappedPublic: string
  readonly ciphertext: string
}

/** Seals a text or bytes to a public key. `ephemeral`: the sender's keys, which serve once. */
export const seal = (recipient: Buffer, plain: string | Uint8Array, ephemeral: NodeKeys = newKeys()): Sealed => {
  const encapsulated = hex(ephemeral.uncompressed)
  const { data, key, nonce } = sharedContext(ecdhOf(ephemeral).computeSecret(recipient), encapsulated, recipient)
  const cipher = createCipheriv("aes-256-gcm", key, nonce)
  cipher.setAAD(data)
  const ciphertext = Buffer.concat([cipher.update(Buffer.from(plain)), cipher.final(), cipher.getAuthTag()]).toString(
    "hex",
  )
  return { encappedPublic: ephemeral.uncompressed, ciphertext }
}
