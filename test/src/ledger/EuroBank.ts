/** A service whose rail is a bank by files, with its simulator, on one clock: for tests of the reconciliation. */
import { BankFiles, MemoryBankFileStore } from "@countersign/adapter-bank-files"
import { type Fault, isoSimulator, type SimulatedPayment } from "@countersign/adapter-bank-files/simulator"
import type { ReconciliationResponse } from "@countersign/core/models"
import { harness } from "@countersign/test"
import { Effect } from "effect"
import { euroBank, ourIban, temporaryFolder } from "../adapter-bank-files/BankWorld.ts"

const address = { line1: "1 Rue du Pont", city: "Lyon", postalCode: "69001", country: "FR" }
const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace", address } as const

/** `fate`: by the amount of a payment. */
export const euroWorld = async (
  fate: NonNullable<Parameters<typeof isoSimulator>[0]["fate"]> = () => ({ _tag: "Book" }),
) => {
  const folder = await temporaryFolder()
  const store = MemoryBankFileStore.make()
  const files = BankFiles.make([euroBank({ folder: folder.path })], store)
  const pay = await harness({ ports: files.layer, startsAt: "2026-03-02T08:00:00Z" })
  const { client } = pay
  const bank = isoSimulator({ folder: folder.path, iban: ourIban, fate: (payment: SimulatedPayment) => fate(payment) })
  const { id: customerId } = await client.customers.createCustomer({
    payload: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" },
  })
  const { data } = await client.customers.listCustomerInternalAccounts({ query: { customerId, currency: "EUR" } })
  const accountId = data[0]?.id ?? ""
  const accountInfo = { accountType: "EUR_ACCOUNT", iban: "FR1420041010050500013M02606", beneficiary } as const
  const outside = await client.externalAccounts.createCustomerExternalAccount({
    payload: { customerId, currency: "EUR", accountInfo },
  })
  await client.sandbox.sandboxFundInternalAccount({ params: { accountId }, payload: { amount: 100_000 } })
  await pay.settle()
  const dayOf = async () => new Date(await pay.clock.now()).toISOString().slice(0, 10)
  return {
    pay,
    bank,
    files,
    folder: folder.path,
    store,
    dayOf,
    /** Gives orders to the bank, and returns the ids of their transactions. */
    payOut: async (...amounts: ReadonlyArray<number>) => {
      const ids: Array<string> = []
      for (const amount of amounts) {
        const payload = {
          source: { accountId },
          destination: { accountId: outside.id, paymentRail: "SEPA" },
          amount,
        } as const
        ids.push((await client.transfers.createTransferOut({ payload })).id)
      }
      await pay.settle()
      return ids
    },
    cycle: () => pay.run(files.cycle),
    /** The bank collects what is due, and answers with the files of the day. */
    endDay: async (...faults: ReadonlyArray<Fault>) => {
      await pay.clock.advance("24 hours")
      await pay.run(files.cycle)
      await Effect.runPromise(bank.endDay(await dayOf(), faults))
      await pay.run(files.cycle)
      await pay.settle()
    },
    found: async (query = ""): Promise<ReconciliationResponse> => {
      const reply = await pay.send("GET", `/operator/books/reconciliation${query}`)
      if (reply.status !== 200) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`)
      return reply.body as ReconciliationResponse
    },
    [Symbol.asyncDispose]: async () => {
      await pay[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}
