/**
 * Compresses the state of a saved world to a text of its file, and expands it.
 * Source: D-471.
 */
import { Context, type Effect } from "effect"

export interface WorldPacking {
  readonly pack: (state: string) => Effect.Effect<string>
  /** `undefined`: the text is not such a state, or expands to more than `bytesMax`. */
  readonly unpack: (text: string, bytesMax: number) => Effect.Effect<string | undefined>
}

/** Without it a sandbox saves no worlds. */
export const WorldPacking = Context.Reference<WorldPacking | undefined>("@countersign/core/WorldPacking", {
  defaultValue: () => undefined,
})
