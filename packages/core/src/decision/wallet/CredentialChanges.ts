/**
 * Changes that add a credential to its wallet and remove it. Every change writes the wallet record.
 * Source: wire contract 4.2.
 */
import type { IdSource } from "../../foundation/ids/IdPool.ts"
import type { Owner } from "../../model/record/Record.ts"
import { type Credential, type OtpCredential, revoked } from "../../model/wallet/Credential.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { dependentCounter } from "../../store/Kinds.ts"

/** What a new wallet starts with. */
export interface NewWallet {
  /** The root of its keys; `undefined`: the one of this process. */
  readonly rootId: string | undefined
}

/** Adds a credential. The first one makes the wallet: `wallet` is then the root of its keys. */
export const addCredential = (
  id: string,
  owner: Owner,
  wallet: Stored<"Wallet"> | NewWallet,
  credential: Credential,
): Changes.Changes =>
  Changes.combine(
    Changes.insert("Credential", id, owner, credential),
    "data" in wallet
      ? Changes.update(wallet, { ...wallet.data, credentialIds: [...wallet.data.credentialIds, id] })
      : Changes.insert("Wallet", credential.accountId, owner, {
          credentialIds: [id],
          ...(wallet.rootId === undefined ? {} : { rootId: wallet.rootId }),
        }),
  )

export const removeCredential = (wallet: Stored<"Wallet">, credential: Stored<"Credential">): Changes.Changes =>
  Changes.combine(
    Changes.update(credential, revoked(credential.data)),
    Changes.update(wallet, {
      ...wallet.data,
      credentialIds: wallet.data.credentialIds.filter((id) => id !== credential.id),
    }),
  )

/**
 * An unsigned change is valid only while the customer has no credential that would require a signature. `dependents` is the number of the
 * customer's dependent records, read before its credentials.
 */
export const assertNoAddedCredential = (customerId: string, dependents: number): Changes.Changes => ({
  counters: [{ key: dependentCounter(customerId), customerId, delta: 0, expected: dependents }],
})

/** First credential of the wallet of a customer who has an e-mail address. */
export const startingCredential = (
  ids: IdSource,
  owner: Owner,
  accountId: string,
  { email, ...wallet }: NewWallet & { readonly email: string },
): Changes.Changes =>
  addCredential(ids("AuthMethod"), owner, wallet, {
    type: "EMAIL_OTP",
    accountId,
    contact: email,
    nickname: email,
    isRevoked: false,
  })

/** The code that is sent to the credential's contact after the commit. */
export const sendOf = ({ customerId }: Owner, { contact, type }: OtpCredential): Changes.Changes => ({
  codeSends: [{ channel: type === "EMAIL_OTP" ? "EMAIL" : "SMS", recipient: contact, customerId }],
})
