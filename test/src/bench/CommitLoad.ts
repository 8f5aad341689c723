/** Callers of `Store.commit`, each with one change set on its way at a time. */
import { type Connection, PostgresStore } from "@countersign/adapter-postgres"
import { CurrentCaller } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { type ChangeSet, Store } from "@countersign/core/store"
import { Effect, Layer, ManagedRuntime } from "effect"
import { benchTenant } from "./Accounts.ts"
import type { BenchStore } from "./BenchStore.ts"
import { clearTables } from "./DurableServer.ts"
import { type PendingActions, preparePendingActions } from "./PendingActions.ts"
import { ofServer } from "./ProcessorTime.ts"
import { type Measured, percentiles, warmingSeconds } from "./Rounds.ts"
import { nextNumbers, type Size, transferSet } from "./TransferSets.ts"

export interface Load {
  readonly size: Size
  readonly isHot: boolean
  readonly callers: number
}

export const storeOn = (connection: Connection): BenchStore =>
  ManagedRuntime.make(
    Layer.orDie(PostgresStore.layer({ connection })).pipe(
      Layer.provideMerge(WallTime.layerClock),
      Layer.provideMerge(Layer.succeed(CurrentCaller, benchTenant)),
    ),
  )

/** The next set, and what is to be done when it is committed. */
const nextSet = (
  { isHot, size }: Load,
  beginnings: PendingActions | undefined,
): { set: ChangeSet; done: () => void } => {
  if (beginnings === undefined) return { set: transferSet(nextNumbers(isHot), size), done: () => undefined }
  for (;;) {
    const numbers = nextNumbers(isHot)
    const begun = beginnings.take(numbers.from)
    if (begun !== undefined) {
      return { set: transferSet(numbers, size, begun), done: () => beginnings.giveBack(numbers.from, begun) }
    }
  }
}

const callersOf = (load: Load, seconds: number, beginnings: PendingActions | undefined) =>
  Effect.gen(function* () {
    const store = yield* Store
    const latencies: Array<number> = []
    const start = performance.now()
    const end = start + seconds * 1000
    const caller = Effect.gen(function* () {
      for (let begun = performance.now(); begun < end; ) {
        const { done: committed, set } = nextSet(load, beginnings)
        const outcome = yield* store.commit(set)
        if (outcome._tag !== "Committed") return yield* Effect.die(new Error(JSON.stringify(outcome)))
        committed()
        const done = performance.now()
        latencies.push(done - begun)
        begun = done
      }
    })
    yield* Effect.all(
      Array.from({ length: load.callers }, () => caller),
      { concurrency: "unbounded", discard: true },
    )
    return { latencies, elapsedMillis: performance.now() - start }
  })

const count = async (connection: Connection): Promise<number> => {
  const [rows] = await connection.query({
    text: "select ((select count(*) from countersign.operation) + (select count(*) from countersign.replay))::text",
    values: [],
  })
  return Number(rows)
}

/** Every commit that was answered is there, and the ledger's sum is zero. */
const verify = async (connection: Connection, committed: number): Promise<void> => {
  const found = await count(connection)
  const [sum] = await connection.query({
    text: "select coalesce(sum(amount), 0)::text from countersign.ledger_entry",
    values: [],
  })
  if (found !== committed || sum !== "0") throw new Error(`${committed} answered, ${found} kept, ledger sum ${sum}`)
}

export const commitLoad = async (
  store: BenchStore,
  connection: Connection,
  load: Load,
  folder: string,
  seconds: number,
): Promise<Measured> => {
  await clearTables(connection)
  const beginnings =
    load.size === "full" ? await preparePendingActions(store, connection, warmingSeconds + seconds) : undefined
  const warming = await store.runPromise(callersOf(load, warmingSeconds, beginnings))
  const before = process.cpuUsage()
  const serverBefore = await ofServer(folder)
  const { elapsedMillis, latencies } = await store.runPromise(callersOf(load, seconds, beginnings))
  const { system, user } = process.cpuUsage(before)
  const serverMillis = (await ofServer(folder)) - serverBefore
  await verify(connection, warming.latencies.length + latencies.length)
  return {
    perSecond: latencies.length / (elapsedMillis / 1000),
    ...percentiles(latencies),
    count: latencies.length,
    serverMillis,
    callerMillis: (system + user) / 1000,
  }
}
