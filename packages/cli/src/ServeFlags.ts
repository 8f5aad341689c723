/** The options of `countersign serve`, each with its environment variable. */

import { isPublicUrl } from "@countersign/adapter-http"
import { basePathDefault } from "@countersign/client/api"
import { type ScenarioName, scenarioNames } from "@countersign/client/scenarios"
import { vaultSecretMin } from "@countersign/core/ports"
import { Config, Option, Redacted, Schema } from "effect"
import { Flag } from "effect/cli"
import { checkedFlags, variablesOf } from "./CheckedFlags.ts"
import { portList } from "./PortModule.ts"
import { storeDefault } from "./StoreLocation.ts"

/** Credentials of another platform: `ID:SECRET`. */
export interface Credentials {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
}

/** Returns the help text of an option: its description, default and environment variable. */
const describe = (description: string, variable: string, defaultValue?: string | number) =>
  `${description} (${defaultValue === undefined ? "" : `default ${defaultValue}, `}COUNTERSIGN_${variable})`

const text = (name: string, variable: string, description: string, defaultValue?: string) =>
  Flag.String(name).pipe(
    Flag.withFallbackConfig(Config.String(`COUNTERSIGN_${variable}`)),
    Flag.withDescription(describe(description, variable, defaultValue)),
  )

/** A value that help, log and errors never show. */
const secret = (name: string, variable: string, description: string) =>
  Flag.Redacted(name).pipe(
    Flag.withFallbackConfig(Config.Redacted(`COUNTERSIGN_${variable}`)),
    Flag.filter(
      (value) => Redacted.value(value) !== "",
      () => "a value that is not empty",
    ),
    Flag.withDescription(describe(description, variable)),
  )

const choice = <const Choices extends ReadonlyArray<string>>(
  name: string,
  choices: Choices,
  variable: string,
  description: string,
) =>
  Flag.Literals(name, choices).pipe(
    Flag.withFallbackConfig(Config.schema(Schema.Literals(choices), `COUNTERSIGN_${variable}`)),
    Flag.withDescription(describe(description, variable, choices[0])),
  )

/** An integer within bounds. */
const integer = (
  name: string,
  variable: string,
  description: string,
  { defaultValue, max, min, what }: { defaultValue: number; max: number; min: number; what: string },
) =>
  Flag.Int(name).pipe(
    Flag.withFallbackConfig(Config.Int(`COUNTERSIGN_${variable}`)),
    Flag.filter(
      (value) => value >= min && value <= max,
      () => `${what} from ${min} to ${max}`,
    ),
    Flag.withDescription(describe(description, variable, defaultValue)),
    Flag.withDefault(defaultValue),
  )

/** An option that may be repeated. Commas separate the values in its environment variable. */
const repeatable = (name: string, variable: string, description: string) => {
  const separated = Config.map(Config.String(`COUNTERSIGN_${variable}`), (values) =>
    values
      .split(",")
      .map((value) => value.trim())
      .filter((value) => value !== ""),
  )
  return Flag.String(name).pipe(
    Flag.withDescription(`${describe(description, variable)}; may be repeated, with commas in the variable`),
    Flag.atLeast(1),
    Flag.withFallbackConfig(separated),
    Flag.withDefault([]),
  )
}

/** Parses `ID:SECRET`. */
export const parsePlatform = (option: string): Credentials | undefined => {
  const at = option.indexOf(":")
  return at > 0 && at < option.length - 1
    ? { clientId: option.slice(0, at), clientSecret: Redacted.make(option.slice(at + 1)) }
    : undefined
}

/** Normalises a path to `/a/b`, or to the empty text for the root. */
const asPath = (option: string): string => {
  const trimmed = option.replace(/^\/+|\/+$/gu, "")
  return trimmed === "" ? "" : `/${trimmed}`
}

const hostDefault = "127.0.0.1"
const portDefault = 8787
const prefixDefault = "Service"

const leaseSecondsDefault = 120

const store = text(
  "store",
  "STORE",
  "Where all state is stored: memory, pglite:FOLDER, or a server as postgres://USER@HOST/DATABASE",
  storeDefault,
).pipe(Flag.withDefault(storeDefault))

export const migrateFlags = checkedFlags({
  store,
  contract: Flag.Boolean("contract").pipe(
    Flag.withDescription(
      "End a roll-out when no process of another release runs: remove the functions of other releases",
    ),
    Flag.withDefault(false),
  ),
})

