/**
 * Live mode has no test event: the webhook endpoint is connected to, and nothing is sent. An endpoint that `--webhook-allow` names may be http.
 * Source: D-534.
 */
import { Effect } from "effect"
import { type Finding, ok, problem, warning } from "./Finding.ts"
import { reach } from "./Reach.ts"

export const checkEgress = (url: string): Effect.Effect<Finding> =>
  Effect.match(reach(new URL(url)), {
    onSuccess: (certificate) =>
      certificate === undefined
        ? warning("webhook", `${url} is reached from here without TLS`, "set an https address with PATCH /config")
        : ok("webhook", `${url} is reached over TLS from here`),
    onFailure: (reason) =>
      problem(
        "webhook",
        `${url} is not reached from here: ${reason}`,
        "start the receiver, correct its certificate, and let this machine reach it",
      ),
  })
