/**
 * The objects and multipart uploads of an S3 server in memory, and what it answers to each request whose signature holds.
 * Source: the public description of the S3 operations PutObject, GetObject, DeleteObject and of multipart uploads.
 */
import { createHash, randomUUID } from "node:crypto"

export interface S3Request {
  readonly method: string
  readonly bucket: string
  readonly key: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Buffer
}

export interface S3Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
}

export interface StoredObject {
  readonly bytes: Buffer
  readonly encryption: string | undefined
}

export interface Upload {
  readonly key: string
  readonly encryption: string | undefined
  readonly parts: Map<number, Buffer>
}

/** Every part except the last has at least 5 MiB. */
const partBytesMin = 5 * 1024 * 1024

const tagOf = (bytes: Uint8Array): string => `"${createHash("md5").update(bytes).digest("hex")}"`

const statuses: Readonly<Record<string, number>> = {
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  InvalidPart: 400,
  EntityTooSmall: 400,
  InvalidRange: 416,
  NotImplemented: 501,
  InternalError: 500,
  SlowDown: 503,
}

/** An error as S3 writes it; like the real ones, it repeats parts of the request. */
export const s3Error = (code: string, repeats = ""): S3Answer => ({
  status: statuses[code] ?? 403,
  headers: { "content-type": "application/xml" },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>Refused</Message><StringToSign>${repeats}</StringToSign></Error>`,
})

const xml = (body: string): S3Answer => ({ status: 200, headers: { "content-type": "application/xml" }, body })

export const makeBuckets = (bucket: string) => {
  const objects = new Map<string, StoredObject>()
  const uploads = new Map<string, Upload>()

  const get = ({ headers, key, method }: S3Request): S3Answer => {
    const found = objects.get(key)
    if (found === undefined) return s3Error("NoSuchKey")
    const [, from] = /^bytes=(\d+)-$/u.exec(String(headers["range"] ?? "")) ?? []
    const { bytes } = found
    if (from !== undefined && Number(from) >= bytes.byteLength) return s3Error("InvalidRange")
    const range = `bytes ${from}-${bytes.byteLength - 1}/${bytes.byteLength}`
    const part = bytes.subarray(Number(from ?? 0))
    const described = { etag: tagOf(bytes), "content-length": String(part.byteLength) }
    return {
      status: from === undefined ? 200 : 206,
      headers: from === undefined ? described : { ...described, "content-range": range },
      ...(method === "GET" ? { body: part } : {}),
    }
  }

  const encryptionOf = ({ headers }: S3Request): string | undefined =>
    headers["x-amz-server-side-encryption"] === undefined
      ? undefined
      : [headers["x-amz-server-side-encryption"], headers["x-amz-server-side-encryption-aws-kms-key-id"]]
          .filter((part) => part !== undefined)
          .join(" ")

  const complete = (id: string, { body, key }: S3Request): S3Answer => {
    const upload = uploads.get(id)
    if (upload === undefined) return s3Error("NoSuchUpload")
    const listed = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>\s*<ETag>([^<]+)<\/ETag>/gu)]
    const parts = listed.map(([, number, tag = ""]) => {
      const part = upload.parts.get(Number(number))
      return part !== undefined && tagOf(part) === tag.replaceAll("&quot;", '"') ? part : undefined
    })
    const whole = parts.filter((part) => part !== undefined)
    if (whole.length !== parts.length || whole.length === 0) return s3Error("InvalidPart")
    if (whole.slice(0, -1).some(({ byteLength }) => byteLength < partBytesMin)) return s3Error("EntityTooSmall")
    objects.set(key, { bytes: Buffer.concat(whole), encryption: upload.encryption })
    uploads.delete(id)
    return xml(`<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>`)
  }

  const withUpload = (id: string, request: S3Request): S3Answer => {
    const { body, key, method, query } = request
    if (method === "POST") return complete(id, request)
    const upload = uploads.get(id)
    if (upload === undefined || upload.key !== key) return s3Error("NoSuchUpload")
    if (method === "DELETE") {
      uploads.delete(id)
      return { status: 204 }
    }
    upload.parts.set(Number(query.get("partNumber")), body)
    return { status: 200, headers: { etag: tagOf(body) } }
  }

  const list = (prefix: string): S3Answer => {
    const found = [...uploads].filter(([, { key }]) => key.startsWith(prefix))
    const each = found.map(([id, { key }]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`)
    return xml(`<ListMultipartUploadsResult>${each.join("")}</ListMultipartUploadsResult>`)
  }

  const answer = (request: S3Request): S3Answer => {
    const { body, key, method, query } = request
    if (request.bucket !== bucket) return s3Error("NoSuchBucket")
    const uploadId = query.get("uploadId")
    if (uploadId !== null) return withUpload(uploadId, request)
    if (query.has("uploads")) {
      if (method === "GET") return list(query.get("prefix") ?? "")
      const id = `${randomUUID()}+/=`
      uploads.set(id, { key, encryption: encryptionOf(request), parts: new Map() })
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    if (method === "PUT") {
      objects.set(key, { bytes: body, encryption: encryptionOf(request) })
      return { status: 200, headers: { etag: tagOf(body) } }
    }
    if (method === "DELETE") {
      objects.delete(key)
      return { status: 204 }
    }
    return get(request)
  }

  return { answer, objects, uploads }
}
