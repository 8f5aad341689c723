/** `countersign serve`: the assembled service on a node:http server, until a signal stops it. */

import {
  DnsDomains,
  EncryptedVault,
  guards,
  Handlers,
  isLoopback,
  makeWebHandler,
  makeWorkerHandler,
  NodeCrypto,
  NodeCsv,
  PooledRandom,
  startNodeServer,
  Telemetry,
  WalletChecks,
} from "@countersign/adapter-http"
import { consolePageOf } from "@countersign/console"
import { Countersign, Jobs } from "@countersign/core"
import { iso, TokenPermissions } from "@countersign/core/models"
import {
  AgentTokenLifetime,
  ConsolePermissions,
  InvitationBaseUrl,
  OwnershipRegions,
  QuotePull,
  SandboxUmaDomains,
  ScaRegions,
  StrictChecks,
  UmaDomain,
  umaDomains,
  WallTime,
  WebhookTrust,
  WireNames,
} from "@countersign/core/ports"
import { SandboxClock, SandboxFaults, SandboxInbox, SandboxRequests } from "@countersign/core/sandbox"
import { Store } from "@countersign/core/store"
import { Clock, Console, Effect, Layer, Logger, Option, Redacted } from "effect"
import * as ApprovalPolicyFile from "./ApprovalPolicyFile.ts"
import { type Banner, banner, readyJson } from "./Banner.ts"
import { type CheckedValues, collect } from "./CheckedFlags.ts"
import { addressError, storeError, unsafeError } from "./CommandError.ts"
import { type DocumentsLocation, documentsLocation } from "./DocumentsLocation.ts"
import * as DocumentsVault from "./DocumentsVault.ts"
import { unknownVariables } from "./EnvironmentCheck.ts"
import { limitSettings } from "./LimitFlags.ts"
import { checkOptions, limitsOf, transportOf } from "./OptionCheck.ts"
import * as PortModule from "./PortModule.ts"
import * as PortsAddress from "./PortsAddress.ts"
import { failWith } from "./Problems.ts"
import { rememberServer } from "./remote/RememberedServer.ts"
import { type Credentials, hasConsole, type ServeOptions, serviceNameOf } from "./ServeFlags.ts"
import * as Keeping from "./ServerStore.ts"
import { type StartPlatforms, setUpPlatforms } from "./StartPlatforms.ts"
import { startScenario } from "./StartScenario.ts"
import type { StoreLocation } from "./StoreLocation.ts"
import { storeLocation } from "./StoreOption.ts"
import { variables } from "./Variables.ts"
import * as WalletSecret from "./WalletSecret.ts"
import * as WallLogger from "./WallLogger.ts"
import * as WebhookKey from "./WebhookKey.ts"

/** Live mode uses real time only. */
const clockOf = ({ mode, sharedClock }: ServeOptions): typeof SandboxClock.layer =>
  mode === "live" ? Layer.empty : sharedClock ? SandboxClock.layerShared : SandboxClock.layer

/** The faults that a sandbox can have, between its services and its ports. */
const faultsOf = ({ mode }: ServeOptions): typeof SandboxFaults.layer =>
  mode === "live" ? Layer.effectContext(Effect.context()) : SandboxFaults.layer

/** The checks of OIDC tokens and passkeys. The module of `--ports` may replace them. */
const walletChecksOf = ({ mode, oidcIssuers, passkeyOrigins, passkeyRelyingParties }: ServeOptions) => {
  const checks = { issuers: oidcIssuers, origins: passkeyOrigins, relyingPartyIds: passkeyRelyingParties }
  return mode === "sandbox" ? WalletChecks.sandboxLayer(checks) : WalletChecks.layer(checks)
}

const quotePullCriteria = { declared: "DECLARED", "bank-rails": "BANK_RAILS", never: "NEVER" } as const

/** Where the process stores its records, and the bytes of its documents. */
interface Places {
  readonly location: StoreLocation
  readonly documents: DocumentsLocation
}

