/** The side of the banks: they collect the files of a day after its cut-off, and answer with theirs. Monday is day 0. */

import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { type BankFolder, bankFolder } from "@countersign/adapter-bank-files"
import { type Fault, isoSimulator, nachaSimulator } from "@countersign/adapter-bank-files/simulator"
import { Effect } from "effect"
import { companyId, odfi, ourIban } from "../../adapter-bank-files/BankWorld.ts"
import { dayMillis, moveBanksTo } from "./DayBanks.ts"
import { fateOf } from "./DayPayments.ts"
import { patiently } from "./Patience.ts"

/** The Monday after now. */
const nextMonday = (): number => {
  const today = Math.floor(Date.now() / dayMillis) * dayMillis
  const weekday = new Date(today).getUTCDay()
  return today + (weekday === 0 ? 1 : 8 - weekday) * dayMillis
}

export const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** A folder whose statements and notifications of a day get lost on the way. */
const losing = (folder: BankFolder, isLosing: () => boolean): BankFolder => ({
  ...folder,
  write: (place, name, content) =>
    isLosing() && /-(?:notice|statement)-/u.test(name) ? Effect.void : folder.write(place, name, content),
})

export interface ClosedDay {
  readonly day: number
  /** How many payments the banks must have by then. */
  readonly payments: { readonly euros: number; readonly dollars: number }
  /** How many of them the bank in euros must have twice. */
  readonly repeated?: number
  readonly faults?: ReadonlyArray<Fault>
  readonly losesStatement?: boolean
  /** Called between the cut-off and the files of the banks. */
  readonly meanwhile?: () => void
}

/** `accepted`: how many orders the service has given to the banks. */
export const bankSide = async (folder: string, accepted: () => Promise<number>) => {
  const places = { euros: bankFolder(join(folder, "euros")), dollars: bankFolder(join(folder, "dollars")) }
  for (const place of Object.values(places)) await Effect.runPromise(place.prepare)
  let isLosing = false
  const iso = isoSimulator({ folder: losing(places.euros, () => isLosing), iban: ourIban, fate: fateOf })
  const nacha = nachaSimulator({ folder: places.dollars, odfi, companyId, fate: fateOf })
  const start = nextMonday()
  const moveTo = (day: number, time: string) =>
    moveBanksTo(folder, start + day * dayMillis + Date.parse(`1970-01-01T${time}Z`))
  const left = async () => {
    const names = await Promise.all(["euros", "dollars"].map((bank) => readdir(join(folder, bank, "in"))))
    return names.flat()
  }
  const collected = async () => {
    await Effect.runPromise(iso.collect)
    await Effect.runPromise(nacha.collect)
    return { euros: iso.payments().length, dollars: nacha.payments().length }
  }
  await moveTo(0, "08:00")
  return {
    iso,
    nacha,
    moveTo,
    left,
    dateOn: (day: number) => dateOf(start + day * dayMillis),
    closeDay: async ({ day, faults = [], losesStatement = false, meanwhile, payments, repeated = 0 }: ClosedDay) => {
      // An order that comes after the cut-off would wait for the next one.
      await patiently(`the orders of day ${day}`, accepted, (count) => count >= payments.euros + payments.dollars)
      await moveTo(day, "15:01")
      meanwhile?.()
      await patiently(
        `the payments of day ${day}`,
        collected,
        (count) => count.euros >= payments.euros + repeated && count.dollars >= payments.dollars,
      )
      isLosing = losesStatement
      const date = dateOf(start + day * dayMillis)
      await Effect.runPromise(iso.endDay(date, faults))
      await Effect.runPromise(nacha.endDay(date))
      isLosing = false
      // One that does not add up is rejected when it stays as it is.
      const isOpen = (name: string) => name.startsWith("e-") || (faults.includes("half") && name.includes("statement"))
      await patiently(
        `the files of day ${day}`,
        async () => (await left()).filter((name) => !isOpen(name)),
        (names) => names.length === 0,
      )
    },
  }
}
export type BankSide = Awaited<ReturnType<typeof bankSide>>
