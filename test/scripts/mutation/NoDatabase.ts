/** Takes the place of `TestDatabase.ts` among mutants, which run in memory: whatever needs a database fails, and is left out. */
import type { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import type { WorldStore } from "../../../packages/test/src/harness/World.ts"

const message = "no mutant is tested with a database"

/** Whether a test failed because it needs a database. */
export const isForDatabase = (failure: string | undefined): boolean => failure?.includes(message) === true

const fail = async (): Promise<never> => {
  throw new Error(message)
}

/** A rejected promise, which is no unhandled rejection while nothing waits for it. */
export const create = (): Promise<never> => {
  const none = fail()
  none.catch(() => undefined)
  return none
}

const layer: Layer.Layer<Store> = Layer.unwrap(Effect.die(new Error(message)))

export const emptyStore = () => layer

export const emptyWorld = (): WorldStore => ({ layer, books: fail, nextRetry: fail })
