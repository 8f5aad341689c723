/**
 * Receives the files of the server, each completely before it is visible in `in/`. There its name begins with its digest, so that no file
 * replaces another one. A file that the bank is still writing is recognized by its size and time, which must be those of the cycle before.
 * Source: D-530, D-536.
 */
import { Effect } from "effect"
import type { LocalFiles, Note } from "./folder/LocalFiles.ts"
import { isSafeName, isUnfinishedName, shownName } from "./options/SafeName.ts"
import type { SftpOptions } from "./options/SftpOptions.ts"
import { digestOf, isRefused, type Skipped, temporaryName } from "./SendFiles.ts"
import type { RemoteFile, RemoteFiles } from "./server/RemoteFiles.ts"

/** The size and time of a file in the cycle before. It is forgotten with the process, which then waits a cycle. */
export type Sightings = Map<string, string>

type Received = NonNullable<SftpOptions["received"]>

const sightingOf = ({ modifiedAt, size }: RemoteFile) => `${size} ${modifiedAt}`

export const receiveFiles = Effect.fnUntraced(function* (
  local: LocalFiles,
  remote: RemoteFiles,
  {
    bytesMax,
    received,
    remoteIn,
  }: { readonly remoteIn: string; readonly received: Received; readonly bytesMax: number },
  sightings: Sightings,
) {
  const nameOf = (name: string, { sha256 }: Note) => `${sha256.slice(0, 12)}-${name}`

  const dispose = Effect.fnUntraced(function* (file: RemoteFile, note: Note) {
    if (received === "keep") return
    const path = `${remoteIn}/${file.name}`
    const now = (yield* remote.list(remoteIn)).find(({ name }) => name === file.name)
    // The bank has replaced it: the next cycle receives it.
    if (now === undefined || sightingOf(now) !== sightingOf(file)) return
    yield* received === "delete"
      ? remote.remove(path)
      : remote.rename(path, `${received.moveTo}/${nameOf(file.name, note)}`)
    // A later file of this name is another one, whatever its size and time.
    const { modifiedAt: _, ...known } = note
    yield* local.putNote("receiving", file.name, known)
  })

  const take = Effect.fnUntraced(function* (file: RemoteFile, known: Note | undefined) {
    const bytes = yield* remote.read(file, `${remoteIn}/${file.name}`)
    if (bytes === undefined) return undefined
    const [sha256, temporary] = [digestOf(bytes), temporaryName(file.name)]
    const { modifiedAt, size } = file
    // The same content again.
    if (known?.sha256 === sha256) return { ...known, modifiedAt }
    yield* local.stage(temporary, bytes)
    return { temporary, size, sha256, modifiedAt }
  })

  const receive = Effect.fnUntraced(function* (file: RemoteFile) {
    const { modifiedAt, name, size } = file
    const known = yield* local.note("receiving", name)
    const isKnown = known?.size === size && known.modifiedAt === modifiedAt
    if (!isKnown && sightings.get(name) !== sightingOf(file)) return "waiting" as const
    const note = isKnown ? known : yield* take(file, known)
    if (note === undefined) return "waiting" as const
    if (!isKnown) yield* local.putNote("receiving", name, note)
    const isNew = yield* local.publish(note.temporary, nameOf(name, note))
    yield* dispose(file, note)
    return isNew ? ("received" as const) : ("known" as const)
  })

  const files: { readonly [State in "received" | "waiting" | "known"]: Array<string> } = {
    received: [],
    waiting: [],
    known: [],
  }
  const skipped: Array<Skipped> = []
  const listed = (yield* remote.list(remoteIn)).filter(({ isFile, name }) => isFile && !isUnfinishedName(name))
  for (const file of listed) {
    const reason = isSafeName(file.name) ? undefined : "its name cannot be used"
    const problem = reason ?? (file.size > bytesMax ? `it has more than ${bytesMax} bytes` : undefined)
    const state = problem === undefined ? yield* Effect.catchIf(receive(file), isRefused, Effect.succeed) : problem
    if (state === "received" || state === "waiting" || state === "known") files[state].push(file.name)
    else skipped.push({ name: shownName(file.name), reason: typeof state === "string" ? state : state.message })
  }
  sightings.clear()
  for (const file of listed) sightings.set(file.name, sightingOf(file))
  return { ...files, skipped }
})
