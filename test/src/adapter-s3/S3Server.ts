/**
 * A small S3-compatible server on node:http for tests: it checks every signature, keeps objects in memory, and fails as a test decides.
 * Source: D-420.
 */
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { makeBuckets, type S3Answer, type S3Request, s3Error } from "./Buckets.ts"
import { type KeyPair, problemOfSignature } from "./Signature.ts"

/** What happens to one request instead of its answer. */
export type Fault =
  /** The error of this code, before anything is done. */
  | { readonly code: string }
  | { readonly answer: S3Answer }
  /** The request is carried out, and the connection is cut before the answer. */
  | "lost"
  /** The connection is cut before anything is done. */
  | "cut"
  /** The connection is cut after half of the answer's body. */
  | "half"
  /** Half of the answer's body is sent, and then nothing more. */
  | "stall"
  /** There is never an answer. */
  | "hang"

export interface Seen {
  /** `PUT`, `PUT part 1`, `POST uploads`, ... */
  readonly call: string
  readonly key: string
  readonly headers: IncomingMessage["headers"]
}

const callOf = (method: string, query: URLSearchParams): string => {
  const part = query.get("partNumber")
  const words = [part === null ? undefined : `part ${part}`, query.has("uploads") ? "uploads" : undefined]
  const upload = part === null && query.has("uploadId") ? "upload" : undefined
  return [method, ...words, upload].filter((word) => word !== undefined).join(" ")
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const pieces: Array<Buffer> = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces)
}

const send = (response: ServerResponse, { body = "", headers = {}, status }: S3Answer): void => {
  response.writeHead(status, headers).end(body)
}

const sendHalf = (response: ServerResponse, { body = "", headers = {}, status }: S3Answer, then: () => void): void => {
  const bytes = Buffer.from(body)
  response.writeHead(status, { "content-length": String(bytes.byteLength), ...headers })
  response.write(bytes.subarray(0, Math.floor(bytes.byteLength / 2)), then)
}

export interface S3ServerOptions {
  readonly keys: KeyPair
  readonly bucket: string
  readonly region: string
}

export const startS3Server = async ({ bucket, keys, region }: S3ServerOptions) => {
  const { answer, objects, uploads } = makeBuckets(bucket)
  const seen: Array<Seen> = []
  let sending = 0
  let faults: (call: string, times: number) => Fault | undefined = () => undefined

  const parse = (request: IncomingMessage, body: Buffer): S3Request => {
    const { headers, method = "GET", url = "/" } = request
    const [path = "", query = ""] = url.split("?")
    const [first = "", ...rest] = path.slice(1).split("/").map(decodeURIComponent)
    return { bucket: first, key: rest.join("/"), method, headers, query: new URLSearchParams(query), body }
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // A body that breaks off stores nothing.
    const body = await bodyOf(request).catch(() => undefined)
    if (body === undefined) return
    const parsed = parse(request, body)
    const call = callOf(parsed.method, parsed.query)
    seen.push({ call, key: parsed.key, headers: request.headers })
    const fault = faults(call, seen.filter((each) => each.call === call).length)
    if (fault === "hang") return
    if (fault === "cut") return void request.socket.destroy()
    const problem = problemOfSignature(request, body, keys, region)
    const repeats = `${request.headers.authorization ?? ""} ${request.headers["x-amz-security-token"] ?? ""}`
    if (problem !== undefined) return send(response, s3Error(problem, repeats))
    if (typeof fault === "object") return send(response, "code" in fault ? s3Error(fault.code, repeats) : fault.answer)
    const answered = answer(parsed)
    if (fault === "lost") return void request.socket.destroy()
    if (fault === "half") return sendHalf(response, answered, () => request.socket.destroy())
    if (fault === "stall") return sendHalf(response, answered, () => undefined)
    send(response, answered)
  }

  const server = createServer((request, response) => {
    sending += 1
    response.once("close", () => {
      sending -= 1
    })
    void serve(request, response)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    port,
    objects,
    uploads,
    seen,
    /** How many answers have begun and not ended. */
    open: () => sending,
    /** Decides which requests fail: by their call, and how many of the same call came up to now. */
    fail: (decide: typeof faults) => {
      faults = decide
    },
    reset: () => {
      faults = () => undefined
      seen.length = 0
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
