/** The options of `embed`. */
import type { CurrencyCode } from "@countersign/core/models"
import type { DocumentVault, WallTime, WebhookTransport } from "@countersign/core/ports"
import type { Store } from "@countersign/core/store"
import type { Layer } from "effect"
import type { ClientAddressOptions } from "../middleware/ClientAddress.ts"
import type { ListenerLimitOptions } from "../middleware/ServerLimits.ts"
import type { Page } from "../server/Page.ts"
import type { DocumentEncryption } from "../vault/EncryptedVault.ts"
import type { WalletCheckOptions } from "../wallet/WalletChecks.ts"
import type { ExternalPorts } from "./ExternalPorts.ts"

/** A platform that the service creates at its start, or updates if its settings changed since the last start. */
export interface EmbeddedPlatform {
  readonly clientId: string
  readonly clientSecret: string
  /** A second secret, valid beside the first while clients change to it. */
  readonly nextClientSecret?: string | undefined
  /** Display name. Default: the client id. */
  readonly name?: string | undefined
  /** The currencies that its customers may have. Default: all currencies of the sandbox. */
  readonly currencies?: ReadonlyArray<CurrencyCode> | undefined
  /** The URL that its webhooks are sent to. Default: none, or the one that the platform configured itself. */
  readonly webhookEndpoint?: string | undefined
}

export interface EmbedOptions extends ClientAddressOptions {
  /** The store: `PostgresStore.layerPool({ pool })`, `MemoryStore.layer`, or your own. */
  readonly store: Layer.Layer<Store, unknown, WallTime>
  /** The external ports. `Sandbox.layer` simulates all of them. */
  readonly ports: Layer.Layer<ExternalPorts, unknown>
  /** Platforms that exist after the start. Removing an entry does not delete the platform. Default: none. */
  readonly platforms?: ReadonlyArray<EmbeddedPlatform> | undefined
  /** Enables the sandbox's operations, and, unless `publicUrl` names another machine, webhooks to any address. Default: false. */
  readonly sandbox?: boolean | undefined
  /**
   * The address under which clients and browsers reach the service, such as `https://pay.example.com`; URLs in answers begin with it, and
   * only its pages may send changes from a browser. Default: the address that the listener's server listens on.
   */
  readonly publicUrl?: string | undefined
  /** Private hosts, addresses and CIDR ranges that webhooks may be sent to although only public addresses are allowed. */
  readonly webhookAllow?: ReadonlyArray<string> | undefined
  /** Prefix of every path; its last segment is the version. */
  readonly basePath?: string | undefined
  /**
   * The service's name in headers, fields and values: `Acme` gives `Acme-Wallet-Signature`, `X-Acme-Signature`, `acmeApiFixedFee` and
   * `CLOSED_BY_ACME`. A letter, then at most 31 letters and digits. Default: the one of `WireNames` in `settings`, or `Service`.
   */
  readonly serviceName?: string | undefined
  /** @deprecated The old name of `serviceName`. */
  readonly headerPrefix?: string | undefined
  /**
   * The private key (PEM, P-256) that signs webhooks. Keep it stable across processes and restarts. Required unless `sandbox` is true, where a
   * missing key is generated for this process.
   */
  readonly webhookKey?: string | undefined
  /**
   * The secret that opens the keys and words of wallets: at least 32 characters. Keep it stable across processes and restarts;
   * without it the wallets are lost. Required unless `sandbox` is true, where a missing secret is generated for this process.
   */
  readonly walletSecret?: string | undefined
  /** The wallet secret before the present one, while the deployment changes to the present one. */
  readonly previousWalletSecret?: string | undefined
  /** Additional issuers of OIDC tokens, and additional origins and relying parties of passkeys. */
  readonly walletChecks?: WalletCheckOptions | undefined
  /** Replaces the delivery of webhooks over HTTP. */
  readonly webhookTransport?: Layer.Layer<WebhookTransport, unknown> | undefined
  /**
   * Where uploaded files are stored: `FolderVault.layer(folder)`, `PostgresVault.layerPool({ pool })`, or your own. Default: in memory if
   * `sandbox` is true; otherwise uploads are refused with a 503.
   */
  readonly documents?: Layer.Layer<DocumentVault, unknown> | undefined
  /**
   * Whether uploaded files are encrypted before they are stored, with keys of the wallet secret. Default: `on`, and `off` if `sandbox` is true.
   * Use `new` where files were stored in clear before. Source: D-531.
   */
  readonly documentEncryption?: DocumentEncryption | undefined
  /** Whether this process runs jobs. Default: true. */
  readonly workers?: boolean | undefined
  /** Whether `/metrics` responds in the Prometheus format. Default: false. */
  readonly metrics?: boolean | undefined
  /**
   * The page at `/console` on which people approve agents' actions: `consolePage` of `@countersign/console`, or `consolePageOf({ passkeys:
   * "required" })`. Default: none. Source: D-446.
   */
  readonly console?: Page | undefined
  /** Limits of requests, where the defaults do not fit. The limits of connections are those of your server. */
  readonly limits?: ListenerLimitOptions | undefined
  /** Replacements of defaults: a logger, a tracer, a metric registry, `WireNames`, `ScaRegions`, `UseLimitSettings`, `BankDirectory` and others. */
  readonly settings?: Layer.Layer<never, unknown> | undefined
}
