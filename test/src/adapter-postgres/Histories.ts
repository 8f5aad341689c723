/**
 * Random histories of change sets, claims and time, for the comparison of two stores.
 * Source: ports/Store.ts; ports/ChangeSet.ts.
 */
import { type Caller, CurrentCaller } from "@countersign/core"
import { type ChangeSet, type RecordRef, Store, type StoreUnavailable } from "@countersign/core/store"
import { Cause, Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { changeSet, replayRecord } from "../../../packages/test/src/conformance/ChangeSets.ts"
import {
  account,
  agentOf,
  alpha,
  ann,
  beta,
  betaId,
  bob,
  customer,
  customerUpdate,
  id,
  job,
  newEvent,
  transfer,
} from "../../../packages/test/src/conformance/Examples.ts"

type RandomInt = (below: number) => number

/** A small random generator (mulberry32): a seed determines a history. */
export const randomInts = (seed: number): RandomInt => {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

/** A value that is absent in most cases. */
const optionalInt = (randomInt: RandomInt, below: number): number | undefined =>
  randomInt(4) === 0 ? randomInt(below) : undefined

const makePart = {
  Insert: (randomInt: RandomInt) => ({ n: randomInt(9) }),
  Update: (randomInt: RandomInt) => ({
    n: randomInt(2),
    version: 1 + randomInt(3),
    isDeleted: randomInt(2) === 0,
    isErasure: randomInt(4) === 0,
  }),
  Guard: (randomInt: RandomInt) => ({ n: randomInt(2), version: 1 + randomInt(2) }),
  Claim: (randomInt: RandomInt) => ({ n: randomInt(3), key: randomInt(3), isGlobal: randomInt(2) === 0 }),
  Release: (randomInt: RandomInt) => ({ n: randomInt(2), key: randomInt(3), isGlobal: randomInt(2) === 0 }),
  Open: (randomInt: RandomInt) => ({ n: randomInt(5), isUnbounded: randomInt(9) === 0 }),
  Move: (randomInt: RandomInt) => ({ from: randomInt(4), to: randomInt(4), amount: randomInt(8) }),
  Assert: (randomInt: RandomInt) => ({ n: randomInt(4), sequence: randomInt(3) }),
  Observe: (randomInt: RandomInt) => ({ n: randomInt(5) }),
  Count: (randomInt: RandomInt) => ({
    key: randomInt(2),
    delta: randomInt(8),
    max: optionalInt(randomInt, 12),
    expected: optionalInt(randomInt, 6),
  }),
  Event: (randomInt: RandomInt) => ({ n: randomInt(21) }),
  Job: (randomInt: RandomInt) => ({ n: randomInt(60), lane: randomInt(3), hold: randomInt(3), due: randomInt(150) }),
  Finish: (randomInt: RandomInt) => ({ which: randomInt(20) }),
  Return: (randomInt: RandomInt) => ({
    which: randomInt(20),
    wait: randomInt(60),
    isParked: randomInt(3) === 0,
    isNew: randomInt(2) === 0,
  }),
  Key: (randomInt: RandomInt) => ({ key: randomInt(3), lifeMillis: randomInt(300) }),
  Until: (randomInt: RandomInt) => ({ at: randomInt(1500) }),
} as const
type Tag = keyof typeof makePart
const tags = Object.keys(makePart) as ReadonlyArray<Tag>
type Part = { readonly [T in Tag]: { readonly _tag: T } & ReturnType<(typeof makePart)[T]> }[Tag]

export type Command =
  | { readonly _tag: "Commit"; readonly caller: number; readonly parts: ReadonlyArray<Part> }
  | { readonly _tag: "Again"; readonly which: number }
  | {
      readonly _tag: "Claim"
      readonly later: number
      readonly leavesReserve: boolean
      readonly limit: number
      readonly lease: number
    }

export const partOf = (randomInt: RandomInt): Part => {
  const _tag = tags[randomInt(tags.length)] ?? "Insert"
  return { _tag, ...makePart[_tag](randomInt) } as Part
}

const commandOf = (randomInt: RandomInt): Command => {
  const kind = randomInt(10)
  if (kind === 0) return { _tag: "Again", which: randomInt(20) }
  if (kind < 4)
    return {
      _tag: "Claim",
      later: randomInt(30),
      leavesReserve: randomInt(2) === 0,
      limit: 1 + randomInt(6),
      lease: randomInt(50),
    }
  return {
    _tag: "Commit",
    caller: randomInt(8),
    parts: Array.from({ length: 1 + randomInt(3) }, () => partOf(randomInt)),
  }
}

/** Generates the history of a seed. */
export const historyOf = (seed: number): ReadonlyArray<Command> => {
  const randomInt = randomInts(seed)
  return Array.from({ length: 10 + randomInt(25) }, () => commandOf(randomInt))
}

const callers: ReadonlyArray<Caller> = [alpha, beta, agentOf(ann), agentOf(bob)]
const names = ["outside", "a", "b", "c"]

export interface Fence {
  readonly id: string
  readonly attempt: number
}

/** Random record ids, so that two platforms never share one. */
const numberOf = (caller: Caller, n: number) => (caller.platformId === betaId ? n + 11 : n + 1)

const customerRef = (caller: Caller, n: number): RecordRef => ({
  kind: "Customer",
  id: id("Customer", numberOf(caller, n)),
})

export const setOf = (
  parts: ReadonlyArray<Part>,
  caller: Caller,
  fences: ReadonlyArray<Fence>,
  now: number,
): Partial<ChangeSet> => {
  const owner = { platformId: caller.platformId, customerId: caller._tag === "Agent" ? caller.customerId : null }
  const all = <T extends Part["_tag"], A>(tag: T, make: (part: Extract<Part, { readonly _tag: T }>) => A): Array<A> =>
    parts.flatMap((part) => (part._tag === tag ? [make(part as Extract<Part, { readonly _tag: T }>)] : []))
  const fence = (which: number): Fence => fences[which % Math.max(fences.length, 1)] ?? { id: "none", attempt: 1 }
  const key = (n: number, isGlobal: boolean) => ({ scope: isGlobal ? "global" : "platform", key: `key ${n}` }) as const
  const [replay] = all("Key", ({ key, lifeMillis }) => replayRecord(`key ${key}`, { expiresAt: now + lifeMillis }))
  const [until] = all("Until", ({ at }) => at)
  return {
    at: now,
    ...(until === undefined ? {} : { validUntil: until }),
    inserts: all("Insert", ({ n }) => customer(numberOf(caller, n), {}, caller.platformId)),
    updates: all("Update", ({ isDeleted, isErasure, n, version }) => ({
      ...customerUpdate(numberOf(caller, n), version, { isDeleted }),
      ...(isErasure ? { erasesHistory: true as const } : {}),
    })),
    guards: all("Guard", ({ n, version }) => ({ ...customerRef(caller, n), version })),
    claims: all("Claim", ({ isGlobal, key: k, n }) => ({ ...key(k, isGlobal), record: customerRef(caller, n) })),
    releases: all("Release", ({ isGlobal, key: k, n }) => ({ ...key(k, isGlobal), record: customerRef(caller, n) })),
    ledgerAccounts: all("Open", ({ isUnbounded, n }) =>
      account(names[n] ?? "", { ...owner, floor: isUnbounded ? null : 0 }),
    ),
    transfers: all("Move", ({ amount, from, to }) => transfer(names[from] ?? "", names[to] ?? "", amount)),
    assertions: all("Assert", ({ n, sequence }) => ({ account: names[n] ?? "", sequence })),
    observes: all("Observe", ({ n }) => names[n] ?? ""),
    counters: all("Count", ({ delta, expected, key: k, max }) => ({
      key: `counter ${k}`,
      delta: delta - 3,
      ...(max === undefined ? {} : { max }),
      ...(expected === undefined ? {} : { expected }),
    })),
    events: all("Event", ({ n }) => newEvent(numberOf(caller, n * 2), { customerId: owner.customerId })),
    jobs: all("Job", ({ due, hold, lane, n }) =>
      job(n + 1, {
        customerId: owner.customerId,
        dueAt: due,
        ...(lane === 0 ? {} : { lane: `lane ${lane}` }),
        ...(hold === 0 ? {} : { laneHoldMillis: (hold - 1) * 45 }),
      }),
    ),
    finishes: all("Finish", ({ which }) => fence(which)),
    returns: all("Return", ({ isNew, isParked, wait, which }) => ({
      ...fence(which),
      outcome: isParked ? ("parked" as const) : ("retry" as const),
      notBefore: now + wait,
      error: "no answer",
      ...(isNew ? { payload: { again: now } } : {}),
    })),
    ...(replay === undefined ? {} : { replay: replay }),
  }
}

export const asCaller = <A, E, R>(effect: Effect.Effect<A, E, R | CurrentCaller>, caller: Caller) =>
  effect.pipe(Effect.provideService(CurrentCaller, caller), Effect.exit, (exit) =>
    Effect.map(exit, (ended) =>
      Exit.isSuccess(ended) ? ended.value : Cause.hasDies(ended.cause) ? "a defect" : ended.cause,
    ),
  )

/** Reads visibleState that the port returns to each caller. */
export const visibleState: Effect.Effect<unknown, StoreUnavailable, Store> = Effect.gen(function* () {
  const store = yield* Store
  const refs = Array.from({ length: 16 }, (_, n): RecordRef => ({ kind: "Customer", id: id("Customer", n + 1) }))
  const counters = ["counter 0", "counter 1"]
  const keys = ["key 0", "key 1", "key 2"]
  const views = yield* Effect.forEach(callers, (caller) =>
    Effect.gen(function* () {
      const found = yield* store.read({ records: refs, balances: names, counters })
      return {
        records: refs.map(({ id }) => found.record("Customer", id)),
        balances: names.map(found.balance),
        counters: counters.map(found.counter),
        replays: yield* Effect.forEach(keys, (replay) => Effect.map(store.read({ replay }), (read) => read.replay)),
        histories: yield* Effect.forEach(refs.slice(0, 5), store.history),
        list: yield* store.list("Customer", { isDeleted: { eq: false } }, { limit: 3, order: "desc" }),
        events: yield* Effect.forEach(Array.from({ length: 21 }), (_, n) =>
          store.event(id("Webhook", numberOf(caller, n * 2), caller._tag === "Agent" ? caller.customerId : ann)),
        ),
        jobs: yield* store.jobs,
      }
    }).pipe(Effect.provideService(CurrentCaller, caller)),
  )
  const holders = yield* Effect.forEach(keys, (key) => store.resolve({ scope: "global", key }))
  return { views, holders, due: yield* store.nextDue(-1) }
})

/** The first steps of most histories. */
export const opening = changeSet({
  operationId: "opening",
  inserts: [customer(1), customer(2)],
  ledgerAccounts: names.map((name, n) => account(name, { floor: n === 0 ? null : 0 })),
  transfers: [transfer("outside", "a", 5)],
  jobs: [1, 2, 3].map((n) => job(n + 100, { lane: "lane 1", laneHoldMillis: 20 * n })),
})

export interface BurstsRun {
  /** The outcome of each step. */
  readonly answers: ReadonlyArray<unknown>
  /** The final state. */
  readonly finalState: unknown
}

/** Runs a history on a store. Returns the outcome of each step and the final state. `changed`: what replaces parts of each set. */
export const runHistory = Effect.fnUntraced(function* (
  history: ReadonlyArray<Command>,
  by: ReadonlyArray<Caller> = callers,
  changed: (set: Partial<ChangeSet>) => Partial<ChangeSet> = () => ({}),
): Effect.fn.Return<BurstsRun, StoreUnavailable, Store> {
  const store = yield* Store
  const answers: Array<unknown> = []
  const fences: Array<Fence> = []
  const sent: Array<readonly [ChangeSet, Caller]> = []
  let now = 0
  let operation = 0
  const commit = (set: ChangeSet, caller: Caller) => asCaller(store.commit(set), caller)

  yield* TestClock.setTime(now)
  if (history.length % 5 !== 0) answers.push(yield* commit(opening, alpha))
  for (const command of history) {
    if (command._tag === "Claim") {
      now += command.later
      yield* TestClock.setTime(now)
      const times = { businessNow: now, wallNow: now, leaseMillis: command.lease + 1 }
      const { leavesReserve, limit } = command
      const runs = command.lease % 2 === 0 ? { runs: { kinds: ["test"], jobsMax: 3 } } : {}
      const claimed = yield* store.claim({ queue: "work", worker: "w", limit, leavesReserve, ...times, ...runs })
      fences.push(...claimed.map(({ attempt, id }) => ({ id, attempt })))
      answers.push(claimed)
    } else if (command._tag === "Again") {
      const [set, caller] = sent[command.which % Math.max(sent.length, 1)] ?? []
      if (set !== undefined && caller !== undefined) answers.push(yield* commit(set, caller))
    } else {
      const caller = by[command.caller] ?? alpha
      operation += 1
      const parts = setOf(command.parts, caller, fences, now)
      const set = changeSet({ ...parts, ...changed(parts), operationId: `operation ${operation}` })
      sent.push([set, caller])
      answers.push(yield* commit(set, caller))
    }
  }
  return { answers, finalState: yield* visibleState }
})
