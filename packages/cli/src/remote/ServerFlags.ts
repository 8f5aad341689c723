/** The options of the commands that talk to a running server: which one it is, and how to sign in. Source: D-458. */
import { isPublicUrl } from "@countersign/adapter-http"
import { isServiceName, serviceNameRule } from "@countersign/core/models"
import type { Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import { checkedFlags, variablesOf } from "../CheckedFlags.ts"
import { secret, text } from "../FlagKinds.ts"
import { json, store } from "../StoreFlags.ts"

export interface ServerOptions {
  readonly server: Option.Option<string>
  readonly clientId: Option.Option<string>
  readonly clientSecret: Option.Option<Redacted.Redacted>
  readonly serviceName: Option.Option<string>
  /** The folder of a store remembers the address of its server. */
  readonly store: string
  readonly json: boolean
}

export const serverFlags = checkedFlags<ServerOptions>({
  server: text(
    "server",
    "SERVER",
    "The address of the server, such as https://pay.example.com; when absent, the server that last used the folder of --store, or http://127.0.0.1 with the port of COUNTERSIGN_PORT or 8787",
  ).pipe(
    Flag.filter(isPublicUrl, () => "an http or https address without credentials, query and fragment"),
    Flag.optional,
  ),
  clientId: text(
    "client-id",
    "CLIENT_ID",
    "Client id of the platform; when absent, the first platform of that server",
  ).pipe(Flag.optional),
  clientSecret: secret(
    "client-secret",
    "CLIENT_SECRET",
    "Client secret of the platform; prefer the variable, because other users of a machine can see options",
  ).pipe(Flag.optional),
  serviceName: text(
    "service-name",
    "SERVICE_NAME",
    "The service's name in the deployment; when absent, that of the remembered server",
  ).pipe(
    Flag.filter(isServiceName, () => serviceNameRule),
    Flag.optional,
  ),
  store,
  json: json("Print the answer as JSON"),
})

export const serverVariables = variablesOf(serverFlags)
