/** `countersign serve`: the assembled service on a node:http server, until it is told to stop. */

import {
  type ExternalPorts,
  guards,
  Handlers,
  makeWebHandler,
  makeWorkerHandler,
  NodeCrypto,
  startNodeServer,
  Telemetry,
  WalletChecks,
} from "@countersign/adapter-http"
import { consolePage } from "@countersign/console"
import { Countersign, Jobs } from "@countersign/core"
import { iso } from "@countersign/core/models"
import {
  OwnershipRegions,
  ScaRegions,
  StrictChecks,
  UmaDomain,
  umaDomains,
  WallTime,
  WebhookSigner,
  WireNames,
} from "@countersign/core/ports"
import { Sandbox, SandboxClock } from "@countersign/core/sandbox"
import { Store } from "@countersign/core/store"
import { Clock, Console, Effect, Layer, Logger, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { banner } from "./Banner.ts"
import * as Keeping from "./Keeping.ts"
import { check, transportOf } from "./OptionCheck.ts"
import * as PortModule from "./PortModule.ts"
import { type Credentials, hasConsole, type ServeOptions } from "./ServeFlags.ts"
import { type StartPlatforms, startPlatforms } from "./StartPlatforms.ts"
import { startScenario } from "./StartScenario.ts"
import { placeGiven } from "./StoreGiven.ts"
import type { StorePlace } from "./StorePlace.ts"
import { usageError } from "./UsageError.ts"
import * as WalletSecret from "./WalletSecret.ts"
import * as WallLogger from "./WallLogger.ts"
import * as WebhookKey from "./WebhookKey.ts"

/** Live mode has real time only. */
const clockOf = ({ mode, sharedClock }: ServeOptions): typeof SandboxClock.layer =>
  mode === "live" ? Layer.empty : sharedClock ? SandboxClock.layerShared : SandboxClock.layer

/** Who proves who somebody is; a module of one's own may bring others. */
const checksOf = ({ mode, oidcIssuers, passkeyOrigins, passkeyRelyingParties }: ServeOptions) => {
  const checks = { issuers: oidcIssuers, origins: passkeyOrigins, relyingPartyIds: passkeyRelyingParties }
  return mode === "sandbox" ? WalletChecks.sandboxLayer(checks) : WalletChecks.layer(checks)
}

/** All services of a process, from the options. */
const servicesOf = (options: ServeOptions, place: StorePlace) => {
  const world: Layer.Layer<ExternalPorts, PortModule.PortsMissing> = Option.match(options.ports, {
    onSome: (file) => Layer.unwrap(PortModule.load(file)),
    onNone: () => (options.mode === "sandbox" ? Sandbox.layer : PortModule.absent),
  })
  return Countersign.layer.pipe(
    Layer.provideMerge(clockOf(options)),
    Layer.provideMerge(
      Layer.mergeAll(
        WebhookKey.layer(options.webhookKey),
        WalletSecret.layer(options.walletSecret),
        transportOf(options),
      ),
    ),
    Layer.provideMerge(Keeping.layer(place, options.migrate)),
    Layer.provideMerge(Layer.provideMerge(world, checksOf(options))),
    Layer.provideMerge(WallTime.layerClock),
    Layer.provideMerge(NodeCrypto.layer()),
    Layer.provideMerge(SecureRandom.layerWebCrypto),
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.succeed(WireNames, { headerPrefix: options.headerPrefix, signatureForm: "json" as const }),
        Layer.succeed(Jobs.leaseMillis, options.leaseSeconds * 1000),
        Layer.succeed(Jobs.perPlatformMax, options.jobsPerPlatform),
        Layer.succeed(OwnershipRegions, options.ownershipRegions),
        Layer.succeed(StrictChecks, options.strictChecks),
        Layer.succeed(ScaRegions, options.scaRegions),
        Layer.succeed(
          UmaDomain,
          Option.getOrElse(options.umaDomain, () => umaDomains[options.mode]),
        ),
      ),
    ),
  )
}

type Services = Layer.Success<ReturnType<typeof servicesOf>>

/** An address as a URL writes it: IPv6 in brackets. */
const hostOf = (host: string) => (host.includes(":") ? `[${host}]` : host)

