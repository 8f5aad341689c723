/** The outcome of a decoder that is an effect: what it accepts, its own refusal, or a defect. */
import { Cause, Effect, Exit } from "effect"

/** Returns what is accepted; `undefined` for the refusal of this tag. Everything else throws. */
export const acceptedOf = async <A>(
  effect: Effect.Effect<A, { readonly _tag: string }>,
  refusal: string,
): Promise<A | undefined> => {
  const exit = await Effect.runPromiseExit(effect)
  if (Exit.isSuccess(exit)) return exit.value
  const found = Cause.findErrorOption(exit.cause)
  if (found._tag === "Some" && found.value._tag === refusal) return undefined
  throw Cause.squash(exit.cause)
}
