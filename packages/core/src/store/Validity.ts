/**
 * Validates a change set independently of the store's contents. An invalid set is a defect of the code that made it. Every adapter
 * validates before it commits.
 * Source: architecture, "The Store port" (Caller, Ledger).
 */

import type { Owner } from "../model/record/Record.ts"
import { type Caller, sees } from "./Caller.ts"
import type { ChangeSet } from "./ChangeSet.ts"
import { Kinds } from "./Kinds.ts"

/** Throws: an invalid change set is a defect of the decision. */
const mistake = (message: string): never => {
  throw new Error(`change set: ${message}`)
}

const unique = (what: string, names: ReadonlyArray<string>): void => {
  if (names.length < 2) return
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name)) mistake(`${what} ${name} stands twice`)
    seen.add(name)
  }
}

const own = (caller: Caller, what: string, id: string, owner: Owner): void => {
  if (!sees(caller, owner)) mistake(`${what} ${id} belongs to another tenant`)
}

const idOf = ({ id }: { readonly id: string }): string => id

/** Throws if the set writes records of another tenant, writes one thing twice, or moves an amount that is not a positive integer. */
export const assertValid = (set: ChangeSet, caller: Caller): void => {
  const { platformId } = caller
  for (const { customerId, id, kind, platformId } of set.inserts) own(caller, kind, id, { platformId, customerId })
  for (const account of set.ledgerAccounts) own(caller, "ledger account", account.id, account)
  for (const { customerId, id } of set.events) own(caller, "event", id, { platformId, customerId })
  for (const { customerId, id } of set.jobs) own(caller, "job", id, { platformId, customerId })
  for (const { id, kind } of set.updates) if (Kinds.get(kind).isFinal) mistake(`${kind} ${id} stays as it is`)
  unique(
    "record",
    [...set.inserts, ...set.updates].map(({ id, kind }) => `${kind} ${id}`),
  )
  unique("event", set.events.map(idOf))
  unique("job", set.jobs.map(idOf))
  unique("claimed job", [...set.finishes, ...set.returns].map(idOf))
  for (const { amount, from, to } of set.transfers) {
    if (!Number.isSafeInteger(amount) || amount < 1) mistake(`${amount} from ${from} to ${to} is not an amount`)
    if (from === to) mistake(`a transfer from ${from} to itself`)
  }
  for (const { delta, key } of set.counters) {
    if (!Number.isSafeInteger(delta)) mistake(`${delta} on counter ${key} is not a whole number`)
  }
}
