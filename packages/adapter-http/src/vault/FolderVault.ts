/**
 * The `DocumentVault` port in a folder of this machine, readable by its owner only. A file is written under a temporary name, flushed to
 * the disk and renamed, so that a crash leaves no file that is complete by its name only.
 * Source: wire contract areas 1.2.8; D-375.
 */
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { BytesMissing, DocumentVault, inChunks, isVaultKey, measured, VaultUnavailable } from "@countersign/core/ports"
import { Effect, Layer, Stream } from "effect"

const pieceBytes = 64 * 1024

const isMissing = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === "ENOENT"

const unavailable = (cause: unknown) => new VaultUnavailable({ cause })
const attempt = <A>(run: () => Promise<A>) => Effect.tryPromise({ try: run, catch: unavailable })

/** Flushes a folder's list of names. */
const flushFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Opens a file for the lifetime of the scope. */
const opened = (path: string, flags: "wx" | "r") =>
  Effect.acquireRelease(
    attempt(() => open(path, flags, 0o600)),
    (handle) => Effect.promise(() => handle.close().catch(() => undefined)),
  )

const writeAll = async (handle: FileHandle, bytes: Uint8Array): Promise<void> => {
  for (let from = 0; from < bytes.byteLength; ) {
    const { bytesWritten } = await handle.write(bytes, from)
    from += bytesWritten
  }
}

const readPiece = async (handle: FileHandle, position: number): Promise<Uint8Array | undefined> => {
  const buffer = new Uint8Array(pieceBytes)
  const { bytesRead } = await handle.read(buffer, 0, pieceBytes, position)
  return bytesRead === 0 ? undefined : buffer.subarray(0, bytesRead)
}

/** The files lie in subfolders by the last characters of the key, because keys begin alike. */
const placesOf = (folder: string, key: string) => {
  if (!isVaultKey(key)) throw new Error("not a key of the vault")
  const inside = join(folder, key.slice(-2))
  return { inside, file: join(inside, key), partial: join(inside, `${key}.partial`) }
}

const make = (folder: string): DocumentVault["Service"] => ({
  store: Effect.fnUntraced(function* (key, bytes) {
    const { file, inside, partial } = placesOf(folder, key)
    const passing = measured(bytes)
    yield* attempt(() => mkdir(inside, { recursive: true, mode: 0o700 }))
    const written = Effect.gen(function* () {
      const handle = yield* opened(partial, "wx")
      yield* Stream.runForEach(inChunks(pieceBytes)(passing.bytes), (piece) => attempt(() => writeAll(handle, piece)))
      yield* attempt(() => handle.sync())
    }).pipe(Effect.scoped)
    const named = attempt(async () => {
      await rename(partial, file)
      await flushFolder(inside)
      await flushFolder(folder)
    })
    yield* Effect.onError(Effect.andThen(written, named), () =>
      Effect.promise(() => rm(partial, { force: true }).catch(() => undefined)),
    )
    return passing.result()
  }),
  read: (key, from = 0) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const handle = yield* Effect.mapError(opened(placesOf(folder, key).file, "r"), (failure) =>
          isMissing(failure.cause) ? new BytesMissing({ key }) : failure,
        )
        return Stream.unfold(from, (position) =>
          Effect.map(
            attempt(() => readPiece(handle, position)),
            (piece) => (piece === undefined ? undefined : ([piece, position + piece.byteLength] as const)),
          ),
        )
      }),
    ),
  erase: (key) =>
    attempt(async () => {
      const { file, inside, partial } = placesOf(folder, key)
      await rm(partial, { force: true })
      await rm(file, { force: true })
      await flushFolder(inside).catch((error: unknown) => {
        if (!isMissing(error)) throw error
      })
    }),
})

/** The vault in a folder, which is created if it does not exist. */
const layer = (folder: string): Layer.Layer<DocumentVault, VaultUnavailable> =>
  Layer.effect(
    DocumentVault,
    Effect.as(
      attempt(() => mkdir(folder, { recursive: true, mode: 0o700 })),
      make(folder),
    ),
  )

export const FolderVault = { layer }
