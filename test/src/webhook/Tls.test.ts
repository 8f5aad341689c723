/** Webhooks over TLS: delivered only when the certificate is trusted and names the host. */
import tls from "node:tls"
import { NodeWebhookTransport } from "@countersign/adapter-http"
import { WebhookTransport } from "@countersign/core/ports"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { selfSigned } from "./Certificate.ts"
import { listenHttp2 } from "./Http2Receiver.ts"
import { listen } from "./Receiver.ts"

const host = "hooks.platform.example"
const trusted = selfSigned(host)
const before = tls.getCACertificates("default")

beforeAll(() => tls.setDefaultCACertificates([...before, trusted.cert]))
afterAll(() => tls.setDefaultCACertificates(before))

const transport = NodeWebhookTransport.layer({
  addresses: "public",
  allow: [host, "other.platform.example"],
  resolver: () => Effect.succeed([{ address: "127.0.0.1", family: 4 }]),
})

const send = (url: string) =>
  WebhookTransport.use((port) => port.send({ url, headers: {}, body: "{}", timeoutMillis: 20_000 })).pipe(
    Effect.provide(transport),
  )

describe("over TLS", () => {
  it.live("delivers to a receiver with a trusted certificate of its name", () =>
    Effect.gen(function* () {
      const receiver = yield* listen((response) => response.end("reached"), trusted)
      expect(yield* send(`https://${host}:${receiver.port}/`)).toEqual({
        _tag: "Answered",
        status: 200,
        body: "reached",
      })
      expect((yield* receiver.next).body.toString()).toBe("{}")
    }),
  )

  it.live("resumes the session at a new connection of HTTP/1.1", () =>
    Effect.gen(function* () {
      const resumed: Array<boolean> = []
      const receiver = yield* listen((response, { socket }) => {
        if (socket instanceof tls.TLSSocket) resumed.push(socket.isSessionReused())
        response.writeHead(200, { Connection: "close" }).end()
      }, trusted)
      const url = `https://${host}:${receiver.port}/`
      yield* WebhookTransport.use((port) =>
        Effect.forEach([1, 2, 3], () => port.send({ url, headers: {}, body: "{}", timeoutMillis: 20_000 })),
      ).pipe(Effect.provide(transport))
      expect(resumed).toEqual([false, true, true])
    }),
  )

  it.live("resumes the session at a new connection of HTTP/2", () =>
    Effect.gen(function* () {
      const receiver = yield* listenHttp2(trusted, (stream) => {
        stream.respond({ ":status": 200 }, { endStream: true })
        stream.session?.close()
      })
      const url = `https://${host}:${receiver.port}/`
      yield* WebhookTransport.use((port) =>
        Effect.forEach([1, 2, 3], () => port.send({ url, headers: {}, body: "{}", timeoutMillis: 20_000 })),
      ).pipe(Effect.provide(transport))
      expect(receiver.resumed).toEqual([false, true, true])
    }),
  )

  it.live("refuses a receiver with the certificate of another name", () =>
    Effect.gen(function* () {
      const receiver = yield* listen((response) => response.end("reached"), trusted)
      expect(yield* send(`https://other.platform.example:${receiver.port}/`)).toEqual({
        _tag: "Unreachable",
        reason: "the connection failed (ERR_TLS_CERT_ALTNAME_INVALID)",
      })
      expect(yield* receiver.waiting).toBe(0)
    }),
  )

  it.live("refuses a receiver with an untrusted certificate", () =>
    Effect.gen(function* () {
      const receiver = yield* listen((response) => response.end("reached"), selfSigned(host))
      const result = yield* send(`https://${host}:${receiver.port}/`)
      expect(result).toMatchObject({ _tag: "Unreachable", reason: expect.stringContaining("CERT") })
      expect(yield* receiver.waiting).toBe(0)
    }),
  )
})
