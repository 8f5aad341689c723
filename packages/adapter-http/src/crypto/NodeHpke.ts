/**
 * `Hpke` built from the primitives of Node's crypto.
 * Source: RFC 9180, 4.1, 5 and 6; suite of wire contract 4.9.
 */
import { diffieHellman, generateKeyPairSync, type KeyObject } from "node:crypto"
import {
  checkExport,
  Hpke,
  type HpkePrimitives,
  isEncapsulated,
  type KeyPair,
  NotOpened,
  type PublicKey,
  type RecipientContext,
  type SenderContext,
} from "@countersign/core/crypto"
import { Effect, Redacted } from "effect"
import * as AesGcm from "./AesGcm.ts"
import { concat, expand, extract } from "./Hkdf.ts"
import { type Schedule, schedule, sharedSecret } from "./HpkeSchedule.ts"
import { importPoint, type KeyObjects, pointOf } from "./KeyObjects.ts"

const bytesOf = (key: PublicKey): Uint8Array => Buffer.from(key.uncompressed, "hex")

const agree = (privateKey: KeyObject, publicKey: KeyObject): Uint8Array => diffieHellman({ privateKey, publicKey })

interface Ephemeral {
  readonly privateKey: KeyObject
  readonly point: Uint8Array
}

/** Generates the key of one message; it is not cached. */
const generateEphemeral = (): Ephemeral => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  return { privateKey, point: pointOf(publicKey) }
}

const exporter = (keys: Schedule) => ({
  export: (context: Uint8Array, lengthBytes: number) =>
    Effect.sync(() => {
      checkExport(lengthBytes)
      return Redacted.make(keys.export(context, lengthBytes))
    }),
})

const senderContext = (encapsulated: Uint8Array, keys: Schedule): SenderContext => {
  let sequence = 0
  return {
    encapsulated,
    seal: (plaintext, aad) => Effect.sync(() => AesGcm.seal(keys.key, keys.nonceAt(sequence++), plaintext, aad)),
    ...exporter(keys),
  }
}

const recipientContext = (keys: Schedule): RecipientContext => {
  let sequence = 0
  return {
    open: (ciphertext, aad) =>
      Effect.try({
        try: () => {
          const plaintext = AesGcm.open(keys.key, keys.nonceAt(sequence), ciphertext, aad)
          sequence++
          return plaintext
        },
        catch: () => new NotOpened(),
      }),
    ...exporter(keys),
  }
}

const primitives = (keys: KeyObjects): HpkePrimitives => ({
  sharedSecret: (key, peer) =>
    Effect.sync(() => Redacted.make(new Uint8Array(agree(keys.private(key), keys.public(peer))))),
  hkdf: (ikm, salt, info, lengthBytes) => Effect.sync(() => expand(extract(salt, ikm), info, lengthBytes)),
  aeadSeal: (key, nonce, plaintext, aad) => Effect.sync(() => AesGcm.seal(key, nonce, plaintext, aad)),
  aeadOpen: (key, nonce, ciphertext, aad) =>
    Effect.try({ try: () => AesGcm.open(key, nonce, ciphertext, aad), catch: () => new NotOpened() }),
})

export const make = (keys: KeyObjects): Hpke["Service"] => {
  const ephemeralOf = (pair: KeyPair): Ephemeral => ({ privateKey: keys.private(pair), point: bytesOf(pair.publicKey) })
  return Hpke.of({
    sender: (recipient, options) =>
      Effect.sync(() => {
        const { ephemeralForTests, sender } = options
        const { point, privateKey } =
          ephemeralForTests === undefined ? generateEphemeral() : ephemeralOf(ephemeralForTests)
        const to = keys.public(recipient)
        const agreed = agree(privateKey, to)
        const context = concat(point, bytesOf(recipient))
        const secret =
          sender === undefined
            ? sharedSecret(agreed, context)
            : sharedSecret(concat(agreed, agree(keys.private(sender), to)), concat(context, bytesOf(sender.publicKey)))
        return senderContext(point, schedule(secret, options, sender !== undefined))
      }),
    recipient: (recipient, encapsulated, options) =>
      Effect.suspend(() => {
        if (!isEncapsulated(encapsulated)) return Effect.fail(new NotOpened())
        const { sender } = options
        const own = keys.private(recipient)
        let from: KeyObject
        try {
          // Not cached, because the key belongs to one message.
          from = importPoint(encapsulated)
        } catch {
          return Effect.fail(new NotOpened())
        }
        const agreed = agree(own, from)
        const context = concat(encapsulated, bytesOf(recipient.publicKey))
        const secret =
          sender === undefined
            ? sharedSecret(agreed, context)
            : sharedSecret(concat(agreed, agree(own, keys.public(sender))), concat(context, bytesOf(sender)))
        return Effect.succeed(recipientContext(schedule(secret, options, sender !== undefined)))
      }),
    primitives: primitives(keys),
  })
}
