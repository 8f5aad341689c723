/** Stores with wrong times: retention, business time and reports of changes. */
import { type ChangeTopic, eventRetentionMillis } from "@countersign/core/store"
import { Effect } from "effect"
import { committing, every, type WrongStore } from "./WrongStore.ts"

export const times: ReadonlyArray<WrongStore> = [
  {
    name: "keeps the history of a record that is erased",
    section: "retention",
    law: "an update that erases history leaves one version, and the next update adds another",
    wrap: committing(() => (set) => ({
      ...set,
      updates: set.updates.map(({ erasesHistory: _erases, ...update }) => update),
    })),
  },
  {
    name: "erases history by an update that does not commit",
    section: "retention",
    law: "erases nothing by an update that is not committed",
    wrap: ({ commit, history }) => {
      const erased = new Map<string, number>()
      return {
        commit: Effect.fnUntraced(function* (set) {
          for (const { erasesHistory, id, version } of set.updates) if (erasesHistory) erased.set(id, version + 1)
          return yield* commit(set)
        }),
        history: (ref, latest) =>
          Effect.map(history(ref, latest), (all) => all.filter(({ version }) => version >= (erased.get(ref.id) ?? 0))),
      }
    },
  },
  {
    name: "returns the oldest versions of a record instead of the latest",
    section: "read and write",
    law: "returns all versions of a record, oldest first",
    wrap: ({ history }) => ({ history: (ref, latest) => Effect.map(history(ref), (all) => all.slice(0, latest)) }),
  },
  {
    name: "never deletes an event",
    section: "retention",
    law: "deletes an event when its retention ends, and not before",
    wrap: ({ event }) => {
      const known = new Map<string, Effect.Success<ReturnType<typeof event>>>()
      return {
        event: (id) =>
          Effect.map(event(id), (found) => {
            if (found !== undefined) known.set(id, found)
            return found ?? known.get(id)
          }),
      }
    },
  },
  {
    name: "deletes an event in the millisecond before its retention ends",
    section: "retention",
    law: "deletes an event when its retention ends, and not before",
    wrap: ({ event }) => ({
      event: (id) =>
        Effect.clockWith((clock) => clock.currentTimeMillis).pipe(
          Effect.flatMap((now) =>
            Effect.map(event(id), (found) =>
              found !== undefined && now + 1 >= found.createdAt + eventRetentionMillis ? undefined : found,
            ),
          ),
        ),
    }),
  },
  {
    name: "moves business time back",
    section: "business time",
    law: "starts business time at wall time and only advances it",
    wrap: ({ moveTime }) => ({
      moveTime: (change) => Effect.map(moveTime(change), (ahead) => ahead && change.aheadMillis),
    }),
  },
  {
    name: "lets another process advance time that is advanced already",
    section: "business time",
    law: "prevents other processes from advancing time until the first one ends or releases it",
    wrap: ({ moveTime }) => ({ moveTime: (change) => moveTime({ ...change, mover: "one" }) }),
  },
  {
    name: "counts a job as running after its lease",
    section: "business time",
    law: "counts running jobs until their leases expire, and all claims",
    wrap: ({ workload }) => ({ workload: (wallNow) => workload(wallNow - 1) }),
  },
  {
    name: "reports the changes of all platforms to each watcher",
    section: "changes",
    law: "reports the topics of a platform's commits to those who watch it",
    wrap: ({ commit, watch }) => {
      const watchers: Array<(topics: ReadonlySet<ChangeTopic>) => void> = []
      return {
        commit: (set) =>
          Effect.tap(commit(set), () =>
            Effect.sync(() => {
              for (const onChange of watchers) onChange(new Set(["records"]))
            }),
          ),
        watch: (platformId, onChange) => {
          watchers.push(onChange)
          return watch(platformId, onChange)
        },
      }
    },
  },
  {
    name: "does not report one change in 9",
    section: "load",
    law: "each commit is reported to those who watch its platform",
    wrap: ({ watch }) => {
      const isLost = every(9)
      return {
        watch: (platformId, onChange) =>
          watch(platformId, (topics) => {
            if (!isLost()) onChange(topics)
          }),
      }
    },
  },
  {
    name: "counts the roots of closed wallets",
    section: "wallet roots",
    law: "counts what depends on each root of wallet keys, of all tenants, without closed accounts and revoked keys",
    wrap: ({ rootUses }) => ({
      rootUses: Effect.map(rootUses, (uses) => uses.map((use) => ({ ...use, wallets: use.wallets + 1 }))),
    }),
  },
  {
    name: "counts the platforms of one tenant",
    section: "business time",
    law: "counts platforms for any caller",
    wrap: ({ platformCount }) => ({ platformCount: Effect.map(platformCount, (count) => Math.min(count, 1)) }),
  },
]
