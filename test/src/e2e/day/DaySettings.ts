/** What the test gives to the ports of the processes: a file in the folder that `DAY_FOLDER` names. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** What a run does wrong on purpose, each for one payment, message or event. */
export type PlantedFault = "batched twice" | "not reported" | "statement lost" | "webhook lost" | "code in the log"

export interface DaySettings {
  /** The address of the database, which also has the state of the bank files. */
  readonly database: string
  readonly smtpPort: number
  /** Authenticates at the mail server. */
  readonly mailPassword: string
  readonly codeSecret: string
  readonly faults: ReadonlyArray<PlantedFault>
}

export const settingsFile = "settings.json"

export const readSettings = (folder: string): DaySettings =>
  JSON.parse(readFileSync(join(folder, settingsFile), "utf8"))
