/**
 * Under load: sets that depend on the same records, keys, balances and counters. What the audit finds of them is possible in one order.
 * Source: D-518.
 */
import {
  type ChangeSet,
  type ClaimChange,
  type CommitOutcome,
  type RecordRef,
  type RecordUpdate,
  Store,
} from "@countersign/core/store"
import { Effect } from "effect"
import { auditState } from "../audit/Audit.ts"
import { changeSet } from "../ChangeSets.ts"
import { account, agent, agentData, customer, customerData, id, job, newEvent, transfer } from "../Examples.ts"
import { equal, never } from "../Law.ts"
import { commit, committed, read } from "../Suite.ts"
import * as Generator from "./Generator.ts"

const rounds = 8
const ref = (n: number): RecordRef =>
  n < 4 ? { kind: "Customer", id: id("Customer", n) } : { kind: "Agent", id: id("Agent", n) }
const refs = [ref(1), ref(2), ref(3), ref(4), ref(5), ref(6)] as const
const accounts = ["available:a", "available:b", "available:c"] as const
const keys = ["load:1", "LOAD:1", "load:2", "load:3", "load:4", "load:5"] as const
const counters = ["bounded", "expected"] as const

/** What the decisions of a round depend on. */
const stateOf = Effect.gen(function* () {
  const store = yield* Store
  const found = yield* read({ records: refs, balances: accounts, counters })
  const holders = yield* Effect.forEach(keys, (key) => store.resolve({ scope: "global", key }), {
    concurrency: "unbounded",
  })
  return {
    versionOf: ({ id, kind }: RecordRef) => found.record(kind, id)?.version ?? 0,
    sequenceOf: (name: string) => found.balance(name).sequence,
    counterOf: (key: (typeof counters)[number]) => found.counter(key),
    holderOf: (key: (typeof keys)[number]) => holders[keys.indexOf(key)],
  }
})
type RoundState = Effect.Success<typeof stateOf>

const updateOf = ({ id, kind }: RecordRef, version: number, n: number): RecordUpdate =>
  kind === "Customer"
    ? { kind: "Customer", id, version, data: customerData(n) }
    : { kind: "Agent", id, version, data: agentData({ name: `agent ${n}` }) }

type Maker = (generator: Generator.Generator, state: RoundState, n: number) => Partial<ChangeSet>

const update: Maker = ({ isOneIn, pick }, { versionOf }, n) => {
  const one = pick(refs)
  return { updates: [updateOf(one, versionOf(one) - (isOneIn(8) ? 1 : 0), n)] }
}

/** Updates a record and guards one or two others, of which some are outdated. */
const guarded: Maker = ({ isOneIn, pick }, { versionOf }, n) => {
  const one = pick(refs)
  const others = [pick(refs), pick(refs)].filter((other) => other !== one)
  const guards = others.map((other) => ({ ...other, version: versionOf(other) - (isOneIn(5) ? 1 : 0) }))
  return { guards, updates: isOneIn(2) ? [] : [updateOf(one, versionOf(one), n)] }
}

const claimed: Maker = ({ isOneIn, pick }, { holderOf }) => {
  const key = pick(keys)
  const holder = holderOf(key)
  const change = (record: RecordRef): ClaimChange => ({ scope: "global", key, record })
  if (holder === undefined || isOneIn(4)) return { claims: [change(pick(refs))] }
  return { releases: [change(holder)], claims: isOneIn(3) ? [change(pick(refs))] : [] }
}

const moved: Maker = ({ below, isOneIn, pick }, { sequenceOf }) => {
  const [from, to] = [pick(accounts), pick(accounts)]
  const funded = isOneIn(4) ? [transfer("outside:load", from, 1 + below(5))] : []
  const transfers = [...funded, ...(from === to ? [] : [transfer(from, to, 1 + below(70))])]
  const asserted = pick([from, to])
  return { transfers, assertions: isOneIn(3) ? [] : [{ account: asserted, sequence: sequenceOf(asserted) }] }
}

const bounded: Maker = (_, { counterOf }) => ({
  counters: [{ key: "bounded", delta: 1, max: counterOf("bounded") + 1 }],
})

const expecting: Maker = (_, { counterOf }) => ({
  counters: [{ key: "expected", delta: 1, expected: counterOf("expected") }],
})