/** All services of a process, from the options. */
const servicesOf = (options: ServeOptions, { documents, location }: Places, ports: PortModule.Ports) => {
  return Countersign.layer.pipe(
    Layer.provideMerge(options.mode === "live" ? Layer.empty : Layer.merge(SandboxRequests.layer, SandboxInbox.layer)),
    Layer.provideMerge(faultsOf(options)),
    Layer.provideMerge(clockOf(options)),
    Layer.provideMerge(EncryptedVault.layer(DocumentsVault.encryptionOf(options))),
    Layer.provideMerge(
      Layer.mergeAll(
        WebhookKey.layer(options.webhookKey),
        WalletSecret.layer(options),
        transportOf(options),
        // Before the ports, which may be those of the sandbox.
        Layer.succeed(WebhookTrust, options.mode === "live" ? "PROOF" : "WORD"),
      ),
    ),
    Layer.provideMerge(DocumentsVault.layer(documents, options)),
    Layer.provideMerge(Keeping.layer(location, options.migrate)),
    Layer.provideMerge(Layer.provideMerge(ports, Layer.merge(walletChecksOf(options), DnsDomains.layer()))),
    Layer.provideMerge(WallTime.layerClock),
    Layer.provideMerge(Layer.merge(NodeCrypto.layer(), NodeCsv.layer)),
    Layer.provideMerge(PooledRandom.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.succeed(WireNames, { serviceName: serviceNameOf(options), signatureForm: "json" as const }),
        limitSettings(options),
        options.mode === "sandbox" ? Layer.succeed(ConsolePermissions, TokenPermissions) : Layer.empty,
        Layer.succeed(Jobs.leaseMillis, options.leaseSeconds * 1000),
        Layer.succeed(OwnershipRegions, options.ownershipRegions),
        Layer.succeed(QuotePull, quotePullCriteria[options.quotePull]),
        Layer.succeed(StrictChecks, options.strictChecks),
        Layer.succeed(ScaRegions, options.scaRegions),
        Layer.succeed(SandboxUmaDomains, options.sandboxUmaDomains),
        Layer.succeed(
          AgentTokenLifetime,
          options.agentTokenDays === 0 ? undefined : options.agentTokenDays * 24 * 60 * 60 * 1000,
        ),
        Layer.succeed(InvitationBaseUrl, Option.getOrUndefined(options.invitationBaseUrl)),
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

/** The console. A sandbox has it at its root as well, which is what people open first. */
const pagesOf = (options: ServeOptions) => {
  if (!hasConsole(options)) return []
  const page = { mode: options.mode, passkeys: options.consolePasskeys }
  const atRoot = options.mode === "sandbox" ? [consolePageOf({ ...page, path: "/" })] : []
  return [consolePageOf(page), ...atRoot]
}

/** The credentials that the page of the interface offers: those of a sandbox that only this machine reaches. */
const offeredOf = ({ clientSecret, host, mode }: ServeOptions, platforms: StartPlatforms | undefined) => {
  const secret = platforms?.createdWithSecret ?? Option.getOrUndefined(clientSecret)
  return mode !== "sandbox" || !isLoopback(host) || platforms === undefined || secret === undefined
    ? undefined
    : { clientId: platforms.clientId, clientSecret: secret }
}

const handlerOf = Effect.fnUntraced(function* (
  options: ServeOptions,
  platforms: StartPlatforms | undefined,
  address: PortsAddress.PortsAddress | undefined,
) {
  const reports = address === undefined ? [] : [yield* PortsAddress.reportsPage(address)]
  const services = Layer.succeedContext(yield* Effect.context<Services>())
  const sandbox = options.mode === "sandbox"
  return yield* Effect.acquireRelease(
    Effect.sync(() =>
      options.role === "worker"
        ? makeWorkerHandler(services, options.metrics)
        : makeWebHandler({
            application: Handlers.layer.pipe(Layer.provideMerge(guards), Layer.provideMerge(services)),
            basePath: options.basePath,
            publicUrl: Option.getOrUndefined(options.publicUrl),
            sandbox,
            offeredCredentials: offeredOf(options, platforms),
            metrics: options.metrics,
            ...limitsOf(options),
            pages: [...pagesOf(options), ...reports],
          }),
    ),
    (handler) => Effect.promise(handler.dispose),
  )
})

/** Sets up the scenario if this start created the first platform. */
const setUpScenario = (
  options: ServeOptions,
  platforms: StartPlatforms | undefined,
  handler: (request: Request) => Promise<Response>,
  root: string,
) => {
  if (platforms?.createdWithSecret === undefined || options.scenario === "empty") return Effect.undefined
  return startScenario(options.scenario, {
    clientId: platforms.clientId,
    clientSecret: Redacted.value(platforms.createdWithSecret),
    handler,
    root: `${root}${options.basePath}`,
    serviceName: serviceNameOf(options),
  })
}

/** What a start says: for people, or as JSON lines, among which its log is JSON as well. Source: D-482. */
const saying = (json: boolean) => ({
  ready: (start: Banner) => Console.log(json ? JSON.stringify(readyJson(start)) : banner(start)),
  warning: (message: string) =>
    json ? Console.log(JSON.stringify({ kind: "WARNING", message })) : Console.warn(`warning: ${message}`),
  stopped: json ? Console.log(JSON.stringify({ kind: "STOPPED" })) : Effect.void,
})

interface StartWith {
  readonly others: ReadonlyArray<Credentials>
  readonly documents: DocumentsLocation
  readonly json: boolean
  readonly address: PortsAddress.PortsAddress | undefined
}

/** Serves until the scope closes, then accepts no more connections and finishes the running requests. */
const serve = Effect.fnUntraced(function* (options: ServeOptions, { address, documents, json, others }: StartWith) {
  const say = saying(json)
  yield* Effect.addFinalizer(() => say.stopped)
  const aheadMillis = yield* Store.useSync((store) => store.aheadMillis())
  if (options.mode === "live" && aheadMillis > 0) {
    return yield* unsafeError("a sandbox has moved the time of this store: live mode needs a store of its own")
  }
  const { location } = yield* Keeping.ServerStore
  const businessTime = aheadMillis === 0 ? undefined : iso(yield* Clock.currentTimeMillis)
  // A worker sets up no platforms: it runs the jobs of the existing ones.
  const platforms = options.role === "worker" ? undefined : yield* setUpPlatforms(options, others)
  const publicKey = platforms === undefined ? undefined : yield* WebhookKey.publicKeyOf(platforms.clientId)
  const { asksAboutProcess, exchange, handler } = yield* handlerOf(options, platforms, address)
  const server = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () => {
        const { host, port, trustedProxies } = options
        const served = { asksAboutProcess, exchange, handler }
        return startNodeServer({ ...served, host, port, trustedProxies, ...limitsOf(options) })
      },
      catch: (cause) =>
        addressError(
          `cannot listen on ${options.host}:${options.port}: ${cause instanceof Error ? cause.message : ""}`,
        ),
    }),
    (listening) => Effect.promise(listening.close),
  )
  if (location._tag === "Server" && Option.isNone(options.webhookKey)) {
    yield* say.warning(
      "the webhook key is generated for this process only; set --webhook-key for all processes of a database",
    )
  }
  if (location._tag === "Server" && Option.isNone(options.walletSecret)) {
    yield* say.warning(
      "the wallet secret is generated for this process only; set --wallet-secret for all processes of a database",
    )
  }
  const root = `http://${hostOf(options.host)}:${server.port}`
  const handles = yield* setUpScenario(options, platforms, handler, root)
  if (platforms !== undefined) {
    const remembered = {
      server: `${root}${options.basePath}`,
      clientId: platforms.clientId,
      serviceName: serviceNameOf(options),
    }
    yield* Effect.tryPromise({
      try: () => rememberServer(location, remembered),
      catch: (cause) => storeError(`${cause instanceof Error ? cause.message : "server.json cannot be written"}`),
    })
  }
  const offersCredentials = offeredOf(options, platforms) !== undefined
  yield* say.ready({
    documents,
    handles,
    businessTime,
    options,
    location,
    offersCredentials,
    platforms,
    publicKey,
    root,
  })
})

