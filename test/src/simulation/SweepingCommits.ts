/**
 * Commits behind which a store deletes what has expired: a few rows behind each in memory. On a server each process sweeps its cells in turn, and
 * all of them behind 500 commits of its own.
 * Source: D-056; adapter-memory/src/Events.ts; adapter-postgres/src/cells/RetentionSweep.ts.
 */
import { Store } from "@countersign/core/store"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import type { Pay } from "./World.ts"

/** Expired events: how many there were, and how many are listed that must not be. */
interface Expired {
  readonly count: number
  readonly left: () => Promise<number>
}

/** Commits until everything is deleted that has expired. */
export type SweepingCommits = (pay: Pay, expired: Expired) => Promise<void>

/** A commit in memory deletes this many events at most, or keeps them for another month. */
const deletedPerCommit = 8

export const inMemory: SweepingCommits = async (pay, { count }) => {
  for (let times = Math.ceil(count / deletedPerCommit) + 1; times > 0; times--)
    await pay.send("POST", "/webhooks/endpoint/enable")
}

/** Of two processes that answer at random, one makes 500 of them: it sweeps every cell, even those without expired events. */
const commitsPerTurn = 1000
/** A sweep leaves locked rows to the next one. */
const turnsMax = 3
const atOnce = 50

/** Requests that change one record repeat each other's conflicts. Commits to a counter have none. */
const commit = (pay: Pay) =>
  pay.run(Store.use((store) => store.commit(changeSet({ counters: [{ key: "commits of the sweep", delta: 1 }] }))))

export const onServer: SweepingCommits = async (pay, { left }) => {
  for (let turns = 0; turns === 0 || (turns < turnsMax && (await left()) > 0); turns++) {
    for (let times = commitsPerTurn; times > 0; times -= atOnce)
      await Promise.all(Array.from({ length: atOnce }, () => commit(pay)))
  }
}
