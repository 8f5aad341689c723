/** What one `read` of the port returns. Everything is read at once: what the result answers must not change after it. */
import { type Caller, tenant } from "@countersign/core"
import type { Kind, ReadQuery, ReadResult, Stored } from "@countersign/core/store"
import * as Counters from "./Counters.ts"
import type { Database } from "./Database.ts"
import * as Ledger from "./Ledger.ts"
import * as Receipts from "./Receipts.ts"
import * as Records from "./Records.ts"
import * as UniqueKeys from "./UniqueKeys.ts"

export const read = (db: Database, caller: Caller, query: ReadQuery, wallNow: number): ReadResult => {
  const { balances = [], counters = [], holder, ownersOf = [], platform = false, records = [], replay } = query
  const nameOf = ({ id, kind }: { readonly kind: string; readonly id: string }) => `${kind} ${id}`
  const customerOf = (customerId: string | null | undefined) =>
    typeof customerId === "string" ? Records.find(db, caller, { kind: "Customer", id: customerId }) : undefined
  const found = new Map(records.map((ref) => [nameOf(ref), Records.find(db, caller, ref)]))
  const owners = new Map(ownersOf.map((ref) => [nameOf(ref), customerOf(Records.find(db, caller, ref)?.customerId)]))
  const sums = new Map(balances.map((account) => [account, Ledger.balanceOf(db, caller, account)]))
  const values = new Map(counters.map((key) => [key, Counters.counterOf(db, caller, key)]))
  return {
    record: <K extends Kind>(kind: K, id: string) => found.get(nameOf({ kind, id })) as Stored<K> | undefined,
    owner: (account) => owners.get(nameOf(account)),
    // An agent depends on its platform, but has no other way to read it.
    platform: platform
      ? Records.find(db, tenant(caller.platformId), { kind: "Platform", id: caller.platformId })
      : undefined,
    balance: (account) => sums.get(account) ?? { balance: 0, sequence: 0 },
    counter: (key) => values.get(key) ?? 0,
    replay: replay === undefined ? undefined : Receipts.answerOf(db, caller, replay, wallNow),
    holder: holder === undefined ? undefined : UniqueKeys.resolve(db, { scope: "global", key: holder }),
  }
}
