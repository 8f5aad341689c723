/**
 * The rules of ports over HTTP.
 * Source: D-527.
 */
import { isLoopback } from "@countersign/adapter-http"
import { Option } from "effect"
import type { OptionRule } from "./OptionRule.ts"
import { portList } from "./PortModule.ts"
import { answerablePorts, isAnswerable, portsAnswered, requiredPorts } from "./PortNames.ts"

export const portsRules: ReadonlyArray<OptionRule> = [
  [
    "usage",
    ["mode", "ports", "portsUrl"],
    ({ options: { mode, ports, portsUrl } }) =>
      mode === "live" && Option.isNone(ports) && Option.isNone(portsUrl)
        ? `live mode needs ${portList} of your own: name a module that exports them with --ports FILE, or a server that answers them with --ports-url`
        : undefined,
  ],
  [
    "usage",
    ["ports", "portsOf", "portsUrl"],
    ({ options: { ports, portsOf, portsUrl }, sources }) =>
      Option.isSome(ports) && Option.isSome(portsUrl) && portsOf.length === 0
        ? `${sources.ports} and ${sources.portsUrl} together need --ports-of: the ports that the server answers, while the module has the others`
        : undefined,
  ],
  [
    "usage",
    ["portsSecret"],
    ({ options: { portsSecret }, sources }) =>
      Option.isSome(portsSecret) && sources.portsSecret.startsWith("--")
        ? "--ports-secret: other processes see a command line; give the secret as COUNTERSIGN_PORTS_SECRET, or in a file with --ports-secret-file"
        : undefined,
  ],
  [
    "usage",
    ["portsUrl", "portsSecret", "portsSecretFile"],
    ({ options: { portsSecret, portsSecretFile, portsUrl }, sources }) => {
      const given = [Option.isSome(portsSecret), Option.isSome(portsSecretFile)].filter(Boolean).length
      if (given === 2) return `${sources.portsSecret} and ${sources.portsSecretFile} cannot be given together`
      if (Option.isSome(portsUrl)) {
        return given === 0 ? `${sources.portsUrl} needs COUNTERSIGN_PORTS_SECRET, or --ports-secret-file` : undefined
      }
      return given === 0 ? undefined : "the secret of the ports needs --ports-url"
    },
  ],
  [
    "usage",
    ["portsOf"],
    ({ options: { portsOf }, sources }) =>
      portsOf
        .filter((name) => !isAnswerable(name))
        .map((name) => `${sources.portsOf} takes ${answerablePorts.join(", ")}, not ${name}`),
  ],
  [
    "usage",
    ["portsOf", "portsUrl"],
    ({ options: { portsOf, portsUrl }, sources }) =>
      portsOf.length > 0 && Option.isNone(portsUrl) ? `${sources.portsOf} needs --ports-url` : undefined,
  ],
  [
    "usage",
    ["mode", "ports", "portsOf", "portsUrl"],
    ({ options: { mode, ports, portsOf, portsUrl }, sources }) => {
      // The module's layer says itself which ports it has.
      if (mode !== "live" || Option.isNone(portsUrl) || Option.isSome(ports)) return undefined
      const absent = requiredPorts.filter((name) => !portsAnswered(portsOf).includes(name))
      return absent.length > 0 ? `live mode needs ${absent.join(", ")} in ${sources.portsOf}` : undefined
    },
  ],
  [
    "unsafe",
    ["mode", "portsUrl"],
    ({ options: { mode, portsUrl } }) => {
      if (mode !== "live" || Option.isNone(portsUrl)) return undefined
      const { hostname, protocol } = new URL(portsUrl.value)
      return protocol === "http:" && !isLoopback(hostname)
        ? "live mode needs an https address in --ports-url: signatures do not hide what a request says"
        : undefined
    },
  ],
]
