/**
 * Where an action's money goes, for the rows of the approval policy and for what approvers are shown.
 * Source: D-532.
 */
import type { DestinationFacts } from "../../model/approval/ApprovalRowRules.ts"
import { isTrustedBy } from "../../model/sca/BeneficiaryTrust.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import type { ActionRecords } from "./ActionLoaded.ts"

/** The account that receives. */
export type DestinationAccount = Stored<"InternalAccount"> | Stored<"ExternalAccount">

/** Returns the account that receives, or `undefined` if its record does not exist. */
export const destinationAccountOf = ({
  requested,
}: Pick<ActionRecords, "requested">): DestinationAccount | undefined =>
  requested.type === "EXECUTE_QUOTE"
    ? (requested.records?.receiver ?? requested.records?.destination)
    : requested.accounts.destination

/** Returns the account or the address that the action names. */
const namedDestination = ({ requested }: Pick<ActionRecords, "requested">): string | undefined => {
  if (requested.type !== "EXECUTE_QUOTE") return requested.order.destinationAccountId
  const named = requested.records?.quote.data.destination
  return named?.destinationType === "UMA_ADDRESS" ? named.umaAddress : named?.accountId
}

/** Returns what the rows compare. An account that the customer does not own, behind an UMA address, is as new as any address. */
export const destinationFacts = (
  id: string | undefined,
  account: DestinationAccount | undefined,
  customerId: string,
): DestinationFacts => {
  const isCustomers = account !== undefined && account.customerId === customerId
  return {
    id,
    isOwn: isCustomers && account.kind === "InternalAccount",
    isTrusted: account?.kind === "ExternalAccount" && isTrustedBy(account, customerId),
    createdAt: isCustomers ? account.createdAt : undefined,
  }
}

/** Returns what the rows compare of an action. */
export const destinationOf = (records: Pick<ActionRecords, "requested" | "customer">): DestinationFacts =>
  destinationFacts(namedDestination(records), destinationAccountOf(records), records.customer.id)
