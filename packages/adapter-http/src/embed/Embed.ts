/**
 * Runs the whole service inside another program: one call returns a handler for its server and a client for its code, and starts workers.
 * Source: architecture, the Embed door; D-191. `countersign serve` assembles the same layers from command-line options.
 */
import { randomBytes } from "node:crypto"
import { MemoryVault } from "@countersign/adapter-memory"
import { type Client, type Credentials, makeClient } from "@countersign/client"
import { basePathDefault } from "@countersign/client/api"
import { Countersign, Platforms, walletVault } from "@countersign/core"
import { sandboxCurrencies, TokenPermissions } from "@countersign/core/models"
import {
  BytesMissing,
  ConsolePermissions,
  DocumentVault,
  refuseSandboxOnly,
  serviceNameOf,
  VaultUnavailable,
  vaultOf,
  WallTime,
  type WebhookSigner,
  type WebhookTransport,
  WebhookTrust,
  WireNames,
} from "@countersign/core/ports"
import { SandboxClock, SandboxFaults, SandboxInbox, SandboxRequests } from "@countersign/core/sandbox"
import type { Store } from "@countersign/core/store"
import { Cause, Effect, Exit, Layer, ManagedRuntime, Redacted, Stream } from "effect"
import * as NodeCrypto from "../crypto/NodeCrypto.ts"
import * as PooledRandom from "../crypto/PooledRandom.ts"
import * as NodeCsv from "../csv/NodeCsv.ts"
import * as Handlers from "../handlers/Handlers.ts"
import { inboxAddress } from "../middleware/InboxAddress.ts"
import { normalizedUrl } from "../middleware/PublicUrl.ts"
import { type NodeListener, nodeListenerOf } from "../server/NodeListener.ts"
import { guards, makeWebHandler, type WebHandler } from "../server/WebHandler.ts"
import { EncryptedVault } from "../vault/EncryptedVault.ts"
import * as WalletChecks from "../wallet/WalletChecks.ts"
import * as NodeWebhookSigner from "../webhook/NodeWebhookSigner.ts"
import * as NodeWebhookTransport from "../webhook/NodeWebhookTransport.ts"
import * as DnsDomains from "./DnsDomains.ts"
import { checkOptions, isReachableOnlyHere, unstableSecrets } from "./EmbedChecks.ts"
import type { EmbedOptions } from "./EmbedOptions.ts"

type Services = Layer.Success<typeof Countersign.layer> | Store | DocumentVault | WebhookSigner | WebhookTransport

/** A service that `embed` has started in this process. */
export interface Embedded {
  /** A handler for Fetch API servers. It serves the paths under the base path, and `/healthz`, `/readyz`, `/docs` and other system routes. */
  readonly handler: WebHandler["handler"]
  /** A listener for servers and frameworks on `node:http`. */
  readonly listener: NodeListener
  /** Returns a typed client that calls the handler directly, without a network and under the same rules. */
  readonly client: (credentials: Credentials) => Client
  /** Runs an effect with the services, for programs that use Effect. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, Services>) => Promise<A>
  /** Lets running jobs finish and stops the services. It does not close a pool that you provided. */
  readonly dispose: () => Promise<void>
}

const origin = "http://countersign.localhost"

const webhookAddresses = (options: EmbedOptions): NodeWebhookTransport.Options => ({
  addresses: isReachableOnlyHere(options) ? "any" : "public",
  allow: options.webhookAllow ?? [],
  inboxes:
    options.sandbox === true && options.publicUrl !== undefined
      ? inboxAddress(normalizedUrl(options.publicUrl), "")
      : undefined,
})

/** A secret that is generated for this process only opens no store: its wallets end with the process. */
const vaultLayer = ({ previousWalletSecret, walletSecret }: EmbedOptions) => {
  if (walletSecret === undefined) return vaultOf(Redacted.make(randomBytes(32).toString("hex")))
  const previous = previousWalletSecret === undefined ? [] : [Redacted.make(previousWalletSecret)]
  return walletVault([Redacted.make(walletSecret), ...previous])
}

/** A live deployment that names no vault keeps no files. */
const noVault: DocumentVault["Service"] = {
  store: () => Effect.fail(new VaultUnavailable({ cause: new Error("the option `documents` is not set") })),
  read: (key) => Stream.fail(new BytesMissing({ key })),
  erase: () => Effect.void,
}

const documentsOf = ({ documents, sandbox }: EmbedOptions): Layer.Layer<DocumentVault, unknown> =>
  documents ?? (sandbox === true ? MemoryVault.layer : Layer.succeed(DocumentVault, noVault))

/** The name of the options, beside the other names of the settings. */
const names = ({ headerPrefix, serviceName = headerPrefix }: EmbedOptions): Layer.Layer<never> =>
  serviceName === undefined
    ? Layer.empty
    : Layer.effect(
        WireNames,
        Effect.map(WireNames, ({ signatureForm }) => ({ serviceName, signatureForm })),
      )

