/** Connects to the address of a URL, by TLS if it is https, and sends nothing. Source: D-534. */
import { connect, isIP, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { Effect } from "effect"

const waitMillisMax = 5000

/** What a trusted certificate says; `undefined`: the connection has none. */
export type Certificate = { readonly validTo: number } | undefined

/** Fails with the reason for which there is no connection, or no trusted one. */
export const reach = (url: URL, waitMillis = waitMillisMax): Effect.Effect<Certificate, string> =>
  Effect.callback((resume) => {
    const isTls = url.protocol === "https:"
    const host = url.hostname.replace(/^\[|\]$/gu, "")
    const portDefault = isTls ? 443 : 80
    const to = { host, port: url.port === "" ? portDefault : Number(url.port), timeout: waitMillis }
    const end = (result: Effect.Effect<Certificate, string>) => {
      resume(result)
      socket.destroy()
    }
    const tls = isTls
      ? connectTls({ ...to, ...(isIP(host) === 0 ? { servername: host } : {}) }, () =>
          end(Effect.succeed({ validTo: Date.parse(tls?.getPeerCertificate().valid_to ?? "") })),
        )
      : undefined
    const socket: Socket = tls ?? connect(to, () => end(Effect.succeed(undefined)))
    socket.on("error", (error: NodeJS.ErrnoException) => end(Effect.fail(error.code ?? error.message)))
    socket.on("timeout", () => end(Effect.fail("no answer")))
    return Effect.sync(() => socket.destroy())
  })
