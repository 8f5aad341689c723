/**
 * Sends the files of `out/`, each once and only once. An attempt uploads under a name of its own; a note, which is written once for all time,
 * then chooses one attempt; and only that one's file is ever renamed. If it does not have its temporary name any more, it was renamed: the
 * bank may have collected it since.
 * Source: D-530 (the same protocol between `staging/` and `out/`), D-536.
 */
import { createHash, randomBytes } from "node:crypto"
import { Effect } from "effect"
import type { LocalFiles, Note } from "./folder/LocalFiles.ts"
import { isSafeName, shownName } from "./options/SafeName.ts"
import type { SftpProblem } from "./options/SftpProblem.ts"
import type { RemoteFiles } from "./server/RemoteFiles.ts"

/** A file that was not exchanged this time, and why. */
export interface Skipped {
  readonly name: string
  readonly reason: string
}

/** Whether the server has refused one file, which does not stop the others. */
export const isRefused = ({ status }: SftpProblem): boolean => status !== undefined

export const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

export const temporaryName = (name: string): string => `.${name}.${randomBytes(6).toString("hex")}.part`

export const sendFiles = Effect.fnUntraced(function* (
  local: LocalFiles,
  remote: RemoteFiles,
  { bytesMax, remoteOut }: { readonly remoteOut: string; readonly bytesMax: number },
  abandoned: Set<string>,
) {
  const pathOf = (name: string) => `${remoteOut}/${name}`

  /** Removes what uploads of this process have left that were cut: no note names them. */
  const clean = Effect.gen(function* () {
    for (const temporary of abandoned) {
      yield* Effect.catchIf(remote.remove(pathOf(temporary)), isRefused, () => Effect.void)
      abandoned.delete(temporary)
    }
  })

  const upload = Effect.fnUntraced(function* (name: string, bytes: Uint8Array, sha256: string) {
    const temporary = temporaryName(name)
    yield* Effect.tapError(remote.write(pathOf(temporary), bytes), () => Effect.sync(() => abandoned.add(temporary)))
    const chosen = yield* local.choose("sending", name, { temporary, size: bytes.byteLength, sha256 })
    if (chosen.temporary !== temporary) yield* remote.remove(pathOf(temporary))
    return chosen
  })

  /** Whether the server has the file under its name with these bytes: some servers rename by copying, and may stop in between. */
  const isThere = Effect.fnUntraced(function* (name: string, { sha256, size }: Note) {
    const found = (yield* remote.list(remoteOut)).find((file) => file.name === name)
    if (found?.size !== size) return false
    const bytes = yield* remote.read(found, pathOf(name))
    return bytes !== undefined && digestOf(bytes) === sha256
  })

  const deliver = Effect.fnUntraced(function* (name: string, note: Note) {
    const from = pathOf(note.temporary)
    const refusal = yield* remote
      .rename(from, pathOf(name))
      .pipe(Effect.as(undefined), Effect.catchIf(isRefused, Effect.succeed))
    if (refusal === undefined || !(yield* remote.exists(from))) return
    if (!(yield* isThere(name, note))) return yield* refusal
    yield* remote.remove(from)
  })

  const send = Effect.fnUntraced(function* (name: string) {
    if (!isSafeName(name)) return "its name cannot be used"
    const bytes = yield* local.readOut(name, bytesMax)
    if (bytes === undefined) return undefined
    if (bytes === "large") return `it has more than ${bytesMax} bytes`
    const sha256 = digestOf(bytes)
    const note = (yield* local.note("sending", name)) ?? (yield* upload(name, bytes, sha256))
    if (note.sha256 !== sha256) return "another file of this name was sent"
    yield* deliver(name, note)
    yield* local.keepSent(name)
    return undefined
  })

  yield* clean
  const sent: Array<string> = []
  const skipped: Array<Skipped> = []
  for (const name of yield* local.listOut) {
    const reason = yield* Effect.catchIf(send(name), isRefused, ({ message }) => Effect.succeed(message))
    if (reason === undefined) sent.push(name)
    else skipped.push({ name: shownName(name), reason })
  }
  return { sent, skipped }
})
