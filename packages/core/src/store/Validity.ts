/**
 * Validates a change set independently of the store's contents. An invalid set is a defect of the code that made it. Every adapter
 * validates before it commits.
 * Source: architecture, "The Store port" (Caller, Ledger).
 */

import * as Outside from "../foundation/kit/Outside.ts"
import type { Owner } from "../model/record/Record.ts"
import { type Caller, sees } from "./Caller.ts"
import { type ChangeSet, isParkedJobDecision } from "./ChangeSet.ts"
import { Kinds } from "./Kinds.ts"

/** Throws, because an invalid change set is a defect of the decision. */
const invalid = (message: string): never => {
  throw new Error(`change set: ${message}`)
}

const unique = (what: string, names: ReadonlyArray<string>): void => {
  if (names.length < 2) return
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name)) invalid(`${what} ${name} occurs twice`)
    seen.add(name)
  }
}

const own = (caller: Caller, what: string, id: string, owner: Owner): void => {
  if (!sees(caller, owner)) invalid(`${what} ${id} belongs to another tenant`)
}

const storable = (what: string, id: string, ...values: ReadonlyArray<unknown>): void => {
  if (!values.every(Outside.isStorable)) invalid(`${what} ${id} has U+0000 or half of a surrogate pair`)
}

const idOf = ({ id }: { readonly id: string }): string => id

/**
 * Throws if the set writes records of another tenant, writes one thing twice, moves an amount that is not a positive integer, or has a
 * text that no store keeps.
 */
export const assertValid = (set: ChangeSet, caller: Caller): void => {
  const { platformId } = caller
  for (const { customerId, id, kind, platformId } of set.inserts) own(caller, kind, id, { platformId, customerId })
  for (const account of set.ledgerAccounts) own(caller, "ledger account", account.id, account)
  for (const { customerId, id } of set.events) own(caller, "event", id, { platformId, customerId })
  for (const { customerId, id } of set.jobs) own(caller, "job", id, { platformId, customerId })
  for (const { id, kind } of set.updates) if (Kinds.get(kind).isFinal) invalid(`${kind} ${id} is immutable`)
  const written = [...set.inserts, ...set.updates]
  unique(
    "record",
    written.map(({ id, kind }) => `${kind} ${id}`),
  )
  unique("event", set.events.map(idOf))
  unique(
    "attempt of event",
    set.attempts.map(({ eventId }) => eventId),
  )
  unique("job", set.jobs.map(idOf))
  unique("claimed job", [...set.finishes, ...set.returns].map(idOf))
  for (const { amount, from, to } of set.transfers) {
    if (!Number.isSafeInteger(amount) || amount < 1)
      invalid(`the amount from ${from} to ${to} must be a positive integer, not ${amount}`)
    if (from === to) invalid(`a transfer needs two accounts, not ${from} twice`)
  }
  for (const { data, id, kind } of written) storable(kind, id, data)
  for (const { data, id } of set.events) storable("event", id, data)
  for (const { attempt, eventId } of set.attempts) storable("attempt of event", eventId, attempt)
  for (const { id, payload } of set.jobs) storable("job", id, payload)
  for (const change of set.returns) {
    if (!isParkedJobDecision(change)) storable("job", change.id, change.error, change.payload)
  }
  for (const { key } of set.claims) storable("claim", key, key)
  if (set.replay !== undefined) storable("answer", set.replay.key, set.replay.answer.body)
  for (const { delta, key } of set.counters) {
    if (!Number.isSafeInteger(delta)) invalid(`the delta of counter ${key} must be an integer, not ${delta}`)
  }
}
