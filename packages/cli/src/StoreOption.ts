/** Reads `--store`. The error does not repeat the value, which may contain a password. */
import { Effect } from "effect"
import { usageError } from "./CommandError.ts"
import { parseStoreLocation } from "./StoreLocation.ts"

export const storeLocation = (option: string) =>
  Effect.fromNullishOr(parseStoreLocation(option)).pipe(
    Effect.mapError(() => usageError("--store takes memory, pglite:FOLDER or postgres://USER@HOST/DATABASE")),
  )
