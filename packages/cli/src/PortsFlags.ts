/** The options of ports that a server answers over HTTP. Source: D-527. */
import { isPublicUrl } from "@countersign/adapter-http"
import type { Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import { repeatable, secret, text } from "./FlagKinds.ts"
import { answerablePorts } from "./PortNames.ts"

export interface PortsOptions {
  readonly portsUrl: Option.Option<string>
  readonly portsSecret: Option.Option<Redacted.Redacted>
  readonly portsSecretFile: Option.Option<string>
  readonly portsOf: ReadonlyArray<string>
}

export const portsFlags = {
  portsUrl: text(
    "ports-url",
    "PORTS_URL",
    "The address below which a server of yours answers the ports over signed HTTP, such as https://bank.example.com/ports; instead of --ports, or beside it for the ports of --ports-of",
  ).pipe(
    Flag.filter(isPublicUrl, () => "an http or https address without credentials, query and fragment"),
    Flag.optional,
  ),
  portsSecret: secret(
    "ports-secret",
    "PORTS_SECRET",
    "The secret that signs requests to --ports-url, only in the variable; while it changes, the new one and the old one, separated by a comma",
  ).pipe(Flag.optional),
  portsSecretFile: text(
    "ports-secret-file",
    "PORTS_SECRET_FILE",
    "A file with the secret that signs requests to --ports-url; while it changes, with the new one and the old one on two lines",
  ).pipe(Flag.optional),
  portsOf: repeatable(
    "ports-of",
    "PORTS_OF",
    `A port that --ports-url answers, of ${answerablePorts.join(", ")}; when absent, the first six`,
  ),
}
