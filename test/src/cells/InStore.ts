/** Runs a program on a store of a number of cells, which is closed after it. */
import { type Connection, PostgresStore } from "@countersign/adapter-postgres"
import { WallTime } from "@countersign/core/ports"
import type { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"

export const inStore = <A>(connection: Connection, cells: number, program: Effect.Effect<A, unknown, Store>) =>
  Effect.scoped(
    Effect.provide(
      program,
      Layer.orDie(PostgresStore.layer({ connection, cells })).pipe(Layer.provide(WallTime.layerClock)),
      { local: true },
    ),
  )
