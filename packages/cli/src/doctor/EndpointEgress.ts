/**
 * Live mode has no test event: the webhook endpoint is connected to, and nothing is sent. An endpoint that `--webhook-allow` names may be http.
 * Source: D-534.
 */
import { connect } from "node:net"
import { connect as connectTls } from "node:tls"
import { Effect } from "effect"
import { type Finding, ok, problem, warning } from "./Finding.ts"

const connectMillisMax = 5000

export const checkEgress = (url: string): Effect.Effect<Finding> =>
  Effect.callback((resume) => {
    const { hostname, port, protocol } = new URL(url)
    const isTls = protocol === "https:"
    const host = hostname.replace(/^\[|\]$/gu, "")
    const portDefault = isTls ? 443 : 80
    const to = { host, port: port === "" ? portDefault : Number(port), timeout: connectMillisMax }
    const answer = (found: Finding) => {
      resume(Effect.succeed(found))
      socket.destroy()
    }
    const reached = () =>
      answer(
        isTls
          ? ok("webhook", `${url} is reached over TLS from here`)
          : warning("webhook", `${url} is reached from here without TLS`, "set an https address with PATCH /config"),
      )
    const socket = isTls ? connectTls({ ...to, servername: host }, reached) : connect(to, reached)
    const failed = (reason: string) =>
      answer(
        problem(
          "webhook",
          `${url} is not reached from here: ${reason}`,
          "start the receiver, correct its certificate, and let this machine reach it",
        ),
      )
    socket.on("error", (error: NodeJS.ErrnoException) => failed(error.code ?? error.message))
    socket.on("timeout", () => failed("no answer"))
    return Effect.sync(() => socket.destroy())
  })
