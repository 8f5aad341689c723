/**
 * The schedules of simulated runs that reached something new, and what is reached so far. The next schedule is a new one, or one of these with
 * one of its seeds replaced: what clients did meets other faults or another order.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import type { Randomness } from "./Randomness.ts"
import { type Schedule, scheduleOf } from "./Simulation.ts"

interface Kept {
  readonly schedule: Schedule
  /** How much it was the first to reach. */
  readonly firsts: number
}

interface Stored {
  readonly kept: ReadonlyArray<Kept>
  readonly features: ReadonlyArray<string>
  readonly runs: number
}

export interface Corpus {
  readonly size: () => number
  readonly runs: () => number
  readonly features: () => ReadonlySet<string>
  /** Takes the result of a run; returns how much it was the first to reach. */
  readonly take: (schedule: Schedule, features: ReadonlySet<string>) => number
  readonly next: () => Schedule
  /** Writes everything to the file; a later corpus of the file continues. */
  readonly save: () => void
}

const seeds = 0x1_0000_0000
const parts = ["actions", "faults", "order"] as const

export const openCorpus = (file: string, random: Randomness): Corpus => {
  const stored: Stored = existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as Stored)
    : { kept: [], features: [], runs: 0 }
  const kept = [...stored.kept]
  const features = new Set(stored.features)
  let { runs } = stored
  return {
    size: () => kept.length,
    runs: () => runs,
    features: () => features,
    take: (schedule, found) => {
      runs += 1
      const before = features.size
      for (const feature of found) features.add(feature)
      const firsts = features.size - before
      if (firsts > 0) kept.push({ schedule, firsts })
      return firsts
    },
    next: () => {
      const old = random.once(2) ? kept[random.below(Math.max(1, kept.length))] : undefined
      if (old === undefined) return scheduleOf(random.below(seeds))
      const part = random.pick(parts)
      return { ...old.schedule, [part]: random.below(seeds) }
    },
    save: () => {
      mkdirSync(dirname(file), { recursive: true })
      const text = JSON.stringify({ kept, features: [...features], runs } satisfies Stored)
      writeFileSync(`${file}.new`, text)
      renameSync(`${file}.new`, file)
    },
  }
}
