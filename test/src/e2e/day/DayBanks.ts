/** The two banks of the day, their calendar, and the clock that the test moves for them: real time, and so many milliseconds ahead. */
import { readFileSync } from "node:fs"
import { rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type Bank, type BankFolder, isoBank, nachaBank } from "@countersign/adapter-bank-files"

export const dayMillis = 24 * 60 * 60 * 1000

export const ourIban = "DE89370400440532013000"
export const odfi = "021000021"
export const companyId = "1234567890"

const calendar = { timeZone: "UTC", cutOff: "15:00", holidays: () => [] }
// The rest of a file that is half on Wednesday comes on Thursday.
const patienceMillis = 2 * dayMillis

export const euros = (folder: BankFolder): Bank =>
  isoBank({
    name: "euros",
    folder,
    calendar,
    patienceMillis,
    account: {
      name: "Engines Ltd",
      iban: ourIban,
      bic: "COBADEFFXXX",
      creditorId: "DE98ZZZ09999999999",
      mandateOf: () => ({ id: "MANDATE-1", signedOn: "2026-01-02" }),
    },
  })

export const dollars = (folder: BankFolder): Bank =>
  nachaBank({
    name: "dollars",
    folder,
    calendar,
    patienceMillis,
    company: { companyName: "ENGINES LTD", companyId, odfi, bankName: "FIRST BANK", hasDebits: true },
  })

/** The time at the banks, in a process of the service. */
export const bankNow = (folder: string): number => Date.now() + Number(readFileSync(join(folder, "ahead"), "utf8"))

/** Moves the clock of the banks, for all processes at once. */
export const moveBanksTo = async (folder: string, time: number): Promise<void> => {
  await writeFile(join(folder, "ahead.new"), String(time - Date.now()))
  await rename(join(folder, "ahead.new"), join(folder, "ahead"))
}
