/**
 * Where a sandbox keeps its saved worlds. Without a place of its own they last as long as the process.
 * Source: D-470.
 */
import { Context, Data, Effect } from "effect"

/** The place cannot be read or written. */
export class SavedWorldsUnavailable extends Data.TaggedError("SavedWorldsUnavailable")<{ readonly cause: unknown }> {}

/** A saved world: a line about it, and its state. */
export interface SavedWorld {
  readonly header: string
  readonly state: string
}

type Result<A> = Effect.Effect<A, SavedWorldsUnavailable>

export interface SavedWorlds {
  /** Names and headers, in any order. */
  readonly list: Result<ReadonlyArray<{ readonly name: string; readonly header: string }>>
  readonly read: (name: string) => Result<SavedWorld | undefined>
  /** Replaces a world of the same name, completely or not at all. */
  readonly write: (name: string, world: SavedWorld) => Result<void>
  readonly remove: (name: string) => Result<void>
  /** The name of the world that the server continues; `undefined`: of none. */
  readonly current: Result<string | undefined>
  readonly setCurrent: (name: string | undefined) => Result<void>
}

export const SavedWorlds = Context.Reference<SavedWorlds | undefined>("@countersign/core/SavedWorlds", {
  defaultValue: () => undefined,
})

/** Keeps the worlds in this process. */
export const savedWorldsInMemory = (): SavedWorlds => {
  const worlds = new Map<string, SavedWorld>()
  let current: string | undefined
  return {
    list: Effect.sync(() => [...worlds].map(([name, { header }]) => ({ name, header }))),
    read: (name) => Effect.sync(() => worlds.get(name)),
    write: (name, world) => Effect.sync(() => void worlds.set(name, world)),
    remove: (name) => Effect.sync(() => void worlds.delete(name)),
    current: Effect.sync(() => current),
    setCurrent: (name) =>
      Effect.sync(() => {
        current = name
      }),
  }
}
