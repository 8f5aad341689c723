/** The options of `countersign serve`, each with its environment variable. */
import { Config, type Option, Redacted, Schema } from "effect"
import { Flag } from "effect/cli"
import { basePathDefault } from "../api/Api.ts"

/** A platform beside the first: `ID:SECRET`. */
export interface Credentials {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
}

const text = (name: string, variable: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withFallbackConfig(Config.String(`COUNTERSIGN_${variable}`)),
    Flag.withDescription(`${description} (COUNTERSIGN_${variable})`),
  )

const choice = <const Choices extends ReadonlyArray<string>>(
  name: string,
  choices: Choices,
  variable: string,
  description: string,
) =>
  Flag.Literals(name, choices).pipe(
    Flag.withFallbackConfig(Config.schema(Schema.Literals(choices), `COUNTERSIGN_${variable}`)),
    Flag.withDescription(`${description} (COUNTERSIGN_${variable})`),
  )

/** `ID:SECRET`; several in one environment variable are separated by commas. */
export const parsePlatform = (given: string): Credentials | undefined => {
  const at = given.indexOf(":")
  return at > 0 && at < given.length - 1
    ? { clientId: given.slice(0, at), clientSecret: Redacted.make(given.slice(at + 1)) }
    : undefined
}

export const serveFlags = {
  host: text("host", "HOST", "The address to listen on").pipe(Flag.withDefault("127.0.0.1")),
  port: Flag.Int("port").pipe(
    Flag.withFallbackConfig(Config.Int("COUNTERSIGN_PORT")),
    Flag.withDescription("The port to listen on; 0 takes any free one (COUNTERSIGN_PORT)"),
    Flag.withDefault(8787),
  ),
  store: choice("store", ["memory"], "STORE", "Where everything is kept").pipe(Flag.withDefault("memory" as const)),
  clientId: text("client-id", "CLIENT_ID", "The first platform's client id; drawn when absent").pipe(Flag.optional),
  clientSecret: Flag.Redacted("client-secret").pipe(
    Flag.withFallbackConfig(Config.Redacted("COUNTERSIGN_CLIENT_SECRET")),
    Flag.withDescription("The first platform's client secret; drawn when absent (COUNTERSIGN_CLIENT_SECRET)"),
    Flag.optional,
  ),
  platforms: Flag.String("platform").pipe(
    Flag.withDescription(
      "A further platform as ID:SECRET; may be repeated (COUNTERSIGN_PLATFORM, separated by commas)",
    ),
    Flag.atLeast(0),
  ),
  basePath: text("base-path", "BASE_PATH", "What stands before every path").pipe(Flag.withDefault(basePathDefault)),
  headerPrefix: text("header-prefix", "HEADER_PREFIX", "The prefix of the service's own headers").pipe(
    Flag.withDefault("Service"),
  ),
  mode: choice(
    "mode",
    ["sandbox", "live"],
    "MODE",
    "sandbox: magic values and no real money; live: your own ports",
  ).pipe(Flag.withDefault("sandbox" as const)),
  ports: text(
    "ports",
    "PORTS",
    "A module whose default export is a Layer of Rails, ExchangeRates and Verifier; live mode needs it",
  ).pipe(Flag.optional),
  webhookUrl: text("webhook-url", "WEBHOOK_URL", "The first platform's webhook endpoint").pipe(Flag.optional),
  webhookKey: Flag.Redacted("webhook-key").pipe(
    Flag.withFallbackConfig(Config.Redacted("COUNTERSIGN_WEBHOOK_KEY")),
    Flag.withDescription(
      "The private key (PEM, P-256) that signs webhooks; drawn when absent (COUNTERSIGN_WEBHOOK_KEY)",
    ),
    Flag.optional,
  ),
  webhookAllow: Flag.String("webhook-allow").pipe(
    Flag.withDescription(
      "A host, address or CIDR range that live mode's webhooks may reach though it is private; may be repeated",
    ),
    Flag.atLeast(0),
  ),
  log: choice("log", ["pretty", "json"], "LOG", "The form of the log").pipe(Flag.withDefault("pretty" as const)),
}

export interface ServeOptions {
  readonly host: string
  readonly port: number
  readonly store: "memory"
  readonly clientId: Option.Option<string>
  readonly clientSecret: Option.Option<Redacted.Redacted>
  readonly platforms: ReadonlyArray<string>
  readonly basePath: string
  readonly headerPrefix: string
  readonly mode: "sandbox" | "live"
  readonly ports: Option.Option<string>
  readonly webhookUrl: Option.Option<string>
  readonly webhookKey: Option.Option<Redacted.Redacted>
  readonly webhookAllow: ReadonlyArray<string>
  readonly log: "pretty" | "json"
}
