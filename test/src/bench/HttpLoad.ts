/**
 * Generates a load of HTTP requests: each connection is kept alive and has one request in flight. It writes prepared bytes to plain sockets
 * and reads only the status and the end of a response, so that the load generator uses little of the machine.
 */
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { percentiles } from "./Rounds.ts"

/** A caller and its requests. */
export interface Ask {
  readonly token: string
  readonly body: string
}

export interface HttpLoadOptions {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  /** A file with a list of `Ask`. */
  readonly asks: string
}

export interface HttpLoadResult {
  readonly perSecond: number
  readonly count: number
  readonly p50Millis: number
  readonly p99Millis: number
}

const ended = Buffer.from("\r\n\r\n")
const lastChunk = "\r\n0\r\n\r\n"

/** The length of the response at the start of these bytes; `undefined` if it is incomplete. */
const lengthOf = (bytes: Buffer): number | undefined => {
  const head = bytes.indexOf(ended)
  if (head < 0) return undefined
  const text = bytes.toString("latin1", 0, head).toLowerCase()
  const length = /\r\ncontent-length: (\d+)/u.exec(text)?.[1]
  if (length !== undefined) return head + ended.length + Number(length)
  const chunks = bytes.indexOf(lastChunk, head)
  return chunks < 0 ? undefined : chunks + lastChunk.length
}

const statusOf = (bytes: Buffer): string => bytes.toString("latin1", 9, 12)

export interface RequestsOptions {
  readonly url: string
  readonly connections: number
  readonly asks: ReadonlyArray<Ask>
  /** Completes when a connection may send its next request; `false`: it closes. */
  readonly next: () => boolean | Promise<boolean>
  readonly onAnswer: (millis: number) => void
}

/** Sends random requests on all connections until `next` closes each of them. An answer other than 201 is an error. */
export const sendRequests = async ({ asks, connections, next, onAnswer, url }: RequestsOptions): Promise<void> => {
  const { hostname, pathname, port } = new URL(url)
  const heads = asks.map(
    ({ body, token }) =>
      `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nidempotency-key: `,
  )

  const connection = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname)
      socket.setNoDelay(true)
      let begun = 0
      let received: Buffer = Buffer.alloc(0)
      const send = () => {
        const index = Math.floor(Math.random() * asks.length)
        begun = performance.now()
        socket.write(`${heads[index]}${randomUUID()}\r\n\r\n${asks[index]?.body}`)
      }
      const close = () => {
        socket.removeAllListeners("close")
        socket.destroy()
        resolve()
      }
      const proceed = () => {
        const permitted = next()
        if (typeof permitted !== "boolean") permitted.then((isPermitted) => (isPermitted ? send() : close()), reject)
        else if (permitted) send()
        else close()
      }
      socket.once("connect", proceed)
      socket.once("error", reject)
      socket.once("close", () => reject(new Error("the connection was closed")))
      socket.on("data", (chunk: Buffer) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
        const length = lengthOf(received)
        if (length === undefined || received.length < length) return
        if (statusOf(received) !== "201") {
          reject(new Error(received.toString()))
          return
        }
        received = received.subarray(length)
        onAnswer(performance.now() - begun)
        proceed()
      })
    })

  await Promise.all(Array.from({ length: connections }, connection))
}

export const httpLoad = async ({ asks: file, connections, seconds, url }: HttpLoadOptions): Promise<void> => {
  const asks = JSON.parse(readFileSync(file, "utf8")) as ReadonlyArray<Ask>
  const latencies: Array<number> = []
  const start = performance.now()
  const end = start + seconds * 1000
  const next = () => performance.now() < end
  await sendRequests({ url, connections, asks, next, onAnswer: (millis) => latencies.push(millis) })
  const elapsedMillis = performance.now() - start
  const result = {
    perSecond: (latencies.length / elapsedMillis) * 1000,
    count: latencies.length,
    ...percentiles(latencies),
  }
  process.stdout.write(`done ${JSON.stringify(result)}\n`)
}
