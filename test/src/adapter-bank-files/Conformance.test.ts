/** Bank files pass the suite of rails, with a simulated bank of each format behind them. */
import { BankFiles, MemoryBankFileStore } from "@countersign/adapter-bank-files"
import { type Fate, isoSimulator, nachaSimulator, type SimulatedBank } from "@countersign/adapter-bank-files/simulator"
import { CurrentCaller, tenant } from "@countersign/core"
import { type RailAccount, type RailInstruction, Rails } from "@countersign/core/ports"
import { railsConformance } from "@countersign/test/conformance"
import { Clock, Effect, Layer } from "effect"
import { achAccount, achBank, companyId, euroBank, ibanAccount, odfi, ourIban } from "./BankWorld.ts"
import { memoryFolder } from "./MemoryFolder.ts"

const push = (destination: RailAccount, amount: number): RailInstruction => ({
  _tag: "Push",
  request: { reference: "", destination, amount, submittedAt: 0 },
})
const pull = (source: RailAccount, amount: number): RailInstruction => ({
  _tag: "Pull",
  request: { reference: "", source, amount, submittedAt: 0 },
})

const amounts = { booked: 500, rejected: 501, returned: 502 } as const

const fateOf =
  (code: string) =>
  ({ amount }: { readonly amount: number }): Fate =>
    amount === amounts.rejected
      ? { _tag: "Reject", code }
      : amount === amounts.returned
        ? { _tag: "Return", code, days: 25 }
        : { _tag: "Book" }

const { folder } = memoryFolder()
const ach = memoryFolder()
const banks = [euroBank({ folder }), achBank({ folder: ach.folder })]
const simulated: ReadonlyArray<SimulatedBank> = [
  isoSimulator({ folder, iban: ourIban, fate: fateOf("AC04") }),
  nachaSimulator({ folder: ach.folder, odfi, companyId, fate: fateOf("R02") }),
]
const store = MemoryBankFileStore.make()
const files = BankFiles.make(banks, store)

/** The banks work whenever the service asks: files go out, and come in. */
const worked = Effect.gen(function* () {
  yield* Effect.orDie(files.exchange)
  const date = new Date(yield* Clock.currentTimeMillis).toISOString().slice(0, 10)
  for (const bank of simulated) yield* Effect.orDie(bank.endDay(date))
  yield* Effect.orDie(files.exchange)
})

const layer = Layer.effect(
  Rails,
  Effect.map(Rails, (rails) => ({
    ...rails,
    inquire: (asked: RailInstruction) => Effect.andThen(worked, rails.inquire(asked)),
    pull: (request) => Effect.provideService(rails.pull(request), CurrentCaller, tenant("Platform:1")),
  })),
).pipe(Layer.provide(files.rails))

/** Orders that wait for their file, and payments that the banks have: one that is in two files counts twice. */
const executed = Effect.gen(function* () {
  const orders = yield* store.transact((rows) =>
    Effect.forEach(banks, ({ name }) => rows.waiting(name, Number.MAX_SAFE_INTEGER, 10_000)),
  )
  const all = [...orders.flat(), ...simulated.flatMap((bank) => bank.payments())]
  return all.filter(({ amount }) => amount !== amounts.rejected).length
}).pipe(Effect.orDie)

const instructions = [amounts.booked, amounts.rejected, amounts.returned].flatMap((amount) => [
  push(ibanAccount(), amount),
  pull(ibanAccount(), amount),
  push(achAccount(), amount),
  pull(achAccount(), amount),
])

railsConformance("bank files", layer, {
  instructions: [...instructions, push(ibanAccount("阿达"), 500), push({ ...ibanAccount(), currency: "GBP" }, 500)],
  executed,
})
