/**
 * The folder that a bank's transfer program shares with us: `out/` and `in/`, and beside them `staging/`, `done/` and `rejected/`, which are
 * ours alone. All of them are on one file system, so that a renaming is one step.
 * Source: D-530.
 */
import { constants } from "node:fs"
import { access, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { Data, Effect } from "effect"

export const places = ["out", "in", "staging", "done", "rejected"] as const
export type Place = (typeof places)[number]

/** The file system refused something. The message has a code and no content. */
export class FolderUnavailable extends Data.TaggedError("FolderUnavailable")<{
  readonly operation: string
  readonly code: string
}> {
  override get message(): string {
    return `the folder of the bank cannot be used: ${this.operation}, ${this.code}`
  }
}

type Answer<A> = Effect.Effect<A, FolderUnavailable>

export interface BankFolder {
  /** Returns what keeps the folder from being used. It changes nothing. */
  readonly problems: Answer<ReadonlyArray<string>>
  /** Makes the places that do not exist. */
  readonly prepare: Answer<void>
  /** The names of the files, sorted, without those that a transfer program has not finished. */
  readonly list: (place: Place) => Answer<ReadonlyArray<string>>
  /** The bytes of a file whose size did not change while it was read; otherwise why there are none. */
  readonly read: (place: Place, name: string, bytesMax: number) => Answer<Uint8Array | "gone" | "changing" | "large">
  /** Writes a file and waits until it is on the disk. A file of this name is replaced. */
  readonly write: (place: Place, name: string, content: string) => Answer<void>
  /** Renames a file and waits until that is on the disk. `false`: there is no such file any more. */
  readonly move: (from: Place, name: string, to: Place, as: string) => Answer<boolean>
  readonly remove: (place: Place, name: string) => Answer<void>
}

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "unknown"

const attempt = <A>(operation: string, act: () => Promise<A>): Answer<A> =>
  Effect.tryPromise({ try: act, catch: (error) => new FolderUnavailable({ operation, code: codeOf(error) }) })

const isMissing = (error: unknown): false => {
  if (codeOf(error) === "ENOENT") return false
  throw error
}

/** Writes the entries of a folder to the disk. */
const syncFolder = async (path: string): Promise<void> => {
  const handle = await open(path, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Names that transfer programs give to what they have not finished, and hidden ones. */
const unfinished = /^\.|\.(?:tmp|part|partial|filepart|crdownload|swp)$|~$/iu

interface OpenFile {
  readonly stat: () => Promise<{ readonly size: number; readonly mtimeMs: number; readonly isFile: () => boolean }>
  readonly readFile: () => Promise<Uint8Array>
}

/** The bytes of an open file, unless it changes meanwhile. */
export const readWhole = async (handle: OpenFile, bytesMax: number) => {
  const before = await handle.stat()
  if (!before.isFile()) return "gone" as const
  if (before.size > bytesMax) return "large" as const
  const bytes = await handle.readFile()
  const after = await handle.stat()
  const isStable = before.size === after.size && bytes.length === after.size && before.mtimeMs === after.mtimeMs
  return isStable ? bytes : ("changing" as const)
}

const problemsOf = async (root: string): Promise<ReadonlyArray<string>> => {
  const { dev } = await stat(root)
  const found = places.map(async (place) => {
    const path = join(root, place)
    const of = await stat(path).catch(isMissing)
    if (of !== false && !of.isDirectory()) return [`${place} is not a folder`]
    const isWritable = await access(of === false ? root : path, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    )
    if (!isWritable) return [`${place} cannot be written`]
    return of === false || of.dev === dev ? [] : [`${place} is on another file system`]
  })
  return (await Promise.all(found)).flat()
}

export const bankFolder = (root: string): BankFolder => {
  const pathOf = (place: Place, name = "") => join(root, place, name)
  return {
    problems: attempt("check", () => problemsOf(root)),
    prepare: attempt("prepare", async () => {
      for (const place of places) await mkdir(pathOf(place), { recursive: true })
    }),
    list: (place) =>
      attempt(`list ${place}`, async () => {
        const entries = await readdir(pathOf(place), { withFileTypes: true })
        const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
        return names.filter((name) => !unfinished.test(name)).toSorted()
      }),
    read: (place, name, bytesMax) =>
      attempt(`read ${place}`, async () => {
        // A link could lead out of the folder.
        const handle = await open(pathOf(place, name), constants.O_RDONLY | constants.O_NOFOLLOW).catch(isMissing)
        if (handle === false) return "gone"
        try {
          return await readWhole(handle, bytesMax)
        } finally {
          await handle.close()
        }
      }),
    write: (place, name, content) =>
      attempt(`write ${place}`, async () => {
        const handle = await open(pathOf(place, name), "w", 0o640)
        try {
          await handle.writeFile(content)
          await handle.sync()
        } finally {
          await handle.close()
        }
        await syncFolder(pathOf(place))
      }),
    move: (from, name, to, as) =>
      attempt(`move ${from} to ${to}`, async () => {
        const isMoved = await rename(pathOf(from, name), pathOf(to, as)).then(() => true, isMissing)
        if (!isMoved) return false
        await syncFolder(pathOf(to))
        await syncFolder(pathOf(from))
        return true
      }),
    remove: (place, name) => attempt(`remove ${place}`, () => rm(pathOf(place, name), { force: true })),
  }
}
