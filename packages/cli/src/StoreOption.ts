/** Reads `--store` and `--store-direct`. Errors do not repeat the values, which may contain a password. */
import { Effect, Option } from "effect"
import { type CommandError, usageError } from "./CommandError.ts"
import { parseStoreLocation, type StoreLocation } from "./StoreLocation.ts"

export interface StoreOptions {
  readonly store: string
  /** The server, where `store` is a pooler that shares its sessions. */
  readonly storeDirect: Option.Option<string>
  /** The number of cells of a new store; absent for a command on a store that exists. */
  readonly cells?: Option.Option<number>
}

/** What `--store` takes, for the messages. */
export const storeForms = "takes memory, pglite:FOLDER or postgres://USER@HOST/DATABASE"

/** What `--store-direct` takes. */
export const storeDirectForms = "takes postgres://USER@HOST/DATABASE, for a --store that is one"

/** The place of the options; `undefined` if one of them is no address, or there is no server to reach directly. */
export const parseStore = ({ cells = Option.none(), store, storeDirect }: StoreOptions): StoreLocation | undefined => {
  const given = parseStoreLocation(store)
  const location = given?._tag === "Server" && Option.isSome(cells) ? { ...given, cells: cells.value } : given
  if (Option.isNone(storeDirect)) return location
  const direct = parseStoreLocation(storeDirect.value)
  return location?._tag === "Server" && direct?._tag === "Server" ? { ...location, direct: direct.url } : undefined
}

/** What `--cells` needs. */
export const cellsNeed = "needs a store that can have cells: --store postgres://..."

/** Whether the options ask for cells where the store cannot have any. */
export const lacksCells = ({ cells = Option.none(), store }: StoreOptions): boolean =>
  Option.exists(cells, (count) => count > 1) && parseStoreLocation(store)?._tag !== "Server"

export const storeLocation = (options: StoreOptions): Effect.Effect<StoreLocation, CommandError> =>
  Effect.fromNullishOr(parseStore(options)).pipe(
    Effect.mapError(() =>
      usageError(
        parseStoreLocation(options.store) === undefined
          ? `--store ${storeForms}`
          : `--store-direct ${storeDirectForms}`,
      ),
    ),
  )

/** The place for a command that ends: sessions that nobody shares, without the pooler. */
export const ownLocation = (options: StoreOptions): Effect.Effect<StoreLocation, CommandError> =>
  Effect.map(storeLocation(options), (location) =>
    location._tag === "Server" && location.direct !== undefined
      ? { _tag: "Server", url: location.direct, ...(location.cells === undefined ? {} : { cells: location.cells }) }
      : location,
  )
