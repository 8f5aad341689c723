/**
 * Returns what the console shows of a held action, from its records as they are now.
 * Source: D-532.
 */
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import type { AccountInfo } from "../../model/account/ExternalAccount.ts"
import type { ShownAction } from "../../model/agent/ShownAction.ts"
import type { ApprovalRequirement } from "../../model/approval/ApprovalRequirement.ts"
import type { AnyStored, Stored } from "../../store/ChangeSet.ts"
import type { Kind } from "../../store/Kinds.ts"
import { destinationAccountOf, destinationOf } from "./ActionDestination.ts"
import type { ActionRecords } from "./ActionLoaded.ts"

const memberOf = (json: Json | undefined, name: string): Json | undefined =>
  typeof json === "object" && json !== null && !Array.isArray(json)
    ? (json as { readonly [name: string]: Json })[name]
    : undefined

const textOf = (json: Json | undefined): string | undefined =>
  typeof json === "string" && json !== "" ? json : undefined

/** Returns the name of an account's beneficiary, a person's or a business's. */
const beneficiaryName = (info: AccountInfo): string | undefined => {
  const beneficiary = memberOf({ ...info }, "beneficiary")
  return (
    textOf(memberOf(beneficiary, "fullName")) ??
    textOf(memberOf(memberOf(beneficiary, "businessInfo"), "legalName")) ??
    textOf(memberOf(beneficiary, "legalName"))
  )
}

const versionOf = ({ id, version }: AnyStored | Stored<Kind>) => ({ id, version })

const sourceOf = ({ requested }: ActionRecords) =>
  requested.type === "EXECUTE_QUOTE"
    ? (requested.records?.account ?? requested.records?.pulled)
    : requested.accounts.source

export const shownActionOf = (
  { data, id }: Stored<"AgentAction">,
  { needed, row }: ApprovalRequirement,
  records: ActionRecords,
): ShownAction => {
  const { agent, customer, requested } = records
  const quote = requested.type === "EXECUTE_QUOTE" ? requested.records?.quote : undefined
  const account = destinationAccountOf(records)
  const name = account?.kind === "ExternalAccount" ? beneficiaryName(account.data.accountInfo) : undefined
  const source = sourceOf(records)
  const { transferDetails } = data
  return {
    actionId: id,
    type: data.type,
    agent: { id: agent.id, name: agent.data.name },
    customerId: customer.id,
    sending: {
      amount: quote?.data.totalSendingAmount ?? transferDetails?.amount ?? 0,
      currency: quote?.data.sendingCurrency ?? transferDetails?.currency ?? "USD",
    },
    ...(quote === undefined
      ? {}
      : {
          receiving: { amount: quote.data.totalReceivingAmount, currency: quote.data.receivingCurrency },
          fees: quote.data.feesIncluded,
          quoteId: quote.id,
        }),
    ...(source === undefined ? {} : { source: versionOf(source) }),
    destination: {
      id: destinationOf(records).id ?? "",
      ...(account === undefined ? {} : { version: account.version }),
      ...(name === undefined ? {} : { name }),
    },
    ...(data.instructions === undefined ? {} : { instructions: data.instructions }),
    row,
    needed,
  }
}
