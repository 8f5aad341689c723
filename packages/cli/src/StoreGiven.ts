/** The store as the options name it. The value is not repeated: it may hold a password. */
import { Effect } from "effect"
import { parseStore } from "./StorePlace.ts"
import { usageError } from "./UsageError.ts"

export const placeGiven = (given: string) =>
  Effect.fromNullishOr(parseStore(given)).pipe(
    Effect.mapError(() => usageError("--store takes memory, pglite:FOLDER or postgres://USER@HOST/DATABASE")),
  )
