/** Whether the certificate of the public address is trusted, and for how long. Source: D-534. */
import { connect } from "node:tls"
import { Clock, Effect, Option } from "effect"
import type { ServeOptions } from "../../ServeFlags.ts"
import { type Finding, ok, problem, warning } from "../Finding.ts"

const dayMillis = 86_400_000
const daysMin = 14
const waitMillisMax = 5000

/** The end of the certificate (ms), or why there is no trusted connection. */
const certificateOf = (host: string, port: number): Effect.Effect<number | string> =>
  Effect.callback((resume) => {
    const socket = connect({ host, port, servername: host, timeout: waitMillisMax }, () => {
      resume(Effect.succeed(Date.parse(socket.getPeerCertificate().valid_to)))
      socket.destroy()
    })
    const failed = (reason: string) => {
      resume(Effect.succeed(reason))
      socket.destroy()
    }
    socket.on("error", (error: NodeJS.ErrnoException) => failed(error.code ?? error.message))
    socket.on("timeout", () => failed("no answer"))
    return Effect.sync(() => socket.destroy())
  })

export const certificateFinding = (host: string, found: number | string, now: number): Finding => {
  if (typeof found === "string") {
    return problem("certificate", `${host}: ${found}`, "let the proxy show a certificate that clients trust")
  }
  const days = Math.floor((found - now) / dayMillis)
  return days >= daysMin
    ? ok("certificate", `that of ${host} is trusted for ${days} more days`)
    : warning("certificate", `that of ${host} ends in ${days} days`, "renew it")
}

export const checkCertificate = Effect.fnUntraced(function* ({ publicUrl }: Pick<ServeOptions, "publicUrl">) {
  if (Option.isNone(publicUrl)) return []
  const { hostname, port, protocol } = new URL(publicUrl.value)
  if (protocol !== "https:") return []
  const found = yield* certificateOf(hostname.replace(/^\[|\]$/gu, ""), port === "" ? 443 : Number(port))
  return [certificateFinding(hostname, found, yield* Clock.currentTimeMillis)]
})
