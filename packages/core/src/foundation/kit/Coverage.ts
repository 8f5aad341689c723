/**
 * What a process goes through, told to whoever listens: the arrows of machines and the rows of rules. Nobody listening costs nothing.
 * Source: D-231.
 */

/** An arrow that was followed, or a row that refused. */
export type CoverageEvent =
  | { readonly _tag: "Arrow"; readonly machine: string; readonly from: string | null; readonly on: string }
  | { readonly _tag: "Rule"; readonly list: string; readonly row: string }
  /** Something that only the sandbox lets pass. */
  | { readonly _tag: "Leniency"; readonly name: string }

type Listener = (reached: CoverageEvent) => void

const listeners = new Set<Listener>()

/** Listens until the answer is called. A listener sees the whole process, not one service of it. */
export const subscribe = (listener: Listener): (() => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const record = (reached: CoverageEvent): void => {
  for (const listener of listeners) listener(reached)
}
