/** A host name with a certificate that this process trusts, and a transport that finds it on this machine. */
import tls from "node:tls"
import { NodeWebhookTransport } from "@countersign/adapter-http"
import { type WebhookRequest, WebhookTransport } from "@countersign/core/ports"
import { afterAll, beforeAll, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { selfSigned } from "./Certificate.ts"

export const host = "hooks.platform.example"
export const certificate = selfSigned(host)

/** Trusts the certificate for the tests of a file. */
export const trustHost = (): void => {
  const before = tls.getCACertificates("default")
  beforeAll(() => tls.setDefaultCACertificates([...before, certificate.cert]))
  afterAll(() => tls.setDefaultCACertificates(before))
}

export const transport = NodeWebhookTransport.layer({
  addresses: "public",
  allow: [host],
  resolver: () => Effect.succeed([{ address: "127.0.0.1", family: 4 }]),
})

export const send = (url: string, more: Partial<WebhookRequest> = {}) =>
  WebhookTransport.use((port) => port.send({ url, headers: {}, body: "{}", timeoutMillis: 20_000, ...more }))

/** Runs the whole test on one transport and in real time. */
export const run = <A, E>(name: string, body: () => Effect.Effect<A, E, WebhookTransport | Scope.Scope>) =>
  it.live(name, () => body().pipe(Effect.provide(transport)))
