/**
 * A state machine is a table of arrows; its states, its triggers and their types are derived from the table.
 * Source: D-003.
 */

import * as Coverage from "./Coverage.ts"

/** One row of the table: from a state (`null`: the record does not exist yet), on a trigger, to a state, with the events that it emits. */
export type Row<S extends string, T extends string, E extends string = never> = readonly [
  from: S | null,
  trigger: T,
  to: S,
  emits?: ReadonlyArray<E>,
]

/** A row with named fields. */
export interface Arrow<S extends string, T extends string, E extends string = never> {
  readonly from: S | null
  readonly trigger: T
  readonly to: S
  readonly emits: ReadonlyArray<E>
}

/** A transition that the table has: the next state, and the events to emit. */
export interface Transition<S extends string, E extends string = never> {
  readonly _tag: "Taken"
  readonly state: S
  readonly emits: ReadonlyArray<E>
}

/** A transition that the table does not have. */
export interface Refused<S extends string, T extends string> {
  readonly _tag: "Refused"
  readonly from: S | null
  readonly trigger: T
}

/** What can be read of any machine, whatever its states and triggers are. */
export interface ArrowTable {
  readonly name: string
  readonly states: ReadonlyArray<string>
  readonly arrows: ReadonlyArray<Arrow<string, string, string>>
}

export interface Machine<S extends string, T extends string, E extends string = never> {
  readonly name: string
  /** In the order in which the table first names them. */
  readonly states: ReadonlyArray<S>
  /** In the order in which the table first names them. */
  readonly triggers: ReadonlyArray<T>
  readonly arrows: ReadonlyArray<Arrow<S, T, E>>
  /** Takes the arrow of this state and trigger; refused when the table has none. */
  readonly take: (from: S | null, trigger: T) => Transition<S, E> | Refused<S, T>
  /** Whether the table has an arrow of this state and trigger. */
  readonly allows: (from: S | null, trigger: T) => boolean
  /**
   * Takes one arrow after another, for a caller that knows that the table has them: a missing arrow is a defect. Returns the last
   * state and the events of all arrows, in order.
   */
  readonly follow: (from: S | null, ...triggers: ReadonlyArray<T>) => Transition<S, E>
  /** The trigger of the arrow between two states, of several the first; `undefined`: the table has none. */
  readonly triggerBetween: (from: S | null, to: S) => T | undefined
  /** The triggers of the shortest chain of arrows between two states, empty for the same state; `undefined`: no chain leads there. */
  readonly pathBetween: (from: S | null, to: S) => ReadonlyArray<T> | undefined
  /** Takes the arrow between two states, for a caller that knows that the table has it: a missing arrow is a defect. */
  readonly followTo: (from: S | null, to: S) => Transition<S, E>
  readonly isTerminal: (state: S) => boolean
  readonly terminals: ReadonlyArray<S>
  /** States that a chain of arrows from "does not exist yet" leads to. */
  readonly reachable: ReadonlyArray<S>
}

/** The states of a machine. */
export type StateOf<M> = M extends Machine<infer S, infer _T, infer _E> ? S : never
/** The triggers of a machine. */
export type TriggerOf<M> = M extends Machine<infer _S, infer T, infer _E> ? T : never

type AnyRow = Row<string, string, string>
type RowState<R extends AnyRow> = Exclude<R[0], null> | R[2]
type RowEvent<R extends AnyRow> = NonNullable<R[3]>[number]

const key = (from: string | null, trigger: string) => `${from}\u0000${trigger}`

/** A state as messages show it. */
const shown = (state: string | null): string => state ?? "(none)"

const reachableFrom = <S extends string>(arrows: ReadonlyArray<Arrow<S, string, string>>): ReadonlySet<S> => {
  const reached = new Set<S>()
  let front: ReadonlyArray<S | null> = [null]
  while (front.length > 0) {
    const next = arrows.filter(({ from, to }) => front.includes(from) && !reached.has(to)).map(({ to }) => to)
    for (const state of next) reached.add(state)
    front = next
  }
  return reached
}

