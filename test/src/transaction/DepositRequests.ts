/** Deposits that tests make over HTTP into the account of a new customer, and what they read of them. */
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { at, newPerson } from "../customer/CustomerRequests.ts"

export type Members = Readonly<Record<string, unknown>>

export const world = async (currency = "USD", ports?: Parameters<typeof harness>[0]) => {
  const pay = await harness(ports)
  const customerId = await newPerson(pay)
  const accounts = at(
    await pay.send("GET", `/customers/internal-accounts?customerId=${customerId}&currency=${currency}`),
    "data",
  )
  const [account] = accounts as ReadonlyArray<{
    readonly id: string
    readonly fundingPaymentInstructions: ReadonlyArray<{ readonly accountOrWalletInfo: Members }>
  }>
  if (account === undefined) throw new Error("the customer has no account")
  await pay.settle()
  return { pay, customerId, account }
}

export const fund = (pay: Harness, accountId: string, amount: number, source?: Members) =>
  pay.send("POST", `/sandbox/internal-accounts/${accountId}/fund`, {
    body: { amount, ...(source === undefined ? {} : { source }) },
  })

export const balances = async (pay: Harness, accountId: string) => {
  const reply = await pay.send("GET", `/internal-accounts/${accountId}`)
  return [at(reply, "balance", "amount"), at(reply, "totalBalance", "amount")]
}

export const only = async (pay: Harness, customerId: string) => {
  const [transaction] = at(await pay.send("GET", `/transactions?customerId=${customerId}`), "data") as ReadonlyArray<
    Members & { readonly id: string }
  >
  if (transaction === undefined) throw new Error("there is no transaction")
  return transaction
}

/** The types of the events that were delivered, in the order of their creation within a record. */
export const eventsOf = (pay: Harness, subject: string) =>
  pay.inbox.received.filter(({ data }) => (data as Members)["id"] === subject).map(({ type }) => type)

export const bySuffix = (suffix: string) => ({
  accountHolderName: "John Sender",
  accountIdentifier: `000123456${suffix}`,
})
