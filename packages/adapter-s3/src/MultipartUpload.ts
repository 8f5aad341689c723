/**
 * An upload in parts: no part of it can be read before it is completed.
 * Source: the public description of multipart uploads of S3; D-420.
 */
import { Effect } from "effect"
import { S3Failure } from "./S3Failure.ts"
import type { S3Requests } from "./S3Requests.ts"

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" }

const unescaped = (text: string): string => text.replaceAll(/&(\w+);/gu, (all, name: string) => entities[name] ?? all)

const escaped = (text: string): string =>
  text.replaceAll(/[<>&]/gu, (each) => `&${Object.keys(entities).find((name) => entities[name] === each)};`)

const texts = (document: string, element: string): ReadonlyArray<string> =>
  [...document.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, "gu"))].map(([, text = ""]) => unescaped(text))

/** Begins an upload. A repeated request leaves one without parts behind, which `abortAll` finds. */
export const begin = Effect.fnUntraced(function* ({ call }: S3Requests, key: string, headers: Record<string, string>) {
  const { text } = yield* call({ method: "POST", key, query: { uploads: "" }, headers })
  const [id] = texts(text, "UploadId")
  return id ?? (yield* new S3Failure({ method: "POST", code: "NoUploadId" }))
})

/** Sends a part and returns its tag. The same part may be sent again. */
export const sendPart = Effect.fnUntraced(function* (
  { call }: S3Requests,
  key: string,
  uploadId: string,
  number: number,
  body: Uint8Array<ArrayBuffer>,
) {
  const query = { partNumber: String(number), uploadId }
  const { headers } = yield* call({ method: "PUT", key, query, body })
  return headers.get("etag") ?? (yield* new S3Failure({ method: "PUT", code: "NoTag" }))
})

/** Makes the parts an object of this size. */
export const complete = Effect.fnUntraced(function* (
  { call }: S3Requests,
  key: string,
  uploadId: string,
  tags: ReadonlyArray<string>,
  size: number,
) {
  const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`)
  const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`
  const { status } = yield* call({ method: "POST", key, query: { uploadId }, body, accepts: [404] })
  if (status !== 404) return
  // A request whose answer was lost has completed it already: the key is used for this file only.
  const found = yield* call({ method: "HEAD", key, accepts: [404] })
  if (found.status === 404 || found.headers.get("content-length") !== String(size)) {
    return yield* new S3Failure({ method: "POST", status, code: "NoSuchUpload" })
  }
})

/** Ends all uploads under the key that were not completed. */
export const abortAll = Effect.fnUntraced(function* ({ call }: S3Requests, key: string, prefix: string) {
  // A service that has no list answers 501: its own rules for incomplete uploads apply.
  const { status, text } = yield* call({
    method: "GET",
    key: "",
    query: { uploads: "", prefix: prefix + key },
    accepts: [501],
  })
  if (status === 501) return
  for (const uploadId of texts(text, "UploadId")) {
    yield* call({ method: "DELETE", key, query: { uploadId }, accepts: [404] })
  }
})
