/**
 * The bytes of an upload. Node's fetch writes the body of a `Request` with a `FormData` by itself, whether it is read or not. A write
 * after the body was cancelled is an unhandled rejection, which ends a process. Such a body is left unread when the upload is refused.
 * Source: D-423.
 */
import { Data, Effect, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"

/** How Node's fetch begins the boundaries of its forms. */
const nodeForm = /^multipart\/form-data;\s*boundary=-+formdata-undici-/iu

/** The body broke off. */
class BodyBroken extends Data.TaggedError("BodyBroken") {}

/** The bytes of a stream that is never cancelled. */
const uncancelled = (body: ReadableStream<Uint8Array>): Stream.Stream<Uint8Array, BodyBroken> =>
  Stream.unwrap(
    Effect.map(
      Effect.sync(() => body.getReader()),
      (reader) =>
        Stream.unfold(undefined, () =>
          Effect.map(
            Effect.tryPromise({ try: () => reader.read(), catch: () => new BodyBroken() }),
            ({ done, value }) => (done ? undefined : ([value, undefined] as const)),
          ),
        ),
    ),
  )

export const uploadStream = (request: HttpServerRequest.HttpServerRequest): Stream.Stream<Uint8Array, unknown> => {
  const { headers, source } = request
  const isNodeForm = nodeForm.test(headers["content-type"] ?? "")
  return isNodeForm && source instanceof Request && source.body !== null ? uncancelled(source.body) : request.stream
}
