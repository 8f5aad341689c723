/** The guide of bank files: a transfer goes to the bank in a file, comes back weeks later, and every line agrees. */
import {
  BankFiles,
  MemoryBankFileStore,
  PostgresBankFileStore,
  reconciliationTable,
} from "@countersign/adapter-bank-files"
import { isoSimulator, nachaSimulator } from "@countersign/adapter-bank-files/simulator"
import { Clock, Effect } from "effect"
import { expect, it } from "vitest"
import { clockAt, filesIn, temporaryFolder } from "../../adapter-bank-files/BankWorld.ts"
import { create } from "../../adapter-postgres/TestDatabase.ts"
import { eventually } from "../../e2e/Deadline.ts"
import { dollarBank, euroBank } from "./OurBank.ts"
import { factOf, start } from "./Payments.ts"

const dayMillis = 24 * 60 * 60 * 1000

/** Pulls an amount from the account of a new customer at a bank. */
const pulled = async ({ client }: Awaited<ReturnType<typeof start>>, amount: number) => {
  const fullName = "Ada Lovelace"
  const { id: customerId } = await client.customers.createCustomer({
    payload: { customerType: "INDIVIDUAL", fullName },
  })
  const { data } = await client.customers.listCustomerInternalAccounts({ query: { customerId, currency: "USD" } })
  const address = { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" }
  const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName, address } as const
  const numbers = { accountType: "USD_ACCOUNT", accountNumber: "12345678", routingNumber: "011000015" } as const
  const source = await client.externalAccounts.createCustomerExternalAccount({
    payload: { customerId, currency: "USD", accountInfo: { ...numbers, beneficiary } },
  })
  return client.transfers.createTransferIn({
    payload: { source: { accountId: source.id }, destination: { accountId: data[0]?.id ?? "" }, amount },
  })
}

it("an order goes out in a file, is executed, and comes back weeks later", async () => {
  await using folder = await temporaryFolder()
  const store = MemoryBankFileStore.make()
  const service = await start(folder.path, store)
  const { client, exchange, files, payments } = service
  try {
    const bank = nachaSimulator({
      folder: `${folder.path}/dollars`,
      odfi: "021000021",
      companyId: "1234567890",
      fate: () => ({ _tag: "Return", code: "R10", days: 20 }),
    })
    const { id } = await pulled(service, 5_000)
    const listed = () => Effect.runPromise(store.transact((rows) => rows.orders([id])))
    await eventually("the order", listed, (all) => all.length > 0)
    await exchange()
    expect(await filesIn(folder.path, "dollars/out")).toEqual({})

    let now = await Effect.runPromise(Clock.currentTimeMillis)
    const later = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.flatMap(Clock.Clock, (base) => Effect.provideService(effect, Clock.Clock, clockAt(() => now)(base)))
    const stateAfter = async (days: number) => {
      for (let day = 0; day < days; day++) {
        now += dayMillis
        await payments.run(later(files.cycle))
        await Effect.runPromise(bank.endDay(new Date(now).toISOString().slice(0, 10)))
        await payments.run(later(files.cycle))
      }
      return (await factOf(client, id)).isExecuted
    }
    expect(await stateAfter(10)).toBe(true)
    expect(bank.payments()).toMatchObject([{ amount: 5_000, direction: "pull" }])
    expect(await stateAfter(20)).toBe(false)

    const ledger = [await factOf(client, id)]
    const from = new Date(now - 60 * dayMillis).toISOString().slice(0, 10)
    const found = await payments.run(later(files.reconcile("dollars", { from, ledger })))
    expect(found.orders).toEqual({ agreed: [id], open: [], suspicious: [] })
    expect(reconciliationTable(found)).toContain("orders  1      0                0\n")
  } finally {
    await payments.dispose()
  }
})

it("the state is in a database that processes share", async () => {
  await using folder = await temporaryFolder()
  const database = await create(4)
  const { pool } = database
  try {
    await Effect.runPromise(PostgresBankFileStore.migrate(pool))
    const files = BankFiles.make([dollarBank(folder.path)], PostgresBankFileStore.make(pool))
    expect(await Effect.runPromise(files.exchange)).toMatchObject([{ bank: "dollars", built: [] }])
  } finally {
    await database.close()
  }
})

it("a simulated bank answers", async () => {
  await using folder = await temporaryFolder()
  const files = BankFiles.make([euroBank(folder.path)], MemoryBankFileStore.make())
  await Effect.runPromise(files.exchange)

  const bank = isoSimulator({
    folder: folder.path,
    iban: "DE89370400440532013000",
    fate: ({ amount }) => (amount === 7 ? { _tag: "Reject", code: "AC04" } : { _tag: "Book" }),
  })
  await Effect.runPromise(bank.endDay("2026-03-04", ["foreign", "duplicate"]))
  const [cycle] = await Effect.runPromise(files.exchange)

  expect(cycle).toMatchObject({ taken: { done: { length: 2 }, repeated: { length: 2 } } })
})
