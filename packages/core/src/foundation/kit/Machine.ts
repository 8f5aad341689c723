/**
 * A state machine is a table of arrows; everything else is derived from it.
 * Source: D-003.
 */

import * as Coverage from "./Coverage.ts"

/** One arrow: from a state (`null`: the record does not exist yet), on a trigger, to a state, emitting these events. */
export type Arrow<S extends string, T extends string, E extends string = never> = readonly [
  from: S | null,
  on: T,
  to: S,
  emits?: ReadonlyArray<E>,
]

/** Where an arrow leads, or the refusal when the table has no such arrow. */
export type Step<S extends string, T extends string, E extends string> =
  | { readonly moved: true; readonly to: S; readonly emits: ReadonlyArray<E> }
  | { readonly moved: false; readonly from: S | null; readonly on: T }

export interface Machine<S extends string, T extends string, E extends string = never> {
  readonly name: string
  readonly states: ReadonlyArray<S>
  readonly triggers: ReadonlyArray<T>
  readonly arrows: ReadonlyArray<Arrow<S, T, E>>
  /** Follows the arrow of `(from, on)`; an arrow that is not in the table is refused. */
  readonly step: (from: S | null, on: T) => Step<S, T, E>
  /** The state after a trigger that the caller knows to be in the table; a missing arrow is a defect. */
  readonly follow: (from: S | null, ...on: ReadonlyArray<T>) => S
  readonly isTerminal: (state: S) => boolean
  readonly terminals: ReadonlyArray<S>
  /** States that some chain of arrows from "not existing" leads to. */
  readonly reachable: ReadonlyArray<S>
}

const key = (from: string | null, on: string) => `${from}\u0000${on}`

/** Builds a machine; two arrows for one `(from, on)` are a defect, because the table would not be a function. */
export const make = <const S extends string, const T extends string, const E extends string = never>(definition: {
  readonly name: string
  readonly states: ReadonlyArray<S>
  readonly triggers: ReadonlyArray<T>
  readonly arrows: ReadonlyArray<Arrow<S, T, E>>
}): Machine<S, T, E> => {
  const { arrows, name, states, triggers } = definition
  const table = new Map<string, Arrow<S, T, E>>()
  for (const arrow of arrows) {
    const at = key(arrow[0], arrow[1])
    if (table.has(at)) throw new Error(`${name}: two arrows from ${arrow[0] ?? "(none)"} on ${arrow[1]}`)
    table.set(at, arrow)
  }
  const step = (from: S | null, on: T): Step<S, T, E> => {
    const arrow = table.get(key(from, on))
    if (arrow === undefined) return { moved: false, from, on }
    Coverage.record({ _tag: "Arrow", machine: name, from, on })
    return { moved: true, to: arrow[2], emits: arrow[3] ?? [] }
  }
  const follow = (from: S | null, ...on: ReadonlyArray<T>): S => {
    let at = from
    for (const trigger of on) {
      const next = step(at, trigger)
      if (!next.moved) throw new Error(`${name}: no arrow from ${at ?? "(none)"} on ${trigger}`)
      at = next.to
    }
    if (at === null) throw new Error(`${name}: no trigger given`)
    return at
  }
  const isTerminal = (state: S) => !arrows.some(([from]) => from === state)
  const reached = new Set<S>()
  let front: ReadonlyArray<S | null> = [null]
  while (front.length > 0) {
    const next = arrows.filter(([from, , to]) => front.includes(from) && !reached.has(to)).map(([, , to]) => to)
    for (const state of next) reached.add(state)
    front = next
  }
  return {
    name,
    states,
    triggers,
    arrows,
    step,
    follow,
    isTerminal,
    terminals: states.filter(isTerminal),
    reachable: states.filter((state) => reached.has(state)),
  }
}
