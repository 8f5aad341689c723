/**
 * Checks every option that can be checked before the store opens, so that a mistyped option creates no folder and waits for no server.
 * Source: D-029, D-030, D-036.
 */

import { invalidProxies, isLoopback, NodeWebhookSigner, NodeWebhookTransport } from "@countersign/adapter-http"
import { WebhookTransport } from "@countersign/core/ports"
import { Effect, Layer, Option } from "effect"
import { type Credentials, parsePlatform, type ServeOptions } from "./ServeFlags.ts"
import { usageError } from "./UsageError.ts"

export const duplicateClientId = (clientId: string) => usageError(`two platforms have the client id ${clientId}`)

/** Returns the platforms of `--platform`. The first platform's client id may be known only to the store. */
const otherPlatforms = Effect.fnUntraced(function* ({ clientId, platforms }: ServeOptions) {
  const found: Array<Credentials> = []
  for (const option of platforms) {
    const credentials = parsePlatform(option)
    if (credentials === undefined) return yield* usageError("--platform takes ID:SECRET")
    const others = [...Option.toArray(clientId), ...found.map((other) => other.clientId)]
    if (others.includes(credentials.clientId)) return yield* duplicateClientId(credentials.clientId)
    found.push(credentials)
  }
  return found
})

/** Only a sandbox that no other machine reaches may send to any address: a caller elsewhere must not use it as a proxy into its network. */
const isLocal = ({ host, publicUrl }: ServeOptions): boolean =>
  isLoopback(host) && (Option.isNone(publicUrl) || isLoopback(new URL(publicUrl.value).hostname))

export const transportOf = (options: ServeOptions) =>
  NodeWebhookTransport.layer({
    addresses: options.mode === "sandbox" && isLocal(options) ? "any" : "public",
    allow: options.webhookAllow,
  })

const checkWebhookUrl = Effect.fnUntraced(function* (options: ServeOptions) {
  if (Option.isNone(options.webhookUrl)) return
  const { check } = yield* WebhookTransport
  const refusal = yield* check(options.webhookUrl.value)
  if (refusal !== undefined) return yield* usageError(`--webhook-url: ${refusal.reason}`)
})

const checkWebhookKey = ({ webhookKey }: ServeOptions) =>
  Option.match(webhookKey, {
    onNone: () => Effect.void,
    onSome: (privateKeyPem) =>
      Effect.asVoid(Effect.scoped(Layer.build(NodeWebhookSigner.layer({ privateKeyPem })))).pipe(
        Effect.mapError(({ message }) => usageError(message)),
      ),
  })

/** Checks the options, and returns the credentials of the other platforms. */
export const checkOptions = Effect.fnUntraced(function* (options: ServeOptions) {
  const platforms = yield* otherPlatforms(options)
  if (options.scenario !== "empty" && (options.mode === "live" || options.role === "worker")) {
    return yield* usageError("--world sets up a sandbox: it needs --mode sandbox and a role that answers requests")
  }
  const [proxy] = invalidProxies(options.trustedProxies)
  if (proxy !== undefined) return yield* usageError(`--trusted-proxy takes an address or a CIDR range, not ${proxy}`)
  yield* checkWebhookUrl(options).pipe(Effect.provide(transportOf(options)))
  yield* checkWebhookKey(options)
  return platforms
})
