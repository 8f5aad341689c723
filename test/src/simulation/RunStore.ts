/**
 * Where the runs of a search keep their records: in memory, or in the cells of a database that all runs of a thread use one after another.
 * Source: D-235, D-514.
 */
import { openAddressSocket, startServer } from "../adapter-postgres/PostgresServer.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import type { Variation } from "./Simulation.ts"

/** What threads need to open their stores. */
export interface StorePlace {
  readonly cells: number
  /** The socket that returns the address of the server. */
  readonly socket: string
}

/** The server of a search in cells: the one that COUNTERSIGN_TEST_POSTGRES_URL names, or one that is started at its first use. */
export const openPlace = async (cells: number) => {
  const { close, socket } = await openAddressSocket(process.env["COUNTERSIGN_TEST_POSTGRES_URL"], startServer)
  return { place: { cells, socket } satisfies StorePlace, [Symbol.asyncDispose]: close }
}

/** The stores of a thread: `next` empties its database for another run. */
export const openStores = async (place: StorePlace | undefined) => {
  if (place === undefined) return { next: async (): Promise<Variation> => ({}), close: async () => undefined }
  const database = await TestDatabase.create(8, place.socket)
  return {
    next: async (): Promise<Variation> => ({ store: await TestDatabase.emptiedWorld(database, place.cells) }),
    close: database.close,
  }
}
