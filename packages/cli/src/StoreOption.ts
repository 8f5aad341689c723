/** Reads `--store`. The error does not repeat the value, which may contain a password. */
import { Effect } from "effect"
import { parseStoreLocation } from "./StoreLocation.ts"
import { usageError } from "./UsageError.ts"

export const storeLocation = (option: string) =>
  Effect.fromNullishOr(parseStoreLocation(option)).pipe(
    Effect.mapError(() => usageError("--store takes memory, pglite:FOLDER or postgres://USER@HOST/DATABASE")),
  )
