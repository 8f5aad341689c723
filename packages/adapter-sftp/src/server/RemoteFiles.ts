/**
 * The files of the server. What is written is on its disk and of full length before it has its name.
 * Source: draft-ietf-secsh-filexfer-02; D-536.
 */
import { Effect } from "effect"
import type { FileEntryWithStats, Stats } from "ssh2"
import { SftpProblem } from "../options/SftpProblem.ts"
import type { Call } from "./Connection.ts"

/** The statuses that are not failures of the connection. */
const status = { end: 1, noSuchFile: 2 } as const

const partBytes = 32 * 1024

/** The most entries of a folder that are read. */
const entriesMax = 10_000

export interface RemoteFile {
  readonly name: string
  readonly size: number
  /** Unix seconds. */
  readonly modifiedAt: number
  readonly isFile: boolean
}

const fileOf = ({ attrs, filename: name }: FileEntryWithStats): RemoteFile => ({
  name,
  size: attrs.size,
  modifiedAt: attrs.mtime,
  isFile: attrs.isFile(),
})

const isStatus = (wanted: number) => (problem: SftpProblem) => problem.status === wanted

export const remoteFiles = (call: Call) => {
  const withHandle = <A>(
    operation: string,
    path: string,
    flags: "r" | "wx",
    use: (handle: Buffer) => Effect.Effect<A, SftpProblem>,
  ) =>
    Effect.acquireUseRelease(
      call<Buffer>(operation, (sftp, done) => sftp.open(path, flags, done)),
      use,
      (handle) => Effect.ignore(call<void>(operation, (sftp, done) => sftp.close(handle, (error) => done(error)))),
    )

  const statOf = (operation: string, handle: Buffer) => call<Stats>(operation, (sftp, done) => sftp.fstat(handle, done))

  /** Most servers have this extension of OpenSSH. One that has not answers for what it accepts. */
  const flush = (handle: Buffer) =>
    call<void>("write", (sftp, done) => {
      try {
        sftp.ext_openssh_fsync(handle, (error) => done(error))
      } catch {
        done(undefined)
      }
    })

  return {
    list: Effect.fnUntraced(function* (path: string) {
      const files: Array<RemoteFile> = []
      const handle = yield* call<Buffer>("list", (sftp, done) => sftp.opendir(path, done))
      const next = call<ReadonlyArray<FileEntryWithStats>>("list", (sftp, done) => sftp.readdir(handle, done)).pipe(
        Effect.catchIf(isStatus(status.end), () => Effect.undefined),
      )
      for (let entries = yield* next; entries !== undefined; entries = yield* next) {
        files.push(...entries.map(fileOf))
        if (files.length > entriesMax) {
          return yield* new SftpProblem({ operation: "list", reason: `the folder has more than ${entriesMax} entries` })
        }
      }
      yield* call<void>("list", (sftp, done) => sftp.close(handle, (error) => done(error)))
      return files.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    }),

    exists: (path: string) =>
      call<Stats>("stat", (sftp, done) => sftp.lstat(path, done)).pipe(
        Effect.as(true),
        Effect.catchIf(isStatus(status.noSuchFile), () => Effect.succeed(false)),
      ),

    /** Writes a file that does not exist. */
    write: (path: string, bytes: Uint8Array) =>
      withHandle("write", path, "wx", (handle) =>
        Effect.gen(function* () {
          const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
          for (let at = 0; at < buffer.length; at += partBytes) {
            const length = Math.min(partBytes, buffer.length - at)
            yield* call<void>("write", (sftp, done) =>
              sftp.write(handle, buffer, at, length, at, (error) => done(error)),
            )
          }
          yield* flush(handle)
          const { size } = yield* statOf("write", handle)
          if (size === buffer.length) return
          return yield* new SftpProblem({
            operation: "write",
            reason: `the server has ${size} of ${buffer.length} bytes`,
          })
        }),
      ),

    /** The bytes of a file that has this size and time, before and after; `undefined`: it has not, or does not exist. */
    read: ({ modifiedAt, size }: RemoteFile, path: string) =>
      withHandle("read", path, "r", (handle) =>
        Effect.gen(function* () {
          const isSame = Effect.map(statOf("read", handle), (now) => now.size === size && now.mtime === modifiedAt)
          if (!(yield* isSame)) return undefined
          const buffer = Buffer.alloc(size)
          for (let at = 0; at < size; ) {
            const length = Math.min(partBytes, size - at)
            const read = yield* call<number>("read", (sftp, done) =>
              sftp.read(handle, buffer, at, length, at, done),
            ).pipe(Effect.catchIf(isStatus(status.end), () => Effect.succeed(0)))
            if (read === 0) return undefined
            at += read
          }
          return (yield* isSame) ? buffer : undefined
        }),
      ).pipe(Effect.catchIf(isStatus(status.noSuchFile), () => Effect.undefined)),

    /** Fails if a file of the new name exists, at servers that keep to the protocol. */
    rename: (from: string, to: string) =>
      call<void>("rename", (sftp, done) => sftp.rename(from, to, (error) => done(error))),

    /** Succeeds if it does not exist. */
    remove: (path: string) =>
      Effect.catchIf(
        call<void>("remove", (sftp, done) => sftp.unlink(path, (error) => done(error))),
        isStatus(status.noSuchFile),
        () => Effect.void,
      ),
  }
}

export type RemoteFiles = ReturnType<typeof remoteFiles>