export const ledgerFlags = checkedFlags({
  store,
  json: Flag.Boolean("json").pipe(
    Flag.withDescription("Print JSON; amounts are then decimal strings in the smallest unit of their currency"),
    Flag.withDefault(false),
  ),
})

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
  platforms: repeatable("platform", "PLATFORM", "Another platform as ID:SECRET"),
  basePath: text("base-path", "BASE_PATH", "Prefix of every path", basePathDefault).pipe(
    Flag.withDefault(basePathDefault),
    Flag.map(asPath),
  ),
  headerPrefix: text("header-prefix", "HEADER_PREFIX", "The prefix of the service's own headers", prefixDefault).pipe(
    Flag.withDefault(prefixDefault),
    Flag.filter(
      (prefix) => /^[A-Za-z][A-Za-z0-9-]*$/u.test(prefix),
      () => "letters, digits and hyphens, as in a header's name",
    ),
  ),
  mode: choice(
    "mode",
    ["sandbox", "live"],
    "MODE",
    "What answers the ports: the sandbox by magic values, without real money, or your own module",
  ).pipe(Flag.withDefault("sandbox" as const)),
  ports: text("ports", "PORTS", `A module whose default export is a Layer of ${portList}; live mode needs it`).pipe(
    Flag.optional,
  ),
  webhookUrl: text("webhook-url", "WEBHOOK_URL", "The first platform's webhook endpoint").pipe(Flag.optional),
  webhookKey: secret(
    "webhook-key",
    "WEBHOOK_KEY",
    "The private key (PEM, P-256) from which the platforms' webhook keys are derived; earlier ones may follow it; when absent, generated, and stored in the folder of pglite:FOLDER",
  ).pipe(Flag.optional),
  walletSecret: secret(
    "wallet-secret",
    "WALLET_SECRET",
    `The secret of ${vaultSecretMin} characters or more, from which wallet keys and mnemonics are derived; when absent, generated, and stored in the folder of pglite:FOLDER`,
  ).pipe(
    Flag.filter(
      (value) => Redacted.value(value).length >= vaultSecretMin,
      () => `a secret of ${vaultSecretMin} characters or more`,
    ),
    Flag.optional,
  ),
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
  ownershipRegions: repeatable(
    "ownership-region",
    "OWNERSHIP_REGION",
    "A region whose customers must prove ownership of their self-custody wallets before use",
  ),
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
  umaDomain: text(
    "uma-domain",
    "UMA_DOMAIN",
    "Default domain of customers' UMA addresses for platforms that have not configured one; when absent, a domain that does not resolve",
  ).pipe(
    Flag.filter(
      (domain) => /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]+$/u.test(domain),
      () => "a domain in lower case",
    ),
    Flag.optional,
  ),
  console: choice(
    "console",
    ["on", "off"],
    "CONSOLE",
    "The page at /console on which a platform approves its agents' actions; on by default, off by default in live mode",
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

export interface ServeOptions {
  readonly host: string
  readonly port: number
  readonly publicUrl: Option.Option<string>
  readonly store: string
  readonly role: "all" | "api" | "worker"
  readonly migrate: "run" | "check"
  readonly leaseSeconds: number
  readonly clientId: Option.Option<string>
  readonly clientSecret: Option.Option<Redacted.Redacted>
  readonly platforms: ReadonlyArray<string>
  readonly basePath: string
  readonly headerPrefix: string
  readonly mode: "sandbox" | "live"
  readonly ports: Option.Option<string>
  readonly webhookUrl: Option.Option<string>
  readonly webhookKey: Option.Option<Redacted.Redacted>
  readonly walletSecret: Option.Option<Redacted.Redacted>
  readonly oidcIssuers: ReadonlyArray<string>
  readonly passkeyOrigins: ReadonlyArray<string>
  readonly passkeyRelyingParties: ReadonlyArray<string>
  readonly webhookAllow: ReadonlyArray<string>
  readonly trustedProxies: ReadonlyArray<string>
  readonly limits: ReadonlyArray<string>
  readonly ownershipRegions: ReadonlyArray<string>
  readonly strictChecks: boolean
  readonly scaRegions: ReadonlyArray<string>
  readonly scenario: ScenarioName
  readonly sharedClock: boolean
  readonly umaDomain: Option.Option<string>
  readonly console: Option.Option<"on" | "off">
  readonly log: "pretty" | "json"
  readonly metrics: boolean
}

/** Whether the approvals page is served: on by default in the sandbox, off by default in live mode. */
export const hasConsole = ({ console, mode }: Pick<ServeOptions, "console" | "mode">): boolean =>
  Option.getOrElse(console, () => (mode === "live" ? "off" : "on")) === "on"
