/** What goes wrong in a process: it dies at a step of the file cycle that the test names, or does what was planted. */
import { existsSync, readFileSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  type BankFileStore,
  type BankFolder,
  type BankOrder,
  type BankRows,
  bankFolder,
} from "@countersign/adapter-bank-files"
import { Effect } from "effect"
import { paid } from "./DayPayments.ts"
import type { PlantedFault } from "./DaySettings.ts"

/** `published`: a file is in `out/`, which is not noted. `taken`: the lines of a file are stored, which is still in `in/`. */
export type Step = "published" | "taken"

export const deathOf = (step: Step): string => `die-${step}`

/** Ends this process as a crash does, if the test has asked for it: the first process that comes here. */
const dieAt = (folder: string, step: Step) =>
  Effect.sync(() => {
    try {
      unlinkSync(join(folder, deathOf(step)))
    } catch {
      return
    }
    process.kill(process.pid, "SIGKILL")
  })

export const dyingFolder = (folder: string, name: string): BankFolder => {
  const own = bankFolder(join(folder, name))
  return {
    ...own,
    move: (from, file, to, as) =>
      (to === "done" ? dieAt(folder, "taken") : Effect.void).pipe(
        Effect.andThen(own.move(from, file, to, as)),
        Effect.tap(() => (to === "out" ? dieAt(folder, "published") : Effect.void)),
      ),
  }
}

/** The order that is put into the next file once more, and the cut-off of its first one. */
interface Again {
  readonly before: number
  readonly order: BankOrder
}

/** Repeats an order at the cut-off after its own, in whichever process comes first. */
const repeating = (folder: string, before: number, orders: ReadonlyArray<BankOrder>): ReadonlyArray<BankOrder> => {
  const file = join(folder, "again.json")
  const order = orders.find(({ amount }) => amount === paid.batchedTwice)
  if (order !== undefined) {
    writeFileSync(file, JSON.stringify({ before, order } satisfies Again))
    return orders
  }
  if (!existsSync(file)) return orders
  const again: Again = JSON.parse(readFileSync(file, "utf8"))
  if (before <= again.before) return orders
  unlinkSync(file)
  return [...orders, again.order]
}

const faultyRows = (rows: BankRows, folder: string, faults: ReadonlyArray<PlantedFault>): BankRows => ({
  ...rows,
  waiting: (bank, before, limit) =>
    Effect.map(rows.waiting(bank, before, limit), (orders) =>
      faults.includes("batched twice") && bank === "euros" ? repeating(folder, before, orders) : orders,
    ),
  listUnreported: (limit) =>
    Effect.map(rows.listUnreported(limit), (orders) =>
      faults.includes("not reported") ? orders.filter(({ amount }) => amount !== paid.notReported) : orders,
    ),
})

export const faultyStore = (
  store: BankFileStore["Service"],
  folder: string,
  faults: ReadonlyArray<PlantedFault>,
): BankFileStore["Service"] => ({
  transact: (body) => store.transact((rows) => body(faultyRows(rows, folder, faults))),
})
