/**
 * One POST to the bank: one connection, no redirects, and an answer of bounded size that is read to its end. An interruption destroys the
 * connection.
 * Source: D-527.
 */
import http from "node:http"
import https from "node:https"
import { Data, Effect } from "effect"

export interface Post {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The largest answer, in bytes. */
  readonly answerBytesMax: number
}

export interface RawAnswer {
  readonly status: number
  readonly signature: string | undefined
  /** The time of the server, as its header `Date` has it. */
  readonly date: string | undefined
  readonly body: Uint8Array
}

/** No answer that can be used. The bank may have carried out the request. The reason shows no address, no text of the bank and no secret. */
export class Lost extends Data.TaggedError("Lost")<{
  readonly reason: string
  /** A kept connection was closed before any part of an answer arrived, as servers do with idle ones. */
  readonly wasIdle?: boolean
}> {}

const closedEarly = "the connection was closed before the answer was complete"

const reasons: { readonly [code: string]: string } = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: closedEarly,
  EPIPE: closedEarly,
  ETIMEDOUT: "the connection timed out",
  ENOTFOUND: "the host name does not resolve",
  EAI_AGAIN: "the host name does not resolve now",
}

const reasonOf = ({ code = "UNKNOWN" }: NodeJS.ErrnoException): string =>
  reasons[code] ?? `the connection failed (${code})`

/** Posts over a connection of the agent. The result comes when the connection can be used again. */
export const post = (
  { answerBytesMax, body, headers, url }: Post,
  agent: http.Agent,
  signatureHeader: string,
): Effect.Effect<RawAnswer, Lost> =>
  Effect.callback((resume) => {
    let result: Effect.Effect<RawAnswer, Lost> | undefined
    let hasAnswer = false
    const fail = (reason: string, wasIdle = false) => {
      result ??= Effect.fail(new Lost({ reason, wasIdle }))
    }
    const request = (url.protocol === "https:" ? https : http).request(url, {
      method: "POST",
      agent,
      headers: { ...headers, "Content-Length": body.byteLength },
    })
    request.on("error", (error: NodeJS.ErrnoException) => {
      const isClosed = error.code === "ECONNRESET" || error.code === "EPIPE"
      fail(reasonOf(error), isClosed && request.reusedSocket && !hasAnswer)
    })
    request.on("response", (response) => {
      hasAnswer = true
      const chunks: Array<Buffer> = []
      let size = 0
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size <= answerBytesMax) return
        fail(`the answer has more than ${answerBytesMax} bytes`)
        request.destroy()
      })
      response.on("error", (error: NodeJS.ErrnoException) => fail(reasonOf(error)))
      response.on("end", () => {
        const signature = response.headers[signatureHeader]
        result ??= Effect.succeed({
          status: response.statusCode ?? 0,
          signature: typeof signature === "string" ? signature : undefined,
          date: response.headers.date,
          body: Buffer.concat(chunks),
        })
      })
    })
    // Also without an error or an answer, for example after an upgrade that nobody asked for. The agent takes the connection back next.
    request.on("close", () => {
      fail(closedEarly)
      const end = result
      if (end !== undefined) queueMicrotask(() => resume(end))
    })
    request.end(body)
    return Effect.sync(() => {
      request.destroy()
    })
  })
