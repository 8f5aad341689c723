/**
 * Reads wallets, their credentials and their sessions.
 * Source: wire contract 4.1 (unknown is 404).
 */
import { Effect } from "effect"
import type { RegistrationLoaded } from "../../decision/wallet/CredentialDecision.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { listAll } from "../../operation/Listing.ts"
import type * as Operation from "../../operation/Operation.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import type { Where } from "../../store/Store.ts"
import { newestRoot } from "./RootVault.ts"

const noAccount = new ServiceError(notFound("internal account"))

/** Reads an account that is not closed. */
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

/** Reads the wallet that a path names. An account of another type is 404. */
export const readWallet = Effect.fnUntraced(function* (read: Operation.Read, accountId: string) {
  const found = yield* readAccount(read, accountId)
  return found.account.data.type === "EMBEDDED_WALLET" ? found : yield* noAccount
})

/** Reads the account that a body names, with its customer and its credentials. */
export const loadWallet = Effect.fnUntraced(function* (read: Operation.Read, accountId: string) {
  const { account, wallet } = yield* readAccount(read, accountId)
  const { customerId } = account
  const ids = wallet?.data.credentialIds ?? []
  const found = yield* read({
    records: [
      ...(customerId === null ? [] : [{ kind: "Customer" as const, id: customerId }]),
      ...ids.map((id) => ({ kind: "Credential" as const, id })),
    ],
  })
  const loaded: RegistrationLoaded = {
    account,
    customer: customerId === null ? undefined : found.record("Customer", customerId),
    wallet,
    credentials: ids.flatMap((id) => found.record("Credential", id) ?? []),
    rootId: wallet === undefined ? yield* newestRoot : undefined,
  }
  return loaded
})

/** Reads a credential that is not revoked. */
export const readCredential = <E>(read: Operation.Read<E>, credentialId: string) =>
  readExisting(read, "Credential", credentialId, notFound("credential"), ({ data }) => !data.isRevoked)

/** Reads the platform's format and lifetime of codes. */
export const readSettings = Effect.fnUntraced(function* (read: Operation.Read) {
  const { platformId } = yield* CurrentCaller
  const found = yield* read({ records: [{ kind: "Platform", id: platformId }] })
  return found.record("Platform", platformId)?.data.embeddedWalletConfig ?? {}
})

/** Lists the credentials of a customer's wallets that are not revoked. Sessions of their accounts may sign for the customer. */
export const credentialsOf = (customerId: string) =>
  listAll("Credential", { customerId: { eq: customerId }, isRevoked: { eq: false } })

/** Returns the distinct account ids of credentials. */
export const accountIdsOf = (credentials: ReadonlyArray<Stored<"Credential">>): ReadonlyArray<string> => [
  ...new Set(credentials.map(({ data }) => data.accountId)),
]

/** Returns the filter of a list of active sessions. */
export const activeAt = (now: number): Where => ({ status: { eq: "ACTIVE" }, expiresAt: { from: now + 1 } })
