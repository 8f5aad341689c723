/**
 * Coverage of the tables: reports each taken arrow and each failed rule to the listeners. Without a listener it costs nothing.
 * Source: D-231.
 */

/** A taken arrow, or a failed row of a rule list. */
export type CoverageEvent =
  | { readonly _tag: "Arrow"; readonly machine: string; readonly from: string | null; readonly on: string }
  | { readonly _tag: "Rule"; readonly list: string; readonly row: string }
  /** A sandbox-only leniency that the run relied on. */
  | { readonly _tag: "Leniency"; readonly name: string }

type Listener = (event: CoverageEvent) => void

const listeners = new Set<Listener>()

/** Adds a listener and returns the function that removes it. A listener receives the events of the whole process. */
export const subscribe = (listener: Listener): (() => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Reports an event to every listener, at once. */
export const record = (event: CoverageEvent): void => {
  for (const listener of listeners) listener(event)
}
