/**
 * Callers that commit change sets while a database fails, and the audit afterwards. Some callers resend a set until it has an outcome;
 * others give up and record the error.
 * Source: ports/Store.ts (StoreUnavailable); architecture, "Load, ask, decide, commit".
 */

import { CurrentCaller } from "@countersign/core"
import { type ChangeSet, type Store, StoreUnavailable } from "@countersign/core/store"
import { Cause, Effect, Exit } from "effect"
import type pg from "pg"
import { expect } from "vitest"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { account, alpha, customer, job, newEvent, transfer } from "../../../packages/test/src/conformance/Examples.ts"
import { randomInts } from "../adapter-postgres/Histories.ts"
import { eventually } from "../e2e/Deadline.ts"

type Stored = Store["Service"]

const names = Array.from({ length: 8 }, (_, n) => `account ${n}`)
const funds = 1_000_000

const asAlpha = <A, E>(effect: Effect.Effect<A, E, CurrentCaller>) =>
  Effect.runPromiseExit(Effect.provideService(effect, CurrentCaller, alpha))

/** The result of a commit: the tag of its outcome, or that the store was unavailable or the outcome unknown. */
export const resultOf = async (store: Stored, set: ChangeSet): Promise<string> => {
  const exit = await asAlpha(store.commit(set))
  if (Exit.isSuccess(exit)) return exit.value._tag
  const failure = Cause.squash(exit.cause)
  if (!(failure instanceof StoreUnavailable)) throw failure
  return failure.unknown ? "unknown" : "unavailable"
}

/** Whether the store reports that it is ready. */
export const isReady = async (store: Stored): Promise<boolean> => Exit.isSuccess(await asAlpha(store.ready))

/** Opens the accounts of all transfers. */
export const open = async (store: Stored): Promise<void> => {
  const set = changeSet({
    ledgerAccounts: [account("outside", { floor: null }), ...names.map((name) => account(name))],
    transfers: names.map((name) => transfer("outside", name, funds)),
  })
  expect(await resultOf(store, set)).toBe("Committed")
}

let lastNumber = 100_000

/** A set with every part, which can always be committed. */
const nextSet = (randomInt: (below: number) => number): ChangeSet => {
  lastNumber += 1
  const from = randomInt(names.length)
  const to = (from + 1 + randomInt(names.length - 1)) % names.length
  return changeSet({
    // Events are retained from this time.
    at: Date.now(),
    inserts: [customer(lastNumber)],
    transfers: [transfer(names[from] ?? "", names[to] ?? "", 1 + randomInt(9))],
    counters: [{ key: `counter ${randomInt(3)}`, delta: 1, max: funds }],
    events: [newEvent(lastNumber)],
    jobs: [job(lastNumber, { lane: `lane ${randomInt(4)}` })],
  })
}

export interface Written {
  readonly acknowledged: Array<ChangeSet>
  /** Sets that were given up after the store reported them as not applied. */
  readonly refused: Array<ChangeSet>
  /** Sets that were given up with an unknown outcome. */
  readonly unknown: Array<ChangeSet>
  /** The number of results by kind. */
  readonly answers: Map<string, number>
}

export interface StormOptions {
  readonly stores: ReadonlyArray<Stored>
  /** The number of callers of each store, and of sets per caller. */
  readonly callers: number
  readonly rounds: number
  /** The faults, one after another, each after this number of further results. */
  readonly faults: ReadonlyArray<() => Promise<void>>
  readonly setsPerFault: number
  /** Callers commit until the last fault has ended, however many rounds that takes. */
  readonly goesOn?: boolean
  /** Receives what is written, for faults that look at it. */
  readonly written?: Written
}

export const nothingWritten = (): Written => ({ acknowledged: [], refused: [], unknown: [], answers: new Map() })

export const storm = async (options: StormOptions): Promise<Written> => {
  const { callers, faults, goesOn = false, rounds, setsPerFault, stores, written = nothingWritten() } = options
  const { acknowledged, answers, unknown, refused } = written
  let injected = Promise.resolve()
  let next = 0
  let ended = 0
  const injectNextFault = () => {
    const fault = faults[next]
    if (fault === undefined || acknowledged.length < setsPerFault * (next + 1)) return
    next += 1
    injected = injected.then(fault).finally(() => {
      ended += 1
    })
  }

  const commit = async (store: Stored, set: ChangeSet, isAbandoned: boolean): Promise<void> => {
    let wasUnknown = false
    const attempt = async () => {
      const answer = await resultOf(store, set)
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
      wasUnknown ||= answer === "unknown"
      return answer
    }
    const answer = await eventually("a commit", attempt, (found) => isAbandoned || found === "Committed", 30_000)
    if (answer === "Committed") acknowledged.push(set)
    else (wasUnknown ? unknown : refused).push(set)
    injectNextFault()
  }

  const caller = async (store: Stored, number: number) => {
    const randomInt = randomInts(number)
    const isUnderFaults = () => goesOn && ended < faults.length
    for (let round = 0; round < rounds || isUnderFaults(); round++)
      await commit(store, nextSet(randomInt), randomInt(4) === 0)
  }
  await Promise.all(
    stores.flatMap((store, n) => Array.from({ length: callers }, (_, m) => caller(store, n * 1000 + m))),
  )
  await injected
  expect(next, "injected faults").toBe(faults.length)
  return written
}

/** Asserts that every acknowledged set was applied completely and once, that no refused set was, and that the books balance. */
export const audit = async (pool: pg.Pool, { acknowledged, unknown, refused }: Written): Promise<void> => {
  const column = async (text: string) => (await pool.query<{ readonly v: string }>(text)).rows.map(({ v }) => v)
  const applied = new Set(await column("select id as v from countersign.operation"))
  expect(acknowledged.filter(({ operationId }) => !applied.has(operationId))).toEqual([])
  expect(refused.filter(({ operationId }) => applied.has(operationId))).toEqual([])
  const present = [...acknowledged, ...unknown.filter(({ operationId }) => applied.has(operationId))]
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

/** A set that changes only this account, so that a lock on the account blocks it. */
export const setOn = (name: number): ChangeSet => {
  lastNumber += 1
  return changeSet({ inserts: [customer(lastNumber)], transfers: [transfer("outside", names[name] ?? "", 1)] })
}
