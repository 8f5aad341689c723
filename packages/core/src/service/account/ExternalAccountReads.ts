/**
 * Reads of one external account.
 * Source: wire contract 2.1 (deleted accounts are 404, platform accounts only under /platform) and 11 (31).
 */
import { Effect } from "effect"
import { accountNotFound } from "../../decision/account/ExternalAccountDecision.ts"
import type { Read } from "../../operation/Operation.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import type { Stored } from "../../store/ChangeSet.ts"

/** The owners whose accounts an endpoint serves: the customers, or the platform itself. */
export type AccountScope = "customers" | "platform"

const isVisible =
  (scope: AccountScope | undefined) =>
  ({ customerId, data }: Stored<"ExternalAccount">): boolean =>
    !data.isDeleted && (scope === undefined || (customerId === null) === (scope === "platform"))

/** Returns the account. Without `scope` it may have any owner. Errors: `REFERENCE_NOT_FOUND`. */
export const readExternalAccount = <E>(read: Read<E>, accountId: string, scope?: AccountScope) =>
  readExisting(read, "ExternalAccount", accountId, accountNotFound, isVisible(scope))

/** Returns the account, or `undefined` if it does not exist in the scope. */
export const findExternalAccount = Effect.fnUntraced(function* (read: Read, accountId: string, scope: AccountScope) {
  const account = (yield* read({ records: [{ kind: "ExternalAccount", id: accountId }] })).record(
    "ExternalAccount",
    accountId,
  )
  return account !== undefined && isVisible(scope)(account) ? account : undefined
})
