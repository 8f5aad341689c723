/** A module for `countersign serve --mode live --ports`: codes and rates by adapters, the other ports by providers of your own. */
import type { ExternalPorts } from "@countersign/adapter-http"
import { HttpTexts, Messages, PostgresCodes, SmtpMail, type SmtpOptions } from "@countersign/adapter-messages"
import { FileRates } from "@countersign/adapter-rates"
import { Effect, Layer, Redacted } from "effect"
import pg from "pg"
import { own } from "./OwnPorts.ts"

interface Settings {
  readonly mail: SmtpOptions
  readonly gatewayUrl: string
  readonly gatewayToken: Redacted.Redacted
  readonly codeSecret: Redacted.Redacted
  readonly pool: pg.Pool
  readonly ratesFile: string
  readonly languageOf: (customerId: string | null) => Promise<string | undefined>
}

export const livePorts = (settings: Settings): Layer.Layer<ExternalPorts> => {
  const mail = SmtpMail.layer(settings.mail)
  const texts = HttpTexts.layer({
    url: settings.gatewayUrl,
    headers: { authorization: settings.gatewayToken },
    body: { json: { message: { from: "ACME", to: "{to}", text: "{text}" } } },
    idempotencyHeader: "Idempotency-Key",
  })
  const messages = {
    appName: "Acme",
    languageOf: ({ customerId }: { readonly customerId: string | null }) =>
      Effect.promise(() => settings.languageOf(customerId)),
  }
  const codes = Layer.merge(
    Messages.layerOtp(messages),
    Messages.layerSecurityCodes({ ...messages, secret: settings.codeSecret }),
  ).pipe(Layer.provide([mail, texts, PostgresCodes.layer({ pool: settings.pool })]))
  const rates = FileRates.layer({
    path: settings.ratesFile,
    format: "xml",
    spreadBps: 40,
    pegs: { USDC: "USD" },
    jumpPercentMax: 8,
  })
  return Layer.orDie(Layer.mergeAll(own, codes, rates))
}

const { CODE_SECRET = "", DATABASE_URL = "", GATEWAY_TOKEN = "", SMTP_PASSWORD = "" } = process.env

export default livePorts({
  mail: {
    host: "smtp.example.com",
    auth: { user: "acme", password: Redacted.make(SMTP_PASSWORD) },
    from: { address: "codes@acme.example", name: "Acme" },
  },
  gatewayUrl: "https://gateway.example.com/messages",
  gatewayToken: Redacted.make(`Bearer ${GATEWAY_TOKEN}`),
  codeSecret: Redacted.make(CODE_SECRET),
  pool: new pg.Pool({ connectionString: DATABASE_URL, max: 2 }),
  ratesFile: "/var/lib/acme/eurofxref-daily.xml",
  languageOf: async () => "en",
})
