/** The two banks of the day, their calendar, and the clock that the test moves for them: real time, and a number of milliseconds ahead. */
import { readFileSync } from "node:fs"
import { rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Bank, BankFolder } from "@countersign/adapter-bank-files"
import { achBank, euroBank } from "../../adapter-bank-files/BankWorld.ts"

export const dayMillis = 24 * 60 * 60 * 1000

const calendar = { timeZone: "UTC", cutOff: "15:00", holidays: () => [] }
// The rest of a file that is half on Wednesday comes on Thursday.
const patienceMillis = 2 * dayMillis

export const euros = (folder: BankFolder): Bank => euroBank({ name: "euros", folder, calendar, patienceMillis })

export const dollars = (folder: BankFolder): Bank => achBank({ name: "dollars", folder, calendar, patienceMillis })

/** The time at the banks, in a process of the service. */
export const bankNow = (folder: string): number => Date.now() + Number(readFileSync(join(folder, "ahead"), "utf8"))

/** Moves the clock of the banks, for all processes at once. */
export const moveBanksTo = async (folder: string, time: number): Promise<void> => {
  await writeFile(join(folder, "ahead.new"), String(time - Date.now()))
  await rename(join(folder, "ahead.new"), join(folder, "ahead"))
}
