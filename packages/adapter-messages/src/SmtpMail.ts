/**
 * `MailServer` by SMTP.
 * Source: D-528; RFC 5321, RFC 3834 (automatic messages).
 */
import { randomUUID } from "node:crypto"
import { type PortCheck, withPortChecks } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import MailComposer from "nodemailer/lib/mail-composer"
import { domainOf, isEmailAddress } from "./Addresses.ts"
import { type Email, MailServer } from "./MailServer.ts"
import { failureClasses, MessageFailure, MessagesUnusable } from "./MessageFailure.ts"
import { makeConnections } from "./SmtpConnections.ts"
import { problemOf, type SmtpOptions, senderOf } from "./SmtpOptions.ts"
import { deadlineMillisDefault, withinDeadline } from "./WithinDeadline.ts"

/** A start waits no longer for a server that does not answer. */
const checkMillisMax = 5000

/** The bytes of a message with an identifier of its own. */
const compose = (options: SmtpOptions, { from: requested, html, replyTo: answers, subject, text, to }: Email) => {
  const { from, replyTo } = senderOf(options, requested, answers)
  const composer = new MailComposer({
    from,
    to: { name: "", address: to },
    ...(replyTo === undefined ? {} : { replyTo: { name: "", address: replyTo } }),
    subject,
    text,
    html,
    messageId: `<${randomUUID()}@${domainOf(from.address)}>`,
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    // Readable in every client, and without a line that is too long.
    textEncoding: "quoted-printable",
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return Effect.map(
    Effect.tryPromise({
      try: () => composer.compile().build(),
      catch: () => new MessageFailure({ channel: "email", reason: "refused" }),
    }),
    (bytes) => ({ from: from.address, to, bytes }),
  )
}

/** Signs in, and sends nothing. */
const checkOf = (signIn: Effect.Effect<void, MessageFailure>): PortCheck => ({
  name: "mail server",
  run: signIn.pipe(
    Effect.timeoutOrElse({
      duration: checkMillisMax,
      orElse: () => Effect.fail(new MessageFailure({ channel: "email", reason: "slow" })),
    }),
    Effect.match({
      onSuccess: () => ({ status: "ok", text: "the mail server can be used, with these credentials" }) as const,
      onFailure: ({ reason }) =>
        ({
          status: "problem",
          text: `the mail server cannot be used: ${failureClasses[reason].text}`,
          fix: "correct the address, the credentials or the certificate of the mail server",
        }) as const,
    }),
  ),
})

/**
 * The layer. It signs in once: a server that refuses the credentials or shows a certificate that is not trusted fails the start, and one
 * that cannot be reached now does not.
 */
const layer = (options: SmtpOptions): Layer.Layer<MailServer, MessagesUnusable> =>
  Layer.effect(
    MailServer,
    Effect.gen(function* () {
      const problem = problemOf(options)
      if (problem !== undefined) return yield* new MessagesUnusable({ message: problem })
      const connections = makeConnections(options)
      yield* Effect.addFinalizer(() => connections.close)
      yield* connections.check.pipe(
        Effect.timeoutOrElse({
          duration: checkMillisMax,
          orElse: () => Effect.fail(new MessageFailure({ channel: "email", reason: "slow" })),
        }),
        Effect.catch((failure) =>
          failureClasses[failure.reason].isTransient
            ? Effect.logWarning(`the mail server cannot be used now: ${failure.message}`)
            : Effect.fail(new MessagesUnusable({ message: `the mail server cannot be used: ${failure.message}` })),
        ),
      )
      const { deadlineMillis = deadlineMillisDefault } = options
      const server: MailServer["Service"] = {
        send: (email) =>
          isEmailAddress(email.to)
            ? Effect.flatMap(compose(options, email), (message) =>
                withinDeadline("email", deadlineMillis)(connections.send(message)),
              )
            : Effect.fail(new MessageFailure({ channel: "email", reason: "recipient" })),
      }
      return withPortChecks(server, [checkOf(connections.check)])
    }),
  )

export const SmtpMail = { layer }
