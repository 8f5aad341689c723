/**
 * A webhook endpoint on a loopback socket: it stores every delivery, verifies signatures as an integrator would, and returns the
 * configured answers.
 * Source: wire contract 6.2.
 */
import { createPublicKey, verify } from "node:crypto"
import { channel } from "node:diagnostics_channel"
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** What is received is held against the OpenAPI document. */
const webhooks = channel("countersign:test:webhook")

/** One received request. */
export interface Delivery {
  readonly headers: IncomingHttpHeaders
  /** The exact bytes. */
  readonly body: Buffer
  readonly event: {
    readonly id: string
    readonly type: string
    readonly timestamp: string
    readonly data: { readonly [key: string]: unknown }
  }
}

/** The answer: a status (3xx redirects elsewhere); a promise keeps the request open until it resolves. */
export type Answer = number | Promise<number>

/** The answer to a challenge, by which the endpoint proves that it is the platform's; `undefined` for any other event. */
const challengeAnswer = ({ event: { data, type } }: Delivery): string | undefined =>
  type === "WEBHOOK_ENDPOINT.VERIFICATION" ? JSON.stringify({ challenge: data["challenge"] }) : undefined

export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** All deliveries, in order of arrival. */
  readonly received: ReadonlyArray<Delivery>
  readonly ofType: (type: string) => ReadonlyArray<Delivery>
  /** Waits for the first matching delivery; rejects after the deadline. */
  readonly delivered: (fits: (delivery: Delivery) => boolean, millis?: number) => Promise<Delivery>
  /** Sets the answers to the next deliveries; later ones get 200. */
  readonly answerNext: (...answers: ReadonlyArray<Answer>) => void
}

/** Whether the JSON signature header signs the body with this key (SPKI PEM). */
export const isSigned = (delivery: Delivery, publicKey: string, header = "x-service-signature"): boolean => {
  const sent = delivery.headers[header]
  const { s, v }: { readonly v?: unknown; readonly s?: unknown } = JSON.parse(typeof sent === "string" ? sent : "{}")
  return (
    v === "1" &&
    typeof s === "string" &&
    verify("sha256", delivery.body, createPublicKey(publicKey), Buffer.from(s, "base64"))
  )
}

export interface ReceiverOptions {
  /** False for the receiver of another platform. */
  readonly answersChallenges?: boolean
  /** Takes each delivery, which is then not stored: for more deliveries than fit into memory. */
  readonly onDelivery?: (delivery: Delivery) => void
}

/** Listens on a free loopback port until it is disposed of. */
export const receiver = async ({ answersChallenges = true, onDelivery }: ReceiverOptions = {}): Promise<Receiver> => {
  const received: Array<Delivery> = []
  const answers: Array<Answer> = []
  const arrivals = new EventTarget()

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await request.toArray())
    const delivery: Delivery = { headers: request.headers, body, event: JSON.parse(body.toString("utf8")) }
    if (onDelivery === undefined) received.push(delivery)
    else onDelivery(delivery)
    if (webhooks.hasSubscribers && "x-service-signature" in request.headers) webhooks.publish(delivery.event)
    const proof = answersChallenges ? challengeAnswer(delivery) : undefined
    const answer = answers.shift() ?? 200
    arrivals.dispatchEvent(new Event("delivery"))
    const status = await answer
    response.writeHead(status, status >= 300 && status < 400 ? { location: "/elsewhere" } : {}).end(proof ?? "noted")
  }

  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy())
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    ofType: (type) => received.filter(({ event }) => event.type === type),
    delivered: async (fits, millis = 10_000) => {
      const signal = AbortSignal.timeout(millis)
      for (;;) {
        const found = received.find(fits)
        if (found !== undefined) return found
        try {
          await once(arrivals, "delivery", { signal })
        } catch {
          throw new Error(
            `no matching delivery in time; received: ${received.map(({ event }) => event.type).join(", ")}`,
          )
        }
      }
    },
    answerNext: (...next) => void answers.push(...next),
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