const fromArrows = <S extends string, T extends string, E extends string>(
  name: string,
  arrows: ReadonlyArray<Arrow<S, T, E>>,
): Machine<S, T, E> => {
  const table = new Map<string, Arrow<S, T, E>>()
  for (const arrow of arrows) {
    const { from, trigger } = arrow
    if (table.has(key(from, trigger))) throw new Error(`${name}: two arrows from ${shown(from)} on ${trigger}`)
    table.set(key(from, trigger), arrow)
  }
  const states = [...new Set(arrows.flatMap(({ from, to }) => (from === null ? [to] : [from, to])))]
  const take = (from: S | null, trigger: T): Transition<S, E> | Refused<S, T> => {
    const arrow = table.get(key(from, trigger))
    if (arrow === undefined) return { _tag: "Refused", from, trigger }
    Coverage.record({ _tag: "Arrow", machine: name, from, on: trigger })
    return { _tag: "Taken", state: arrow.to, emits: arrow.emits }
  }
  const follow = (from: S | null, ...triggers: ReadonlyArray<T>): Transition<S, E> => {
    let state = from
    const emits: Array<E> = []
    for (const trigger of triggers) {
      const taken = take(state, trigger)
      if (taken._tag === "Refused") throw new Error(`${name}: no arrow from ${shown(state)} on ${trigger}`)
      state = taken.state
      emits.push(...taken.emits)
    }
    if (state === null) throw new Error(`${name}: no trigger given`)
    return { _tag: "Taken", state, emits }
  }
  const triggerBetween = (from: S | null, to: S): T | undefined =>
    arrows.find((arrow) => arrow.from === from && arrow.to === to)?.trigger
  const followTo = (from: S | null, to: S): Transition<S, E> => {
    const trigger = triggerBetween(from, to)
    if (trigger === undefined) throw new Error(`${name}: no arrow from ${shown(from)} to ${to}`)
    return follow(from, trigger)
  }
  const pathBetween = (from: S | null, to: S): ReadonlyArray<T> | undefined => {
    const reached = new Map<S | null, ReadonlyArray<T>>([[from, []]])
    // A map visits the entries that are added while it is visited.
    for (const [state, path] of reached) {
      if (state === to) return path
      for (const arrow of arrows) {
        if (arrow.from === state && !reached.has(arrow.to)) reached.set(arrow.to, [...path, arrow.trigger])
      }
    }
    return undefined
  }
  const isTerminal = (state: S) => !arrows.some(({ from }) => from === state)
  const reachable = reachableFrom(arrows)
  return {
    name,
    states,
    triggers: [...new Set(arrows.map(({ trigger }) => trigger))],
    arrows,
    take,
    allows: (from, trigger) => take(from, trigger)._tag === "Taken",
    follow,
    triggerBetween,
    pathBetween,
    followTo,
    isTerminal,
    terminals: states.filter(isTerminal),
    reachable: states.filter((state) => reachable.has(state)),
  }
}

/** Builds a machine from its table. Two arrows of one state and trigger are a defect: the next state would be ambiguous. */
export const make = <const R extends AnyRow>(definition: {
  readonly name: string
  readonly arrows: ReadonlyArray<R>
}): Machine<RowState<R>, R[1], RowEvent<R>> =>
  fromArrows<RowState<R>, R[1], RowEvent<R>>(
    definition.name,
    definition.arrows.map(([from, trigger, to, emits = []]) => ({
      from: from as RowState<R> | null,
      trigger,
      to: to as RowState<R>,
      emits: emits as ReadonlyArray<RowEvent<R>>,
    })),
  )

/** Builds a machine with the arrows of another one. A trigger emits the events that `emits` names, and none where it has no entry. */
export const withEvents = <S extends string, T extends string, const E extends string = never>(
  name: string,
  machine: Machine<S, T, string>,
  emits: { readonly [trigger in T]?: ReadonlyArray<E> },
): Machine<S, T, E> =>
  fromArrows(
    name,
    machine.arrows.map(({ from, to, trigger }) => ({ from, trigger, to, emits: emits[trigger] ?? [] })),
  )
