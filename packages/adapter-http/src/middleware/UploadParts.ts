/**
 * Parses a body in `multipart/form-data` piece by piece and collects its texts. The bytes of the file wait here until they are taken, at
 * most those of one piece of the body.
 * Source: wire contract areas 1.2.2 and 1.2.4; RFC 7578; D-376.
 */
import { filePart, partsMax, textBytesMax, type Upload } from "@countersign/client/api"
import { ByteDigest, type PartDigest, type Refusal } from "@countersign/core"
import { MultipartParser } from "effect/http"

/** What a body may have besides its file: texts, headers of parts, boundaries, parts that are ignored. */
const otherBytesMax = 1024 * 1024

export const bodyBytesMaxOf = ({ fileBytesMax }: Upload): number => fileBytesMax + otherBytesMax

const format = (message: string, details?: NonNullable<Refusal["details"]>): Refusal => ({
  code: "INVALID_REQUEST_FORMAT",
  message,
  ...(details === undefined ? {} : { details }),
})

export const fileTooLarge = ({ fileBytesMax }: Upload): Refusal =>
  format(`\`${filePart}\` must have at most ${fileBytesMax} bytes.`, { field: filePart, limitBytes: fileBytesMax })

export const brokenOff = format("The body could not be read to its end.")

const malformed = format("The body must be multipart/form-data whose parts have names.")
const tooManyParts = format(`The body must have at most ${partsMax} parts.`, { limitParts: partsMax })
const textTooLong = format(`A text part must have at most ${textBytesMax} bytes.`, { limitBytes: textBytesMax })
const notUtf8 = format("The text parts must be UTF-8.")

/** The boundary of a content type, as RFC 2046 limits it. */
const boundary = /;\s*boundary=(?:"[^"]{1,70}"|[^\s;"]{1,70})\s*(?:;|$)/iu

/** The reason for refusing the headers of a request before its body is read. */
export const refusalOfHeaders = (
  headers: Readonly<Record<string, string | undefined>>,
  upload: Upload,
): Refusal | undefined => {
  const type = headers["content-type"] ?? ""
  const encoding = headers["content-encoding"]?.toLowerCase() ?? "identity"
  if (encoding !== "identity") return format("Content-Encoding is not supported: send the body as it is.")
  if (type.split(";", 1)[0]?.trim().toLowerCase() !== "multipart/form-data") {
    return format("Content-Type must be multipart/form-data.")
  }
  if (!boundary.test(type)) return format("Content-Type must have a boundary of 1 to 70 characters.")
  const isTooLarge = Number(headers["content-length"] ?? 0) > bodyBytesMaxOf(upload)
  return isTooLarge ? fileTooLarge(upload) : undefined
}

const refusals = {
  MaxParts: tooManyParts,
  MaxTotalSize: malformed,
  MaxPartSize: malformed,
  MaxFieldSize: textTooLong,
} as const

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The file of a form, while its bytes arrive. */
export interface ArrivingFile {
  readonly name: string | undefined
  /** Returns the bytes that have arrived since the last call. */
  readonly take: () => ReadonlyArray<Uint8Array>
  /** Drops the bytes that nobody takes. */
  readonly skip: () => void
  readonly hasEnded: () => boolean
}

const arrivingFile = (name: string | undefined) => {
  let pieces: Array<Uint8Array> = []
  let hasEnded = false
  let isSkipped = false
  const take = () => {
    const taken = pieces
    pieces = []
    return taken
  }
  const skip = () => {
    isSkipped = true
    pieces = []
  }
  return {
    file: { name, take, skip, hasEnded: () => hasEnded },
    add: (piece: Uint8Array) => {
      if (!isSkipped) pieces.push(piece)
    },
    end: () => {
      hasEnded = true
    },
  }
}

export interface UploadParts {
  readonly write: (bytes: Uint8Array) => void
  /** The body has ended. */
  readonly end: () => void
  /** Why the form is refused; nothing that was written after the reason counts. */
  readonly refusal: () => Refusal | undefined
  /** The first file, once its headers have arrived. */
  readonly file: () => ArrivingFile | undefined
  readonly texts: () => { readonly [name: string]: string }
  readonly digests: () => ReadonlyArray<PartDigest>
}

export const make = (headers: Readonly<Record<string, string>>, upload: Upload): UploadParts => {
  const texts = new Map<string, string>()
  const digests: Array<PartDigest> = []
  let refusal: Refusal | undefined
  let file: ArrivingFile | undefined
  let size = 0
  let isComplete = false

  const refuse = (reason: Refusal): void => {
    if (!isComplete) refusal ??= reason
  }
  const digestPart = ({ filename, name }: MultipartParser.PartInfo) => {
    const digest = ByteDigest.make()
    return {
      add: digest.add,
      end: () => void digests.push([name, filename ?? null, digest.hex()]),
    }
  }
  const isText = ({ name }: MultipartParser.PartInfo) => Object.hasOwn(upload.texts.fields, name) && !texts.has(name)

  const parser = MultipartParser.make({
    headers: { ...headers },
    maxParts: partsMax,
    maxTotalSize: bodyBytesMaxOf(upload),
    maxFieldSize: textBytesMax,
    // Only a text that is read is held in memory.
    isFile: (info) => !isText(info),
    // After malformed headers the parser may report a text without its part, and the end of a file twice.
    onField: (info: MultipartParser.PartInfo | undefined, bytes) => {
      if (info === undefined) return refuse(malformed)
      const digest = digestPart(info)
      digest.add(bytes)
      digest.end()
      try {
        texts.set(info.name, utf8.decode(bytes))
      } catch {
        refuse(notUtf8)
      }
    },
    onFile: (info) => {
      if (info.contentDisposition !== "form-data") refuse(malformed)
      const digest = digestPart(info)
      const arriving = file === undefined && info.name === filePart ? arrivingFile(info.filename) : undefined
      file ??= arriving?.file
      let hasEnded = false
      return (piece) => {
        if (hasEnded) return
        if (piece === null) {
          hasEnded = true
          digest.end()
          arriving?.end()
          return
        }
        digest.add(piece)
        if (arriving === undefined) return
        size += piece.byteLength
        if (size > upload.fileBytesMax) refuse(fileTooLarge(upload))
        if (refusal === undefined) arriving.add(piece)
      }
    },
    onError: (error) => {
      if (error._tag === "EndNotReached") refuse(brokenOff)
      else if (error._tag !== "ReachedLimit") refuse(malformed)
      else refuse(error.limit === "MaxTotalSize" ? fileTooLarge(upload) : refusals[error.limit])
    },
    onDone: () => {
      isComplete = true
    },
  })

  return {
    // What follows the last boundary is no part of the form.
    write: (bytes) => {
      if (!isComplete && refusal === undefined) parser.write(bytes)
    },
    end: () => {
      if (!isComplete) parser.end()
    },
    refusal: () => refusal,
    file: () => file,
    texts: () => Object.fromEntries(texts),
    digests: () => digests.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  }
}
