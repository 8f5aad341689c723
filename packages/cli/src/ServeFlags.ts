/** The options of `countersign serve`, each with its environment variable. */

import { isPublicUrl } from "@countersign/adapter-http"
import { basePathDefault } from "@countersign/client/api"
import { type ScenarioName, scenarioNames } from "@countersign/client/scenarios"
import { isServiceName, serviceNameDefault, serviceNameRule } from "@countersign/core/models"
import { Config, Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import { checkedFlags, variablesOf } from "./CheckedFlags.ts"
import { type DocumentsOptions, documentsFlags } from "./DocumentsFlags.ts"
import { choice, describe, integer, repeatable, secret, text } from "./FlagKinds.ts"
import { type LimitOptions, limitFlags } from "./LimitFlags.ts"
import { portList } from "./PortModule.ts"
import { type PortsOptions, portsFlags } from "./PortsFlags.ts"
import { agentTokenDays, previousWalletSecret, walletSecret, webhookKey } from "./SecretFlags.ts"
import { cells, store, storeDirect } from "./StoreFlags.ts"
import type { StoreOptions } from "./StoreOption.ts"

/** Credentials of another platform: `ID:SECRET`. */
export interface Credentials {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  readonly nextClientSecret?: Redacted.Redacted | undefined
}

/** Parses `ID:SECRET`. */
export const parsePlatform = (option: string): Credentials | undefined => {
  const at = option.indexOf(":")
  return at > 0 && at < option.length - 1
    ? { clientId: option.slice(0, at), clientSecret: Redacted.make(option.slice(at + 1)) }
    : undefined
}

/** Normalizes a path to `/a/b`, or to the empty text for the root. */
const asPath = (option: string): string => {
  const trimmed = option.replace(/^\/+|\/+$/gu, "")
  return trimmed === "" ? "" : `/${trimmed}`
}

const hostDefault = "127.0.0.1"
const portDefault = 8787

const leaseSecondsDefault = 120

const isDomain = (domain: string): boolean => /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]+$/u.test(domain)

const validName = Flag.filter(isServiceName, () => serviceNameRule)

