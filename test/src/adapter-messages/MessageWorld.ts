/** The mail server and the gateway that the tests of messages send to, and the ports on them. */
import { type CodeStore, HttpTexts, Messages, SmtpMail } from "@countersign/adapter-messages"
import { Effect, Layer, Redacted } from "effect"
import { startMailReceiver } from "./MailReceiver.ts"
import { partOf } from "./MailText.ts"
import { startTextReceiver } from "./TextReceiver.ts"

const secret = Redacted.make("Qm3vXw8rTz5kLp2nHs7dJf4gBc9yVa6e")
export const lifetimeMillis = 600_000

export const mailRequests = (["email", "sca"] as const).map((purpose) => ({
  customerId: `Customer:${purpose}`,
  purpose,
  address: `${purpose}@example.com`,
}))
export const phoneRequests = [{ customerId: "Customer:phone", purpose: "phone" as const, address: "+4915112345678" }]

export const startMessageWorld = async () => {
  const mailServer = await startMailReceiver({ security: "starttls" })
  const gateway = await startTextReceiver()
  const channels = Layer.orDie(
    Layer.merge(
      SmtpMail.layer({
        host: "localhost",
        port: mailServer.port,
        security: "starttls",
        ca: mailServer.ca,
        from: { address: "codes@acme.example" },
        timeoutMillis: 2000,
        deadlineMillis: 4000,
      }),
      HttpTexts.layer({ url: gateway.url, body: { form: { to: "{to}", text: "{text}" } }, deadlineMillis: 1000 }),
    ),
  )

  const received = Effect.sync(() => [
    ...mailServer.mails.map(({ raw, to }) => ({ to: to.join(), text: partOf(raw, "text/plain") })),
    ...gateway.messages,
  ])
  const codes = (store: Layer.Layer<CodeStore>) =>
    Layer.orDie(Messages.layerSecurityCodes({ appName: "Acme", secret, lifetimeMillis })).pipe(
      Layer.provide(channels),
      Layer.provide(store),
    )
  return {
    mailServer,
    gateway,
    channels,
    received,
    codes,
    reset: () => {
      mailServer.reset()
      gateway.reset()
    },
    close: async () => {
      await mailServer[Symbol.asyncDispose]()
      await gateway[Symbol.asyncDispose]()
    },
  }
}
