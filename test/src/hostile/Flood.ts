/** A service on a socket behind a proxy that it trusts, and many requests of sources that the proxy reports. */
import { Agent, createServer, type IncomingMessage, request } from "node:http"
import type { AddressInfo } from "node:net"
import { type EmbedOptions, embed } from "@countersign/adapter-http"
import { MemoryStore } from "@countersign/adapter-memory"
import { Sandbox } from "@countersign/core/sandbox"

export const holder = { clientId: "host", clientSecret: "a secret that only the holder has" }

export interface Call {
  readonly method?: string
  readonly path: string
  /** The client's address. */
  readonly from?: string
  readonly authorization?: string
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

export const basic = (clientId: string, clientSecret: string): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`

/** Starts the service and returns a function that sends a request to it. */
export const flooded = async (options: Partial<EmbedOptions> = {}) => {
  const service = await embed({
    store: MemoryStore.layer,
    ports: Sandbox.layer,
    sandbox: true,
    platforms: [holder],
    trustedProxies: ["127.0.0.1"],
    ...options,
  })
  const server = createServer(service.listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const send = ({ authorization, from = "198.51.100.1", method = "GET", path }: Call): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = { "x-forwarded-for": from, ...(authorization === undefined ? {} : { authorization }) }
      const sent = request({ agent, host: "127.0.0.1", port, method, path: `/2025-10-13${path}`, headers }, (reply) => {
        const chunks: Array<Buffer> = []
        reply.on("data", (chunk: Buffer) => chunks.push(chunk))
        reply.on("end", () =>
          resolve({
            status: reply.statusCode ?? 0,
            headers: reply.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        )
      })
      sent.on("error", reject)
      sent.end()
    })
  return {
    service,
    send,
    [Symbol.asyncDispose]: async () => {
      agent.destroy()
      await new Promise((resolve) => server.close(resolve))
      await service.dispose()
    },
  }
}

/** Sends calls, 32 at a time, and returns how many answers had each status. */
export const statusesOf = async (
  send: (call: Call) => Promise<Answer>,
  calls: number,
  callOf: (index: number) => Call,
): Promise<Readonly<Record<string, number>>> => {
  const counts: Record<string, number> = {}
  let next = 0
  const worker = async () => {
    while (next < calls) {
      const { status } = await send(callOf(next++))
      counts[status] = (counts[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: 32 }, worker))
  return counts
}
