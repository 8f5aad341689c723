/**
 * One external account, as an operation or a request looks for it.
 * Source: wire contract 2.1 (deleted accounts are 404, platform accounts only under /platform) and 11 (31).
 */
import { Effect } from "effect"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { Read } from "../../operation/Operation.ts"

/** Whose accounts are meant: those of customers, or those of the platform itself. */
export type AccountScope = "customers" | "platform"

/** The account; whoever's it is where `of` is left out. */
export const readExternalAccount = Effect.fnUntraced(function* <E>(
  read: Read<E>,
  accountId: string,
  of?: AccountScope,
) {
  const found = yield* read({ records: [{ kind: "ExternalAccount", id: accountId }] })
  const account = found.record("ExternalAccount", accountId)
  const isMeant = of === undefined || (account?.customerId === null) === (of === "platform")
  return account === undefined || account.data.isDeleted || !isMeant
    ? yield* new ServiceError(notFound("external account"))
    : account
})
