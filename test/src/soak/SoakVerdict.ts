/** Judges all series of a soak run. */
import {
  joined,
  judgeLatency,
  judgeMemory,
  judgeStock,
  type StockLimits,
  type Timing,
  type Verdict,
} from "./Judgement.ts"
import type { Sample } from "./Samples.ts"
import { bounded, unknownTables } from "./Tables.ts"

/** The sessions of wallets wait for their end as jobs, for 15 minutes: in an hour the first quarter has as many as all others. */
const levelSeconds = 3600
const dueJobsFloor = 50
const connectionsFloor = 10
const jobBytesFloor = 32 * 1024 ** 2

const sizeOf = ({ tables }: Sample, name: string) => tables.find(({ table }) => table === name)

export const soakVerdict = (
  samples: ReadonlyArray<Sample>,
  timings: ReadonlyArray<Timing>,
  seconds: number,
): Verdict => {
  const tables = [...new Set(samples.flatMap((one) => one.tables.map(({ table }) => table)))]
  const stock = (name: string, value: (one: Sample) => number, bounds: StockLimits) =>
    judgeStock(
      name,
      samples.map((one) => ({ seconds: one.seconds, value: value(one) })),
      seconds,
      bounds,
    )
  const api = samples.flatMap((one) =>
    one.processes.flatMap(({ resident, role }) => (role === "api" ? [{ seconds: one.seconds, value: resident }] : [])),
  )
  return joined([
    judgeMemory("resident memory of the api process", api, seconds),
    ...[...Map.groupBy(timings, ({ operation }) => operation)].map(([operation, all]) =>
      judgeLatency(operation, all, seconds),
    ),
    ...bounded.map(({ floor, table }) =>
      stock(`rows of ${table}`, (one) => sizeOf(one, table)?.rows ?? 0, { floor, secondsMin: levelSeconds }),
    ),
    stock("bytes of job with its indexes", (one) => sizeOf(one, "job")?.bytes ?? 0, {
      floor: jobBytesFloor,
      secondsMin: levelSeconds,
    }),
    stock("jobs that are due", ({ dueJobs }) => dueJobs, { floor: dueJobsFloor }),
    stock("connections to the database", ({ connections }) => connections, { floor: connectionsFloor }),
    { problems: unknownTables(tables), notes: [] },
  ])
}
