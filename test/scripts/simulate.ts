/**
 * Runs any number of simulations: `npm run simulate -- --runs 100000 --from 1`; or, with `--hours 8`, schedules that are led to what was not
 * reached before, from the `--corpus` of earlier searches; or one `--schedule`. Prints each failing run with the command that repeats it,
 * and a summary: what was reached and how often, and what never was. `--sample 120` keeps the seeds of this search that every run of the tests
 * repeats. `--cells 4` keeps the records of each run in as many cells of a PostgreSQL server. An interrupt ends a search with the summary of
 * its runs. The exit code is 1 if a run failed.
 */
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"
import { openCorpus } from "../src/simulation/Corpus.ts"
import { coverOf, type Reach } from "../src/simulation/Cover.ts"
import { randomness } from "../src/simulation/Randomness.ts"
import { countsOf, featuresOf, targets } from "../src/simulation/Reached.ts"
import { openPlace, openStores, type StorePlace } from "../src/simulation/RunStore.ts"
import { writeSample } from "../src/simulation/Sample.ts"
import { replay, type Schedule, scheduleOf, simulate, type Variation } from "../src/simulation/Simulation.ts"

interface RunResult {
  readonly schedule: Schedule
  readonly problems: ReadonlyArray<string>
  readonly requests: number
  readonly faults: number
  readonly counts: ReadonlyMap<string, number>
}

const write = (line: string) => process.stdout.write(`${line}\n`)

const resultOf = async (schedule: Schedule, variation: Variation): Promise<RunResult> => {
  const outcome = await simulate(schedule, variation)
  const faults = [...outcome.faults.values()].reduce((total, times) => total + times, 0)
  const { problems, requests } = outcome
  return { schedule, problems, requests, faults, counts: countsOf(outcome) }
}

/** A thread runs one schedule after another, until it receives none. */
const work = async (): Promise<void> => {
  const stores = await openStores(workerData)
  parentPort?.on("message", async (schedule: Schedule | undefined) => {
    if (schedule !== undefined) return parentPort?.postMessage(await resultOf(schedule, await stores.next()))
    await stores.close()
    process.exit()
  })
}

interface Search {
  readonly count: number
  readonly place: StorePlace | undefined
  readonly next: () => Schedule | undefined
  readonly take: (result: RunResult) => void
}

/** Runs schedules in threads, as long as there are any. */
const inThreads = ({ count, next, place, take }: Search) =>
  Promise.all(
    Array.from({ length: count }, () => {
      const worker = new Worker(fileURLToPath(import.meta.url), { workerData: place })
      return new Promise<void>((resolve, reject) => {
        const send = () => worker.postMessage(next())
        worker.once("error", reject)
        worker.once("exit", () => resolve())
        worker.on("message", (result: RunResult) => {
          take(result)
          send()
        })
        send()
      })
    }),
  )

/** What was reached of each table, how often, and what never was. */
const shown = (counts: ReadonlyMap<string, number>): string =>
  Object.entries(targets)
    .map(([what, names]) => {
      const [reached = [], never = []] = [true, false].map((is) => names.filter((name) => counts.has(name) === is))
      const often = reached.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
      const times = often.map((name) => `${name} ${counts.get(name)}`)
      return `${what}, ${reached.length} of ${names.length}: ${times.join(", ")}${never.length === 0 ? "" : `; never: ${never.join(", ")}`}`
    })
    .join("\n")

/** Numbers the features of runs, of which there are too many to keep as texts. */
const numbered = () => {
  const numbers = new Map<string, number>()
  const names: Array<string> = []
  const numberOf = (feature: string): number => {
    const known = numbers.get(feature)
    if (known !== undefined) return known
    numbers.set(feature, names.length)
    return names.push(feature) - 1
  }
  const targeted = new Set(Object.values(targets).flat())
  return { numberOf, isName: (feature: number) => targeted.has(names[feature] ?? "") }
}

