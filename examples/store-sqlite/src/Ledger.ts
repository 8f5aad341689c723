/** The double-entry ledger: accounts with bounds, and entries that are never changed. */
import type { Caller } from "@countersign/core"
import { amountMax } from "@countersign/core/models"
import { type ChangeSet, type LedgerAccount, sees } from "@countersign/core/store"
import type { Database } from "./Database.ts"
import { conflict, Refusal } from "./Refusal.ts"

export interface AccountRow extends LedgerAccount {
  readonly balance: number
  readonly sequence: number
}

export const accountOf = (db: Database, caller: Caller, id: string): AccountRow | undefined => {
  const row = db.get<AccountRow>("select * from ledgerAccount where id = $id", { id })
  return row !== undefined && sees(caller, row) ? row : undefined
}

/** Balance and sequence of an account; 0 if it does not exist for the caller. */
export const balanceOf = (db: Database, caller: Caller, id: string) => {
  const { balance = 0, sequence = 0 } = accountOf(db, caller, id) ?? {}
  return { balance, sequence }
}

const open = (db: Database, { currency, customerId, floor, id, platformId }: LedgerAccount): void => {
  const row = db.get<AccountRow>("select * from ledgerAccount where id = $id", { id })
  if (row === undefined) db.insert("ledgerAccount", { id, platformId, customerId, currency, floor })
  else if (
    row.platformId !== platformId ||
    row.customerId !== customerId ||
    row.currency !== currency ||
    row.floor !== floor
  )
    throw new Error(`ledger account ${id} is open with other properties`)
}

/** Only the balance after the whole set counts. */
const assertBounds = ({ floor, id }: AccountRow, after: bigint): void => {
  if (floor !== null && after < BigInt(floor))
    throw new Refusal({ _tag: "BoundViolated", bound: { _tag: "Floor", account: id } })
  if (after > BigInt(amountMax) || after < -BigInt(amountMax))
    throw new Refusal({ _tag: "BoundViolated", bound: { _tag: "Range", account: id } })
}

/** Opens accounts, checks assertions against the state before the set, and posts both entries of each transfer. */
export const write = (db: Database, set: ChangeSet, caller: Caller): void => {
  for (const { account, sequence } of set.assertions) {
    if (balanceOf(db, caller, account).sequence !== sequence) conflict(`ledger account ${account}`)
  }
  for (const account of set.ledgerAccounts) open(db, account)
  const changed = new Map<string, { readonly before: AccountRow; after: bigint; sequence: number }>()
  for (const [transfer, { amount, currency, from, reference, to }] of set.transfers.entries()) {
    for (const [id, signed, counterAccount] of [[from, -amount, to] as const, [to, amount, from] as const]) {
      const before = accountOf(db, caller, id)
      if (before?.currency !== currency) throw new Error(`the caller has no ledger account ${id} in ${currency}`)
      const account = changed.get(id) ?? { before, after: BigInt(before.balance), sequence: before.sequence }
      account.after += BigInt(signed)
      account.sequence += 1
      changed.set(id, account)
      db.insert("ledgerEntry", {
        account: id,
        sequence: account.sequence,
        amount: signed,
        balanceAfter: Number(account.after),
        reference,
        operationId: set.operationId,
        transfer,
        counterAccount,
        at: set.at,
      })
    }
  }
  for (const [id, { after, before, sequence }] of changed) {
    assertBounds(before, after)
    const balance = Number(after)
    db.run("update ledgerAccount set balance = $balance, sequence = $sequence where id = $id", {
      id,
      balance,
      sequence,
    })
  }
}
