/** A load of concurrent callers of `Store.commit`, each with one change set in flight. */
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

/** Returns the next set, and the callback after its commit. */
const nextSet = (
  { isHot, size }: Load,
  pendingActions: PendingActions | undefined,
): { set: ChangeSet; done: () => void } => {
  if (pendingActions === undefined) return { set: transferSet(nextNumbers(isHot), size), done: () => undefined }
  for (;;) {
    const numbers = nextNumbers(isHot)
    const pending = pendingActions.take(numbers.from)
    if (pending !== undefined) {
      return { set: transferSet(numbers, size, pending), done: () => pendingActions.giveBack(numbers.from, pending) }
    }
  }
}

const callersOf = (load: Load, seconds: number, pendingActions: PendingActions | undefined) =>
  Effect.gen(function* () {
    const store = yield* Store
    const latencies: Array<number> = []
    const start = performance.now()
    const end = start + seconds * 1000
    const caller = Effect.gen(function* () {
      for (let startedAt = performance.now(); startedAt < end; ) {
        const { done: committed, set } = nextSet(load, pendingActions)
        const outcome = yield* store.commit(set)
        if (outcome._tag !== "Committed") return yield* Effect.die(new Error(JSON.stringify(outcome)))
        committed()
        const done = performance.now()
        latencies.push(done - startedAt)
        startedAt = done
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

/** Verifies that every acknowledged commit is stored and that the ledger sums to zero. */
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
  const pendingActions =
    load.size === "full" ? await preparePendingActions(store, connection, warmingSeconds + seconds) : undefined
  const warming = await store.runPromise(callersOf(load, warmingSeconds, pendingActions))
  const before = process.cpuUsage()
  const serverBefore = await ofServer(folder)
  const { elapsedMillis, latencies } = await store.runPromise(callersOf(load, seconds, pendingActions))
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
