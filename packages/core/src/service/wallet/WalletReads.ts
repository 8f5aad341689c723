/**
 * How wallets, their credentials and their sessions are found: the same for every operation that signs.
 * Source: wire contract 4.1 (unknown is 404) and 4.3 (other types 400).
 */
import { Effect } from "effect"
import { invalidInput, notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { WalletHeaders } from "../../model/wallet/SignedRequest.ts"
import { listAll } from "../../operation/Listing.ts"
import type * as Operation from "../../operation/Operation.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import type { Where } from "../../store/Store.ts"

const noAccount = new ServiceError(notFound("internal account"))

/** Whether a request carries both headers, so that what only a signed one needs should be made. */
export const isRetry = ({ requestId, signature }: WalletHeaders): boolean =>
  requestId !== undefined && signature !== undefined

/** Whether a request carries neither. */
export const isFirstCall = ({ requestId, signature }: WalletHeaders): boolean =>
  requestId === undefined && signature === undefined

export interface WalletLoaded {
  readonly account: Stored<"InternalAccount">
  readonly customer: Stored<"Customer">
  /** Absent: it has never had a credential. */
  readonly wallet: Stored<"Wallet"> | undefined
  readonly credentials: ReadonlyArray<Stored<"Credential">>
}

/** An account that is there; of a customer that has gone it is not. */
const readAccount = Effect.fnUntraced(function* (read: Operation.Read, accountId: string) {
  const found = yield* read({
    records: [
      { kind: "InternalAccount", id: accountId },
      { kind: "Wallet", id: accountId },
    ],
  })
  const account = found.record("InternalAccount", accountId)
  if (account === undefined || account.data.status === "CLOSED") return yield* noAccount
  return { account, wallet: found.record("Wallet", accountId) }
})

/** A wallet, where the path names it: an account of another type is not there. */
export const readWallet = Effect.fnUntraced(function* (read: Operation.Read, accountId: string) {
  const found = yield* readAccount(read, accountId)
  return found.account.data.type === "EMBEDDED_WALLET" ? found : yield* noAccount
})

/** A wallet with its customer and its credentials, where the body names it: another type is a wrong field. */
export const loadWallet = Effect.fnUntraced(function* (read: Operation.Read, accountId: string) {
  const { account, wallet } = yield* readAccount(read, accountId)
  const { customerId } = account
  if (account.data.type !== "EMBEDDED_WALLET" || customerId === null) {
    return yield* new ServiceError(invalidInput([{ field: "accountId", message: "must be an embedded wallet" }]))
  }
  const ids = wallet?.data.credentialIds ?? []
  const found = yield* read({
    records: [{ kind: "Customer", id: customerId }, ...ids.map((id) => ({ kind: "Credential" as const, id }))],
  })
  const customer = found.record("Customer", customerId)
  if (customer === undefined || customer.data.isDeleted) return yield* noAccount
  const loaded: WalletLoaded = {
    account,
    customer,
    wallet,
    credentials: ids.flatMap((id) => found.record("Credential", id) ?? []),
  }
  return loaded
})

/** A credential that is not revoked. */
export const readCredential = Effect.fnUntraced(function* <E>(read: Operation.Read<E>, credentialId: string) {
  const found = (yield* read({ records: [{ kind: "Credential", id: credentialId }] })).record(
    "Credential",
    credentialId,
  )
  return found === undefined || found.data.isRevoked ? yield* new ServiceError(notFound("credential")) : found
})

/** How the platform's codes look, and how long they are good. */
export const readSettings = Effect.fnUntraced(function* (read: Operation.Read) {
  const { platformId } = yield* CurrentCaller
  const found = yield* read({ records: [{ kind: "Platform", id: platformId }] })
  return found.record("Platform", platformId)?.data.embeddedWalletConfig ?? {}
})

/** All credentials of a customer's wallets that are not revoked; their accounts are those whose sessions may sign for it. */
export const credentialsOf = (customerId: string) =>
  listAll("Credential", { customerId: { eq: customerId }, isRevoked: { eq: false } })

/** The accounts of credentials, each once. */
export const accountsOf = (credentials: ReadonlyArray<Stored<"Credential">>): ReadonlyArray<string> => [
  ...new Set(credentials.map(({ data }) => data.accountId)),
]

/** The conditions of a list of active sessions: the same, said to the store. */
export const activeAt = (now: number): Where => ({ status: { eq: "ACTIVE" }, expiresAt: { from: now + 1 } })