const handlerOf = Effect.fnUntraced(function* (options: ServeOptions) {
  const services = Layer.succeedContext(yield* Effect.context<Services>())
  const sandbox = options.mode === "sandbox"
  return yield* Effect.acquireRelease(
    Effect.sync(() =>
      options.role === "worker"
        ? makeWorkerHandler(services, options.metrics)
        : makeWebHandler({
            application: Handlers.layer.pipe(Layer.provideMerge(guards), Layer.provideMerge(services)),
            basePath: options.basePath,
            sandbox,
            metrics: options.metrics,
            pages: hasConsole(options) ? [consolePage] : [],
          }),
    ),
    (handler) => Effect.promise(handler.dispose),
  )
})

/** The named world, where this start made the platform that it belongs to. */
const begun = (
  options: ServeOptions,
  platforms: StartPlatforms | undefined,
  handler: (request: Request) => Promise<Response>,
  root: string,
) => {
  if (platforms?.made === undefined || options.world === "empty") return Effect.undefined
  return startScenario(options.world, {
    clientId: platforms.clientId,
    clientSecret: Redacted.value(platforms.made),
    handler,
    root: `${root}${options.basePath}`,
  })
}

/** Serves until the scope closes; then takes no more connections and finishes what is running. */
const serve = Effect.fnUntraced(function* (options: ServeOptions, further: ReadonlyArray<Credentials>) {
  const aheadMillis = yield* Store.useSync((store) => store.aheadMillis())
  if (options.mode === "live" && aheadMillis > 0) {
    return yield* usageError("the time of this store was moved by a sandbox: live mode needs a store of its own")
  }
  const movedTo = aheadMillis === 0 ? undefined : iso(yield* Clock.currentTimeMillis)
  // A worker brings no platforms: it works for those that are there.
  const platforms = options.role === "worker" ? undefined : yield* startPlatforms(options, further)
  const { exchange, handler } = yield* handlerOf(options)
  const server = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () => startNodeServer({ handler, exchange, host: options.host, port: options.port }),
      catch: (cause) =>
        usageError(`cannot listen on ${options.host}:${options.port}: ${cause instanceof Error ? cause.message : ""}`),
    }),
    (listening) => Effect.promise(listening.close),
  )
  const { place } = yield* Keeping.Keeping
  const { publicKey } = yield* WebhookSigner
  if (place._tag === "Server" && Option.isNone(options.webhookKey)) {
    yield* Console.warn(
      "warning: the webhook key is drawn for this process alone; processes of one database share one by --webhook-key",
    )
  }
  if (place._tag === "Server" && Option.isNone(options.walletSecret)) {
    yield* Console.warn(
      "warning: the wallet secret is drawn for this process alone; processes of one database share one by --wallet-secret",
    )
  }
  const root = `http://${hostOf(options.host)}:${server.port}`
  const handles = yield* begun(options, platforms, handler, root)
  yield* Console.log(banner({ handles, movedTo, options, place, platforms, publicKey, root }))
})

const workersOf = ({ role }: ServeOptions): typeof Countersign.workers =>
  role === "api" ? Layer.empty : Countersign.workers

export const run = Effect.fnUntraced(function* (options: ServeOptions) {
  const place = yield* placeGiven(options.store)
  if (options.role !== "all" && place._tag !== "Server") {
    return yield* usageError(`--role ${options.role} needs a store that processes can share: --store postgres://...`)
  }
  const further = yield* check(options)
  if (options.mode === "live" && place._tag === "Server" && Option.isNone(options.walletSecret)) {
    return yield* usageError("live mode on a server needs --wallet-secret: the words of wallets come from it")
  }
  return yield* serve(options, further).pipe(
    Effect.andThen(Effect.never),
    Effect.scoped,
    Effect.provide(
      workersOf(options).pipe(
        Layer.provideMerge(servicesOf(options, place)),
        Layer.provideMerge(Telemetry.layer),
        Layer.provideMerge(
          Logger.layer([WallLogger.make(options.log === "json" ? Logger.consoleJson : Logger.consolePretty())]),
        ),
      ),
    ),
    Effect.catchTag(["PortsMissing", "InvalidWebhookKey", "WalletSecretUnusable", "DatabaseUnusable"], (error) =>
      Effect.fail(usageError(error.message)),
    ),
  )
})
