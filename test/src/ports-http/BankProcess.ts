/** The example banks, each in a process of its own, with their orders in a file of SQLite. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { binaries } from "../e2e/ServerProcess.ts"

const examples = fileURLToPath(new URL("../../../examples/", import.meta.url))

export const banks = {
  python: ["python3", join(examples, "bank-python/bank.py")],
  typescript: [join(binaries, "node"), join(examples, "bank-typescript/src/main.ts")],
} as const

export type BankName = keyof typeof banks

export const bankSecret = "the port secret of the example banks 7Q"

export interface BankProcess extends AsyncDisposable {
  readonly url: string
}

/** The orders of a bank, which survive its process. */
export interface BankFolder extends Disposable {
  readonly database: string
  /** How many orders the bank has executed or will execute. */
  readonly executed: () => number
}

export const bankFolder = (): BankFolder => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-bank-"))
  const database = join(folder, "bank.sqlite")
  return {
    database,
    executed: () => {
      using opened = new DatabaseSync(database, { readOnly: true, timeout: 10_000 })
      const row = opened.prepare("select count(*) as n from orders where state <> 'REJECTED'").get()
      return Number(row?.["n"])
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

interface BankSettings {
  readonly BANK_REPORTS_URL?: string
  readonly BANK_BOOKS_AFTER?: string
  readonly BANK_SECRETS?: string
  readonly BANK_PORT?: string
}

/** Starts a bank. Rejects with what to install if the machine does not have its program. */
export const startBank = async (
  name: BankName,
  { database }: BankFolder,
  settings: BankSettings = {},
): Promise<BankProcess> => {
  const [program, file] = banks[name]
  const env = { BANK_SECRETS: bankSecret, BANK_PORT: "0", BANK_BOOKS_AFTER: "86400", ...settings }
  const child = spawn(program, [file], {
    env: { PATH: process.env["PATH"], BANK_DATABASE: database, PYTHONUNBUFFERED: "1", NODE_NO_WARNINGS: "1", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const failed = once(child, "error").then(([error]): never => {
    throw new Error(`the example bank needs ${program}, which cannot be started: install it (${error})`)
  })
  const exited = once(child, "close")
  const [line] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    failed,
    exited.then(([code]): never => {
      throw new Error(`the bank ended with ${code} before it was ready`)
    }),
  ])
  failed.catch(() => {})
  return {
    url: String(line).replace(/^ready /u, ""),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL")
      await exited
    },
  }
}
