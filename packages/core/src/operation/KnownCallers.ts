/**
 * The callers of earlier requests by their credential, as they were when it was last confirmed. They authenticate nobody: each request
 * confirms its caller in the store.
 * Source: D-495.
 */
import type { Caller } from "../store/Caller.ts"
import type { AnyStored } from "../store/ChangeSet.ts"

interface KnownCaller<C, R> {
  readonly caller: C
  readonly record: R
  /** The state of the store to which the record belongs: see `StateGate`. */
  readonly generation: number | undefined
}

export interface KnownCallers<C, R> {
  readonly find: (credential: string, generation: number | undefined) => KnownCaller<C, R> | undefined
  readonly remember: (credential: string, known: KnownCaller<C, R>) => void
  readonly forget: (credential: string) => void
}

/** A record has a few kilobytes at most. */
const callersMax = 10_000

/** The caller that was remembered first makes room for others. */
export const make = <C extends Caller, R extends Pick<AnyStored, "id" | "version">>(): KnownCallers<C, R> => {
  const callers = new Map<string, KnownCaller<C, R>>()
  return {
    find: (credential, generation) => {
      const known = callers.get(credential)
      return known?.generation === generation ? known : undefined
    },
    remember: (credential, known) => {
      const { generation, record } = known
      const before = callers.get(credential)
      const isSame = before?.record.version === record.version && before.record.id === record.id
      if (isSame && before.generation === generation) return
      const [first] = before !== undefined || callers.size < callersMax ? [] : callers.keys()
      if (first !== undefined) callers.delete(first)
      callers.set(credential, known)
    },
    forget: (credential) => void callers.delete(credential),
  }
}