/** Each kind of set occurs several times in each round. */
const makers = [update, guarded, guarded, claimed, claimed, moved, moved, moved, bounded, expecting] as const
const setsOfRound = 2 * makers.length

/** Two sets, each of which updates what the other one guards. */
const skewed = (
  { below }: Generator.Generator,
  { versionOf }: RoundState,
  n: number,
): ReadonlyArray<Partial<ChangeSet>> => {
  const first = below(refs.length)
  const [one = ref(1), other = ref(2)] = [refs[first], refs[(first + 1 + below(refs.length - 1)) % refs.length]]
  const set = (updated: RecordRef, guarded: RecordRef) => ({
    updates: [updateOf(updated, versionOf(updated), n)],
    guards: [{ ...guarded, version: versionOf(guarded) }],
  })
  return [set(one, other), set(other, one)]
}

/** Requires each key to belong, after a round, to a record that claimed it in the round, or else to the one that had it before. */
const requireHolders = (before: RoundState, after: RoundState, committedSets: ReadonlyArray<ChangeSet>) => {
  for (const key of keys) {
    const former = before.holderOf(key)?.id
    const of = (changes: ReadonlyArray<ClaimChange>) => changes.filter((change) => change.key === key)
    const claimed = committedSets.flatMap(({ claims }) => of(claims)).map(({ record }) => record.id)
    const isReleased = committedSets.some(({ releases }) => of(releases).length > 0)
    const isFree = isReleased && claimed.every((holder) => holder === former)
    const possible = [...claimed, ...(isFree ? [undefined] : []), ...(isReleased || claimed.length > 0 ? [] : [former])]
    const holder = after.holderOf(key)?.id
    never(
      "a unique key belongs to the record that claimed it last, until that one releases it",
      possible.includes(holder) ? [] : [[key, holder, possible]],
    )
  }
}

/** Requires each conflict to name a record that was changed since the decision, or that the set could not have read. */
const requireReason = (before: RoundState, after: RoundState, set: ChangeSet, outcome: CommitOutcome) => {
  if (outcome._tag !== "Conflict" || set.claims.length + set.releases.length > 0) return
  const all: ReadonlyArray<RecordRef & { readonly version: number }> = [...set.updates, ...set.guards]
  const named = all.filter(({ id, kind }) => outcome.on === `${kind} ${id}`)
  const isUnchanged = (of: RecordRef & { readonly version: number }) =>
    before.versionOf(of) === of.version && after.versionOf(of) === of.version
  never("a set is a conflict only for what has changed", named.length > 0 && named.every(isUnchanged) ? [outcome] : [])
}

export const dependentSets = Effect.fnUntraced(function* (seed: number) {
  const generator = Generator.make(seed)
  yield* committed(
    changeSet({
      inserts: [customer(1), customer(2), customer(3), agent(4), agent(5), agent(6)],
      ledgerAccounts: [account("outside:load", { floor: null }), ...accounts.map((name) => account(name))],
      transfers: accounts.map((name) => transfer("outside:load", name, 60)),
    }),
  )
  let before = yield* stateOf
  for (let round = 0; round < rounds; round++) {
    const state = before
    const numbers = generator.many(setsOfRound, (index) => 100 * (round + 1) + index)
    const pair = skewed(generator, state, round)
    const sets = numbers.map((n, index) => {
      const make = makers[index % makers.length] ?? update
      return changeSet({
        at: 2000 + round,
        inserts: [agent(n)],
        events: [newEvent(n)],
        jobs: [job(n)],
        counters: [{ key: `round ${round}`, delta: 1 }],
        ...(pair[index] ?? make(generator, state, n)),
      })
    })
    const outcomes = yield* Effect.forEach(sets, (set) => commit(set), { concurrency: "unbounded" })
    const after = yield* stateOf
    for (const [index, set] of sets.entries()) {
      const outcome = outcomes[index]
      if (outcome !== undefined) requireReason(before, after, set, outcome)
    }
    const committedSets = sets.filter((_, index) => outcomes[index]?._tag === "Committed")
    requireHolders(before, after, committedSets)
    for (const updated of committedSets.flatMap(({ updates }) => updates)) {
      const law = "a read returns the records that all acknowledged commits leave"
      equal(law, [updated.id, after.versionOf(updated)], [updated.id, updated.version + 1])
    }
    yield* auditState
    before = after
  }
})
