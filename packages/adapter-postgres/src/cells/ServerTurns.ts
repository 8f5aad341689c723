/** Turns to commit over several servers, so that what waits for a server which does not answer keeps nothing else from its own. Source: D-517. */
import { type Effect, Semaphore } from "effect"

export interface ServerTurns {
  /** Runs the effect once fewer than `turnsMax` others of the same servers run. */
  readonly withTurn: (servers: Iterable<string>) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

export const make = (turnsMax: number): ServerTurns => {
  const turns = new Map<string, Semaphore.Semaphore>()
  return {
    withTurn: (servers) => {
      const key = [...new Set(servers)].toSorted().join()
      const known = turns.get(key) ?? Semaphore.makeUnsafe(turnsMax)
      turns.set(key, known)
      return known.withPermit
    },
  }
}
