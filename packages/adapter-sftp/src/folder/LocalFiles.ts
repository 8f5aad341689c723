/**
 * Our side: `out/` and `in/` of the bank's folder, and `sftp/`, which belongs to this package. A note is on the disk before what it says is
 * done, and stays: a process that was frozen for a week must find it.
 * Source: D-530, D-536.
 */
import { constants } from "node:fs"
import { link, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { isUnfinishedName } from "../options/SafeName.ts"
import { SftpProblem } from "../options/SftpProblem.ts"

export type NoteKind = "sending" | "receiving"

/** What is known of a file: the temporary name that was chosen for it, and its content. */
export interface Note {
  readonly temporary: string
  readonly size: number
  readonly sha256: string
  /** The time of the server's file, Unix seconds; absent: it is a file of ours, or no longer on the server. */
  readonly modifiedAt?: number
}

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "unknown"

const attempt = <A>(operation: string, act: () => Promise<A>): Effect.Effect<A, SftpProblem> =>
  Effect.tryPromise({
    try: act,
    catch: (error) => new SftpProblem({ operation, reason: `the folder cannot be used (${codeOf(error)})` }),
  })

const unless =
  (code: string) =>
  (error: unknown): false => {
    if (codeOf(error) === code) return false
    throw error
  }

const syncFolder = async (path: string): Promise<void> => {
  const handle = await open(path, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const writeSynced = async (path: string, bytes: Uint8Array | string): Promise<void> => {
  const handle = await open(path, "w", 0o640)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const noteIn = async (path: string): Promise<Note | undefined> => {
  const text = await readFile(path, "utf8").catch(unless("ENOENT"))
  const note: Note | undefined = text === false ? undefined : JSON.parse(text)
  return note
}

export const localFiles = (root: string) => {
  const own = join(root, "sftp")
  const notePath = (kind: NoteKind, name: string) => join(own, kind, `${name}.json`)
  const stagedPath = (temporary: string) => join(own, "staging", temporary)
  const moved = async (from: string, to: string) => (await rename(from, to).then(() => true, unless("ENOENT"))) === true

  return {
    prepare: attempt("prepare", async () => {
      for (const place of ["sending", "receiving", "staging", "sent"])
        await mkdir(join(own, place), { recursive: true })
      for (const place of ["out", "in"]) await mkdir(join(root, place), { recursive: true })
    }),

    /** The names of the files that are to be sent, sorted. */
    listOut: attempt("list out", async () => {
      const entries = await readdir(join(root, "out"), { withFileTypes: true })
      const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
      return names.filter((name) => !isUnfinishedName(name)).toSorted()
    }),

    /** The bytes of a file; `undefined`: another process has sent it. */
    readOut: (name: string, bytesMax: number) =>
      attempt("read out", async () => {
        const handle = await open(join(root, "out", name), constants.O_RDONLY | constants.O_NOFOLLOW).catch(
          unless("ENOENT"),
        )
        if (handle === false) return undefined
        try {
          return (await handle.stat()).size > bytesMax ? ("large" as const) : await handle.readFile()
        } finally {
          await handle.close()
        }
      }),

    /** Moves a sent file away, unless another process has. */
    keepSent: (name: string) =>
      attempt("keep sent", async () => {
        if (!(await moved(join(root, "out", name), join(own, "sent", name)))) return
        await syncFolder(join(own, "sent"))
        await syncFolder(join(root, "out"))
      }),

    note: (kind: NoteKind, name: string) => attempt("read note", () => noteIn(notePath(kind, name))),

    /** Writes a note if none exists, and returns the one that does: of all processes, one writes it. */
    choose: (kind: NoteKind, name: string, note: Note) =>
      attempt("write note", async () => {
        const path = notePath(kind, name)
        const draft = stagedPath(`${note.temporary}.json`)
        await writeSynced(draft, JSON.stringify(note))
        await link(draft, path).catch(unless("EEXIST"))
        await syncFolder(join(own, kind))
        await rm(draft, { force: true })
        return (await noteIn(path)) ?? note
      }),

    /** Writes a note, or replaces it. */
    putNote: (kind: NoteKind, name: string, note: Note) =>
      attempt("write note", async () => {
        const draft = stagedPath(`${note.temporary}.json`)
        await writeSynced(draft, JSON.stringify(note))
        await rename(draft, notePath(kind, name))
        await syncFolder(join(own, kind))
      }),

    stage: (temporary: string, bytes: Uint8Array) =>
      attempt("write in", async () => {
        await writeSynced(stagedPath(temporary), bytes)
        await syncFolder(join(own, "staging"))
      }),

    /** Makes a staged file visible in `in/`; `false`: it was made so before. */
    publish: (temporary: string, name: string) =>
      attempt("publish", async () => {
        if (!(await moved(stagedPath(temporary), join(root, "in", name)))) return false
        await syncFolder(join(root, "in"))
        await syncFolder(join(own, "staging"))
        return true
      }),
  }
}

export type LocalFiles = ReturnType<typeof localFiles>
