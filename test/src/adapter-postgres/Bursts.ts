/**
 * Concurrent commits, and the serial order that explains their outcomes.
 *
 * Every set increments one counter, whose value in the facts of its commit is its place among the committed sets. The reference applies
 * the sets in this order and must return the same outcomes. A refused set changed nothing, so it may have been decided between any two
 * committed sets: at one of these places the reference must refuse it with the same outcome.
 * Source: ports/Store.ts; ports/ChangeSet.ts.
 */
import { type Memory, MemoryStore } from "@countersign/adapter-memory"
import type { Caller } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { type ChangeSet, type CommitOutcome, Store, type StoreUnavailable } from "@countersign/core/store"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { agentOf, alpha, ann, bob } from "../../../packages/test/src/conformance/Examples.ts"
import { asCaller, type Fence, opening, partOf, randomInts, setOf, visibleState } from "./Histories.ts"

type Stored = Store["Service"]

/** The caller of all sets. Sets of two platforms share no counter, so their common order would be unknown. */
const everyCaller: ReadonlyArray<Caller> = [alpha, alpha, agentOf(ann), agentOf(bob)]
const place = "place"
const bursts = 3

interface SentSet {
  readonly set: ChangeSet
  readonly caller: Caller
}

interface DecidedSet extends SentSet {
  readonly answer: CommitOutcome | "a defect"
}

const commit = (store: Stored, { caller, set }: SentSet) =>
  asCaller(store.commit(set), caller).pipe(Effect.map((answer) => answer as DecidedSet["answer"]))

const placeOf = (answer: DecidedSet["answer"]): number | undefined =>
  answer !== "a defect" && answer._tag === "Committed" ? answer.facts.counters[place] : undefined

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))

/** Encodes a value with the members of every object in one order. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  )
}

/** A refusal without its reason: a set in several cells may be refused for another one of its reasons than in memory. */
export const withoutReason = (answer: unknown): unknown =>
  answer === "a defect" ||
  (typeof answer === "object" &&
    answer !== null &&
    "_tag" in answer &&
    ["Conflict", "Taken", "BoundViolated"].includes(`${answer._tag}`))
    ? "refused"
    : answer

export interface BurstsOptions {
  readonly callers?: ReadonlyArray<Caller>
  /** Whether any reason of a refusal is right. */
  readonly isAnyReason?: boolean
  /** Replaces parts of each set. */
  readonly changed?: (parts: Partial<ChangeSet>) => Partial<ChangeSet>
}

/** The outcomes that no serial order explains. */
const problemsOf = Effect.fnUntraced(function* (
  memory: Memory,
  decided: ReadonlyArray<DecidedSet>,
  now: number,
  isAnyReason: boolean,
) {
  const same = (one: unknown, other: unknown): boolean =>
    isAnyReason ? isSame(withoutReason(one), withoutReason(other)) : isSame(one, other)
  const problems: Array<string> = []
  const inOrder = decided
    .flatMap((each) => {
      const at = placeOf(each.answer)
      return at === undefined ? [] : [{ ...each, at }]
    })
    .toSorted((a, b) => a.at - b.at)
  let open = decided.filter(({ answer }) => placeOf(answer) === undefined)
  const explain = Effect.gen(function* () {
    const left: Array<DecidedSet> = []
    for (const each of open) {
      // On a fork: if the reference commits the set here, this is not the place where the store refused it.
      const found = yield* commit(memory.fork().store, each)
      if (!same(found, each.answer)) left.push(each)
    }
    open = left
  })
  yield* explain
  for (const each of inOrder) {
    const found = yield* commit(memory.store, each)
    if (!same(found, each.answer)) {
      problems.push(
        `${each.set.operationId} at ${each.at}: ${JSON.stringify(each.answer)}, expected ${JSON.stringify(found)}`,
      )
    }
    yield* explain
  }
  // A key that has expired when the set is sent stores nothing, so each copy of the set is applied.
  const once = inOrder.filter(({ set: { replay } }) => replay === undefined || replay.expiresAt > now)
  const places = once.map(({ at, set }) => `${at} ${set.operationId}`)
  const operations = new Set(once.map(({ set }) => set.operationId))
  if (new Set(places).size !== operations.size) problems.push(`sets that share a place: ${places.join(", ")}`)
  for (const { answer, set } of open) {
    problems.push(`${set.operationId} is refused without a reason in this order: ${JSON.stringify(answer)}`)
  }
  return problems
})

export interface BurstsRun {
  /** The differences between the store and the reference. */
  readonly problems: ReadonlyArray<string>
  /** The final state of the store and of the reference. */
  readonly finalState: unknown
  readonly expected: unknown
  /** The number of outcomes by tag. */
  readonly tags: ReadonlyMap<string, number>
}

/** Runs the bursts of a seed on a store and compares it with the reference. */
export const runBursts = Effect.fnUntraced(function* (
  seed: number,
  { callers = everyCaller, changed, isAnyReason = false }: BurstsOptions = {},
): Effect.fn.Return<BurstsRun, StoreUnavailable, Store> {
  const store = yield* Store
  const randomInt = randomInts(seed)
  const memory = yield* Effect.provide(MemoryStore.make, WallTime.layerClock)
  const fences: Array<Fence> = []
  const sent: Array<SentSet> = []
  const tags = new Map<string, number>()
  const problems: Array<string> = []
  let now = 0
  yield* TestClock.setTime(now)
  for (const each of [store, memory.store]) yield* commit(each, { set: opening, caller: alpha })

  for (let burst = 0; burst < bursts; burst++) {
    const times = { businessNow: now, wallNow: now, leaseMillis: 1 + randomInt(50) }
    const runs = { kinds: ["test"], jobsMax: 1 + (burst % 3) }
    const claim = { queue: "work", worker: "w", limit: 6, leavesReserve: true, ...times, runs } as const
    const [claimed, expected] = [yield* store.claim(claim), yield* memory.store.claim(claim)]
    if (!isSame(claimed, expected))
      problems.push(`claimed: ${JSON.stringify(claimed)}, expected ${JSON.stringify(expected)}`)
    fences.push(...claimed.map(({ attempt, id }) => ({ id, attempt })))

    const fresh = Array.from({ length: 12 + randomInt(24) }, (_, n): SentSet => {
      const caller = callers[randomInt(callers.length)] ?? alpha
      const parts = setOf(
        Array.from({ length: 1 + randomInt(2) }, () => partOf(randomInt)),
        caller,
        fences,
        now,
      )
      const counters = [...(parts.counters ?? []), { key: place, delta: 1 }]
      const operationId = `operation ${burst} ${n}`
      return { caller, set: changeSet({ ...parts, counters, ...changed?.(parts), operationId }) }
    })
    // Some sets are sent twice at once, and some earlier sets are sent again.
    const again = [...fresh, ...sent].filter(() => randomInt(8) === 0)
    sent.push(...fresh)
    const all = [...fresh, ...again]
    const answers = yield* Effect.forEach(all, (each) => commit(store, each), { concurrency: "unbounded" })
    const decided = all.map((each, n): DecidedSet => ({ ...each, answer: answers[n] ?? "a defect" }))
    for (const { answer } of decided) {
      const tag = answer === "a defect" ? answer : answer._tag
      tags.set(tag, (tags.get(tag) ?? 0) + 1)
    }
    problems.push(...(yield* problemsOf(memory, decided, now, isAnyReason)))
    now += 20 + randomInt(60)
    yield* TestClock.setTime(now)
  }
  const finalState = yield* visibleState
  const expected = yield* Effect.provideService(visibleState, Store, memory.store)
  return { problems, finalState, expected, tags }
})