const servicesOf = (options: EmbedOptions) => {
  const { ports, sandbox, settings, store, walletChecks, webhookKey, webhookTransport } = options
  // Layers that simulate are recognized by their services, however they were composed.
  const own = sandbox === true ? <A, E, R>(layer: Layer.Layer<A, E, R>) => layer : refuseSandboxOnly
  const clock: typeof SandboxClock.layer = sandbox === true ? SandboxClock.layer : Layer.empty
  const requests: typeof SandboxRequests.layer = sandbox === true ? SandboxRequests.layer : Layer.empty
  const inbox: typeof SandboxInbox.layer = sandbox === true ? SandboxInbox.layer : Layer.empty
  // Between the services and the ports, which a live deployment leaves as they are.
  const faults: typeof SandboxFaults.layer =
    sandbox === true ? SandboxFaults.layer : Layer.effectContext(Effect.context())
  return Countersign.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(faults, requests, inbox)),
    Layer.provideMerge(clock),
    Layer.provideMerge(EncryptedVault.layer(options.documentEncryption ?? (sandbox === true ? "off" : "on"))),
    Layer.provideMerge(
      Layer.mergeAll(
        vaultLayer(options),
        NodeWebhookSigner.layer(webhookKey === undefined ? {} : { privateKeyPem: Redacted.make(webhookKey) }),
        webhookTransport ?? NodeWebhookTransport.layer(webhookAddresses(options)),
      ),
    ),
    Layer.provideMerge(Layer.merge(own(store), own(documentsOf(options)))),
    // The caller's ports override these.
    Layer.provideMerge(
      Layer.provideMerge(
        own(ports),
        Layer.mergeAll(
          (sandbox === true ? WalletChecks.sandboxLayer : WalletChecks.layer)(walletChecks),
          DnsDomains.layer(),
          // The caller's ports and settings may decide otherwise.
          sandbox === true ? Layer.succeed(WebhookTrust, "WORD") : Layer.empty,
          sandbox === true ? Layer.succeed(ConsolePermissions, TokenPermissions) : Layer.empty,
        ),
      ),
    ),
    Layer.provideMerge(Layer.merge(NodeCrypto.layer(), NodeCsv.layer)),
    Layer.provideMerge(WallTime.layerClock),
    Layer.provideMerge(PooledRandom.layer),
    Layer.provideMerge(names(options)),
    Layer.provideMerge(own(settings ?? Layer.empty)),
  )
}

const warn = (options: EmbedOptions) =>
  Effect.forEach(
    unstableSecrets(options),
    (option) =>
      Effect.logWarning(`${option} is not set: this process generates one, and the next start generates another`, {
        option,
      }),
    { discard: true },
  )

const setUp = ({ platforms = [] }: EmbedOptions) =>
  Effect.forEach(
    platforms,
    ({ clientId, clientSecret, currencies = sandboxCurrencies, name = clientId, nextClientSecret, webhookEndpoint }) =>
      Platforms.use((all) =>
        all.setUp({
          clientId,
          clientSecret: Redacted.make(clientSecret),
          nextClientSecret: nextClientSecret === undefined ? undefined : Redacted.make(nextClientSecret),
          currencies,
          name,
          ...(webhookEndpoint === undefined ? {} : { webhookEndpoint }),
        }),
      ),
    { discard: true },
  )

/** Starts the service. Rejects with the cause if it cannot start. */
export const embed = async (options: EmbedOptions): Promise<Embedded> => {
  checkOptions(options)
  const { basePath = basePathDefault, metrics = false, sandbox = false, workers = true } = options
  const services = servicesOf(options)
  const running = workers ? Layer.provideMerge(Countersign.workers, services) : services
  const memoMap = Layer.makeMemoMapUnsafe()
  const runtime = ManagedRuntime.make(running, { memoMap })
  const started = await runtime.runPromiseExit(
    Effect.map(Effect.all([WireNames, warn(options), setUp(options)]), ([used]) => serviceNameOf(used)),
  )
  if (Exit.isFailure(started)) {
    await runtime.dispose()
    throw Cause.squash(started.cause)
  }
  const web = makeWebHandler({
    application: Handlers.layer.pipe(Layer.provideMerge(guards), Layer.provideMerge(services)),
    basePath,
    publicUrl: options.publicUrl,
    sandbox,
    metrics,
    memoMap,
    pages: options.console === undefined ? [] : [options.console],
    ...options.limits,
  })
  const baseUrl = new URL(basePath, origin)
  return {
    handler: web.handler,
    listener: nodeListenerOf(web, { trustedProxies: options.trustedProxies, ...options.limits }),
    client: (credentials) => makeClient({ baseUrl, credentials, fetch: web.handler, serviceName: started.value }),
    run: (effect) => runtime.runPromise(effect),
    dispose: async () => {
      await web.dispose()
      await runtime.dispose()
    },
  }
}
