/** An embedded service whose rails are the files of two banks. */
import { type BankFileStore, BankFiles, type LedgerFact } from "@countersign/adapter-bank-files"
import { embed } from "@countersign/adapter-http"
import { MemoryStore } from "@countersign/adapter-memory"
import { Sandbox } from "@countersign/core/sandbox"
import { Layer } from "effect"
import { dollarBank, euroBank } from "./OurBank.ts"

const platform = { clientId: "demo", clientSecret: "demo-secret" }

export const start = async (folder: string, store: BankFileStore["Service"]) => {
  const files = BankFiles.make([dollarBank(`${folder}/dollars`), euroBank(`${folder}/euros`)], store)
  const ports = Layer.mergeAll(Sandbox.layer, files.rails)
  const payments = await embed({ store: MemoryStore.layer, ports, sandbox: true, platforms: [platform] })
  /** Call it every minute, in each process. */
  const exchange = () => payments.run(files.cycle)
  return { files, payments, client: payments.client(platform), exchange }
}

type Client = Awaited<ReturnType<typeof start>>["client"]

/** What the ledger has of a transaction. */
export const factOf = async (client: Client, reference: string): Promise<LedgerFact> => {
  const transaction = await client.transactions.getTransactionById({ params: { transactionId: reference } })
  if (!("receivedAmount" in transaction)) throw new Error(`${reference} is no transfer`)
  const { amount, currency } = transaction.receivedAmount
  const isOver = ["COMPLETED", "FAILED", "REJECTED", "REFUNDED"].includes(transaction.status)
  const isRefunded = "refund" in transaction && transaction.refund !== undefined
  const isExecuted = transaction.status === "COMPLETED" && !isRefunded
  return { reference, amount, currency: currency.code, ...(isOver ? { isExecuted } : {}) }
}