export const serveFlags = checkedFlags<ServeOptions>({
  host: text("host", "HOST", "The address to listen on", hostDefault).pipe(Flag.withDefault(hostDefault)),
  port: integer("port", "PORT", "The port to listen on; 0 takes any free one", {
    defaultValue: portDefault,
    min: 0,
    max: 65_535,
    what: "a port",
  }),
  publicUrl: text(
    "public-url",
    "PUBLIC_URL",
    "The address under which clients and browsers reach the service, such as https://pay.example.com; when absent, the address to listen on",
  ).pipe(
    Flag.filter(isPublicUrl, () => "an http or https address without credentials, query and fragment"),
    Flag.optional,
  ),
  store,
  storeDirect,
  cells,
  ...documentsFlags,
  role: choice(
    "role",
    ["all", "api", "worker"],
    "ROLE",
    "What this process does: answer requests, run jobs, or both",
  ).pipe(Flag.withDefault("all" as const)),
  migrate: choice(
    "migrate",
    ["run", "check"],
    "MIGRATE",
    "Migrate the database to this release's schema at the start, or only check the schema",
  ).pipe(Flag.withDefault("run" as const)),
  leaseSeconds: integer(
    "lease-seconds",
    "LEASE_SECONDS",
    "Lease of a job: no attempt may take longer, and another process takes over after it where a dead process is not noticed within seconds",
    { defaultValue: leaseSecondsDefault, min: 1, max: 86_400, what: "seconds" },
  ),
  clientId: text(
    "client-id",
    "CLIENT_ID",
    "The first platform's client id; when absent, the one in the store or a generated one",
  ).pipe(
    Flag.filter(
      (id) => /^[^:]+$/u.test(id),
      () => "at least one character, and no colon",
    ),
    Flag.optional,
  ),
  clientSecret: secret(
    "client-secret",
    "CLIENT_SECRET",
    "The first platform's client secret, which replaces the stored one; when absent and not stored, it is generated and shown once",
  ).pipe(Flag.optional),
  nextClientSecret: secret(
    "next-client-secret",
    "NEXT_CLIENT_SECRET",
    "A second client secret of the first platform, valid beside --client-secret while clients change to it",
  ).pipe(Flag.optional),
  agentTokenDays,
  platforms: repeatable("platform", "PLATFORM", "Another platform as ID:SECRET"),
  basePath: text("base-path", "BASE_PATH", "Prefix of every path", basePathDefault).pipe(
    Flag.withDefault(basePathDefault),
    Flag.map(asPath),
  ),
  serviceName: text(
    "service-name",
    "SERVICE_NAME",
    "The service's name in headers, fields and values of the interface",
    serviceNameDefault,
  ).pipe(validName, Flag.optional),
  headerPrefix: text("header-prefix", "HEADER_PREFIX", "The old name of --service-name").pipe(validName, Flag.optional),
  mode: choice(
    "mode",
    ["sandbox", "live"],
    "MODE",
    "What answers the ports: the sandbox by magic values, without real money, or your own module or server",
  ).pipe(Flag.withDefault("sandbox" as const)),
  ports: text(
    "ports",
    "PORTS",
    `A module whose default export is a Layer of ${portList}; live mode needs it, or --ports-url`,
  ).pipe(Flag.optional),
  ...portsFlags,
  webhookUrl: text("webhook-url", "WEBHOOK_URL", "The first platform's webhook endpoint").pipe(Flag.optional),
  webhookKey,
  walletSecret: walletSecret.pipe(Flag.optional),
  previousWalletSecret: previousWalletSecret.pipe(Flag.optional),
  oidcIssuers: repeatable(
    "oidc-issuer",
    "OIDC_ISSUER",
    "URL of another issuer of OIDC tokens, besides Google and Apple",
  ),
  passkeyOrigins: repeatable(
    "passkey-origin",
    "PASSKEY_ORIGIN",
    "Another origin that may use passkeys, besides the one of their registration",
  ),
  passkeyRelyingParties: repeatable(
    "passkey-rp-id",
    "PASSKEY_RP_ID",
    "Another relying party id that passkeys may be used for, besides the one of their registration",
  ),
  webhookAllow: repeatable(
    "webhook-allow",
    "WEBHOOK_ALLOW",
    "A private host, address or CIDR range that webhooks may be sent to in live mode, or by a sandbox that other machines reach",
  ),
  trustedProxies: repeatable(
    "trusted-proxy",
    "TRUSTED_PROXY",
    "Address or CIDR range of a proxy whose X-Forwarded-For is believed",
  ),
  limits: repeatable(
    "limit",
    "LIMIT",
    "A limit of connections or requests as NAME=NUMBER; the guide for operations lists them",
  ),
  ...limitFlags,
  ownershipRegions: repeatable(
    "ownership-region",
    "OWNERSHIP_REGION",
    "A region whose customers must prove ownership of their self-custody wallets before use, and whose deposits from unknown wallets are held; with any, the platform proves its own, too",
  ),
  quotePull: choice(
    "quote-pull",
    ["declared", "bank-rails", "never"],
    "QUOTE_PULL",
    "External accounts from which a quote pulls: US accounts of the payer that are declared as first party, all with a bank rail, or none; otherwise the payer sends the money",
  ).pipe(Flag.withDefault("declared" as const)),
  strictChecks: Flag.Boolean("strict-checks").pipe(
    Flag.withFallbackConfig(Config.Boolean("COUNTERSIGN_STRICT_CHECKS")),
    Flag.withDescription(
      describe(
        "Verify check digits and checksums of new external accounts; most magic suffixes then fail the check",
        "STRICT_CHECKS",
        "off",
      ),
    ),
    Flag.withDefault(false),
  ),
  scaRegions: repeatable(
    "sca-regions",
    "SCA_REGIONS",
    "A region whose customers need strong authentication and confirmed contacts",
  ).pipe(Flag.map((values) => values.flatMap((regions) => regions.split(",").map((region) => region.trim())))),
  scenario: choice(
    "world",
    scenarioNames,
    "WORLD",
    "Scenario that a new sandbox starts with; an existing sandbox stays unchanged",
  ).pipe(Flag.withDefault("empty" as const)),
  sharedClock: Flag.Boolean("shared-clock").pipe(
    Flag.withFallbackConfig(Config.Boolean("COUNTERSIGN_SHARED_CLOCK")),
    Flag.withDescription(
      describe("Allow each platform of a shared sandbox to move the time of all platforms", "SHARED_CLOCK", "off"),
    ),
    Flag.withDefault(false),
  ),
  invitationBaseUrl: text(
    "invitation-base-url",
    "INVITATION_BASE_URL",
    "The base of the links of invitations, such as https://invite.example.com; when absent, live mode creates no invitations",
  ).pipe(
    Flag.filter(isPublicUrl, () => "an http or https address without credentials, query and fragment"),
    Flag.optional,
  ),
  umaDomain: text(
    "uma-domain",
    "UMA_DOMAIN",
    "Default domain of customers' UMA addresses for platforms that have not configured one; when absent, a domain that does not resolve",
  ).pipe(
    Flag.filter(isDomain, () => "a domain in lower case"),
    Flag.optional,
  ),
  sandboxUmaDomains: repeatable(
    "sandbox-uma-domain",
    "SANDBOX_UMA_DOMAIN",
    "A further domain of the sandbox's scenario addresses, for clients that name it in their code; the first one is shown",
  ).pipe(
    Flag.filter(
      (domains) => domains.every(isDomain),
      () => "domains in lower case",
    ),
  ),
  console: choice(
    "console",
    ["on", "off"],
    "CONSOLE",
    "The page at /console on which a platform approves its agents' actions; on by default, off by default in live mode",
  ).pipe(Flag.optional),
  consolePasskeys: choice(
    "console-passkeys",
    ["off", "required"],
    "CONSOLE_PASSKEYS",
    "Whether approvers sign in to the page with a passkey, which they register at their first sign-in; required needs a host name, not an IP address, in the page's address",
  ).pipe(Flag.withDefault("off" as const)),
  approvalPolicy: text(
    "approval-policy",
    "APPROVAL_POLICY",
    "A JSON file of rows by which agents' actions need the approvals of several named approvers on the console; when absent, one call of a platform approves",
  ).pipe(Flag.optional),
  log: choice("log", ["pretty", "json"], "LOG", "The form of the log").pipe(Flag.withDefault("pretty" as const)),
  metrics: Flag.Boolean("metrics").pipe(
    Flag.withFallbackConfig(Config.Boolean("COUNTERSIGN_METRICS")),
    Flag.withDescription(describe("Serve /metrics in the Prometheus text format", "METRICS", "off")),
    Flag.withDefault(false),
  ),
})

