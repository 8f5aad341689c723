/**
 * Callers that commit change sets while a database suffers, and what is found afterwards. Some send a set again until it is
 * answered; some give up, and remember what they were told.
 * Source: ports/Store.ts (StoreUnavailable); architecture, "Load, ask, decide, commit".
 */

import { CurrentCaller } from "@countersign/core"
import { type ChangeSet, type Store, StoreUnavailable } from "@countersign/core/store"
import { Cause, Effect, Exit } from "effect"
import type pg from "pg"
import { expect } from "vitest"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { account, alpha, customer, job, newEvent, transfer } from "../../../packages/test/src/conformance/Examples.ts"
import { drawing } from "../adapter-postgres/Histories.ts"
import { eventually } from "../e2e/Deadline.ts"

type Stored = Store["Service"]

const names = Array.from({ length: 8 }, (_, n) => `account ${n}`)
const funds = 1_000_000

const asAlpha = <A, E>(effect: Effect.Effect<A, E, CurrentCaller>) =>
  Effect.runPromiseExit(Effect.provideService(effect, CurrentCaller, alpha))

/** What a commit said: its outcome, or that the store was away. */
export const told = async (store: Stored, set: ChangeSet): Promise<string> => {
  const exit = await asAlpha(store.commit(set))
  if (Exit.isSuccess(exit)) return exit.value._tag
  const failure = Cause.squash(exit.cause)
  if (!(failure instanceof StoreUnavailable)) throw failure
  return failure.unknown ? "unknown" : "unavailable"
}

/** Whether the store says that it can serve. */
export const isReady = async (store: Stored): Promise<boolean> => Exit.isSuccess(await asAlpha(store.ready))

/** Opens the accounts that all sets move money between. */
export const open = async (store: Stored): Promise<void> => {
  const set = changeSet({
    ledgerAccounts: [account("outside", { floor: null }), ...names.map((name) => account(name))],
    transfers: names.map((name) => transfer("outside", name, funds)),
  })
  expect(await told(store, set)).toBe("Committed")
}

let drawn = 100_000

/** Something of everything, and always possible. */
const nextSet = (draw: (below: number) => number): ChangeSet => {
  drawn += 1
  const from = draw(names.length)
  const to = (from + 1 + draw(names.length - 1)) % names.length
  return changeSet({
    // Events are kept from then on.
    at: Date.now(),
    inserts: [customer(drawn)],
    transfers: [transfer(names[from] ?? "", names[to] ?? "", 1 + draw(9))],
    counters: [{ key: `counter ${draw(3)}`, delta: 1, max: funds }],
    events: [newEvent(drawn)],
    jobs: [job(drawn, { lane: `lane ${draw(4)}` })],
  })
}

export interface Written {
  readonly acknowledged: Array<ChangeSet>
  /** Given up; the store said that they were not applied. */
  readonly refused: Array<ChangeSet>
  /** Given up; the store did not know. */
  readonly doubtful: Array<ChangeSet>
  /** How often each answer was given. */
  readonly answers: Map<string, number>
}

export interface StormOptions {
  readonly stores: ReadonlyArray<Stored>
  /** Callers of each store, and how many sets each commits. */
  readonly callers: number
  readonly rounds: number
  /** What goes wrong, one after the other, each time that so many further sets were answered. */
  readonly faults: ReadonlyArray<() => Promise<void>>
  readonly everySets: number
}

export const storm = async ({ callers, everySets, faults, rounds, stores }: StormOptions): Promise<Written> => {
  const written: Written = { acknowledged: [], refused: [], doubtful: [], answers: new Map() }
  const { acknowledged, answers, doubtful, refused } = written
  let striking = Promise.resolve()
  let next = 0
  const strike = () => {
    const fault = faults[next]
    if (fault === undefined || acknowledged.length < everySets * (next + 1)) return
    next += 1
    striking = striking.then(fault)
  }

  const commit = async (store: Stored, set: ChangeSet, givesUp: boolean): Promise<void> => {
    let wasUnknown = false
    const ask = async () => {
      const answer = await told(store, set)
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
      wasUnknown ||= answer === "unknown"
      return answer
    }
    const answer = await eventually("a commit", ask, (found) => givesUp || found === "Committed", 30_000)
    if (answer === "Committed") acknowledged.push(set)
    else (wasUnknown ? doubtful : refused).push(set)
    strike()
  }

  const caller = async (store: Stored, number: number) => {
    const draw = drawing(number)
    for (let round = 0; round < rounds; round++) await commit(store, nextSet(draw), draw(4) === 0)
  }
  await Promise.all(
    stores.flatMap((store, n) => Array.from({ length: callers }, (_, m) => caller(store, n * 1000 + m))),
  )
  await striking
  expect(next, "faults that struck").toBe(faults.length)
  return written
}

/** Everything acknowledged is there, whole and once; nothing that was refused is; the books balance. */
export const audit = async (pool: pg.Pool, { acknowledged, doubtful, refused }: Written): Promise<void> => {
  const column = async (text: string) => (await pool.query<{ readonly v: string }>(text)).rows.map(({ v }) => v)
  const applied = new Set(await column("select id as v from countersign.operation"))
  expect(acknowledged.filter(({ operationId }) => !applied.has(operationId))).toEqual([])
  expect(refused.filter(({ operationId }) => applied.has(operationId))).toEqual([])
  const present = [...acknowledged, ...doubtful.filter(({ operationId }) => applied.has(operationId))]
  expect(applied.size).toBe(present.length + 1)
  for (const [table, of] of [
    ["customer", ({ inserts }: ChangeSet) => inserts],
    ["event", ({ events }: ChangeSet) => events],
    ["job", ({ jobs }: ChangeSet) => jobs],
  ] as const) {
    const ids = await column(`select id as v from countersign.${table}`)
    expect(ids.toSorted()).toEqual(present.flatMap((set) => of(set).map((each) => each.id)).toSorted())
  }
  expect(await column("select sum(value)::text as v from countersign.counter")).toEqual([String(present.length)])
  expect(await column("select sum(amount)::text as v from countersign.ledger_entry")).toEqual(["0"])
  expect(await column("select count(*)::text as v from countersign.ledger_entry")).toEqual([
    String(2 * (present.length + names.length)),
  ])
  const wrong = await column(`select a.id as v from countersign.ledger_account a left join lateral (
      select count(*) n, max(e.sequence) last, sum(e.amount) total from countersign.ledger_entry e
      where e.platform_id = a.platform_id and e.account_id = a.id) e on true
    where a.sequence <> e.n or a.sequence <> e.last or a.balance <> e.total or a.balance < a.floor`)
  expect(wrong).toEqual([])
}

/** A set that touches only this account, so that who holds it holds up this set. */
export const setOn = (name: number): ChangeSet => {
  drawn += 1
  return changeSet({ inserts: [customer(drawn)], transfers: [transfer("outside", names[name] ?? "", 1)] })
}
