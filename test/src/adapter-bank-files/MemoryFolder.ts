/** A bank's folder in memory, for tests that visit thousands of states. */
import { type BankFolder, bankFolder } from "@countersign/adapter-bank-files"
import { Effect } from "effect"

type Place = Parameters<BankFolder["list"]>[0]

export interface MemoryFolder {
  readonly folder: BankFolder
  readonly names: (place: Place) => ReadonlyArray<string>
  readonly content: (place: Place, name: string) => string
  /** Writes a file that is not complete, as a process leaves it that dies while it writes. */
  readonly tear: (place: Place, name: string, content: string) => void
}

const unfinished = /^\.|\.part$/u

export const memoryFolder = (): MemoryFolder => {
  const files = new Map<string, string>()
  const names = (place: Place) =>
    [...files.keys()]
      .filter((key) => key.startsWith(`${place}/`))
      .map((key) => key.slice(place.length + 1))
      .toSorted()
  const folder: BankFolder = {
    ...bankFolder("unused"),
    problems: Effect.succeed([]),
    prepare: Effect.void,
    list: (place) => Effect.sync(() => names(place).filter((name) => !unfinished.test(name))),
    read: (place, name, bytesMax) =>
      Effect.sync(() => {
        const content = files.get(`${place}/${name}`)
        if (content === undefined) return "gone"
        return content.length > bytesMax ? "large" : new TextEncoder().encode(content)
      }),
    write: (place, name, content) => Effect.sync(() => void files.set(`${place}/${name}`, content)),
    move: (from, name, to, as) =>
      Effect.sync(() => {
        const content = files.get(`${from}/${name}`)
        if (content === undefined) return false
        files.delete(`${from}/${name}`)
        files.set(`${to}/${as}`, content)
        return true
      }),
    remove: (place, name) => Effect.sync(() => void files.delete(`${place}/${name}`)),
  }
  return {
    folder,
    names,
    content: (place, name) => files.get(`${place}/${name}`) ?? "",
    tear: (place, name, content) => void files.set(`${place}/${name}`, content.slice(0, content.length / 2)),
  }
}
