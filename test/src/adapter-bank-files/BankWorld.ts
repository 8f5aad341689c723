/** A bank's folder, a store of bank files and a clock that a test moves, as one process or several see them. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  type Bank,
  type BankFileStore,
  BankFiles,
  type BankOptions,
  federalReserveHolidays,
  isoBank,
  MemoryBankFileStore,
  nachaBank,
  targetHolidays,
} from "@countersign/adapter-bank-files"
import { CurrentCaller, type DefiniteOutcome, Outcomes, tenant } from "@countersign/core"
import { type RailAccount, type RailOutcome, Rails } from "@countersign/core/ports"
import { Clock, Effect } from "effect"

export const ourIban = "DE89370400440532013000"
export const odfi = "021000021"
export const companyId = "1234567890"

const individual = (fullName: string) => ({ beneficiaryType: "INDIVIDUAL", fullName })

export const ibanAccount = (fullName = "Ada Lovelace"): RailAccount => ({
  accountId: "ExternalAccount:1",
  currency: "EUR",
  accountInfo: { accountType: "EUR_ACCOUNT", iban: "FR1420041010050500013M02606", beneficiary: individual(fullName) },
})

export const achAccount = (
  more: { readonly [field: string]: string } = {},
  fullName = "Ada Lovelace",
): RailAccount => ({
  accountId: "ExternalAccount:2",
  currency: "USD",
  accountInfo: {
    accountType: "USD_ACCOUNT",
    accountNumber: "12345678",
    routingNumber: "011000015",
    beneficiary: individual(fullName),
    ...more,
  },
})

export const berlin = { timeZone: "Europe/Berlin", cutOff: "15:00", holidays: targetHolidays }
export const newYork = { timeZone: "America/New_York", cutOff: "16:00", holidays: federalReserveHolidays }

type Place = Pick<BankOptions, "folder"> & Partial<BankOptions>

export const euroBank = (options: Place): Bank =>
  isoBank({
    name: "euro",
    calendar: berlin,
    ...options,
    account: {
      name: "Engines Ltd",
      iban: ourIban,
      bic: "COBADEFFXXX",
      creditorId: "DE98ZZZ09999999999",
      mandateOf: () => ({ id: "MANDATE-1", signedOn: "2026-01-02" }),
    },
  })

export const achBank = (options: Place): Bank =>
  nachaBank({
    name: "ach",
    calendar: newYork,
    ...options,
    company: { companyName: "ENGINES LTD", companyId, odfi, bankName: "FIRST BANK", hasDebits: true },
  })

export const temporaryFolder = async () => {
  const path = await mkdtemp(join(tmpdir(), "countersign-bank-"))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** The names and contents of a place of the folder. */
export const filesIn = async (path: string, place: string): Promise<Readonly<Record<string, string>>> => {
  const names = (await readdir(join(path, place)).catch(() => [])).toSorted()
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(path, place, name), "utf8")])),
  )
}

/** A clock at which nothing waits. */
export const clockAt =
  (now: () => number) =>
  (base: Clock.Clock): Clock.Clock => ({
    ...base,
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now),
    monotonicTimeNanosUnsafe: () => base.monotonicTimeNanosUnsafe(),
    sleep: (duration) => base.sleep(duration),
  })

export interface Reported {
  readonly platformId: string
  readonly reference: string
  readonly outcome: DefiniteOutcome
}

/** An `Outcomes` that keeps what is reported. */
const recordingOutcomes = (reports: Array<Reported>): Outcomes["Service"] => {
  const none = () => Effect.die(new Error("no job runs here"))
  return {
    ask: none,
    deliver: none,
    confirm: none,
    refund: none,
    cancel: none,
    report: (reference, outcome) =>
      Effect.map(CurrentCaller, ({ platformId }) => void reports.push({ platformId, reference, outcome })),
  }
}

export const bankWorld = (
  banks: ReadonlyArray<Bank>,
  start: string,
  store: BankFileStore["Service"] = MemoryBankFileStore.make(),
) => {
  let now = Date.parse(start)
  const reports: Array<Reported> = []
  const files = BankFiles.make(banks, store)
  const run = <A, E>(effect: Effect.Effect<A, E, Outcomes | Rails | CurrentCaller>): Promise<A> =>
    Effect.runPromise(
      Effect.gen(function* () {
        const clock = clockAt(() => now)(yield* Clock.Clock)
        return yield* effect.pipe(
          Effect.provideService(Clock.Clock, clock),
          Effect.provideService(Outcomes, recordingOutcomes(reports)),
          Effect.provideService(CurrentCaller, tenant("Platform:1")),
          Effect.provide(files.rails),
        )
      }),
    )
  const push = (reference: string, destination: RailAccount, amount: number, text?: string): Promise<RailOutcome> =>
    run(
      Rails.use((rails) =>
        rails.push({
          reference,
          destination,
          amount,
          submittedAt: now,
          ...(text === undefined ? {} : { remittance: { field: "remittanceInformation", text } }),
        }),
      ),
    )
  const pull = (reference: string, source: RailAccount, amount: number): Promise<RailOutcome> =>
    run(Rails.use((rails) => rails.pull({ reference, source, amount, submittedAt: now })))
  return {
    store,
    files,
    reports,
    run,
    push,
    pull,
    inquire: (reference: string, destination: RailAccount) =>
      run(
        Rails.use((rails) =>
          rails.inquire({ _tag: "Push", request: { reference, destination, amount: 1, submittedAt: now } }),
        ),
      ),
    cycle: () => run(files.cycle),
    at: (time: string | number) => {
      now = typeof time === "number" ? time : Date.parse(time)
    },
    now: () => now,
    order: async (reference: string) => {
      const [order] = await run(store.transact((rows) => rows.orders([reference])))
      return order
    },
  }
}
