/** Calls that tests make about transfers: fund an account, transfer in and out, and read the results. */
import { type DefiniteOutcome, InternalAccounts, Outcomes, Transactions, Transfers } from "@countersign/core"
import type { AgentWorld } from "./AgentWorld.ts"

type FundedWorld = Pick<AgentWorld, "run" | "accountId" | "sources" | "customerId" | "inbox">

export const fund = async (pay: FundedWorld, amount: number): Promise<void> => {
  await pay.run(InternalAccounts.use((accounts) => accounts.fund(pay.accountId, amount)))
}

export const pullFrom = async (pay: FundedWorld, suffix: string, amount?: number) => {
  const order = { sourceAccountId: pay.sources[suffix] ?? "", destinationAccountId: pay.accountId, amount }
  return (await pay.run(Transfers.use((transfers) => transfers.transferIn(order)))).body
}

export interface TransferOutOptions {
  readonly amount?: number
  readonly paymentRail?: string
  readonly remittanceInformation?: string
}

export const pushTo = async (pay: FundedWorld, suffix: string, terms: TransferOutOptions) => {
  const order = { sourceAccountId: pay.accountId, destinationAccountId: pay.sources[suffix] ?? "", ...terms }
  return (await pay.run(Transfers.use((transfers) => transfers.transferOut(order)))).body
}

export const read = (pay: FundedWorld, id: string) => pay.run(Transactions.use((all) => all.get(id)))

export const cancel = (pay: FundedWorld, id: string) =>
  pay.run(Transactions.use((all) => all.cancel(id, "changed my mind"))).then(({ body }) => body)

export const report = (pay: FundedWorld, id: string, outcome: DefiniteOutcome) =>
  pay.run(Outcomes.use((outcomes) => outcomes.report(id, outcome)))

/** Available and total balance of the customer's USD account. */
export const balances = async (pay: FundedWorld): Promise<readonly [available: number, total: number]> => {
  const { data } = await pay.run(
    InternalAccounts.use((accounts) => accounts.list({ customerId: pay.customerId, currency: "USD" })),
  )
  return [data[0]?.balance.amount ?? Number.NaN, data[0]?.totalBalance.amount ?? Number.NaN]
}

/** The event types of a record in order of arrival, each event once, without the part before the dot. */
export const eventNames = (pay: Pick<FundedWorld, "inbox">, id: string): ReadonlyArray<string> =>
  [...new Map(pay.inbox.received.map((event) => [event.id, event])).values()]
    .filter((event) => event.data["id"] === id)
    .map((event) => event.type.slice(event.type.indexOf(".") + 1))
