/**
 * The bytes of uploaded files: stored outside the records, read as a stream, and erased. The service draws every key and uses each for
 * one file only. A record keeps the key, the size and the digest, never the bytes.
 * Source: wire contract areas 1.2.8 (storage, commit order); D-375.
 */
import { Context, Data, type Effect, Stream } from "effect"
import * as ByteDigest from "../foundation/crypto/ByteDigest.ts"

/** What `store` reports of a file, for the record of it. */
export interface StoredBytes {
  /** The number of bytes. */
  readonly size: number
  /** SHA-256 of the bytes, in hex. */
  readonly sha256: string
}

/** The vault cannot be reached, or failed. The call may be repeated. */
export class VaultUnavailable extends Data.TaggedError("VaultUnavailable")<{ readonly cause: unknown }> {}

/** The vault has no bytes under this key: they were erased, or never stored completely. */
export class BytesMissing extends Data.TaggedError("BytesMissing")<{ readonly key: string }> {}

export class DocumentVault extends Context.Service<
  DocumentVault,
  {
    /**
     * Stores the bytes under a key that was never used before, and succeeds when a crash can no longer lose them. It takes the next
     * piece only after it has stored or buffered the last one. If the bytes or the vault fail, or the fiber is interrupted, `read` finds
     * nothing under the key; the caller erases what may be left.
     */
    readonly store: <E, R>(
      key: string,
      bytes: Stream.Stream<Uint8Array, E, R>,
    ) => Effect.Effect<StoredBytes, E | VaultUnavailable, R>
    /**
     * The bytes from a position on, or all of them, in the order in which they were stored. There are none from the size of the file on. The
     * bytes before the position are not read from the storage. A failure may come after the first pieces.
     */
    readonly read: (key: string, from?: number) => Stream.Stream<Uint8Array, VaultUnavailable | BytesMissing>
    /** Erases the bytes, completely or partly stored. Succeeds if there are none. */
    readonly erase: (key: string) => Effect.Effect<void, VaultUnavailable>
  }
>()("@countersign/core/DocumentVault") {}

/** Keys are generated: letters, digits and hyphens, so that each is a valid name in every file system and bucket. */
export const isVaultKey = (key: string): boolean => /^[\w-]{1,128}$/u.test(key)

/** Counts and digests bytes as they pass, for an implementation of `store`. */
export const measured = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>) => {
  const digest = ByteDigest.make()
  let size = 0
  return {
    bytes: Stream.map(bytes, (piece) => {
      digest.add(piece)
      size += piece.byteLength
      return piece
    }),
    /** To be called once, after the last byte. */
    result: (): StoredBytes => ({ size, sha256: digest.hex() }),
  }
}