/** The variables of all commands, which share their environment. */
export const serveVariables = variablesOf(serveFlags)

export interface ServeOptions extends LimitOptions, DocumentsOptions, PortsOptions, StoreOptions {
  readonly host: string
  readonly port: number
  readonly publicUrl: Option.Option<string>
  readonly role: "all" | "api" | "worker"
  readonly migrate: "run" | "check"
  readonly leaseSeconds: number
  readonly clientId: Option.Option<string>
  readonly clientSecret: Option.Option<Redacted.Redacted>
  readonly nextClientSecret: Option.Option<Redacted.Redacted>
  readonly agentTokenDays: number
  readonly platforms: ReadonlyArray<string>
  readonly basePath: string
  readonly serviceName: Option.Option<string>
  readonly headerPrefix: Option.Option<string>
  readonly mode: "sandbox" | "live"
  readonly ports: Option.Option<string>
  readonly webhookUrl: Option.Option<string>
  readonly webhookKey: Option.Option<Redacted.Redacted>
  readonly walletSecret: Option.Option<Redacted.Redacted>
  readonly previousWalletSecret: Option.Option<Redacted.Redacted>
  readonly oidcIssuers: ReadonlyArray<string>
  readonly passkeyOrigins: ReadonlyArray<string>
  readonly passkeyRelyingParties: ReadonlyArray<string>
  readonly webhookAllow: ReadonlyArray<string>
  readonly trustedProxies: ReadonlyArray<string>
  readonly limits: ReadonlyArray<string>
  readonly ownershipRegions: ReadonlyArray<string>
  readonly quotePull: "declared" | "bank-rails" | "never"
  readonly strictChecks: boolean
  readonly scaRegions: ReadonlyArray<string>
  readonly scenario: ScenarioName
  readonly sharedClock: boolean
  readonly invitationBaseUrl: Option.Option<string>
  readonly umaDomain: Option.Option<string>
  readonly sandboxUmaDomains: ReadonlyArray<string>
  readonly console: Option.Option<"on" | "off">
  readonly consolePasskeys: "off" | "required"
  readonly approvalPolicy: Option.Option<string>
  readonly log: "pretty" | "json"
  readonly metrics: boolean
}

/** The service's name, under either name of the option. */
export const serviceNameOf = ({ headerPrefix, serviceName }: Pick<ServeOptions, "headerPrefix" | "serviceName">) =>
  Option.getOrElse(
    Option.orElse(serviceName, () => headerPrefix),
    () => serviceNameDefault,
  )

/** Whether the approvals page is served: on by default in the sandbox, off by default in live mode. */
export const hasConsole = ({ console, mode }: Pick<ServeOptions, "console" | "mode">): boolean =>
  Option.getOrElse(console, () => (mode === "live" ? "off" : "on")) === "on"
