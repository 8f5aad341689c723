/** The options of `embed`. */
import type { Platforms } from "@countersign/core"
import type { WallTime, WebhookTransport } from "@countersign/core/ports"
import type { Store } from "@countersign/core/store"
import type { Layer } from "effect"
import type * as WalletChecks from "../wallet/WalletChecks.ts"
import type { ExternalPorts } from "./ExternalPorts.ts"

/** A platform that is there when the service has started; what changed since the last start replaces what was. */
export interface EmbeddedPlatform {
  readonly clientId: string
  readonly clientSecret: string
  /** For people; the client id when absent. */
  readonly name?: string
  /** All that the sandbox knows when absent. */
  readonly currencies?: Parameters<Platforms["Service"]["setUp"]>[0]["currencies"]
  readonly webhookEndpoint?: string
}

export interface EmbedOptions {
  /** Where everything is kept: `PostgresStore.layerPool({ pool })`, `MemoryStore.layer`, or a store of your own. */
  readonly store: Layer.Layer<Store, unknown, WallTime>
  /** The ports to the world; `Sandbox.layer` simulates all of them. */
  readonly ports: Layer.Layer<ExternalPorts, unknown>
  readonly platforms?: ReadonlyArray<EmbeddedPlatform>
  /** Whether there are the sandbox's operations, and webhooks may go to any address; neither when absent. */
  readonly sandbox?: boolean
  /** What stands before every path; its last segment is the version. */
  readonly basePath?: string
  /**
   * The private key (PEM, P-256) that signs webhooks, the same for all processes and starts. In a sandbox it is drawn for this process when
   * absent; else it is needed.
   */
  readonly webhookKey?: string | undefined
  /**
   * From it the keys and words of wallets are derived: 32 characters or more, the same for all processes and starts; whoever loses it loses
   * them. In a sandbox it is drawn for this process when absent; else it is needed.
   */
  readonly walletSecret?: string | undefined
  /** Issuers of OIDC tokens and places of passkeys beside the known ones. */
  readonly walletChecks?: Parameters<typeof WalletChecks.layer>[0]
  /** Instead of sending webhooks by HTTP. */
  readonly webhookTransport?: Layer.Layer<WebhookTransport, unknown>
  /** Whether this process works off jobs; it does when absent. */
  readonly workers?: boolean
  /** Whether `/metrics` answers in the form of Prometheus; it does not when absent. */
  readonly metrics?: boolean
  /** Everything that has a default: a logger, a tracer, a registry of metrics, `WireNames`, `ScaRegions`, `BankDirectory` and others. */
  readonly settings?: Layer.Layer<never, unknown>
}
