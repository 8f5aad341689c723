/**
 * Connections to the mail server, kept for the next message. A message that is given up ends its connection, so that it cannot arrive later.
 * Source: D-528. The pool of the mail client is not used: a message that waits in it is sent although its caller has given up.
 */
import { Readable } from "node:stream"
import { Effect, Redacted, Semaphore } from "effect"
import SMTPConnection from "nodemailer/lib/smtp-connection"
import { domainOf } from "./Addresses.ts"
import type { MessageFailure } from "./MessageFailure.ts"
import { smtpFailure } from "./SmtpFailures.ts"
import type { SmtpOptions } from "./SmtpOptions.ts"

export interface SmtpMessage {
  readonly from: string
  readonly to: string
  readonly bytes: Buffer
}

/** Servers bound the messages of a connection; most allow a hundred. */
const messagesMax = 50

const connectionOf = ({ ca, from, host, port, security = "starttls", timeoutMillis = 8000 }: SmtpOptions) =>
  new SMTPConnection({
    host,
    port: port ?? (security === "tls" ? 465 : 587),
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    // Not the name of the machine, which concerns no receiver.
    name: domainOf(from.address),
    connectionTimeout: timeoutMillis,
    greetingTimeout: timeoutMillis,
    dnsTimeout: timeoutMillis,
    socketTimeout: timeoutMillis,
    // A connection that is given up is cut: a half message must not be completed.
    socketCloseTimeout: 0,
    maxResponseSize: 16_384,
    tls: { minVersion: "TLSv1.2", ...(ca === undefined ? {} : { ca }) },
    // Neither traffic nor answers are logged.
    logger: false,
    debug: false,
  })

export const makeConnections = (options: SmtpOptions) => {
  const { auth, connectionsMax = 5 } = options
  const idle: Array<SMTPConnection> = []
  const sent = new WeakMap<SMTPConnection, number>()
  const permits = Semaphore.makeUnsafe(connectionsMax)
  let isClosed = false

  const forget = (connection: SMTPConnection) => {
    const at = idle.indexOf(connection)
    if (at >= 0) idle.splice(at, 1)
  }

  const opened = Effect.callback<SMTPConnection, MessageFailure>((resume) => {
    const connection = connectionOf(options)
    const failed = (error: unknown) => {
      // First the failure: the end of a closed connection would be another one.
      resume(Effect.fail(smtpFailure(error, false)))
      connection.close()
    }
    // The listeners stay: an idle connection may end at any time.
    connection.on("error", (error: unknown) => {
      forget(connection)
      failed(error)
    })
    connection.on("end", () => {
      forget(connection)
      failed(undefined)
    })
    connection.connect((error) => {
      if (error !== undefined) return failed(error)
      if (auth === undefined) return resume(Effect.succeed(connection))
      connection.login({ user: auth.user, pass: Redacted.value(auth.password) }, (refused) =>
        refused === null ? resume(Effect.succeed(connection)) : failed(refused),
      )
    })
    return Effect.sync(() => connection.close())
  })

  const give = (connection: SMTPConnection) => {
    const count = (sent.get(connection) ?? 0) + 1
    sent.set(connection, count)
    if (isClosed || count >= messagesMax || connection.destroyed) connection.close()
    else idle.push(connection)
  }

  const sendOn = (connection: SMTPConnection, { bytes, from, to }: SmtpMessage) =>
    Effect.callback<void, MessageFailure>((resume) => {
      let hasBegun = false
      const body = new Readable({
        read() {
          hasBegun = true
          this.push(bytes)
          this.push(null)
        },
      })
      connection.send({ from, to: [to], size: bytes.byteLength }, body, (error) => {
        if (error === null) {
          give(connection)
          return resume(Effect.void)
        }
        resume(Effect.fail(smtpFailure(error, hasBegun)))
        connection.close()
      })
      return Effect.sync(() => connection.close())
    })

  /** A kept connection that has ended meanwhile costs no attempt: the message goes over a new one. */
  const send = (message: SmtpMessage): Effect.Effect<void, MessageFailure> =>
    permits.withPermit(
      Effect.suspend(() => {
        const known = idle.pop()
        const anew = Effect.flatMap(opened, (connection) => sendOn(connection, message))
        if (known === undefined) return anew
        return Effect.catchIf(
          sendOn(known, message),
          ({ reason }) => reason === "unreachable",
          () => anew,
        )
      }),
    )

  return {
    send,
    /** Signs in, and keeps the connection. */
    check: Effect.map(opened, (connection) => void idle.push(connection)),
    close: Effect.sync(() => {
      isClosed = true
      for (const connection of idle.splice(0)) connection.close()
    }),
  }
}
