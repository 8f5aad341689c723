/**
 * Runs any number of simulations: `npm run simulate -- --runs 100000 --from 1`. Prints each failing seed with the command that repeats it, and
 * a summary: how often each action and fault occurred, and which never did. The exit code is 1 if a seed failed.
 */
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"
import { clientActions } from "../src/simulation/Clients.ts"
import { faultNames } from "../src/simulation/FaultInjection.ts"
import { replay, simulate } from "../src/simulation/Simulation.ts"

interface Share {
  readonly from: number
  readonly runs: number
  readonly step: number
}

interface RunResult {
  readonly seed: number
  readonly problems: ReadonlyArray<string>
  readonly requests: number
  readonly faults: Counts
  readonly actionCounts: Counts
}

type Counts = ReadonlyMap<string, number>

const sum = (counts: Counts) => [...counts.values()].reduce((total, times) => total + times, 0)

/** Adds the counts of one run. */
const add = (all: Map<string, number>, more: Counts) => {
  for (const [name, times] of more) all.set(name, (all.get(name) ?? 0) + times)
}

/** Counts in descending order, and the names that never occurred. */
const shown = (title: string, counts: Counts, names: ReadonlyArray<string>): string => {
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a).map(([name, times]) => `${name} ${times}`)
  const never = names.filter((name) => !counts.has(name))
  return `${title}: ${sorted.join(", ")}${never.length === 0 ? "" : `; never: ${never.join(", ")}`}`
}

const resultOf = async (seed: number): Promise<RunResult> => {
  const { actionCounts, faults, problems, requests } = await simulate(seed)
  return { seed, problems, requests, faults, actionCounts }
}

const work = async ({ from, runs, step }: Share): Promise<void> => {
  for (let seed = from; seed < from + runs; seed += step) parentPort?.postMessage(await resultOf(seed))
}

const write = (line: string) => process.stdout.write(`${line}\n`)

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      runs: { type: "string", default: "2000" },
      from: { type: "string", default: "1" },
      workers: { type: "string", default: String(availableParallelism()) },
    },
  })
  const [runs, from, workers] = [Number(values.runs), Number(values.from), Number(values.workers)]
  const begun = performance.now()
  const failed: Array<RunResult> = []
  let [done, requests] = [0, 0]
  const faults = new Map<string, number>()
  const did = new Map<string, number>()
  const take = (each: RunResult) => {
    done += 1
    requests += each.requests
    add(faults, each.faults)
    add(did, each.actionCounts)
    if (each.problems.length > 0) {
      failed.push(each)
      write(`${replay(each.seed)}\n  ${each.problems.join("\n  ")}`)
    }
    if (done % 1000 === 0)
      write(`${done} runs, ${failed.length} failed, ${Math.round((performance.now() - begun) / 1000)} s`)
  }
  await Promise.all(
    Array.from({ length: workers }, (_, index) => {
      const share: Share = { from: from + index, runs: runs - index, step: workers }
      const worker = new Worker(fileURLToPath(import.meta.url), { workerData: share })
      worker.on("message", take)
      return new Promise((resolve, reject) => {
        worker.once("error", reject)
        worker.once("exit", resolve)
      })
    }),
  )
  const seconds = (performance.now() - begun) / 1000
  write(shown("actions", did, Object.keys(clientActions)))
  write(shown("faults", faults, faultNames))
  write(
    `${done} runs from seed ${from}: ${requests} requests, ${sum(faults)} faults, ${failed.length} failed, ${Math.round(seconds)} s (${Math.round((60 * done) / seconds)} a minute)`,
  )
  if (failed.length > 0) process.exitCode = 1
}

await (isMainThread ? main() : work(workerData as Share))
