/**
 * Runs a command on a store that exists: one that other processes may work on at the same time.
 * Source: D-110, D-354.
 */
import { stat } from "node:fs/promises"
import { WallTime } from "@countersign/core/ports"
import { type Store, StoreUnavailable } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { type CommandError, storeError, usageError } from "./CommandError.ts"
import { databaseProblem } from "./DatabaseProblem.ts"
import * as ServerStore from "./ServerStore.ts"
import { locationName, type StoreLocation } from "./StoreLocation.ts"
import { ownLocation, type StoreOptions } from "./StoreOption.ts"

/** Fails if the folder does not exist, so that a command creates none. */
const checkFolderExists = (location: StoreLocation) => {
  if (location._tag !== "Folder") return Effect.void
  return Effect.tryPromise(() => stat(location.folder)).pipe(
    Effect.mapError(() => storeError(`the store ${location.folder} does not exist`)),
    Effect.asVoid,
  )
}

const isUnavailable = (error: unknown): error is StoreUnavailable => error instanceof StoreUnavailable

/** Runs `command` on the store that the options name. The schema is checked, not migrated. */
export const onStore = Effect.fnUntraced(function* <A, E, R>(
  options: StoreOptions,
  command: Effect.Effect<A, E | StoreUnavailable, R>,
) {
  const location = yield* ownLocation(options)
  if (location._tag === "Memory") {
    return yield* usageError("--store memory keeps nothing that another process can read")
  }
  yield* checkFolderExists(location)
  const layer: Layer.Layer<ServerStore.ServerStore | Store | WallTime, CommandError> = ServerStore.layer(
    location,
    "check",
  ).pipe(Layer.provideMerge(WallTime.layerClock))
  return yield* command.pipe(
    Effect.provide(layer),
    Effect.catchIf(isUnavailable, ({ cause }) => Effect.fail(databaseProblem(locationName(location), cause))),
  )
})
