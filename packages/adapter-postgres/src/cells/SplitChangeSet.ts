/**
 * Splits a change set by the cells of what it names. Each part is a change set for one cell, and all are committed in one transaction.
 * Money between two cells goes through an account in each, named for the account at the other side, so that every cell balances by itself.
 * Source: D-514; store/ChangeSet.ts.
 */
import type { Caller } from "@countersign/core"
import type { ChangeSet, LedgerTransfer, NewEvent, RecordRef } from "@countersign/core/store"
import { insertedBy, type PartOptions, scopeOf } from "../commit/EncodedChangeSet.ts"
import { type CellOf, keyName, replayName } from "./Cells.ts"

/** The part of a set in one cell. */
export interface Part {
  readonly cell: number
  readonly set: ChangeSet
  readonly options: PartOptions
  /** Records of this cell that must exist, and that the part does not name otherwise. */
  readonly present: ReadonlyArray<RecordRef>
}

export interface SplitSet {
  readonly parts: ReadonlyArray<Part>
  /** Events that show sums: they are added when those of all cells are known. */
  readonly lateEvents: ReadonlyArray<{ readonly cell: number; readonly event: NewEvent }>
  /** The cell of the stored response; absent: the set has none. */
  readonly replayCell?: number
}

const bridgePrefix = "bridge:"

/**
 * Where money goes that leaves a cell, and where it comes from in the other: nobody's account. What an agent moves goes over a bridge of
 * its customer, because an agent moves no money of others.
 */
const bridgeTo = (account: string, customerId: string | null): string => `${bridgePrefix}${customerId ?? ""}/${account}`

export const isBridge = (account: string): boolean => account.startsWith(bridgePrefix)

/** The account at the other side of a bridge. Any other account is itself. */
export const beyondBridge = (account: string): string =>
  isBridge(account) ? account.slice(account.indexOf("/") + 1) : account

type Mutable = {
  -readonly [Name in keyof ChangeSet]: ChangeSet[Name] extends ReadonlyArray<infer A> ? Array<A> : ChangeSet[Name]
}

interface Building {
  readonly set: Mutable
  readonly transferNumbers: Array<number>
  readonly present: Array<RecordRef>
}

/** A set of the same operation without any part. */
export const emptyPart = ({ at, operationId }: ChangeSet): Mutable => ({
  operationId,
  at,
  inserts: [],
  updates: [],
  guards: [],
  claims: [],
  releases: [],
  ledgerAccounts: [],
  transfers: [],
  assertions: [],
  observes: [],
  counters: [],
  events: [],
  attempts: [],
  jobs: [],
  finishes: [],
  returns: [],
})

export const split = (set: ChangeSet, caller: Caller, cellOf: CellOf): SplitSet => {
  const { platformId } = caller
  const building = new Map<number, Building>()
  const at = (cell: number): Building => {
    const found = building.get(cell) ?? { set: emptyPart(set), transferNumbers: [], present: [] }
    building.set(cell, found)
    return found
  }
  const partOf = (name: string): Mutable => at(cellOf(name)).set
  const keyCell = ({ key, scope }: ChangeSet["claims"][number]): number =>
    cellOf(keyName(key, scopeOf(scope, platformId)))

  for (const insert of set.inserts) partOf(insert.id).inserts.push(insert)
  for (const change of set.updates) partOf(change.id).updates.push(change)
  for (const guard of set.guards) partOf(guard.id).guards.push(guard)
  for (const claim of set.claims) at(keyCell(claim)).set.claims.push(claim)
  for (const release of set.releases) at(keyCell(release)).set.releases.push(release)
  for (const account of set.ledgerAccounts) partOf(account.id).ledgerAccounts.push(account)
  for (const assertion of set.assertions) partOf(assertion.account).assertions.push(assertion)
  for (const account of set.observes) partOf(account).observes.push(account)
  for (const counter of set.counters) partOf(counter.key).counters.push(counter)
  for (const attempt of set.attempts) partOf(attempt.eventId).attempts.push(attempt)
  for (const job of set.jobs) partOf(job.id).jobs.push(job)
  for (const fence of set.finishes) partOf(fence.id).finishes.push(fence)
  for (const change of set.returns) partOf(change.id).returns.push(change)

  const customerId = caller._tag === "Agent" ? caller.customerId : null
  const addTransfer = (cell: number, number: number, transfer: LedgerTransfer): void => {
    const part = at(cell)
    part.set.transfers.push(transfer)
    part.transferNumbers.push(number)
    for (const id of [transfer.from, transfer.to]) {
      if (!isBridge(id) || part.set.ledgerAccounts.some((known) => known.id === id)) continue
      part.set.ledgerAccounts.push({ id, platformId, customerId, currency: transfer.currency, floor: null })
    }
  }
  for (const [number, transfer] of set.transfers.entries()) {
    const { from, to } = transfer
    const [source, target] = [cellOf(from), cellOf(to)]
    if (source === target) {
      addTransfer(source, number, transfer)
    } else {
      addTransfer(source, number, { ...transfer, to: bridgeTo(to, customerId) })
      addTransfer(target, number, { ...transfer, from: bridgeTo(from, customerId) })
    }
  }

  const lateEvents: Array<SplitSet["lateEvents"][number]> = []
  for (const event of set.events) {
    const cell = cellOf(event.id)
    if (event.data.placeholders.length === 0) at(cell).set.events.push(event)
    else lateEvents.push({ cell, event })
  }

  const ownersElsewhere = new Map<string, string | null>()
  for (const change of [...set.claims, ...set.releases]) {
    const { id, kind } = change.record
    const cell = cellOf(id)
    if (cell === keyCell(change)) continue
    ownersElsewhere.set(`${kind} ${id}`, insertedBy(set, change.record)?.customerId ?? null)
    const isNamed = [...set.inserts, ...set.updates].some((named) => named.kind === kind && named.id === id)
    if (!isNamed) at(cell).present.push(change.record)
  }
  const parts = [...building]
    .toSorted(([a], [b]) => a - b)
    .map(
      ([cell, part]): Part => ({
        cell,
        set: part.set,
        options: { transferNumbers: part.transferNumbers, ownersElsewhere },
        present: part.present,
      }),
    )
  return {
    parts,
    lateEvents,
    ...(set.replay === undefined ? {} : { replayCell: cellOf(replayName(set.replay.key, caller)) }),
  }
}

/** The only cell of a set; `undefined`: it has several. A set that names nothing is in any cell. */
export const onlyCell = ({ lateEvents, parts, replayCell }: SplitSet): number | undefined => {
  const cells = new Set([
    ...parts.map(({ cell }) => cell),
    ...lateEvents.map(({ cell }) => cell),
    ...(replayCell === undefined ? [] : [replayCell]),
  ])
  return cells.size > 1 ? undefined : ([...cells][0] ?? 0)
}
