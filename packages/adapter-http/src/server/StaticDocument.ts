/**
 * A document that never changes while the process runs: made and compressed once, with an entity tag, so that most requests are a 304.
 * Source: RFC 9110, sections 8.8.3 (ETag), 12.5.3 (Accept-Encoding), 13.1.2 (If-None-Match) and 15.4.5 (304); D-317.
 */
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { brotliCompress, brotliDecompress, constants, gzip } from "node:zlib"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

export interface StaticDocument {
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
  /** Whether a browser may keep it without asking again, because its address names its version. */
  readonly isImmutable?: boolean
  /** Called once, at the first request. */
  readonly content: () => Content | Promise<Content>
}

/** What a document is made of: its text or bytes, or bytes that were compressed with Brotli when the package was made. */
type Content = string | Uint8Array | { readonly brotli: Buffer }

/** The codings, the preferred one first. */
const encodings = ["br", "gzip", "identity"] as const
type Encoding = (typeof encodings)[number]

interface Representation {
  readonly bytes: Uint8Array
  readonly etag: string
}

const bytesOf = (content: Content): Uint8Array | Promise<Uint8Array> => {
  if (typeof content === "string") return Buffer.from(content)
  return content instanceof Uint8Array ? content : promisify(brotliDecompress)(content.brotli)
}

const compress: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  // The highest quality takes seconds for a few bytes less.
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes) => promisify(gzip)(bytes),
  identity: (bytes) => Promise.resolve(bytes),
}

/** A strong entity tag: equal tags mean equal bytes, so each coding has its own. */
const etagOf = (bytes: Uint8Array): string => `"${createHash("sha256").update(bytes).digest("base64url")}"`

const weightOf = (parameters: ReadonlyArray<string>): number => {
  const [, digits] = parameters.map((parameter) => /^q=(\d(?:\.\d{0,3})?)$/iu.exec(parameter)).find(Boolean) ?? []
  return digits === undefined ? 1 : Number(digits)
}

/** Chooses the coding with the highest weight. The identity is acceptable unless the client excludes it. */
export const encodingFor = (acceptEncoding: string | undefined): Encoding => {
  const weights = new Map<string, number>()
  for (const part of (acceptEncoding ?? "").split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim())
    if (name !== "") weights.set(name.toLowerCase(), weightOf(parameters))
  }
  const weight = (encoding: Encoding): number =>
    weights.get(encoding) ?? weights.get("*") ?? (encoding === "identity" ? Number.MIN_VALUE : 0)
  const [best] = encodings
    .filter((encoding) => weight(encoding) > 0)
    .toSorted((one, other) => weight(other) - weight(one))
  return best ?? "identity"
}

/** Whether `If-None-Match` names the entity tag. The comparison is weak, and `*` names every tag. */
export const namesTag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === "*" || [...ifNoneMatch.matchAll(/"[^"]*"/gu)].some(([tag]) => tag === etag))

/** The answer to GET and HEAD. */
export const make = ({
  content,
  contentType,
  headers,
  isImmutable = false,
}: StaticDocument): Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest
> => {
  let loaded: Promise<Content> | undefined
  const made = new Map<Encoding, Promise<Representation>>()
  const encode = async (encoding: Encoding): Promise<Uint8Array> => {
    loaded ??= Promise.resolve(content())
    const found = await loaded
    const isCompressed = typeof found !== "string" && !(found instanceof Uint8Array)
    return encoding === "br" && isCompressed ? found.brotli : compress[encoding](await bytesOf(found))
  }
  const representation = (encoding: Encoding): Promise<Representation> => {
    const before = made.get(encoding)
    if (before !== undefined) return before
    const making = encode(encoding).then((encoded) => ({ bytes: encoded, etag: etagOf(encoded) }))
    made.set(encoding, making)
    return making
  }
  const cacheControl = isImmutable ? "public, max-age=31536000, immutable" : "no-cache"
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const encoding = encodingFor(request.headers["accept-encoding"])
    const { bytes: body, etag } = yield* Effect.promise(() => representation(encoding))
    const common = { ...headers, etag, vary: "Accept-Encoding", "cache-control": cacheControl }
    if (namesTag(request.headers["if-none-match"], etag))
      return HttpServerResponse.empty({ status: 304, headers: common })
    return HttpServerResponse.uint8Array(body, {
      contentType,
      headers: encoding === "identity" ? common : { ...common, "content-encoding": encoding },
    })
  })
}
