/** A store with one fault, as a few lines around a good one. */
import { type Caller, CurrentCaller } from "@countersign/core"
import type { ChangeSet, Store } from "@countersign/core/store"
import { Effect } from "effect"

export type Service = Store["Service"]

export interface WrongStore {
  readonly name: string
  /** The section of the suite that notices it. */
  readonly section: string
  /** The law that the failure states, or those of which it states one: a fault may break several. */
  readonly law: string | ReadonlyArray<string>
  /** Called for each new store, so that a fault counts from its first call. */
  readonly wrap: (store: Service) => Partial<Service>
}

/** Returns whether a call is one in `n`. */
export const every = (n: number) => {
  let calls = 0
  return () => {
    calls += 1
    return calls % n === 0
  }
}

export const as = (caller: Caller) => Effect.provideService(CurrentCaller, caller)

type Changed = (set: ChangeSet, caller: Caller) => ChangeSet

/** A store that commits something else than it is given. */
export const committing =
  (change: () => Changed): WrongStore["wrap"] =>
  ({ commit }) => {
    const changed = change()
    return { commit: (set) => CurrentCaller.use((caller) => commit(changed(set, caller))) }
  }

type Part = "inserts" | "updates" | "guards" | "claims" | "releases" | "ledgerAccounts" | "transfers" | "assertions"
type OtherPart = "observes" | "counters" | "events" | "attempts" | "jobs" | "finishes" | "returns"
export type SetPart = Part | OtherPart

/** A store that leaves out the last item of one part of one set in `n` that have it. */
export const losing = (part: SetPart, n: number): WrongStore["wrap"] =>
  committing(() => {
    const isLost = every(n)
    return (set) => (set[part].length > 0 && isLost() ? { ...set, [part]: set[part].slice(0, -1) } : set)
  })
