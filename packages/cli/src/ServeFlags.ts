/** The options of `countersign serve`, each with its environment variable. */

import { basePathDefault } from "@countersign/client/api"
import { type ScenarioName, scenarioNames } from "@countersign/client/scenarios"
import { vaultSecretMin } from "@countersign/core/ports"
import { Config, Option, Redacted, Schema } from "effect"
import { Flag } from "effect/cli"
import { portList } from "./PortModule.ts"
import { storeDefault } from "./StorePlace.ts"

/** A platform beside the first: `ID:SECRET`. */
export interface Credentials {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
}

/** What the help says of an option: what it is, its default, its environment variable. */
const told = (description: string, variable: string, byDefault?: string | number) =>
  `${description} (${byDefault === undefined ? "" : `default ${byDefault}, `}COUNTERSIGN_${variable})`

const text = (name: string, variable: string, description: string, byDefault?: string) =>
  Flag.String(name).pipe(
    Flag.withFallbackConfig(Config.String(`COUNTERSIGN_${variable}`)),
    Flag.withDescription(told(description, variable, byDefault)),
  )

/** A value that the help, the log and an error never show. */
const secret = (name: string, variable: string, description: string) =>
  Flag.Redacted(name).pipe(
    Flag.withFallbackConfig(Config.Redacted(`COUNTERSIGN_${variable}`)),
    Flag.filter(
      (value) => Redacted.value(value) !== "",
      () => "a value that is not empty",
    ),
    Flag.withDescription(told(description, variable)),
  )

const choice = <const Choices extends ReadonlyArray<string>>(
  name: string,
  choices: Choices,
  variable: string,
  description: string,
) =>
  Flag.Literals(name, choices).pipe(
    Flag.withFallbackConfig(Config.schema(Schema.Literals(choices), `COUNTERSIGN_${variable}`)),
    Flag.withDescription(told(description, variable, choices[0])),
  )

/** A whole number within bounds. */
const count = (
  name: string,
  variable: string,
  description: string,
  { byDefault, max, min, what }: { byDefault: number; max: number; min: number; what: string },
) =>
  Flag.Int(name).pipe(
    Flag.withFallbackConfig(Config.Int(`COUNTERSIGN_${variable}`)),
    Flag.filter(
      (value) => value >= min && value <= max,
      () => `${what} from ${min} to ${max}`,
    ),
    Flag.withDescription(told(description, variable, byDefault)),
    Flag.withDefault(byDefault),
  )

/** An option that may be repeated; in its environment variable commas separate the values. */
const several = (name: string, variable: string, description: string) => {
  const separated = Config.map(Config.String(`COUNTERSIGN_${variable}`), (values) =>
    values
      .split(",")
      .map((value) => value.trim())
      .filter((value) => value !== ""),
  )
  return Flag.String(name).pipe(
    Flag.withDescription(`${told(description, variable)}; may be repeated, with commas in the variable`),
    Flag.atLeast(1),
    Flag.withFallbackConfig(separated),
    Flag.withDefault([]),
  )
}

/** `ID:SECRET`. */
export const parsePlatform = (given: string): Credentials | undefined => {
  const at = given.indexOf(":")
  return at > 0 && at < given.length - 1
    ? { clientId: given.slice(0, at), clientSecret: Redacted.make(given.slice(at + 1)) }
    : undefined
}

/** `/a/b` as an address has it, however it was written; empty for the root. */
const asPath = (given: string): string => {
  const trimmed = given.replace(/^\/+|\/+$/gu, "")
  return trimmed === "" ? "" : `/${trimmed}`
}

const hostDefault = "127.0.0.1"
const portDefault = 8787
const prefixDefault = "Service"

const leaseSecondsDefault = 120
const jobsPerPlatformDefault = 8

const store = text(
  "store",
  "STORE",
  "Where everything is kept: memory, pglite:FOLDER, or a server as postgres://USER@HOST/DATABASE",
  storeDefault,
).pipe(Flag.withDefault(storeDefault))

export const migrateFlags = {
  store,
  contract: Flag.Boolean("contract").pipe(
    Flag.withDescription("End a roll-out, when no process of another release is left: take away what was there for it"),
    Flag.withDefault(false),
  ),
}

export const ledgerFlags = {
  store,
  json: Flag.Boolean("json").pipe(
    Flag.withDescription("Print JSON; amounts are then decimal strings in the smallest unit of their currency"),
    Flag.withDefault(false),
  ),
}

