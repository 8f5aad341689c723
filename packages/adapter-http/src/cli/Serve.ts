/** `countersign serve`: the assembled service on a node:http server, until it is told to stop. */
import {
  Countersign,
  Jobs,
  OwnershipRegions,
  ScaRegions,
  StrictChecks,
  WallTime,
  WebhookSigner,
  WireNames,
} from "@countersign/core"
import { Sandbox } from "@countersign/core/sandbox"
import { Console, Effect, Layer, Logger, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Handlers from "../handlers/Handlers.ts"
import { startNodeServer } from "../server/NodeServer.ts"
import { guards, makeWebHandler } from "../server/WebHandler.ts"
import { banner } from "./Banner.ts"
import * as Keeping from "./Keeping.ts"
import { check, transportOf } from "./OptionCheck.ts"
import * as PortModule from "./PortModule.ts"
import { type Credentials, hasConsole, type ServeOptions } from "./ServeFlags.ts"
import { startPlatforms } from "./StartPlatforms.ts"
import { placeGiven } from "./StoreGiven.ts"
import type { StorePlace } from "./StorePlace.ts"
import * as WebhookKey from "./WebhookKey.ts"
import { makeWorkerHandler } from "./WorkerHandler.ts"
import { wrong } from "./Wrong.ts"

/** All services of a process, from the options. */
const servicesOf = (options: ServeOptions, place: StorePlace) => {
  const world: Layer.Layer<PortModule.WorldPorts, PortModule.PortsMissing> = Option.match(options.ports, {
    onSome: (file) => Layer.unwrap(PortModule.load(file)),
    onNone: () => (options.mode === "sandbox" ? Sandbox.layer : PortModule.absent),
  })
  return Countersign.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(WebhookKey.layer(options.webhookKey), transportOf(options))),
    Layer.provideMerge(Keeping.layer(place, options.migrate)),
    Layer.provideMerge(world),
    Layer.provideMerge(WallTime.layerClock),
    Layer.provideMerge(SecureRandom.layerWebCrypto),
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.succeed(WireNames, { headerPrefix: options.headerPrefix, signatureForm: "json" as const }),
        Layer.succeed(Jobs.leaseMillis, options.leaseSeconds * 1000),
        Layer.succeed(Jobs.perPlatformMax, options.jobsPerPlatform),
        Layer.succeed(OwnershipRegions, options.ownershipRegions),
        Layer.succeed(StrictChecks, options.strictChecks),
        Layer.succeed(ScaRegions, options.scaRegions),
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
        ? makeWorkerHandler(services)
        : makeWebHandler({
            application: Handlers.layer.pipe(Layer.provideMerge(guards), Layer.provideMerge(services)),
            basePath: options.basePath,
            sandbox,
            console: hasConsole(options),
          }),
    ),
    (handler) => Effect.promise(handler.dispose),
  )
})

/** Serves until the scope closes; then takes no more connections and finishes what is running. */
const serve = Effect.fnUntraced(function* (options: ServeOptions, further: ReadonlyArray<Credentials>) {
  // A worker brings no platforms: it works for those that are there.
  const platforms = options.role === "worker" ? undefined : yield* startPlatforms(options, further)
  const { handler } = yield* handlerOf(options)
  const server = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () => startNodeServer({ handler, host: options.host, port: options.port }),
      catch: (cause) =>
        wrong(`cannot listen on ${options.host}:${options.port}: ${cause instanceof Error ? cause.message : ""}`),
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
  yield* Console.log(
    banner({ options, place, platforms, publicKey, root: `http://${hostOf(options.host)}:${server.port}` }),
  )
})

const workersOf = ({ role }: ServeOptions): typeof Countersign.workers =>
  role === "api" ? Layer.empty : Countersign.workers

export const run = Effect.fnUntraced(function* (options: ServeOptions) {
  const place = yield* placeGiven(options.store)
  if (options.role !== "all" && place._tag !== "Server") {
    return yield* wrong(`--role ${options.role} needs a store that processes can share: --store postgres://...`)
  }
  const further = yield* check(options)
  return yield* serve(options, further).pipe(
    Effect.andThen(Effect.never),
    Effect.scoped,
    Effect.provide(
      workersOf(options).pipe(
        Layer.provideMerge(servicesOf(options, place)),
        Layer.provideMerge(Logger.layer([options.log === "json" ? Logger.consoleJson : Logger.consolePretty()])),
      ),
    ),
    Effect.catchTag(["PortsMissing", "InvalidWebhookKey", "DatabaseUnusable"], (error) =>
      Effect.fail(wrong(error.message)),
    ),
  )
})
