/** A process that dies at a chosen point: before, in or after each transaction, and before, in or after each step in the folder. */
import type { BankFileStore, BankFolder } from "@countersign/adapter-bank-files"
import { Effect } from "effect"
import type { MemoryFolder } from "./MemoryFolder.ts"

export class ProcessDied extends Error {}

export interface DyingProcess {
  readonly store: BankFileStore["Service"]
  readonly folder: BankFolder
  /** How many points were passed. */
  readonly points: () => number
}

/** `at`: the number of the point, from 1 on; a number that is never reached lets the process live. */
export const dyingProcess = (store: BankFileStore["Service"], memory: MemoryFolder, at: number): DyingProcess => {
  let points = 0
  const pass = (leave: () => void = () => undefined) =>
    Effect.sync(() => {
      points += 1
      if (points !== at) return
      leave()
      throw new ProcessDied(`at point ${at}`)
    })
  const around = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    pass().pipe(
      Effect.andThen(effect),
      Effect.tap(() => pass()),
    )
  const { folder } = memory
  return {
    points: () => points,
    store: {
      // The second point is after all statements, and before the commit.
      transact: (body) => around(store.transact((rows) => Effect.tap(body(rows), () => pass()))),
    },
    folder: {
      problems: folder.problems,
      prepare: around(folder.prepare),
      list: (place) => around(folder.list(place)),
      read: (place, name, bytesMax) => around(folder.read(place, name, bytesMax)),
      write: (place, name, content) =>
        Effect.andThen(
          pass(() => memory.tear(place, name, content)),
          around(folder.write(place, name, content)),
        ),
      move: (from, name, to, as) => around(folder.move(from, name, to, as)),
      remove: (place, name) => around(folder.remove(place, name)),
    },
  }
}
