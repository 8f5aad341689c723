/** A bank with which files are exchanged. Source: D-530. */
import { type BankCalendar, problemOfCalendar } from "./calendar/BankCalendar.ts"
import { type BankFolder, bankFolder } from "./folder/BankFolder.ts"
import { isoFormat, problemOfIso } from "./iso20022/IsoFormat.ts"
import type { IsoAccount } from "./iso20022/IsoOptions.ts"
import { nachaFormat, problemOfNacha } from "./nacha/NachaFormat.ts"
import type { NachaCompany } from "./nacha/NachaOptions.ts"
import type { BankFormat } from "./orders/BankFormat.ts"

export interface Bank {
  /** Of lower-case letters, digits and hyphens. Orders keep it: it must stay. */
  readonly name: string
  /** Our account at the bank, of which only the end is shown. */
  readonly account: string
  readonly calendar: BankCalendar
  readonly format: BankFormat
  readonly folder: BankFolder
  readonly ordersPerFileMax: number
  readonly bytesMax: number
  readonly patienceMillis: number
}

/** How files are exchanged with a bank, whatever their format. */
export interface BankOptions {
  /** Of lower-case letters, digits and hyphens. Orders keep it: it must stay. */
  readonly name: string
  /** The path of the folder with `in` and `out`. */
  readonly folder: string | BankFolder
  /** The days and cut-offs of the bank, by which batches close. */
  readonly calendar: BankCalendar
  /** From 1 to 100,000. Default: 5000. */
  readonly ordersPerFileMax?: number
  /** A larger file of the bank is rejected. Default: 32 MiB. */
  readonly bytesMax?: number
  /** How long a file may stay incomplete before it is rejected, in milliseconds. Default: 15 minutes. */
  readonly patienceMillis?: number
}

/** The counts of a NACHA batch have six digits, and an order may have two records. */
const ordersMax = 100_000

const make = (options: BankOptions, account: string, format: BankFormat, problem: string | undefined): Bank => {
  const { bytesMax = 32 * 1024 * 1024, calendar, folder, name, ordersPerFileMax = 5000 } = options
  const isName = /^[a-z0-9][a-z0-9-]{0,30}$/u.test(name)
  const isCount = Number.isInteger(ordersPerFileMax) && ordersPerFileMax >= 1 && ordersPerFileMax <= ordersMax
  const count = isCount ? undefined : `\`ordersPerFileMax\` must be an integer from 1 to ${ordersMax}.`
  const wrong = isName
    ? (problem ?? problemOfCalendar(calendar) ?? count)
    : "`name` must have lower-case letters, digits and hyphens."
  if (wrong !== undefined) throw new RangeError(`the bank ${name} cannot be used: ${wrong}`)
  return {
    name,
    account: `••${account.slice(-4)}`,
    calendar,
    format,
    folder: typeof folder === "string" ? bankFolder(folder) : folder,
    ordersPerFileMax,
    bytesMax,
    patienceMillis: options.patienceMillis ?? 15 * 60 * 1000,
  }
}

/** A bank that takes ISO 20022 files. Throws a `RangeError` if an option is wrong. */
export const isoBank = (options: BankOptions & { readonly account: IsoAccount }): Bank =>
  make(options, options.account.iban, isoFormat(options.account), problemOfIso(options.account))

/** A bank that takes NACHA files. Throws a `RangeError` if an option is wrong. */
export const nachaBank = (options: BankOptions & { readonly company: NachaCompany }): Bank =>
  make(options, options.company.companyId, nachaFormat(options.company), problemOfNacha(options.company))
