/**
 * Random histories of change sets, claims and time, for comparing one store with another.
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

type Draw = (below: number) => number

/** A small generator (mulberry32): a seed names a history. */
export const drawing = (seed: number): Draw => {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

/** Mostly absent. */
const given = (draw: Draw, below: number): number | undefined => (draw(4) === 0 ? draw(below) : undefined)

const makePart = {
  Insert: (draw: Draw) => ({ n: draw(9) }),
  Update: (draw: Draw) => ({ n: draw(2), version: 1 + draw(3), isDeleted: draw(2) === 0, isErasure: draw(4) === 0 }),
  Guard: (draw: Draw) => ({ n: draw(2), version: 1 + draw(2) }),
  Claim: (draw: Draw) => ({ n: draw(3), key: draw(3), isGlobal: draw(2) === 0 }),
  Release: (draw: Draw) => ({ n: draw(2), key: draw(3), isGlobal: draw(2) === 0 }),
  Open: (draw: Draw) => ({ n: draw(5), isUnbounded: draw(9) === 0 }),
  Move: (draw: Draw) => ({ from: draw(4), to: draw(4), amount: draw(8) }),
  Assert: (draw: Draw) => ({ n: draw(4), sequence: draw(3) }),
  Observe: (draw: Draw) => ({ n: draw(5) }),
  Count: (draw: Draw) => ({ key: draw(2), delta: draw(8), max: given(draw, 12), expected: given(draw, 6) }),
  Event: (draw: Draw) => ({ n: draw(21) }),
  Job: (draw: Draw) => ({ n: draw(60), lane: draw(3), hold: draw(3), due: draw(150) }),
  Finish: (draw: Draw) => ({ which: draw(20) }),
  Return: (draw: Draw) => ({ which: draw(20), wait: draw(60), isParked: draw(3) === 0, isNew: draw(2) === 0 }),
  Key: (draw: Draw) => ({ key: draw(3), lifeMillis: draw(300) }),
  Until: (draw: Draw) => ({ at: draw(1500) }),
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
      readonly perPlatform: number
      readonly limit: number
      readonly lease: number
    }

export const partOf = (draw: Draw): Part => {
  const _tag = tags[draw(tags.length)] ?? "Insert"
  return { _tag, ...makePart[_tag](draw) } as Part
}

const commandOf = (draw: Draw): Command => {
  const kind = draw(10)
  if (kind === 0) return { _tag: "Again", which: draw(20) }
  if (kind < 4) return { _tag: "Claim", later: draw(30), perPlatform: 1 + draw(3), limit: 1 + draw(4), lease: draw(50) }
  return { _tag: "Commit", caller: draw(8), parts: Array.from({ length: 1 + draw(3) }, () => partOf(draw)) }
}

/** The history of a seed. */
export const historyOf = (seed: number): ReadonlyArray<Command> => {
  const draw = drawing(seed)
  return Array.from({ length: 10 + draw(25) }, () => commandOf(draw))
}

const callers: ReadonlyArray<Caller> = [alpha, beta, agentOf(ann), agentOf(bob)]
const names = ["outside", "a", "b", "c"]

export interface Fence {
  readonly id: string
  readonly attempt: number
}

/** Record ids are drawn, so two platforms never have the same. */
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
  const [kept] = all("Key", ({ key, lifeMillis }) => replayRecord(`key ${key}`, { expiresAt: now + lifeMillis }))
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
    ...(kept === undefined ? {} : { replay: kept }),
  }
}

export const asked = <A, E, R>(effect: Effect.Effect<A, E, R | CurrentCaller>, caller: Caller) =>
  effect.pipe(Effect.provideService(CurrentCaller, caller), Effect.exit, (exit) =>
    Effect.map(exit, (ended) =>
      Exit.isSuccess(ended) ? ended.value : Cause.hasDies(ended.cause) ? "a defect" : ended.cause,
    ),
  )

/** All that the port shows to each caller. */
export const everything: Effect.Effect<unknown, StoreUnavailable, Store> = Effect.gen(function* () {
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
          store.event(id("Webhook", numberOf(caller, n * 2))),
        ),
        jobs: yield* store.jobs,
      }
    }).pipe(Effect.provideService(CurrentCaller, caller)),
  )
  const holders = yield* Effect.forEach(keys, (key) => store.resolve({ scope: "global", key }))
  return { views, holders, due: yield* store.nextDue(-1) }
})

/** What most histories begin with. */
export const opening = changeSet({
  operationId: "opening",
  inserts: [customer(1), customer(2)],
  ledgerAccounts: names.map((name, n) => account(name, { floor: n === 0 ? null : 0 })),
  transfers: [transfer("outside", "a", 5)],
  jobs: [1, 2, 3].map((n) => job(n + 100, { lane: "lane 1", laneHoldMillis: 20 * n })),
})

export interface Played {
  /** What the store answered at each step. */
  readonly answers: ReadonlyArray<unknown>
  /** What it shows at the end. */
  readonly shown: unknown
}

/** Plays a history on a store; what it answers at each step, and what it shows at the end. */
export const play = Effect.fnUntraced(function* (
  history: ReadonlyArray<Command>,
): Effect.fn.Return<Played, StoreUnavailable, Store> {
  const store = yield* Store
  const answers: Array<unknown> = []
  const fences: Array<Fence> = []
  const sent: Array<readonly [ChangeSet, Caller]> = []
  let now = 0
  let operation = 0
  const commit = (set: ChangeSet, caller: Caller) => asked(store.commit(set), caller)

  yield* TestClock.setTime(now)
  if (history.length % 5 !== 0) answers.push(yield* commit(opening, alpha))
  for (const command of history) {
    if (command._tag === "Claim") {
      now += command.later
      yield* TestClock.setTime(now)
      const times = { businessNow: now, wallNow: now, leaseMillis: command.lease + 1 }
      const { limit, perPlatform } = command
      const claimed = yield* store.claim({ queue: "work", worker: "w", limit, perPlatform, ...times })
      fences.push(...claimed.map(({ attempt, id }) => ({ id, attempt })))
      answers.push(claimed)
    } else if (command._tag === "Again") {
      const [set, caller] = sent[command.which % Math.max(sent.length, 1)] ?? []
      if (set !== undefined && caller !== undefined) answers.push(yield* commit(set, caller))
    } else {
      const caller = callers[command.caller] ?? alpha
      operation += 1
      const parts = setOf(command.parts, caller, fences, now)
      const set = changeSet({ ...parts, operationId: `operation ${operation}` })
      sent.push([set, caller])
      answers.push(yield* commit(set, caller))
    }
  }
  return { answers, shown: yield* everything }
})