const workersOf = ({ role }: ServeOptions): typeof Countersign.workers =>
  role === "api" ? Layer.empty : Countersign.workers

/** Checks all that can be checked before the store opens, and fails with every problem. */
const checkStart = Effect.fnUntraced(function* (values: CheckedValues<ServeOptions>) {
  const collected = collect<ServeOptions>(values)
  const { options } = collected
  const { others, problems } = yield* checkOptions(collected)
  const { ports: loaded, problems: portProblems } = yield* PortModule.check(options)
  const approvals = yield* ApprovalPolicyFile.check(options)
  yield* failWith([
    ...unknownVariables(Object.keys(process.env), variables),
    ...problems,
    ...portProblems,
    ...approvals.problems,
  ])
  const location = yield* storeLocation(options)
  const documents = yield* documentsLocation(options.documents, options.store)
  const address = yield* PortsAddress.read(options)
  const module = Option.isSome(options.ports) ? loaded : undefined
  const ports = address === undefined ? loaded : PortsAddress.layer(address, { mode: options.mode, module })
  return { options, others, places: { location, documents }, ports, address, settings: approvals.settings }
})

export const run = Effect.fnUntraced(function* ({
  json: { value: json },
  ...values
}: CheckedValues<ServeOptions & { readonly json: boolean }>) {
  const { address, options, others, places, ports, settings } = yield* checkStart(values)
  return yield* serve(options, { documents: places.documents, json, others, address }).pipe(
    Effect.andThen(Effect.never),
    Effect.scoped,
    Effect.provide(
      workersOf(options).pipe(
        Layer.provideMerge(servicesOf(options, places, ports)),
        Layer.provideMerge(settings),
        Layer.provideMerge(Telemetry.layer),
        Layer.provideMerge(
          Logger.layer([WallLogger.make(json || options.log === "json" ? Logger.consoleJson : Logger.consolePretty())]),
        ),
      ),
    ),
    Effect.catchTag("InvalidWebhookKey", ({ message }) => Effect.fail(unsafeError(message))),
  )
})
