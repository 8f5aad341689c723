/** A store of several cells whose servers and cells answer as a test says. */
import { WallTime } from "@countersign/core/ports"
import type { ClaimRequest } from "@countersign/core/store"
import { Effect } from "effect"
import * as AllCells from "../../../packages/adapter-postgres/src/cells/AllCells.ts"
import * as Cell from "../../../packages/adapter-postgres/src/cells/Cell.ts"
import type { CellPlaces, CellServer } from "../../../packages/adapter-postgres/src/cells/CellPlaces.ts"
import * as BusinessTime from "../../../packages/adapter-postgres/src/schema/BusinessTime.ts"
import { fakeServer } from "./FakeCluster.ts"

export const cellCount = 4

export interface FakeStore {
  /** What each cell does; by default it commits everything and has no job. */
  readonly cell?: (number: number) => Partial<Cell.OneCell>
  readonly places?: Partial<CellPlaces>
  readonly lockWaitMillis?: number
}

export const request: ClaimRequest = {
  queue: "work",
  worker: "worker",
  businessNow: 1,
  wallNow: 2,
  limit: 10,
  leavesReserve: false,
  leaseMillis: 3,
}

const unused = () => Promise.reject(new Error("not expected"))
const server = (name: string): CellServer => ({
  name,
  connection: fakeServer({}),
  cells: () => new Map(),
  hasMoved: () => Promise.resolve(false),
})

/** Runs the use of a store. */
export const inStore = <A>(
  { cell = () => ({}), lockWaitMillis, places }: FakeStore,
  use: (store: Cell.CellPort) => Effect.Effect<A>,
): Promise<A> =>
  Effect.gen(function* () {
    const clockOffset = BusinessTime.make()
    const cells: Array<Cell.OneCell> = []
    for (let number = 0; number < cellCount; number++) {
      const made = yield* Cell.make(fakeServer({}), { clockOffset })
      cells.push({ ...made, ...cell(number) })
    }
    const servers = [server("a"), server("b")]
    return yield* Effect.flatMap(
      AllCells.make({
        places: {
          cells: cells.map(() => fakeServer({})),
          any: fakeServer({}),
          servers: () => servers,
          serverOf: (number) => servers[number % 2],
          transact: unused,
          ask: unused,
          refresh: () => Promise.resolve(),
          isFixed: true,
          ...places,
        },
        cells,
        clockOffset,
        lockWaitMillis,
      }),
      use,
    )
  }).pipe(Effect.scoped, Effect.provide(WallTime.layerClock), Effect.runPromise)
