/** Codes by e-mail and text message. MAIL_HOST and the other settings of countersign.env say how they are sent. */
import {
  HttpTexts,
  MailServer,
  MessageFailure,
  Messages,
  PostgresCodes,
  SmtpMail,
  type SmtpOptions,
} from "@countersign/adapter-messages"
import { withPortChecks } from "@countersign/core/ports"
import { Effect, Layer, Redacted } from "effect"
import pg from "pg"

const {
  APP_NAME = "Payments",
  CODES_SECRET = "",
  COUNTERSIGN_STORE = "",
  MAIL_FROM = "",
  MAIL_HOST = "",
  MAIL_PASSWORD = "",
  MAIL_PORT = "",
  MAIL_SECURITY = "starttls",
  MAIL_USER = "",
} = process.env

const securities: ReadonlyArray<NonNullable<SmtpOptions["security"]>> = ["tls", "starttls", "none"]

const server: SmtpOptions = {
  host: MAIL_HOST,
  ...(MAIL_PORT === "" ? {} : { port: Number(MAIL_PORT) }),
  security: securities.find((each) => each === MAIL_SECURITY) ?? "starttls",
  ...(MAIL_USER === "" ? {} : { auth: { user: MAIL_USER, password: Redacted.make(MAIL_PASSWORD) } }),
  from: { address: MAIL_FROM, name: APP_NAME },
}

/** Without a server every e-mail fails, and the caller gets 500. */
const noMail = Layer.sync(MailServer, () =>
  withPortChecks<MailServer["Service"]>(
    { send: () => Effect.fail(new MessageFailure({ channel: "email", reason: "misconfigured" })) },
    [
      {
        name: "mail server",
        run: Effect.succeed({
          status: "warning",
          text: "MAIL_HOST is empty: a code by e-mail fails with 500",
          fix: "set MAIL_HOST and MAIL_FROM in countersign.env",
        }),
      },
    ],
  ),
)

/** TO WRITE, if you send text messages: `HttpTexts.layer({ url, headers, body })` of your gateway. */
const texts = HttpTexts.layerNone

const messages = { appName: APP_NAME }

export const codes = Layer.merge(
  Messages.layerOtp(messages),
  Messages.layerSecurityCodes({ ...messages, secret: Redacted.make(CODES_SECRET) }),
).pipe(
  Layer.provide([
    MAIL_HOST === "" ? noMail : SmtpMail.layer(server),
    texts,
    PostgresCodes.layer({ pool: new pg.Pool({ connectionString: COUNTERSIGN_STORE, max: 2 }) }),
  ]),
)
