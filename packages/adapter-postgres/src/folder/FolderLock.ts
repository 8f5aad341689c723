/**
 * Locks a folder for one process: PGlite has no lock of its own, and two processes that write one data folder destroy it. The lock file
 * names its process; the lock of a dead process is taken over.
 * Source: architecture, "The Store port" (PGlite).
 */
import { execFile } from "node:child_process"
import { createHash, randomUUID } from "node:crypto"
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import { Clock, Data, Effect, type Scope } from "effect"

/** Another process uses the folder, or may use it. */
export class FolderInUse extends Data.TaggedError("FolderInUse")<{ readonly message: string }> {}

/** The folder cannot be created or written to, or its database cannot be opened. */
export class FolderUnusable extends Data.TaggedError("FolderUnusable")<{ readonly message: string }> {}

export const unusable = (folder: string, cause: unknown): FolderUnusable =>
  new FolderUnusable({ message: `${folder} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}` })

/** The content of the lock file. */
export interface Holder {
  /** A random id, so that no two lock files have the same text. */
  readonly id: string
  readonly pid: number
  /** When that process started, as its system reports it: distinguishes it from a later process with the same number. */
  readonly processStart: string | null
  readonly host: string
  /** Unix milliseconds. */
  readonly lockedAt: number
}

const fileName = "lock"

const isAbsent = (error: unknown): boolean => codeOf(error) === "ENOENT"
const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined)

/** Reads /proc: the id of the boot, and the ticks from it to the start of the process. */
const startOnLinux = async (pid: number): Promise<string> => {
  const [boot, stat] = await Promise.all([
    readFile("/proc/sys/kernel/random/boot_id", "utf8"),
    readFile(`/proc/${pid}/stat`, "utf8"),
  ])
  // The second field, the name, may contain anything; the start time is the twentieth field after it.
  const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
  return `${boot.trim()} ${ticks}`
}

const startElsewhere = (pid: number): Promise<string | null> =>
  new Promise((resolve) => {
    execFile("ps", ["-o", "lstart=", "-p", String(pid)], { env: { LC_ALL: "C", TZ: "UTC" } }, (error, stdout) =>
      resolve(error !== null || stdout.trim() === "" ? null : stdout.trim()),
    )
  })

/** `null` if the system does not report it. */
const startOf = (pid: number): Promise<string | null> => startOnLinux(pid).catch(() => startElsewhere(pid))

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process exists and belongs to another user.
    return codeOf(error) === "EPERM"
  }
}

const parsed = (text: string): Holder | undefined => {
  try {
    const value: Partial<Holder> | null = JSON.parse(text)
    const { host, id = "", lockedAt, pid, processStart = null } = value ?? {}
    return typeof pid === "number" && typeof host === "string" && typeof lockedAt === "number"
      ? { id, pid, processStart, host, lockedAt }
      : undefined
  } catch {
    return undefined
  }
}

/** Whether the holder may still be running. A process of another host always may. */
const mayBeRunning = async (holder: Holder): Promise<boolean> => {
  if (holder.host !== hostname()) return true
  if (!exists(holder.pid)) return false
  const start = await startOf(holder.pid)
  return holder.processStart === null || start === null || start === holder.processStart
}

const textOf = (path: string): Promise<string | undefined> =>
  readFile(path, "utf8").catch((error: unknown) => {
    if (isAbsent(error)) return undefined
    throw error
  })

/** Runs `use` with a temporary file of this text, which is deleted afterwards unless it was moved. */
const withTemporaryFile = async <A>(path: string, text: string, use: (own: string) => Promise<A>): Promise<A> => {
  const own = `${path}.${randomUUID()}`
  await writeFile(own, text)
  try {
    return await use(own)
  } finally {
    await rm(own, { force: true })
  }
}

/** Creates a file atomically with its whole text; `false` if it exists. */
const createFile = (path: string, text: string): Promise<boolean> =>
  withTemporaryFile(path, text, (own) =>
    link(own, path).then(
      () => true,
      (error: unknown) => {
        if (codeOf(error) === "EEXIST") return false
        throw error
      },
    ),
  )

/** Replaces a file atomically. */
const replaceFile = (path: string, text: string): Promise<void> =>
  withTemporaryFile(path, text, (own) => rename(own, path))

const inUse = (folder: string, { host, lockedAt, pid }: Holder): FolderInUse => {
  const since = new Date(lockedAt).toISOString()
  return new FolderInUse({
    message:
      host === hostname()
        ? `${folder} is in use by process ${pid}, since ${since}: stop it, or name another folder`
        : `${folder} is in use by process ${pid} of the host ${host}, since ${since}: if that process is gone, delete ${join(folder, fileName)}`,
  })
}

/**
 * Creates the lock file with this text, or replaces that of a dead holder. Only the process that holds a second lock, whose name is
 * the hash of the dead holder's text, may replace it. It gets that lock in the same way. So no process removes a lock that another has
 * just taken.
 */
const takeLock = async (folder: string, path: string, mine: string): Promise<void> => {
  for (;;) {
    if (await createFile(path, mine)) return
    const found = await textOf(path)
    if (found === undefined) continue
    const other = parsed(found)
    if (other !== undefined && (await mayBeRunning(other))) throw inUse(folder, other)
    const takeoverLock = join(folder, `${fileName}.${createHash("sha256").update(found).digest("hex").slice(0, 16)}`)
    await takeLock(folder, takeoverLock, mine)
    try {
      if ((await textOf(path)) === found) return await replaceFile(path, mine)
    } finally {
      await rm(takeoverLock, { force: true })
    }
  }
}

const lock = async (folder: string, lockedAt: number): Promise<string> => {
  const holder: Holder = {
    id: randomUUID(),
    pid: process.pid,
    processStart: await startOf(process.pid),
    host: hostname(),
    lockedAt,
  }
  const mine = JSON.stringify(holder)
  await mkdir(folder, { recursive: true })
  await takeLock(folder, join(folder, fileName), mine)
  return mine
}

const release = async (folder: string, mine: string): Promise<void> => {
  const path = join(folder, fileName)
  if ((await textOf(path)) === mine) await rm(path, { force: true })
}

/** Locks the folder until the scope closes; creates it if it does not exist. */
export const acquire = (folder: string): Effect.Effect<void, FolderInUse | FolderUnusable, Scope.Scope> =>
  Effect.gen(function* () {
    const lockedAt = yield* Clock.currentTimeMillis
    yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: () => lock(folder, lockedAt),
        catch: (cause) => (cause instanceof FolderInUse ? cause : unusable(folder, cause)),
      }),
      (mine) => Effect.promise(() => release(folder, mine).catch(() => undefined)),
    )
  })
