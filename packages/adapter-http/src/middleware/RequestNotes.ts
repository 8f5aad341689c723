/**
 * What the checks learn of a request that a sandbox keeps: its endpoint, its caller and its body.
 * Source: D-464.
 */
import type { Caller } from "@countersign/core"
import { Context, Effect } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"

export interface RequestNotes {
  endpoint?: HttpApiEndpoint.Top
  caller?: Caller
  /** The text of the body. An upload has none. */
  text?: string
}

/** `undefined`: the request is not kept. */
export const CurrentNotes = Context.Reference<RequestNotes | undefined>("@countersign/adapter-http/RequestNotes", {
  defaultValue: () => undefined,
})

/** Notes a part of the current request. */
export const note = (part: RequestNotes): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const notes = fiber.getRef(CurrentNotes)
    if (notes !== undefined) Object.assign(notes, part)
    return Effect.void
  })

/** Forgets the caller of the current request, which has turned out to be refused. */
export const forgetCaller: Effect.Effect<void> = Effect.withFiber((fiber) => {
  const notes = fiber.getRef(CurrentNotes)
  if (notes !== undefined) delete notes.caller
  return Effect.void
})
