/** Reads `--store` and `--store-direct`. Errors do not repeat the values, which may contain a password. */
import { Effect, Option } from "effect"
import { type CommandError, usageError } from "./CommandError.ts"
import { parseStoreLocation, type StoreLocation } from "./StoreLocation.ts"

export interface StoreOptions {
  readonly store: string
  /** The server, where `store` is a pooler that shares its sessions. */
  readonly storeDirect: Option.Option<string>
}

/** What `--store` takes, for the messages. */
export const storeForms = "takes memory, pglite:FOLDER or postgres://USER@HOST/DATABASE"

/** The place of the options; `undefined` if one of them is no address, or there is no server to reach directly. */
export const parseStore = ({ store, storeDirect }: StoreOptions): StoreLocation | undefined => {
  const location = parseStoreLocation(store)
  if (Option.isNone(storeDirect)) return location
  const direct = parseStoreLocation(storeDirect.value)
  return location?._tag === "Server" && direct?._tag === "Server" ? { ...location, direct: direct.url } : undefined
}

export const storeLocation = (options: StoreOptions): Effect.Effect<StoreLocation, CommandError> =>
  Effect.fromNullishOr(parseStore(options)).pipe(
    Effect.mapError(() =>
      usageError(
        parseStoreLocation(options.store) === undefined
          ? `--store ${storeForms}`
          : "--store-direct takes postgres://USER@HOST/DATABASE, for a --store that is one",
      ),
    ),
  )

/** The place for a command that ends: sessions that nobody shares, without the pooler. */
export const ownLocation = (options: StoreOptions): Effect.Effect<StoreLocation, CommandError> =>
  Effect.map(storeLocation(options), (location) =>
    location._tag === "Server" && location.direct !== undefined ? { _tag: "Server", url: location.direct } : location,
  )
