/**
 * Encrypts a file in chunks, so that it is written and read as a stream and from any position. Each chunk is sealed with AES-256-GCM under
 * its number and whether it is the last: a chunk that is changed, moved, doubled or missing at the end does not open.
 * Source: D-531; the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár: Online Authenticated-Encryption).
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { inChunks } from "@countersign/core/ports"
import { Data, Effect, Stream } from "effect"

/** Plain bytes of a chunk; the last one may have fewer, and an empty file has one empty chunk. */
const plainBytes = 64 * 1024
const tagBytes = 16
const sealedBytes = plainBytes + tagBytes

/** How every encrypted file begins; a file that was stored in clear begins otherwise. */
const magic = Buffer.from([0x89, 0x43, 0x53, 0x44, 0x4f, 0x43, 0x0d, 0x0a, 0x01])
const prefixBytes = 7
const headBytes = magic.byteLength + prefixBytes

/** The bytes are not what was stored under this key. */
export class NotSealed extends Data.TaggedError("NotSealed")<{ readonly reason: "IN_CLEAR" | "CHANGED" }> {}

const nonceOf = (head: Uint8Array, index: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12)
  nonce.set(head.subarray(magic.byteLength))
  nonce.writeUInt32BE(index, prefixBytes)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

const sealChunk = (key: Uint8Array, head: Uint8Array, index: number, isLast: boolean, plain: Uint8Array) => {
  const cipher = createCipheriv("aes-256-gcm", key, nonceOf(head, index, isLast)).setAAD(head)
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

const openChunk = (key: Uint8Array, head: Uint8Array, index: number, isLast: boolean, sealed: Uint8Array) => {
  const end = sealed.byteLength - tagBytes
  if (end < 0) return Effect.fail(new NotSealed({ reason: "CHANGED" }))
  return Effect.try({
    try: () => {
      const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(head, index, isLast), { authTagLength: tagBytes })
      decipher.setAAD(head).setAuthTag(sealed.subarray(end))
      return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()])
    },
    catch: () => new NotSealed({ reason: "CHANGED" }),
  })
}

interface Numbered {
  readonly index: number
  readonly isLast: boolean
  readonly bytes: Uint8Array
}

/** Chunks of one size with their numbers. A chunk is held until the next one comes, which tells that it is not the last. */
const numbered =
  (chunkBytes: number, firstIndex: number) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Numbered, E, R> =>
    Stream.mapAccum(
      inChunks(chunkBytes)(bytes),
      (): Numbered => ({ index: firstIndex - 1, isLast: true, bytes: new Uint8Array(0) }),
      (held, next) =>
        [
          { index: held.index + 1, isLast: true, bytes: next },
          held.index < firstIndex ? [] : [{ ...held, isLast: false }],
        ] as const,
      { onHalt: (held) => [held.index < firstIndex ? { ...held, index: firstIndex } : held] },
    )

export const seal =
  (key: Uint8Array) =>
  <E, R>(plain: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E, R> =>
    Stream.suspend(() => {
      const head = Buffer.concat([magic, randomBytes(prefixBytes)])
      const sealed = Stream.map(numbered(plainBytes, 0)(plain), ({ bytes, index, isLast }) =>
        sealChunk(key, head, index, isLast, bytes),
      )
      return Stream.concat(Stream.make<[Uint8Array]>(head), sealed)
    })

/** Opens what `readSealed` reads from a position on; itself from a position of the plain bytes on. */
export const open =
  (key: Uint8Array) =>
  <E, R>(readSealed: (from: number) => Stream.Stream<Uint8Array, E, R>, from: number) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const beginning = yield* Stream.runHead(inChunks(headBytes)(readSealed(0)))
        const head = beginning._tag === "Some" ? beginning.value : new Uint8Array(0)
        if (head.byteLength < headBytes || !magic.equals(head.subarray(0, magic.byteLength)))
          return yield* new NotSealed({ reason: "IN_CLEAR" })
        // The chunk before a position at its end: it is the last one, or the file was cut.
        const index = Math.max(0, Math.ceil(from / plainBytes) - 1)
        return numbered(
          sealedBytes,
          index,
        )(readSealed(headBytes + index * sealedBytes)).pipe(
          // Behind the end of the file.
          Stream.filter(({ bytes }) => index === 0 || bytes.byteLength > 0),
          Stream.mapEffect((chunk) =>
            Effect.map(openChunk(key, head, chunk.index, chunk.isLast, chunk.bytes), (plain) =>
              plain.subarray(chunk.index === index ? Math.min(from - index * plainBytes, plain.byteLength) : 0),
            ),
          ),
          Stream.filter((plain) => plain.byteLength > 0),
        )
      }),
    )
