/** Stores that do not check what a set depends on, or leave a part of a refused set. */
import { CurrentCaller } from "@countersign/core"
import type { ChangeSet, CommitOutcome } from "@countersign/core/store"
import { Effect } from "effect"
import { as, committing, every, losing, type WrongStore } from "./WrongStore.ts"

const replaced = "a set that guards or updates a version is a conflict once another set has replaced it"
const unknown = "a set that guards a version that does not exist is a conflict"
const reading = "a read returns the records that all acknowledged commits leave"
const counters = "a read returns the counters that all acknowledged commits leave"
const event = "each event of a committed set is listed once, as it was committed"
const resent = "a set that is sent again is applied once and has the same facts"
const skewed = "of two sets that each guard what the other one updates, one is a conflict"

const nothing = {
  inserts: [],
  updates: [],
  guards: [],
  claims: [],
  releases: [],
  ledgerAccounts: [],
  transfers: [],
  assertions: [],
  observes: [],
  events: [],
  attempts: [],
  jobs: [],
  finishes: [],
  returns: [],
} as const

/** A store that applies these parts of a refused set all the same. */
const leaving =
  (tag: CommitOutcome["_tag"], parts: (set: ChangeSet) => Partial<ChangeSet>): WrongStore["wrap"] =>
  ({ commit }) => ({
    commit: Effect.fnUntraced(function* (set) {
      const outcome = yield* commit(set)
      const operationId = `${set.operationId.slice(0, 14)}8${set.operationId.slice(15)}`
      if (outcome._tag === tag)
        yield* Effect.exit(commit({ ...nothing, counters: [], at: set.at, ...parts(set), operationId }))
      return outcome
    }),
  })

export const refusals: ReadonlyArray<WrongStore> = [
  {
    name: "ignores guards",
    section: "pause",
    law: "commits a pause under a constant stream of guarded actions, and no older action after its answer",
    wrap: committing(() => (set) => ({ ...set, guards: [] })),
  },
  { name: "ignores a guard of one set in 4", section: "load", law: [replaced, unknown], wrap: losing("guards", 4) },
  {
    name: "checks guards by a read before the commit",
    section: "load",
    law: skewed,
    wrap: ({ commit, read }) => ({
      commit: Effect.fnUntraced(function* (set) {
        const found = yield* read({ records: set.guards })
        const changed = set.guards.find(({ id, kind, version }) => found.record(kind, id)?.version !== version)
        if (changed !== undefined) return yield* commit(set)
        yield* Effect.yieldNow
        return yield* commit({ ...set, guards: [] })
      }),
    }),
  },
  {
    name: "checks only the first guard of a set",
    section: "load",
    law: [replaced, unknown],
    wrap: committing(() => (set) => ({ ...set, guards: set.guards.slice(0, 1) })),
  },
  {
    name: "ignores every other assertion of a balance",
    section: "load",
    law: "a set that asserts an outdated balance is a conflict",
    wrap: losing("assertions", 2),
  },
  {
    name: "ignores one expected counter in 5",
    section: "load",
    law: "a counter with an unexpected value is a conflict",
    wrap: committing(() => {
      const isIgnored = every(5)
      return (set) => ({
        ...set,
        counters: set.counters.map(({ expected, ...change }) =>
          expected === undefined || isIgnored() ? change : { ...change, expected },
        ),
      })
    }),
  },
  {
    name: "commits a decision at the end of its validity",
    section: "idempotency",
    law: "commits a decision before `validUntil` and reports a conflict from then on",
    wrap: committing(
      () =>
        ({ validUntil, ...set }) =>
          validUntil === undefined ? set : { ...set, validUntil: validUntil + 1 },
    ),
  },
  {
    name: "lets every other outdated update win",
    section: "load",
    law: reading,
    wrap: ({ commit, read }) => {
      const isWon = every(2)
      return {
        commit: Effect.fnUntraced(function* (set) {
          const outcome = yield* commit(set)
          if (outcome._tag !== "Conflict" || set.updates.length === 0 || !isWon()) return outcome
          const found = yield* read({ records: set.updates })
          const updates = set.updates.map((update) => ({
            ...update,
            version: found.record(update.kind, update.id)?.version ?? update.version,
          }))
          return yield* commit({ ...set, updates })
        }),
      }
    },
  },
  {
    name: "leaves the events of a set that violates a bound",
    section: "load",
    law: event,
    wrap: leaving("BoundViolated", ({ events }) => ({ events })),
  },
  {
    name: "leaves the counters of a set in conflict",
    section: "load",
    law: counters,
    wrap: leaving("Conflict", ({ counters }) => ({ counters: counters.map(({ delta, key }) => ({ key, delta })) })),
  },
  {
    name: "takes a refused operation for a committed one when it is sent again",
    section: "atomicity",
    law: "the balances and sequences that commits return are those of one order of the commits",
    wrap: ({ commit }) => {
      const refused = new Set<string>()
      return {
        commit: Effect.fnUntraced(function* (set) {
          if (refused.has(set.operationId)) return { _tag: "Committed", facts: { balances: {}, counters: {} } } as const
          const outcome = yield* commit(set)
          if (outcome._tag !== "Committed" && outcome._tag !== "Replayed") refused.add(set.operationId)
          return outcome
        }),
      }
    },
  },
  {
    name: "returns an earlier version for one record in 9",
    section: "load",
    law: [reading, "a set is a conflict only for what has changed"],
    wrap: ({ read, history }) => {
      const isStale = every(9)
      return {
        read: Effect.fnUntraced(function* (query) {
          const found = yield* read(query)
          const stale = new Map<string, unknown>()
          for (const ref of query.records ?? []) {
            const versions = isStale() ? yield* history(ref) : []
            if (versions.length > 1) stale.set(`${ref.kind} ${ref.id}`, versions.at(-2))
          }
          const record: typeof found.record = (kind, id) =>
            (stale.get(`${kind} ${id}`) as ReturnType<typeof found.record<typeof kind>>) ?? found.record(kind, id)
          return { ...found, record }
        }),
      }
    },
  },
  {
    name: "answers one commit in 13 before it applies it",
    section: "load",
    law: [counters, resent, event],
    wrap: ({ commit }) => {
      const isEarly = every(13)
      let late: Effect.Effect<unknown> = Effect.void
      return {
        commit: (set) =>
          CurrentCaller.use((caller) =>
            Effect.gen(function* () {
              const waiting = late
              late = Effect.void
              if (set.updates.length + set.guards.length + set.transfers.length > 0 || !isEarly()) {
                yield* waiting
                return yield* commit(set)
              }
              late = Effect.andThen(waiting, Effect.exit(as(caller)(commit(set))))
              const keys = [...new Set(set.counters.map(({ key }) => key))]
              return {
                _tag: "Committed",
                facts: { balances: {}, counters: Object.fromEntries(keys.map((key) => [key, 1])) },
              } as const
            }),
          ),
      }
    },
  },
]
