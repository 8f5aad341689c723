/**
 * Commits small changes of one tenant together: those that arrive while others are being committed share the next change set. A change that
 * cannot be committed with the others is committed alone, so that none depends on another one.
 * Source: architecture, "A change set is the only way to write"; D-490.
 */
import { Cause, Deferred, Effect, Exit } from "effect"
import { CurrentCaller } from "../store/Caller.ts"
import { type Changes, combine, isEmpty } from "../store/Changes.ts"
import * as StateGate from "../store/StateGate.ts"
import { StoreUnavailable } from "../store/Store.ts"
import * as Operation from "./Operation.ts"

/** How many changes one set may carry, and how many events and jobs they may name before it is full. */
const partsMax = 64
const namesMax = 256

/** `lead`: commit now, with what waits. `alone`: commit without the others. */
type Turn = "lead" | "alone" | "committed"

interface Part {
  readonly changes: Changes
  readonly turn: Deferred.Deferred<Turn, StoreUnavailable>
  isLeading: boolean
}

/** What a change set may name once. */
const namesOf = ({ attempts = [], finishes = [], returns = [] }: Changes): ReadonlyArray<string> => [
  ...attempts.map(({ eventId }) => eventId),
  ...finishes.map(({ id }) => id),
  ...returns.map(({ id }) => id),
]

/** Takes the parts that fit in one change set with the first one. */
const takeParts = (first: Part, waiting: Array<Part>): ReadonlyArray<Part> => {
  const names = new Set(namesOf(first.changes))
  const taken: Array<Part> = []
  for (let index = 0; index < waiting.length && taken.length < partsMax - 1 && names.size < namesMax; ) {
    const part = waiting[index]
    const own = part === undefined ? [] : namesOf(part.changes)
    if (part === undefined || own.some((name) => names.has(name))) {
      index += 1
      continue
    }
    for (const name of own) names.add(name)
    taken.push(part)
    waiting.splice(index, 1)
  }
  return taken
}

/** Makes the function that commits changes, which have no more than attempts and the ends of jobs. `name`: of the operation. */
export const make = (name: string) => {
  /** What waits, by tenant and state of the store; absent: nothing is being committed. */
  const groups = new Map<string, Array<Part>>()

  const commit = (parts: ReadonlyArray<Part>) =>
    Operation.run({
      name,
      ids: 0,
      load: () => Effect.void,
      decide: () => Operation.answer(200, null, combine(...parts.map(({ changes }) => changes))),
    })

  const passOn = (key: string) =>
    Effect.suspend(() => {
      const next = groups.get(key)?.shift()
      if (next === undefined) {
        groups.delete(key)
        return Effect.void
      }
      next.isLeading = true
      return Deferred.succeed(next.turn, "lead")
    })

  const lead = Effect.fnUntraced(function* (key: string, own: Part) {
    const others = takeParts(own, groups.get(key) ?? [])
    const exit = yield* Effect.exit(commit([own, ...others])).pipe(Effect.ensuring(passOn(key)))
    if (others.length === 0) return yield* exit
    const failure = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
    for (const { turn } of others) {
      if (Exit.isSuccess(exit)) yield* Deferred.succeed(turn, "committed")
      else if (failure instanceof StoreUnavailable) yield* Deferred.fail(turn, failure)
      else yield* Deferred.succeed(turn, "alone")
    }
    const isFinal = Exit.isSuccess(exit) || failure instanceof StoreUnavailable || Cause.hasInterruptsOnly(exit.cause)
    return yield* isFinal ? exit : commit([own])
  })

  const leave = (key: string, part: Part) =>
    Effect.suspend(() => {
      if (part.isLeading) return passOn(key)
      const waiting = groups.get(key)
      const index = waiting?.indexOf(part) ?? -1
      if (index >= 0) waiting?.splice(index, 1)
      return Effect.void
    })

  return Effect.fnUntraced(function* (changes: Changes) {
    if (isEmpty(changes)) return
    const { platformId } = yield* CurrentCaller
    const generation = yield* StateGate.CallGeneration
    const key = `${platformId} ${generation}`
    const part: Part = { changes, turn: yield* Deferred.make<Turn, StoreUnavailable>(), isLeading: false }
    yield* Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const waiting = groups.get(key)
        if (waiting === undefined) {
          groups.set(key, [])
          return yield* lead(key, part)
        }
        waiting.push(part)
        const turn = yield* restore(Deferred.await(part.turn)).pipe(Effect.onInterrupt(() => leave(key, part)))
        if (turn === "lead") return yield* lead(key, part)
        return turn === "alone" ? yield* commit([part]) : undefined
      }),
    )
  })
}
