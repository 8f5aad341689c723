/**
 * A mail server on loopback for tests: it keeps what arrives, and refuses as a test decides.
 * Source: D-528.
 */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { SMTPServer } from "smtp-server"
import { selfSigned } from "../webhook/Certificate.ts"

export interface ReceivedMail {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly isEncrypted: boolean
  readonly raw: string
  /** The header block, with continued lines joined. */
  readonly headers: string
}

export type MailStage = "auth" | "mail" | "recipient" | "data"

export interface Refusal {
  readonly status: number
  readonly text: string
}

export interface MailReceiverOptions {
  readonly security?: "tls" | "starttls" | "none"
  /** The host name of the certificate. */
  readonly certified?: string
}

export const startMailReceiver = async ({ certified = "localhost", security = "none" }: MailReceiverOptions = {}) => {
  const certificate = selfSigned(certified)
  const mails: Array<ReceivedMail> = []
  let connections = 0
  let held = Promise.resolve()
  let refuse: (stage: MailStage, times: number) => Refusal | undefined = () => undefined
  const counts = new Map<MailStage, number>()
  const problemAt = (stage: MailStage): Error | null => {
    const times = (counts.get(stage) ?? 0) + 1
    counts.set(stage, times)
    const refusal = refuse(stage, times)
    return refusal === undefined ? null : Object.assign(new Error(refusal.text), { responseCode: refusal.status })
  }
  const server = new SMTPServer({
    logger: false,
    secure: security === "tls",
    disabledCommands: security === "none" ? ["STARTTLS"] : [],
    key: certificate.key,
    cert: certificate.cert,
    authOptional: true,
    allowInsecureAuth: true,
    closeTimeout: 1,
    onConnect: (_session, done) => {
      connections += 1
      done()
    },
    onAuth: ({ password, username }, _session, done) => {
      const problem = problemAt("auth")
      if (problem !== null) return done(problem)
      if (username === "sender" && password === "the-password-of-the-mail-server") return done(null, { user: username })
      done(Object.assign(new Error(`no such user ${username} ${password}`), { responseCode: 535 }))
    },
    onMailFrom: (_address, _session, done) => done(problemAt("mail")),
    onRcptTo: (_address, _session, done) => done(problemAt("recipient")),
    onData: (stream, session, done) => {
      void text(stream).then(async (raw) => {
        await held
        const problem = problemAt("data")
        if (problem !== null) return done(problem)
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? "" : mailFrom.address
        const headers = raw.slice(0, raw.indexOf("\r\n\r\n")).replaceAll(/\r\n[ \t]+/gu, " ")
        mails.push({ from, to: rcptTo.map(({ address }) => address), isEncrypted: session.secure, raw, headers })
        done()
      })
    },
  })
  // A client that refuses the certificate is an error of the server.
  server.on("error", () => undefined)
  const listening = server.listen(0, "127.0.0.1")
  await once(listening, "listening")
  const { port } = listening.address() as AddressInfo
  return {
    port,
    ca: certificate.cert,
    mails,
    connections: () => connections,
    /** How many connections are open. */
    open: () => server.connections.size,
    /** Acknowledges no mail until then. */
    hold: (until: Promise<void>) => {
      held = until
    },
    /** Ends all connections, as a server does that restarts. */
    cut: () => {
      for (const { _socket } of server.connections) _socket.destroy()
    },
    refuse: (decide: typeof refuse) => {
      counts.clear()
      refuse = decide
    },
    reset: () => {
      held = Promise.resolve()
      mails.length = 0
      counts.clear()
      refuse = () => undefined
    },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
