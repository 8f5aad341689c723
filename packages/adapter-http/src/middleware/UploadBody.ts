/**
 * The body of an upload: multipart/form-data, read as it arrives. The next piece is read when the last one is taken, so that a file of any
 * size needs little memory.
 * Source: wire contract areas 1.2.2 and 1.2.4; D-376.
 */
import type { Upload } from "@countersign/client/api"
import {
  type FieldProblem,
  type FileBytes,
  type IncomingForm,
  Outside,
  problemList,
  type Refusal,
  ServiceError,
} from "@countersign/core"
import { Array as Arr, Cause, Effect, Pull, Result, Schema, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import { addProblems } from "./Problems.ts"
import { notStorable } from "./RequestBody.ts"
import { whileClientSends } from "./RequestsInFlight.ts"
import * as UploadParts from "./UploadParts.ts"
import { uploadStream } from "./UploadStream.ts"

const failWith = (refusal: Refusal) => Effect.fail(new ServiceError(refusal))

/** Reads the body piece by piece into its parts. */
const reading = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, upload: Upload) {
  const parts = UploadParts.make(request.headers, upload)
  const pull = yield* Stream.toPull(uploadStream(request))
  let hasEnded = false
  let total = 0

  /** Reads one piece. Fails once the form is refused. */
  const advance: Effect.Effect<void, ServiceError> = pull.pipe(
    Effect.flatMap((pieces) =>
      Effect.sync(() => {
        for (const piece of pieces) {
          total += piece.byteLength
          parts.write(piece)
        }
      }),
    ),
    Pull.catchDone(() =>
      Effect.sync(() => {
        hasEnded = true
        parts.end()
      }),
    ),
    Effect.catch(() => failWith(UploadParts.brokenOff)),
    Effect.andThen(
      Effect.suspend(() => {
        const isTooLong = total > UploadParts.bodyBytesMaxOf(upload)
        const refusal = parts.refusal() ?? (isTooLong ? UploadParts.fileTooLarge(upload) : undefined)
        return refusal === undefined ? Effect.void : failWith(refusal)
      }),
    ),
  )
  return { parts, advance, hasEnded: () => hasEnded }
})

/** The bytes of a file that have arrived and those that arrive next. */
const bytesOf = (file: UploadParts.ArrivingFile, advance: Effect.Effect<void, ServiceError>): FileBytes => {
  const next: Pull.Pull<Arr.NonEmptyReadonlyArray<Uint8Array>, ServiceError> = Effect.suspend(() => {
    const pieces = file.take()
    if (Arr.isReadonlyArrayNonEmpty(pieces)) return Effect.succeed(pieces)
    return file.hasEnded() ? Cause.done() : Effect.andThen(advance, next)
  })
  return Stream.fromPull(Effect.succeed(next))
}

const decoders = new WeakMap<Schema.Top, (texts: unknown) => Result.Result<unknown, Schema.SchemaError>>()

/** Decodes the texts, or lists every problem that they have. */
const decoded = <F extends Schema.Struct.Fields>(
  { texts: schema }: Upload<F>,
  texts: { readonly [name: string]: string },
): Result.Result<Schema.Struct<F>["Type"], ReadonlyArray<FieldProblem>> => {
  const cached = decoders.get(schema)
  // A text part needs no service to decode.
  const decode = cached ?? Schema.decodeUnknownResult(schema as Schema.Top as Schema.Codec<unknown>, { errors: "all" })
  if (cached === undefined) decoders.set(schema, decode)
  const list = problemList()
  for (const [name, text] of Object.entries(texts)) {
    if (!Outside.isStorableText(text)) list.add(() => ({ field: name, message: notStorable }))
  }
  const result = decode(texts)
  if (Result.isFailure(result)) addProblems(list, result.failure.issue, texts)
  const { problems } = list.bounded()
  return problems.length > 0 || Result.isFailure(result)
    ? Result.fail(problems)
    : Result.succeed(result.success as Schema.Struct<F>["Type"])
}

/** Returns the form of a request whose headers are checked already. While it is received, the request waits for its client. */
export const formOf =
  <F extends Schema.Struct.Fields>(
    request: HttpServerRequest.HttpServerRequest,
    upload: Upload<F>,
  ): IncomingForm<Schema.Struct<F>["Type"]> =>
  (receive) =>
    Effect.gen(function* () {
      const { advance, hasEnded, parts } = yield* reading(request, upload)
      let file: { readonly name?: string; readonly received: Effect.Success<ReturnType<typeof receive>> } | undefined
      for (;;) {
        const arriving = parts.file()
        if (arriving !== undefined && file === undefined) {
          const received = yield* receive(bytesOf(arriving, advance))
          arriving.skip()
          file = { ...(arriving.name === undefined ? {} : { name: arriving.name }), received }
        } else if (hasEnded()) break
        else yield* advance
      }
      return { texts: decoded(upload, parts.texts()), parts: parts.digests(), ...(file === undefined ? {} : { file }) }
    }).pipe(Effect.scoped, whileClientSends)