export const serveFlags = {
  host: text("host", "HOST", "The address to listen on", hostDefault).pipe(Flag.withDefault(hostDefault)),
  port: count("port", "PORT", "The port to listen on; 0 takes any free one", {
    byDefault: portDefault,
    min: 0,
    max: 65_535,
    what: "a port",
  }),
  store,
  role: choice(
    "role",
    ["all", "api", "worker"],
    "ROLE",
    "What this process does: answer requests, work off jobs, or both",
  ).pipe(Flag.withDefault("all" as const)),
  migrate: choice(
    "migrate",
    ["run", "check"],
    "MIGRATE",
    "Bring the database's schema to this release at the start, or only check that it is",
  ).pipe(Flag.withDefault("run" as const)),
  leaseSeconds: count(
    "lease-seconds",
    "LEASE_SECONDS",
    "After how long another process takes over a job whose process is gone; no attempt should take longer",
    { byDefault: leaseSecondsDefault, min: 1, max: 86_400, what: "seconds" },
  ),
  jobsPerPlatform: count(
    "jobs-per-platform",
    "JOBS_PER_PLATFORM",
    "How many jobs of one platform run at once in each of the two queues, in all processes together; the same for all of them",
    { byDefault: jobsPerPlatformDefault, min: 1, max: 10_000, what: "jobs" },
  ),
  clientId: text(
    "client-id",
    "CLIENT_ID",
    "The first platform's client id; when absent the one that is kept, or a drawn one",
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
    "The first platform's client secret, which replaces the kept one; without any it is drawn, and shown once",
  ).pipe(Flag.optional),
  platforms: several("platform", "PLATFORM", "A further platform as ID:SECRET"),
  basePath: text("base-path", "BASE_PATH", "What stands before every path", basePathDefault).pipe(
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
    "Who answers for the world: magic values, without real money, or your own ports",
  ).pipe(Flag.withDefault("sandbox" as const)),
  ports: text("ports", "PORTS", `A module whose default export is a Layer of ${portList}; live mode needs it`).pipe(
    Flag.optional,
  ),
  webhookUrl: text("webhook-url", "WEBHOOK_URL", "The first platform's webhook endpoint").pipe(Flag.optional),
  webhookKey: secret(
    "webhook-key",
    "WEBHOOK_KEY",
    "The private key (PEM, P-256) that signs webhooks; when absent drawn, and kept in the folder of pglite:FOLDER",
  ).pipe(Flag.optional),
  walletSecret: secret(
    "wallet-secret",
    "WALLET_SECRET",
    `The secret, of ${vaultSecretMin} characters or more, from which the keys and words of wallets come; when absent drawn, and kept in the folder of pglite:FOLDER`,
  ).pipe(
    Flag.filter(
      (value) => Redacted.value(value).length >= vaultSecretMin,
      () => `a secret of ${vaultSecretMin} characters or more`,
    ),
    Flag.optional,
  ),
  oidcIssuers: several(
    "oidc-issuer",
    "OIDC_ISSUER",
    "An issuer of OIDC tokens beside those of Google and Apple, by its address",
  ),
  passkeyOrigins: several(
    "passkey-origin",
    "PASSKEY_ORIGIN",
    "An origin at which passkeys may be used beside the one that they were registered at",
  ),
  passkeyRelyingParties: several(
    "passkey-rp-id",
    "PASSKEY_RP_ID",
    "A relying party's id that passkeys may be used for beside the one that they were registered for",
  ),
  webhookAllow: several(
    "webhook-allow",
    "WEBHOOK_ALLOW",
    "A host, address or CIDR range that live mode's webhooks may reach though it is private",
  ),
  ownershipRegions: several(
    "ownership-region",
    "OWNERSHIP_REGION",
    "A region of customers whose own self-custody wallets must be proven before they are used",
  ),
  strictChecks: Flag.Boolean("strict-checks").pipe(
    Flag.withFallbackConfig(Config.Boolean("COUNTERSIGN_STRICT_CHECKS")),
    Flag.withDescription(
      told(
        "Check the check digits and checksums of new external accounts; most magic suffixes then name no account",
        "STRICT_CHECKS",
        "off",
      ),
    ),
    Flag.withDefault(false),
  ),
  scaRegions: several(
    "sca-regions",
    "SCA_REGIONS",
    "A region whose customers need strong authentication and confirmed contacts",
  ).pipe(Flag.map((given) => given.flatMap((regions) => regions.split(",").map((region) => region.trim())))),
  world: choice(
    "world",
    scenarioNames,
    "WORLD",
    "What a new sandbox begins with; what is there already stays as it is",
  ).pipe(Flag.withDefault("empty" as const)),
  sharedClock: Flag.Boolean("shared-clock").pipe(
    Flag.withFallbackConfig(Config.Boolean("COUNTERSIGN_SHARED_CLOCK")),
    Flag.withDescription(
      told("Let each platform of the sandbox move the time of all, where several share it", "SHARED_CLOCK", "off"),
    ),
    Flag.withDefault(false),
  ),
  umaDomain: text(
    "uma-domain",
    "UMA_DOMAIN",
    "The domain under which a platform's customers have UMA addresses until it configures one; absent: one that leads nowhere",
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
    "The page at /console on which a platform approves what its agents ask for; in live mode off unless it is switched on",
  ).pipe(Flag.optional),
  log: choice("log", ["pretty", "json"], "LOG", "The form of the log").pipe(Flag.withDefault("pretty" as const)),
  metrics: Flag.Boolean("metrics").pipe(
    Flag.withFallbackConfig(Config.Boolean("COUNTERSIGN_METRICS")),
    Flag.withDescription(told("Answer /metrics in the form that Prometheus reads", "METRICS", "off")),
    Flag.withDefault(false),
  ),
}

export interface ServeOptions {
  readonly host: string
  readonly port: number
  readonly store: string
  readonly role: "all" | "api" | "worker"
  readonly migrate: "run" | "check"
  readonly leaseSeconds: number
  readonly jobsPerPlatform: number
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
  readonly ownershipRegions: ReadonlyArray<string>
  readonly strictChecks: boolean
  readonly scaRegions: ReadonlyArray<string>
  readonly world: ScenarioName
  readonly sharedClock: boolean
  readonly umaDomain: Option.Option<string>
  readonly console: Option.Option<"on" | "off">
  readonly log: "pretty" | "json"
  readonly metrics: boolean
}

/** Whether the approvals page is served: in the sandbox unless it is switched off, in live mode if it is switched on. */
export const hasConsole = ({ console, mode }: Pick<ServeOptions, "console" | "mode">): boolean =>
  Option.getOrElse(console, () => (mode === "live" ? "off" : "on")) === "on"
