/**
 * Your bank by files: what is sent is in bank/out, and what the bank sends is put in bank/in. The transfer program of your bank empties and
 * fills them. TO WRITE: your account, as your bank's contract has it.
 */
import { BankFiles, isoBank, PostgresBankFileStore, targetHolidays } from "@countersign/adapter-bank-files"
import { type RailOutcome, Rails, withPortChecks } from "@countersign/core/ports"
import { Effect, Layer, Schedule } from "effect"
import pg from "pg"
import { notWritten } from "./NotWritten.ts"

const { BANK_FOLDER = "bank", BANK_IBAN = "", BANK_BIC = "", BANK_HOLDER = "", COUNTERSIGN_STORE = "" } = process.env

const pool = new pg.Pool({ connectionString: COUNTERSIGN_STORE, max: 3 })

/** `nachaBank` instead writes NACHA files. */
const euros = () =>
  isoBank({
    name: "euros",
    folder: BANK_FOLDER,
    calendar: { timeZone: "Europe/Berlin", cutOff: "15:00", holidays: targetHolidays },
    account: { name: BANK_HOLDER, iban: BANK_IBAN, bic: BANK_BIC },
  })

/** The service asks again, and instructs only after `NotReceived`: a payment waits until there is an account. */
const unknown = Effect.succeed<RailOutcome>({ _tag: "Unknown", cause: "no account is configured yet" })

const noBank = Layer.sync(Rails, () =>
  withPortChecks<Rails["Service"]>(
    {
      inspectPull: notWritten("Rails.inspectPull"),
      pull: () => unknown,
      push: () => unknown,
      inquire: () => unknown,
      refund: () => unknown,
      cancel: () => unknown,
    },
    [
      {
        name: "bank files",
        run: Effect.succeed({
          status: "warning",
          text: "BANK_IBAN is empty: payments wait",
          fix: "set BANK_IBAN, BANK_BIC and BANK_HOLDER in countersign.env",
        }),
      },
    ],
  ),
)

/** Builds, writes and takes files once a minute, in each process. */
const files = Layer.unwrap(
  Effect.gen(function* () {
    yield* PostgresBankFileStore.migrate(pool)
    const { exchange, rails } = BankFiles.make([euros()], PostgresBankFileStore.make(pool))
    const exchanged = Effect.catchCause(exchange, (cause) => Effect.logError("no bank files", cause))
    yield* Effect.forkScoped(Effect.repeat(exchanged, Schedule.spaced("1 minute")))
    return rails
  }),
)

export const bank = BANK_IBAN === "" ? noBank : files
