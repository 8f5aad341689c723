/**
 * An agent's transfer as an action: what must be read for it, and whether and how it moves its money. In both directions it is
 * the platform's own transfer, begun by the agent.
 * Spec: 4.1, AgentTransferDetails; wire contract 1.4, 1.6 and 5.6; D-210.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { AgentAction, TransferInstructions } from "../../model/agent/AgentAction.ts"
import type { PullInspection } from "../../model/transaction/TransferInRules.ts"
import { shortOfFunds } from "../../model/transaction/TransferRules.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import type { ReadQuery, ReadResult } from "../../store/Store.ts"
import { type Explanation, explanationOf } from "../agent/AgentPolicyEvaluation.ts"
import * as TransferIn from "../transaction/TransferInDecision.ts"
import * as TransferOut from "../transaction/TransferOutDecision.ts"
import type { ActionLoaded, PossibleAction } from "./ActionDecision.ts"

/** What an agent wants moved. */
export type TransferAction =
  | { readonly type: "TRANSFER_IN"; readonly order: TransferIn.TransferInOrder }
  | { readonly type: "TRANSFER_OUT"; readonly order: TransferOut.TransferOutOrder }

export const readQueryFor = ({ order, type }: TransferAction): Required<Pick<ReadQuery, "records" | "balances">> =>
  type === "TRANSFER_IN" ? TransferIn.readQueryFor(order) : TransferOut.readQueryFor(order)

/** What a held transfer was submitted as; `undefined`: the action is none. */
export const transferOf = ({ instructions, transferDetails, type }: AgentAction): TransferAction | undefined => {
  if (transferDetails === undefined || type === "EXECUTE_QUOTE") return undefined
  const { amount, destinationAccountId, sourceAccountId } = transferDetails
  const order = { sourceAccountId, destinationAccountId, amount }
  return type === "TRANSFER_IN" ? { type, order } : { type, order: { ...order, ...instructions } }
}

/** The account if it is the customer's: an agent knows no other. */
const own = <A extends { readonly customerId: string | null }>(account: A | undefined, { id }: Stored<"Customer">) =>
  account?.customerId === id ? account : undefined

/** The external account that a pull would draw on, of which the rail is asked. */
export const pulledFrom = (
  { order, type }: TransferAction,
  read: ReadResult,
  customer: Stored<"Customer">,
): Stored<"ExternalAccount"> | undefined =>
  type === "TRANSFER_IN" ? own(TransferIn.accountsOf(read, order).source, customer) : undefined

type Account = Stored<"ExternalAccount"> | Stored<"InternalAccount">
type Part = Pick<ActionLoaded, "type" | "action" | "accounts">

const detailsOf = (
  { amount, currency, destination, source }: TransferIn.ValidTransferIn | TransferOut.ValidTransferOut,
  instructions: TransferInstructions = {},
): PossibleAction["kept"] => ({
  transferDetails: { amount, currency, sourceAccountId: source.id, destinationAccountId: destination.id },
  ...(Object.keys(instructions).length === 0 ? {} : { instructions }),
})

const shortage = (numbers: Explanation): Explanation => ({
  ...explanationOf({ rule: "FUNDS", refusal: shortOfFunds }),
  ...numbers,
})

const present = (...accounts: ReadonlyArray<Account | undefined>): ReadonlyArray<Account> =>
  accounts.filter((account) => account !== undefined)

const isRefusal = (value: object): value is Refusal => "code" in value

const pull = (
  order: TransferIn.TransferInOrder,
  read: ReadResult,
  customer: Stored<"Customer">,
  inspection: PullInspection | undefined,
): Part => {
  const found = TransferIn.accountsOf(read, order)
  const source = own(found.source, customer)
  const destination = own(found.destination, customer)
  const part = { type: "TRANSFER_IN", accounts: present(source, destination) } as const
  const transfer = TransferIn.validate({ ...found, source, destination, customer, inspection }, order.amount)
  if (isRefusal(transfer)) return { ...part, action: transfer }
  const { amount, currency } = transfer
  return {
    ...part,
    action: {
      accounts: [{ id: transfer.destination.id, currency }],
      amount,
      currency,
      kept: detailsOf(transfer),
      shortage: () => (transfer.isShortOfFunds ? shortage({ currency, amount }) : undefined),
      begin: ({ ids, now }, by) => TransferIn.begin(ids, now, transfer, customer, by),
    },
  }
}

/** The terms of a push that the wire's `transferDetails` do not show, and that an approval executes too. */
const instructionsOf = ({
  paymentRail,
  purposeOfPayment,
  remittanceInformation,
}: TransferOut.TransferOutOrder): TransferInstructions => ({
  ...(paymentRail === undefined ? {} : { paymentRail }),
  ...(purposeOfPayment === undefined ? {} : { purposeOfPayment }),
  ...(remittanceInformation === undefined ? {} : { remittanceInformation }),
})

const push = (order: TransferOut.TransferOutOrder, read: ReadResult, customer: Stored<"Customer">): Part => {
  const found = TransferOut.accountsOf(read, order)
  const source = own(found.source, customer)
  const destination = own(found.destination, customer)
  const part = { type: "TRANSFER_OUT", accounts: present(source, destination) } as const
  const transfer = TransferOut.validate({ ...found, source, destination, customer }, order)
  if (isRefusal(transfer)) return { ...part, action: transfer }
  const { amount, currency } = transfer
  // Everything of nothing: there is no amount that an action could name (D-210).
  if (amount < 1) return { ...part, action: shortOfFunds }
  return {
    ...part,
    action: {
      accounts: [{ id: transfer.source.id, currency }],
      amount,
      currency,
      kept: detailsOf(transfer, instructionsOf(order)),
      shortage: () =>
        transfer.isShortOfFunds ? shortage({ currency, amount, available: found.available.balance }) : undefined,
      begin: (context, by) => TransferOut.begin(context, transfer, order, customer, by),
    },
  }
}

/** The action that a transfer is, given what was read of its accounts and what the rail says of a pull. */
export const transferAction = (
  { order, type }: TransferAction,
  read: ReadResult,
  customer: Stored<"Customer">,
  inspection: PullInspection | undefined,
): Part => (type === "TRANSFER_IN" ? pull(order, read, customer, inspection) : push(order, read, customer))
