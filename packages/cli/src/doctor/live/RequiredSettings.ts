/** The settings that a live deployment needs, and those that a sandbox may have. Source: D-534. */
import { isLoopback } from "@countersign/adapter-http"
import { Option } from "effect"
import { hasConsole, type ServeOptions } from "../../ServeFlags.ts"
import type { StoreLocation } from "../../StoreLocation.ts"
import { type Finding, ok, problem, warning } from "../Finding.ts"

type Settings = Pick<
  ServeOptions,
  | "mode"
  | "clientId"
  | "clientSecret"
  | "webhookKey"
  | "publicUrl"
  | "host"
  | "console"
  | "consolePasskeys"
  | "webhookAllow"
>

type Rule = (options: Settings, location: StoreLocation | undefined) => Finding | undefined

const check = "settings"

const rules: ReadonlyArray<Rule> = [
  ({ mode }) =>
    mode === "live" ? undefined : problem(check, "the settings start a sandbox", "set COUNTERSIGN_MODE=live"),
  ({ clientId }) =>
    Option.isSome(clientId) ? undefined : problem(check, "the platform has no id", "set COUNTERSIGN_CLIENT_ID"),
  ({ clientSecret }) =>
    Option.isSome(clientSecret)
      ? undefined
      : problem(check, "the platform has no secret", "set COUNTERSIGN_CLIENT_SECRET: openssl rand -hex 32"),
  ({ webhookKey }, location) =>
    Option.isSome(webhookKey) || location?._tag !== "Server"
      ? undefined
      : problem(
          check,
          "each process signs webhooks with a key of its own",
          "set COUNTERSIGN_WEBHOOK_KEY: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256",
        ),
  (_, location) =>
    location?._tag === "Folder"
      ? warning(check, "the store is a folder of this machine", "name a PostgreSQL server in COUNTERSIGN_STORE")
      : undefined,
  ({ publicUrl }) => {
    if (Option.isNone(publicUrl)) {
      return warning(
        check,
        "the service has no public address",
        "set COUNTERSIGN_PUBLIC_URL to that of a proxy with TLS",
      )
    }
    const { hostname, protocol } = new URL(publicUrl.value)
    return protocol === "https:" || isLoopback(hostname)
      ? undefined
      : problem(check, "the public address is http: credentials travel in clear", "serve it over https")
  },
  ({ host, publicUrl }) =>
    isLoopback(host) || Option.exists(publicUrl, (url) => url.startsWith("https:"))
      ? undefined
      : problem(check, `other machines reach ${host} without TLS`, "listen on 127.0.0.1 behind a proxy with TLS"),
  (options) =>
    hasConsole({ ...options, mode: "live" }) && options.consolePasskeys === "off"
      ? warning(
          check,
          "the console asks for no passkey: who knows the client secret approves under any name",
          "set COUNTERSIGN_CONSOLE_PASSKEYS=required",
        )
      : undefined,
  ({ webhookAllow }) =>
    webhookAllow.length === 0
      ? undefined
      : warning(
          check,
          `webhooks may be sent to private addresses: ${webhookAllow.join(", ")}`,
          "remove COUNTERSIGN_WEBHOOK_ALLOW, unless you know these hosts",
        ),
]

export const checkRequired = (options: Settings, location: StoreLocation | undefined): ReadonlyArray<Finding> => {
  const found = rules.flatMap((rule) => rule(options, location) ?? [])
  return found.length > 0 ? found : [ok(check, "everything that live mode needs is set")]
}
