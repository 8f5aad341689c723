/**
 * What a commit costs in a store of cells: in one cell beside a store of one, and over several cells in one transaction.
 * Source: D-514.
 */
import { type Connection, PoolConnection, PostgresStore } from "@countersign/adapter-postgres"
import { CurrentCaller, tenant } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import { type ChangeSet, Store } from "@countersign/core/store"
import { Effect, Layer, ManagedRuntime } from "effect"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import type { BenchStore } from "./BenchStore.ts"
import type { DurableServer } from "./DurableServer.ts"
import { ofServer } from "./ProcessorTime.ts"
import { type Case, compare, type Measured, percentiles, type Settings, warmingSeconds } from "./Rounds.ts"

export const customers = 256
const callers = [1, 16] as const

let drawn = 0
/** An identifier with a slot. */
const idWith = (type: string, slot: number): string => {
  drawn += 1
  const n = drawn.toString(16).padStart(12, "0")
  return `${type}:${n.slice(0, 8)}-${n.slice(8)}-7000-${(0x8000 | slot).toString(16)}-${n}`
}

export const platformId = idWith("PlatformConfig", 0)
const customerIds = Array.from({ length: customers }, (_, n) => idWith("Customer", n))
const slotOf = (n: number): number => n % customers
const availableOf = (n: number): string => `available:${customerIds[slotOf(n)] ?? ""}`
const outsideOf = (n: number): string => `outside:${customerIds[slotOf(n)] ?? ""}`

const opening = (n: number): ChangeSet => {
  const account = { platformId, customerId: customerIds[n] ?? "", currency: "USD" } as const
  return {
    ...changeSet({
      ledgerAccounts: [
        { ...account, id: availableOf(n), floor: 0 },
        { ...account, id: outsideOf(n), floor: null },
      ],
      transfers: [{ from: outsideOf(n), to: availableOf(n), amount: 1e9, currency: "USD", reference: "opening" }],
    }),
    operationId: `opening ${n}`,
  }
}

export type Kind = "one customer" | "under a platform's key" | "between two customers" | "between every other customer"

/** Money of one customer, or of two. */
export const setOf = (kind: Kind, n: number): ChangeSet => {
  const id = idWith("Transaction", slotOf(n))
  const customerId = customerIds[slotOf(n)] ?? ""
  const body = { id, status: "COMPLETED", amount: 5 }
  // The next customer is in the next cell.
  const targets: Partial<Record<Kind, string>> = {
    "between two customers": availableOf(n + 1),
    "between every other customer": availableOf(n + 2),
  }
  const transfer = { from: availableOf(n), to: targets[kind] ?? outsideOf(n), amount: 5 }
  return {
    ...changeSet({
      transfers: [{ ...transfer, currency: "USD", reference: id }],
      events: [
        {
          id: idWith("Webhook", slotOf(n)),
          type: "TEST",
          customerId,
          subject: id,
          data: { body, placeholders: [] },
        },
      ],
      counters: [{ key: `spend ${customerId}`, customerId, delta: 5 }],
      ...(kind === "under a platform's key"
        ? {
            replay: {
              key: `key ${id}`,
              fingerprint: "fingerprint",
              status: 201,
              answer: { body, placeholders: [] },
              expiresAt: Number.MAX_SAFE_INTEGER,
            },
          }
        : {}),
    }),
    operationId: id,
  }
}

/** A store with the accounts of all customers. */
export const storeOn = async (connection: Connection, cells: number): Promise<BenchStore> => {
  const store = ManagedRuntime.make(
    Layer.orDie(PostgresStore.layer({ connection, cells })).pipe(
      Layer.provideMerge(WallTime.layerClock),
      Layer.provideMerge(Layer.succeed(CurrentCaller, tenant(platformId))),
    ),
  )
  for (let n = 0; n < customers; n++) await store.runPromise(Store.use(({ commit }) => commit(opening(n))))
  return store
}

const storeIn = async (server: DurableServer, cells: number): Promise<BenchStore> => {
  const name = `cells_${cells}`
  await server.create(name)
  return storeOn(PoolConnection.make(server.pool(name, 10)), cells)
}

/** `step`: from the customer of one set to that of the next, and so from cell to cell. */
export const load = (store: BenchStore, kind: Kind, count: number, seconds: number, step = 17) =>
  store.runPromise(
    Effect.gen(function* () {
      const { commit } = yield* Store
      const latencies: Array<number> = []
      const start = performance.now()
      const end = start + seconds * 1000
      const caller = (first: number) =>
        Effect.gen(function* () {
          for (let n = first, at = performance.now(); at < end; n += step) {
            const outcome = yield* commit(setOf(kind, n))
            if (outcome._tag !== "Committed") return yield* Effect.die(new Error(JSON.stringify(outcome)))
            const done = performance.now()
            latencies.push(done - at)
            at = done
          }
        })
      yield* Effect.forEach(
        Array.from({ length: count }, (_, n) => n * 31),
        caller,
        { concurrency: "unbounded" },
      )
      return { latencies, elapsedMillis: performance.now() - start }
    }),
  )

/** `serverMillis`: the processor time of the server. */
export const measured = async (
  serverMillis: () => Promise<number>,
  run: (seconds: number) => ReturnType<typeof load>,
  seconds: number,
): Promise<Measured> => {
  await run(warmingSeconds)
  const before = process.cpuUsage()
  const serverBefore = await serverMillis()
  const { elapsedMillis, latencies } = await run(seconds)
  const { system, user } = process.cpuUsage(before)
  return {
    perSecond: latencies.length / (elapsedMillis / 1000),
    ...percentiles(latencies),
    count: latencies.length,
    serverMillis: (await serverMillis()) - serverBefore,
    callerMillis: (system + user) / 1000,
  }
}

export const cellsBench = async (
  server: DurableServer,
  settings: Settings,
  write: (text: string) => void,
): Promise<void> => {
  const stores = new Map<number, BenchStore>()
  for (const cells of [1, 4, 16]) stores.set(cells, await storeIn(server, cells))
  const caseOf = (cells: number, kind: Kind, count: number): Case => {
    const name = (of: number, what: Kind) => `${of} cell${of === 1 ? "" : "s"}, ${what}, ${count} callers`
    return {
      name: name(cells, kind),
      bases: cells === 1 ? [] : [name(1, kind)],
      run: () => {
        const store = stores.get(cells)
        if (store === undefined) throw new Error(`there is no store of ${cells} cells`)
        const serverMillis = () => ofServer(server.folder)
        return measured(serverMillis, (seconds) => load(store, kind, count, seconds), settings.seconds)
      },
    }
  }
  const kinds = ["one customer", "under a platform's key", "between two customers"] as const
  await compare(
    "Commits in cells of one server",
    callers.flatMap((count) => kinds.flatMap((kind) => [1, 4, 16].map((cells) => caseOf(cells, kind, count)))),
    settings,
    write,
  )
  await Promise.all([...stores.values()].map((store) => store.dispose()))
}
