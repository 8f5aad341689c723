/** Stores with wrong unique keys, idempotency keys and operation ids. */
import { CurrentCaller, tenant } from "@countersign/core"
import type { ChangeSet, ClaimChange } from "@countersign/core/store"
import { Effect } from "effect"
import { alphaId } from "../../../../packages/test/src/conformance/Examples.ts"
import { as, committing, every, losing, type WrongStore } from "./WrongStore.ts"

const lastClaim = "a unique key belongs to the record that claimed it last, until that one releases it"
const resolves = "a global key resolves to the record that holds it"

const withKeys =
  (change: (claim: ClaimChange, platformId: string) => ClaimChange): WrongStore["wrap"] =>
  ({ commit }) => ({
    commit: Effect.fnUntraced(function* (set) {
      const { platformId } = yield* CurrentCaller
      const changed = (claims: ReadonlyArray<ClaimChange>) => claims.map((claim) => change(claim, platformId))
      const outcome = yield* commit({ ...set, claims: changed(set.claims), releases: changed(set.releases) })
      const taken =
        outcome._tag === "Taken" && set.claims.find((claim) => change(claim, platformId).key === outcome.claim.key)
      return taken ? ({ _tag: "Taken", claim: { scope: taken.scope, key: taken.key } } as const) : outcome
    }),
  })

/** A store that gives some sets an operation id of its own, so that it does not know them again. */
const forgetting = (isForgotten: (set: ChangeSet) => boolean): WrongStore["wrap"] =>
  committing(() => {
    let operations = 0
    return (set) => {
      if (!isForgotten(set)) return set
      operations += 1
      return { ...set, operationId: `00000000-0000-7000-9000-${String(operations).padStart(12, "0")}` }
    }
  })

export const keys: ReadonlyArray<WrongStore> = [
  {
    name: "takes keys that differ in their case for one",
    section: "uniqueness",
    law: "tells keys apart that differ only in their case, their spaces or their accents",
    wrap: withKeys((claim) => ({ ...claim, key: claim.key.toLowerCase() })),
  },
  {
    name: "has the platforms' keys in one space",
    section: "uniqueness",
    law: "reads the holder of a global key beside records, of whichever tenant it is",
    wrap: withKeys((claim) => ({ ...claim, scope: "global" })),
  },
  {
    name: "has the global keys of each platform apart",
    section: "uniqueness",
    law: resolves,
    wrap: withKeys((claim, platformId) => ({
      ...claim,
      key: claim.scope === "global" ? `${platformId} ${claim.key}` : claim.key,
    })),
  },
  {
    name: "does not free one released key in 4",
    section: "load",
    law: lastClaim,
    wrap: losing("releases", 4),
  },
  { name: "loses one claim in 7", section: "load", law: [lastClaim, resolves], wrap: losing("claims", 7) },
  {
    name: "resolves a released key to its last holder",
    section: "uniqueness",
    law: "resolves a global key to its holder until it is released, and never a platform key",
    wrap: ({ resolve }) => {
      const known = new Map<string, Effect.Success<ReturnType<typeof resolve>>>()
      return {
        resolve: Effect.fnUntraced(function* (claim) {
          const found = yield* resolve(claim)
          if (found !== undefined) known.set(`${claim.scope} ${claim.key}`, found)
          return found ?? known.get(`${claim.scope} ${claim.key}`)
        }),
      }
    },
  },
  {
    name: "answers a key with the answer of another platform",
    section: "idempotency",
    law: "keeps the keys of platforms separate",
    wrap: ({ read }) => ({
      read: (query) =>
        Effect.flatMap(read(query), (found) =>
          query.replay === undefined || found.replay !== undefined
            ? Effect.succeed(found)
            : Effect.map(as(tenant(alphaId))(read({ replay: query.replay })), ({ replay }) => ({ ...found, replay })),
        ),
    }),
  },
  {
    name: "applies the counters of a replayed set again",
    section: "load",
    law: "a read returns the counters that all acknowledged commits leave",
    wrap: ({ commit }) => ({
      commit: Effect.fnUntraced(function* (set) {
        const outcome = yield* commit(set)
        if (outcome._tag !== "Replayed" || set.counters.length === 0) return outcome
        const { replay: _replay, ...rest } = set
        yield* Effect.exit(commit({ ...rest, inserts: [], events: [], jobs: [], transfers: [] }))
        return outcome
      }),
    }),
  },
  {
    name: "forgets the operation of a set without an idempotency key",
    section: "idempotency",
    law: "applies a repeated change set once and returns the same facts after later commits, without a key",
    wrap: forgetting(({ replay }) => replay === undefined),
  },
  {
    name: "forgets the operations of sets with events",
    section: "load",
    law: "a set that is sent again is applied once and has the same facts",
    wrap: forgetting(({ events, replay }) => events.length > 0 && replay === undefined),
  },
  {
    name: "returns present facts for a set that is sent again",
    section: "load",
    law: "a set that is sent again is applied once and has the same facts",
    wrap: ({ commit, read }) => ({
      commit: Effect.fnUntraced(function* (set) {
        const outcome = yield* commit(set)
        if (outcome._tag !== "Committed") return outcome
        const counters = Object.keys(outcome.facts.counters)
        const found = yield* read({ counters })
        return {
          _tag: "Committed",
          facts: { ...outcome.facts, counters: Object.fromEntries(counters.map((key) => [key, found.counter(key)])) },
        } as const
      }),
    }),
  },
  {
    name: "replays an answer after its key has expired",
    section: "idempotency",
    law: "stores a key until it expires, and then frees it",
    wrap: committing(
      () =>
        ({ replay, ...set }) =>
          replay === undefined ? set : { ...set, replay: { ...replay, expiresAt: replay.expiresAt + 1 } },
    ),
  },
  {
    name: "replays the facts of another set",
    section: "load",
    law: "a replayed set has the answer and the facts of the set that was applied",
    wrap: ({ commit }) => {
      const isWrong = every(4)
      return {
        commit: (set) =>
          Effect.map(commit(set), (outcome) =>
            outcome._tag === "Replayed" && isWrong()
              ? { ...outcome, stored: { ...outcome.stored, facts: { balances: {}, counters: {} } } }
              : outcome,
          ),
      }
    },
  },
  {
    name: "knows an operation of any platform",
    section: "tenancy",
    law: "does not recognize an operation id of another platform",
    wrap: ({ commit }) => {
      const known = new Map<string, Effect.Success<ReturnType<typeof commit>>>()
      return {
        commit: (set) =>
          CurrentCaller.use(({ platformId }) =>
            Effect.gen(function* () {
              const other = known.get(`${platformId === alphaId ? "beta" : "alpha"} ${set.operationId}`)
              if (other !== undefined) return other
              const outcome = yield* commit(set)
              if (outcome._tag === "Committed")
                known.set(`${platformId === alphaId ? "alpha" : "beta"} ${set.operationId}`, outcome)
              return outcome
            }),
          ),
      }
    },
  },
]
