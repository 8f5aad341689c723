/**
 * Simulated runs without end: `npm run simulate -- --runs 100000 --from 1`. Prints the seeds that fail, and a summary; the exit code says
 * whether there were any.
 */
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"
import { simulate } from "../src/simulation/Simulation.ts"

interface Share {
  readonly from: number
  readonly runs: number
  readonly step: number
}

interface Told {
  readonly seed: number
  readonly problems: ReadonlyArray<string>
  readonly requests: number
  readonly faults: number
}

const told = async (seed: number): Promise<Told> => {
  try {
    const { faults, problems, requests } = await simulate(seed)
    return { seed, problems, requests, faults: [...faults.values()].reduce((total, times) => total + times, 0) }
  } catch (error) {
    return {
      seed,
      problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
      requests: 0,
      faults: 0,
    }
  }
}

const work = async ({ from, runs, step }: Share): Promise<void> => {
  for (let seed = from; seed < from + runs; seed += step) parentPort?.postMessage(await told(seed))
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
  const failed: Array<Told> = []
  let [done, requests, faults] = [0, 0, 0]
  const take = (each: Told) => {
    done += 1
    requests += each.requests
    faults += each.faults
    if (each.problems.length > 0) {
      failed.push(each)
      write(`seed ${each.seed} fails:\n  ${each.problems.join("\n  ")}`)
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
  write(
    `${done} runs from seed ${from}: ${requests} requests, ${faults} faults, ${failed.length} failed, ${Math.round((performance.now() - begun) / 1000)} s`,
  )
  if (failed.length > 0) process.exitCode = 1
}

await (isMainThread ? main() : work(workerData as Share))
