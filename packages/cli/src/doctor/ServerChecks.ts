/** What can be wrong with a running server, as its client sees it: credentials, clocks, and the webhook endpoint. Source: D-459. */

import type { Client } from "@countersign/client"
import { Clock, Effect } from "effect"
import type { CommandError } from "../CommandError.ts"
import { aheadText } from "../clock/Clock.ts"
import type { RemoteServer } from "../remote/RemoteServer.ts"
import { checkEgress } from "./EndpointEgress.ts"
import { type Finding, ok, problem, skipped, warning } from "./Finding.ts"

type Endpoint = Awaited<ReturnType<Client["webhooks"]["getWebhookEndpoint"]>>

/** Receivers refuse webhooks whose time differs by more than five minutes. */
const skewMillisMax = 60_000

const checkClock = Effect.fnUntraced(function* ({ call }: RemoteServer) {
  const sentAt = yield* Clock.currentTimeMillis
  const found = yield* Effect.result(call((client) => client.sandbox.sandboxGetClock()))
  if (found._tag === "Failure") return [skipped("clock", "real time: the server is no sandbox")]
  const { aheadMillis, realTime } = found.success
  const skew = Date.parse(realTime) - sentAt
  return [
    aheadMillis === 0
      ? ok("clock", "the sandbox is at real time")
      : warning(
          "clock",
          `the sandbox is ${aheadText(aheadMillis)}`,
          "a new store begins at real time; a clock never moves back",
        ),
    Math.abs(skew) <= skewMillisMax
      ? ok("time", "the server's time is that of this machine")
      : problem(
          "time",
          `the server's time differs by ${Math.round(skew / 1000)} s from this machine's`,
          "synchronize both with NTP: receivers refuse webhooks that seem old",
        ),
  ]
})

const failureOf = ({ lastFailure }: Endpoint) => (lastFailure === undefined ? "" : `: ${lastFailure.reason}`)

/** Sends a test event to an active endpoint. */
const checkDelivery = Effect.fnUntraced(function* ({ call }: RemoteServer, url: string) {
  const sent = yield* Effect.result(call((client) => client.sandbox.sendTestWebhook()))
  if (sent._tag === "Failure")
    return problem(
      "webhook",
      `${url} did not take a test event: ${sent.failure.message}`,
      "start the receiver, or set another endpoint with PATCH /config",
    )
  const { response_status: status } = sent.success
  return status >= 200 && status < 300
    ? ok("webhook", `${url} answered a test event with ${status}`)
    : problem(
        "webhook",
        `${url} answered a test event with ${status}`,
        "let the receiver answer 2xx, and check the key by which it verifies",
      )
})

const ways = {
  sandbox: "run `countersign listen`, or set `webhookEndpoint` with PATCH /config",
  live: "set `webhookEndpoint` with PATCH /config to an https address; COUNTERSIGN_WEBHOOK_ALLOW allows one that is not public",
}

const checkEndpoint = Effect.fnUntraced(function* (server: RemoteServer, isLive: boolean) {
  const endpoint = yield* server.call((client) => client.webhooks.getWebhookEndpoint())
  const { circuit, state, url = "" } = endpoint
  if (state === "UNSET")
    return warning("webhook", "no endpoint is set: events are recorded and not sent", ways[isLive ? "live" : "sandbox"])
  if (state === "DISABLED")
    return warning("webhook", `${url} is disabled: events are recorded and not sent`, "POST /webhooks/endpoint/enable")
  if (state === "PENDING")
    return problem(
      "webhook",
      `${url} has not proven that it is yours${failureOf(endpoint)}`,
      "answer WEBHOOK_ENDPOINT.VERIFICATION with its challenge, then POST /webhooks/endpoint/enable",
    )
  if (circuit === "OPEN")
    return problem(
      "webhook",
      `${url} failed too often${failureOf(endpoint)}`,
      "correct the receiver, then POST /webhooks/endpoint/enable",
    )
  return yield* isLive ? checkEgress(url) : checkDelivery(server, url)
})

const asFinding = (check: string, fix: string) => (error: CommandError) =>
  Effect.succeed([problem(check, error.message, fix)])

/** The checks of the server that a command would find, or the reason why it finds no server. */
export const checkRemote = (
  find: Effect.Effect<RemoteServer, CommandError>,
  { mode }: { readonly mode: "sandbox" | "live" },
): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function* () {
    const server = yield* find
    const { base, call, clientId } = server
    yield* call((client) => client.platform.getPlatformConfig())
    return [
      ok("server", base),
      ok("credentials", `${clientId} is signed in`),
      ...(yield* checkClock(server)),
      yield* checkEndpoint(server, mode === "live"),
    ]
  }).pipe(
    Effect.catchIf(
      ({ reason }) => reason === "server",
      ({ message }) => Effect.succeed([skipped("server", message)]),
    ),
    Effect.catchIf(
      ({ reason }) => reason === "usage",
      ({ message }) =>
        Effect.succeed([
          warning("credentials", message, "set the variables, or run in a folder of `countersign init`"),
        ]),
    ),
    Effect.catch(
      asFinding(
        "credentials",
        "correct COUNTERSIGN_CLIENT_ID and COUNTERSIGN_CLIENT_SECRET, or add a secret with `countersign rotate client-secret`",
      ),
    ),
  )
