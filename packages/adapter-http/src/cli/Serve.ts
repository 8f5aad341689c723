/** `countersign serve`: the assembled service on a node:http server, until it is told to stop. */
import { MemoryStore } from "@countersign/adapter-memory"
import {
  Countersign,
  Platforms,
  Secrets,
  sandboxCurrencies,
  WallTime,
  WebhookSigner,
  WireNames,
} from "@countersign/core"
import { Sandbox } from "@countersign/core/sandbox"
import { Console, Effect, Layer, Logger, Option, Redacted } from "effect"
import { CliError } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import * as Handlers from "../handlers/Handlers.ts"
import { startNodeServer } from "../server/NodeServer.ts"
import * as NodeWebhookSigner from "../server/NodeWebhookSigner.ts"
import * as NodeWebhookTransport from "../server/NodeWebhookTransport.ts"
import { guards, makeWebHandler } from "../server/WebHandler.ts"
import * as PortModule from "./PortModule.ts"
import { type Credentials, parsePlatform, type ServeOptions } from "./ServeFlags.ts"

/** All services of a process, from the options. */
const servicesOf = (options: ServeOptions) => {
  const world: Layer.Layer<PortModule.WorldPorts, PortModule.PortsMissing> = Option.match(options.ports, {
    onSome: (file) => Layer.unwrap(PortModule.load(file)),
    onNone: () => (options.mode === "sandbox" ? Sandbox.layer : PortModule.absent),
  })
  const signer = NodeWebhookSigner.layer(
    Option.match(options.webhookKey, { onNone: () => ({}), onSome: (privateKeyPem) => ({ privateKeyPem }) }),
  )
  const transport = NodeWebhookTransport.layer({
    addresses: options.mode === "sandbox" ? "any" : "public",
    allow: options.webhookAllow,
  })
  return Countersign.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(world, signer, transport)),
    Layer.provideMerge(MemoryStore.layer),
    Layer.provideMerge(WallTime.layerClock),
    Layer.provideMerge(SecureRandom.layerWebCrypto),
    Layer.provideMerge(
      Layer.succeed(WireNames, { headerPrefix: options.headerPrefix, signatureForm: "json" as const }),
    ),
  )
}

const wrong = (message: string) => new CliError.UserError({ cause: new Error(message) })

/** The first platform's credentials, and whether a part of them was drawn. */
const firstCredentials = Effect.fnUntraced(function* (options: ServeOptions) {
  const drawn = yield* Secrets.clientCredentials
  const isDrawn = Option.isNone(options.clientSecret)
  if (options.mode === "live" && (isDrawn || Option.isNone(options.clientId))) {
    return yield* wrong("live mode draws no credentials: it needs --client-id and --client-secret")
  }
  const credentials: Credentials = {
    clientId: Option.getOrElse(options.clientId, () => drawn.clientId),
    clientSecret: Option.getOrElse(options.clientSecret, () => Redacted.make(drawn.clientSecret)),
  }
  return { credentials, isDrawn }
})

const furtherPlatforms = Effect.fnUntraced(function* (options: ServeOptions, first: Credentials) {
  const found: Array<Credentials> = []
  for (const given of options.platforms) {
    const credentials = parsePlatform(given)
    if (credentials === undefined) return yield* wrong("--platform takes ID:SECRET")
    const { clientId } = credentials
    if ([first, ...found].some((known) => known.clientId === clientId)) {
      return yield* wrong(`two platforms have the client id ${clientId}`)
    }
    found.push(credentials)
  }
  return found
})

const setUp = (credentials: Credentials, webhookEndpoint: Option.Option<string>) =>
  Platforms.use((platforms) =>
    platforms.setUp({
      ...credentials,
      name: credentials.clientId,
      currencies: sandboxCurrencies,
      ...Option.match(webhookEndpoint, { onNone: () => ({}), onSome: (url) => ({ webhookEndpoint: url }) }),
    }),
  ).pipe(
    Effect.mapError((error) =>
      // The one thing of a new platform that can be refused came by an option.
      wrong(
        error._tag === "ServiceError"
          ? error.message.replace("webhookEndpoint", "--webhook-url")
          : "the store does not answer",
      ),
    ),
  )

/** An address as a URL writes it: IPv6 in brackets. */
const hostOf = (host: string) => (host.includes(":") ? `[${host}]` : host)

/** Serves until the scope closes; then takes no more connections and finishes what is running. */
const serve = Effect.fnUntraced(function* (options: ServeOptions) {
  const { credentials, isDrawn } = yield* firstCredentials(options)
  const others = yield* furtherPlatforms(options, credentials)
  yield* setUp(credentials, options.webhookUrl)
  yield* Effect.forEach(others, (other) => setUp(other, Option.none()), { discard: true })

  const context = yield* Effect.context<Layer.Success<ReturnType<typeof servicesOf>>>()
  const application = Handlers.layer.pipe(Layer.provideMerge(guards), Layer.provideMerge(Layer.succeedContext(context)))
  const web = yield* Effect.acquireRelease(
    Effect.sync(() => makeWebHandler({ application, basePath: options.basePath, sandbox: options.mode === "sandbox" })),
    (handler) => Effect.promise(handler.dispose),
  )
  const server = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () => startNodeServer({ handler: web.handler, host: options.host, port: options.port }),
      catch: (cause) =>
        wrong(`cannot listen on ${options.host}:${options.port}: ${cause instanceof Error ? cause.message : ""}`),
    }),
    (listening) => Effect.promise(listening.close),
  )
  const root = `http://${hostOf(options.host)}:${server.port}`
  const { publicKey } = yield* WebhookSigner
  yield* Console.log(
    [
      `countersign, ${options.mode} mode, everything in memory: it is gone when this process ends`,
      `client id      ${credentials.clientId}`,
      isDrawn
        ? `client secret  ${Redacted.value(credentials.clientSecret)}   (drawn for this start, shown this once)`
        : "client secret  as given",
      ...others.map(({ clientId }) => `also           ${clientId}`),
      `docs           ${root}/docs   ${root}/openapi.json`,
      `webhook key    ${root}/webhooks/public-key`,
      publicKey.trimEnd(),
      `ready ${root}${options.basePath}`,
    ].join("\n"),
  )
})

export const run = (options: ServeOptions) =>
  serve(options).pipe(
    Effect.andThen(Effect.never),
    Effect.scoped,
    Effect.provide(
      Countersign.workers.pipe(
        Layer.provideMerge(servicesOf(options)),
        Layer.provideMerge(Logger.layer([options.log === "json" ? Logger.consoleJson : Logger.consolePretty()])),
      ),
    ),
    Effect.catchTag(["PortsMissing", "InvalidWebhookKey"], (error) => Effect.fail(wrong(error.message))),
  )
