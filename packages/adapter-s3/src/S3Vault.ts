/**
 * The `DocumentVault` port on a bucket of an S3-compatible service. A file is one object: what fits into a part is sent by one request,
 * the rest in parts. Either way an object exists only once all bytes have arrived.
 * Source: wire contract areas 1.2.8; D-375, D-420.
 */
import {
  BytesMissing,
  DocumentVault,
  dropBytes,
  inChunks,
  isVaultKey,
  measured,
  VaultUnavailable,
} from "@countersign/core/ports"
import { Data, Effect, Layer, Stream } from "effect"
import * as MultipartUpload from "./MultipartUpload.ts"
import { connectionCode, isTransient, S3Failure } from "./S3Failure.ts"
import { problemOf, type S3VaultOptions } from "./S3Options.ts"
import { makeRequests, timeoutMillisDefault } from "./S3Requests.ts"

/** A part has at least 5 MiB. More would only be more memory for each upload. */
const partBytes = 5 * 1024 * 1024

/** The bucket refuses the vault: the options are wrong. */
export class BucketUnusable extends Data.TaggedError("BucketUnusable")<{ readonly message: string }> {}

const unavailable = (cause: S3Failure) => new VaultUnavailable({ cause })

const encryptionHeaders = ({ encryption }: S3VaultOptions): Record<string, string> => {
  if (encryption === undefined) return {}
  if (encryption === "AES256") return { "x-amz-server-side-encryption": "AES256" }
  const { kmsKeyId } = encryption
  return { "x-amz-server-side-encryption": "aws:kms", "x-amz-server-side-encryption-aws-kms-key-id": kmsKeyId }
}

const requireKey = (key: string): void => {
  if (!isVaultKey(key)) throw new Error("not a key of the vault")
}

/** The bytes of an answer. It fails if they stop before their end. */
const bodyOf = ({ body }: Response, timeoutMillis: number): Stream.Stream<Uint8Array, S3Failure> => {
  if (body === null) return Stream.empty
  const reader = body.getReader()
  const failed = (code: string) => new S3Failure({ method: "GET", code })
  const next = Effect.tryPromise({ try: () => reader.read(), catch: (error) => failed(connectionCode(error)) }).pipe(
    Effect.timeoutOrElse({ duration: timeoutMillis, orElse: () => Effect.fail(failed("TimeoutError")) }),
  )
  return Stream.unfold(undefined, () =>
    Effect.map(next, ({ done, value }) => (done ? undefined : ([value, undefined] as const))),
  )
}

/** Returns a vault whose bucket has not been asked for anything yet. */
const make = (options: S3VaultOptions): DocumentVault["Service"] => {
  const { prefix = "", timeoutMillis = timeoutMillisDefault } = options
  const requests = makeRequests(options)
  const headers = encryptionHeaders(options)

  const erase = Effect.fnUntraced(function* (key: string) {
    requireKey(key)
    yield* MultipartUpload.abortAll(requests, key, prefix)
    const answer = yield* requests.call({ method: "DELETE", key, accepts: [404] })
    if (answer.headers.get("x-amz-delete-marker") === "true") {
      yield* Effect.logWarning("the bucket keeps versions: the bytes of an erased file remain as an earlier version")
    }
  })

  const store = Effect.fnUntraced(function* <E, R>(key: string, bytes: Stream.Stream<Uint8Array, E, R>) {
    requireKey(key)
    const passing = measured(bytes)
    const tags: Array<string> = []
    let hasBegun = false
    let uploadId: string | undefined
    let whole: Uint8Array<ArrayBuffer> = new Uint8Array(0)
    const take = Effect.fnUntraced(function* (part: Uint8Array<ArrayBuffer>) {
      if (uploadId === undefined && part.byteLength < partBytes) {
        whole = part
        return
      }
      hasBegun = true
      uploadId ??= yield* MultipartUpload.begin(requests, key, headers)
      tags.push(yield* MultipartUpload.sendPart(requests, key, uploadId, tags.length + 1, part))
    }, Effect.mapError(unavailable))
    const finish = Effect.suspend(() => {
      hasBegun = true
      const result = passing.result()
      const stored =
        uploadId === undefined
          ? requests.call({ method: "PUT", key, headers, body: whole })
          : MultipartUpload.complete(requests, key, uploadId, tags, result.size)
      return Effect.mapError(Effect.as(stored, result), unavailable)
    })
    return yield* Effect.onError(
      Effect.andThen(Stream.runForEach(inChunks(partBytes)(passing.bytes), take), finish),
      // A request that was given up may still have stored the file.
      () => (hasBegun ? Effect.ignore(erase(key)) : Effect.void),
    )
  })

  const opened = (key: string, from: number) => {
    const range = from === 0 ? {} : { headers: { range: `bytes=${from}-` } }
    return Effect.map(requests.open({ method: "GET", key, ...range }), (response) => {
      const bytes = bodyOf(response, timeoutMillis)
      // A service that knows no ranges sends all bytes.
      return response.status === 206 ? bytes : dropBytes(from)(bytes)
    })
  }

  const read = (key: string, from = 0) =>
    Stream.unwrap(
      Effect.andThen(
        Effect.sync(() => requireKey(key)),
        opened(key, from),
      ),
    ).pipe(
      Stream.catchTag("S3Failure", (failure) => {
        const { code, status } = failure
        if (status === 416) return Stream.empty
        return Stream.fail(status === 404 && code === "NoSuchKey" ? new BytesMissing({ key }) : unavailable(failure))
      }),
    )

  return { store, read, erase: (key) => Effect.mapError(erase(key), unavailable) }
}

/** A key that no file has. */
const askedKey = "no-file"

/** A start waits no longer for a service that does not answer. */
const checkMillisMax = 5000

/** Asks the bucket for a file that does not exist, which needs the same permission as every other one. */
const check = (options: S3VaultOptions) =>
  Stream.runDrain(
    make({ ...options, timeoutMillis: Math.min(checkMillisMax, options.timeoutMillis ?? checkMillisMax) }).read(
      askedKey,
    ),
  ).pipe(
    Effect.catchTags({
      BytesMissing: () => Effect.void,
      VaultUnavailable: ({ cause }) =>
        cause instanceof S3Failure && !isTransient(cause)
          ? Effect.fail(
              new BucketUnusable({ message: `the bucket ${options.bucket} cannot be used: ${cause.message}` }),
            )
          : Effect.logWarning("the bucket of the documents cannot be reached now", cause),
    }),
  )

/** The vault in a bucket. It fails if the bucket refuses the credentials or does not exist, and not if nobody answers. */
const layer = (options: S3VaultOptions): Layer.Layer<DocumentVault, BucketUnusable> =>
  Layer.effect(
    DocumentVault,
    Effect.suspend(() => {
      const message = problemOf(options)
      return message === undefined
        ? Effect.as(check(options), make(options))
        : Effect.fail(new BucketUnusable({ message }))
    }),
  )

export const S3Vault = { layer, make }
