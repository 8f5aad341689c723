/**
 * The module of `--ports` of the day: rails by the files of two banks, codes by a mail server, rates from a table. The time at the banks is
 * the test's, that of the service is real. Other providers are of the tests.
 */

import { join } from "node:path"
import { BankFiles, PostgresBankFileStore } from "@countersign/adapter-bank-files"
import { HttpTexts, Messages, PostgresCodes, SmtpMail } from "@countersign/adapter-messages"
import { FileRates } from "@countersign/adapter-rates"
import { BankExchange, BankReconciliation, OtpSender, Rails } from "@countersign/core/ports"
import { Clock, Effect, Layer, Redacted } from "effect"
import pg from "pg"
import { clockAt } from "../../adapter-bank-files/BankWorld.ts"
import sandboxPorts from "../SandboxPorts.ts"
import { bankNow, dollars, euros } from "./DayBanks.ts"
import { dyingFolder, faultyStore } from "./DayFaults.ts"
import { readSettings } from "./DaySettings.ts"

const folder = process.env["DAY_FOLDER"] ?? ""
const { codeSecret, database, faults, mailPassword, smtpPort } = readSettings(folder)

const pool = new pg.Pool({ connectionString: database, max: 4 })
// The database restarts while the day goes on.
pool.on("error", () => undefined)

const store = faultyStore(PostgresBankFileStore.make(pool), folder, faults)
const files = BankFiles.make([euros(dyingFolder(folder, "euros")), dollars(dyingFolder(folder, "dollars"))], store)

const atBank = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Clock.Clock, (base) =>
    Effect.provideService(effect, Clock.Clock, clockAt(() => bankNow(folder))(base)),
  )

const rails = Layer.effect(
  Rails,
  Effect.map(Rails, (bank) =>
    Rails.of({
      inspectPull: bank.inspectPull,
      pull: (request) => atBank(bank.pull(request)),
      push: (request) => atBank(bank.push(request)),
      inquire: (instruction) => atBank(bank.inquire(instruction)),
      refund: (request) => atBank(bank.refund(request)),
      cancel: (request) => atBank(bank.cancel(request)),
    }),
  ),
).pipe(Layer.provide(files.rails))

const exchange = Layer.succeed(BankExchange, {
  everyMillis: 250,
  cycle: (report) =>
    Effect.flatMap(Clock.Clock, (real) =>
      atBank(
        files.exchanging.cycle((order, outcome) => Effect.provideService(report(order, outcome), Clock.Clock, real)),
      ),
    ),
})

const reconciliation = Layer.succeed(BankReconciliation, {
  ...files.reconciliation,
  compare: (...asked) => atBank(files.reconciliation.compare(...asked)),
})

const mail = SmtpMail.layer({
  host: "127.0.0.1",
  port: smtpPort,
  security: "none",
  auth: { user: "sender", password: Redacted.make(mailPassword) },
  from: { address: "codes@acme.example", name: "Acme" },
})
const messages = { appName: "Acme" }
const codes = Layer.merge(
  Messages.layerOtp(messages),
  Messages.layerSecurityCodes({ ...messages, secret: Redacted.make(codeSecret) }),
).pipe(Layer.provide([mail, HttpTexts.layerNone, PostgresCodes.layer({ pool })]))

const talkative = Layer.effect(
  OtpSender,
  Effect.map(OtpSender, ({ send }) =>
    OtpSender.of({
      send: (message) => Effect.andThen(Effect.logInfo(`sending ${Redacted.value(message.code)}`), send(message)),
    }),
  ),
).pipe(Layer.provideMerge(codes))

const rates = FileRates.layer({ path: join(folder, "rates.xml"), format: "xml" })

export default Layer.orDie(
  Layer.mergeAll(
    sandboxPorts,
    rails,
    exchange,
    reconciliation,
    faults.includes("code in the log") ? talkative : codes,
    rates,
  ),
)