const defaultCorpus = (cells: number) =>
  fileURLToPath(
    new URL(`../../node_modules/.cache/simulation/corpus${cells === 0 ? "" : `-${cells}`}.json`, import.meta.url),
  )
const hourMillis = 3_600_000

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      runs: { type: "string", default: "2000" },
      from: { type: "string", default: "1" },
      hours: { type: "string" },
      cells: { type: "string", default: "0" },
      corpus: { type: "string" },
      schedule: { type: "string" },
      sample: { type: "string" },
      workers: { type: "string", default: String(availableParallelism()) },
    },
  })
  const cells = Number(values.cells)
  if (!Number.isInteger(cells) || cells < 0) throw new Error(`how many cells? ${values.cells} is no number`)
  await using opened = cells === 0 ? undefined : await openPlace(cells)
  const search = { count: Number(values.workers), place: opened?.place }
  let isInterrupted = false
  process.once("SIGINT", () => {
    isInterrupted = true
  })
  const begun = performance.now()
  const seconds = () => Math.round((performance.now() - begun) / 1000)
  const failed: Array<RunResult> = []
  const counts = new Map<string, number>()
  let [done, requests, faults] = [0, 0, 0]
  const take = (each: RunResult) => {
    done += 1
    requests += each.requests
    faults += each.faults
    for (const [name, times] of each.counts) counts.set(name, (counts.get(name) ?? 0) + times)
    if (each.problems.length === 0) return
    failed.push(each)
    write(`${replay(each.schedule)}${cells === 0 ? "" : ` --cells ${cells}`}\n  ${each.problems.join("\n  ")}`)
  }
  const report = () => write(`${done} runs, ${failed.length} failed, ${seconds()} s`)

  if (values.schedule !== undefined) {
    const [actions = 0, faultSeed = 0, order = 0] = values.schedule.split(",").map(Number)
    const stores = await openStores(opened?.place)
    take(await resultOf({ actions, faults: faultSeed, order }, await stores.next()))
    await stores.close()
  } else if (values.hours !== undefined) {
    const end = begun + Number(values.hours) * hourMillis
    const corpus = openCorpus(values.corpus ?? defaultCorpus(cells), randomness(Date.now()))
    write(`the corpus has ${corpus.size()} schedules of ${corpus.runs()} runs`)
    await inThreads({
      ...search,
      next: () => (performance.now() < end && !isInterrupted ? corpus.next() : undefined),
      take: (each) => {
        take(each)
        corpus.take(each.schedule, featuresOf(each.counts))
        if (done % 500 > 0) return
        corpus.save()
        report()
      },
    })
    corpus.save()
    write(
      `the corpus has ${corpus.size()} schedules of ${corpus.runs()} runs, which reached ${corpus.features().size} different things`,
    )
  } else {
    const [from, runs] = [Number(values.from), Number(values.runs)]
    let seed = from
    const next = () => (seed < from + runs && !isInterrupted ? scheduleOf(seed++) : undefined)
    const features = numbered()
    const reaches: Array<Reach> = []
    await inThreads({
      ...search,
      next,
      take: (each) => {
        take(each)
        const reached = [...featuresOf(each.counts)].map(features.numberOf)
        if (values.sample !== undefined) reaches.push({ seed: each.schedule.actions, features: reached })
        if (done % 1000 === 0) report()
      },
    })
    if (values.sample !== undefined) {
      const seeds = coverOf(reaches, Number(values.sample), features.isName)
      await writeSample({ runs: done, seeds })
      write(`${seeds.length} of ${done} seeds are the sample`)
    }
  }
  write(shown(counts))
  const perMinute = Math.round((60 * done) / Math.max(1, seconds()))
  write(
    `${done} runs: ${requests} requests, ${faults} faults, ${failed.length} failed, ${seconds()} s (${perMinute} a minute)`,
  )
  if (failed.length > 0) process.exitCode = 1
}

await (isMainThread ? main() : work())
