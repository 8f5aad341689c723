/**
 * One process per folder: PGlite has no lock of its own, and two processes that write one data folder destroy it.
 * Source: architecture, "The Store port" (PGlite). A lock names its process; that of a dead one is taken over.
 */
import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import { Clock, Data, Effect, type Scope } from "effect"

/** Another process has the folder, or may have it. */
export class FolderInUse extends Data.TaggedError("FolderInUse")<{ readonly message: string }> {}

/** The folder cannot be made, or not be written to, or what is in it cannot be opened. */
export class FolderUnusable extends Data.TaggedError("FolderUnusable")<{ readonly message: string }> {}

export const unusable = (folder: string, cause: unknown): FolderUnusable =>
  new FolderUnusable({ message: `${folder} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}` })

/** What the lock file says. */
export interface Holder {
  readonly pid: number
  /** When that process started, as its system tells it: a number that was given to another process is not it. */
  readonly processStart: string | null
  readonly host: string
  /** Unix milliseconds. */
  readonly lockedAt: number
}

const fileName = "lock"

const isAbsent = (error: unknown): boolean => codeOf(error) === "ENOENT"
const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined)

/** From the file system of processes: the boot, and the ticks from it to the process's start. */
const startOnLinux = async (pid: number): Promise<string> => {
  const [boot, stat] = await Promise.all([
    readFile("/proc/sys/kernel/random/boot_id", "utf8"),
    readFile(`/proc/${pid}/stat`, "utf8"),
  ])
  // The name, the second field, may hold anything; the start is the twentieth after it.
  const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
  return `${boot.trim()} ${ticks}`
}

const startElsewhere = (pid: number): Promise<string | null> =>
  new Promise((resolve) => {
    execFile("ps", ["-o", "lstart=", "-p", String(pid)], { env: { LC_ALL: "C", TZ: "UTC" } }, (error, stdout) =>
      resolve(error !== null || stdout.trim() === "" ? null : stdout.trim()),
    )
  })

/** `null` where the system does not tell. */
const startOf = (pid: number): Promise<string | null> => startOnLinux(pid).catch(() => startElsewhere(pid))

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It is there, and belongs to somebody else.
    return codeOf(error) === "EPERM"
  }
}

const parsed = (text: string): Holder | undefined => {
  try {
    const value: Partial<Holder> | null = JSON.parse(text)
    const { host, lockedAt, pid, processStart = null } = value ?? {}
    return typeof pid === "number" && typeof host === "string" && typeof lockedAt === "number"
      ? { pid, processStart, host, lockedAt }
      : undefined
  } catch {
    return undefined
  }
}

/** Whether the holder may still be there; on another host nobody can tell from here. */
const mayLive = async (holder: Holder): Promise<boolean> => {
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

/** Whether the file was not there before: it appears with its whole text, or not at all. */
const appears = (own: string, path: string): Promise<boolean> =>
  link(own, path).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === "EEXIST") return false
      throw error
    },
  )

/**
 * Makes `own` the file at `path`, and answers nobody; or answers the living one who has it. A stale file is replaced in one step, by
 * whoever holds its guard: two who both found it stale never replace each other's. A guard that a crash left is a stale file too.
 */
const occupy = async (path: string, own: string): Promise<Holder | undefined> => {
  for (;;) {
    if (await appears(own, path)) return undefined
    const found = await textOf(path)
    if (found === undefined) continue
    const other = parsed(found)
    if (other !== undefined && (await mayLive(other))) return other
    const guard = `${path}.takeover`
    const busy = await occupy(guard, own)
    if (busy !== undefined && busy.host !== hostname()) return busy
    if (busy !== undefined) continue
    try {
      if ((await textOf(path)) !== found) continue
      const fresh = `${path}.${randomUUID()}`
      await link(own, fresh)
      await rename(fresh, path)
      return undefined
    } finally {
      await rm(guard, { force: true })
    }
  }
}

const inUse = (folder: string, { host, lockedAt, pid }: Holder): FolderInUse => {
  const since = new Date(lockedAt).toISOString()
  return new FolderInUse({
    message:
      host === hostname()
        ? `${folder} is in use by process ${pid}, since ${since}: stop it, or name another folder`
        : `${folder} is in use by process ${pid} of the host ${host}, since ${since}: if that process is gone, delete ${join(folder, fileName)}`,
  })
}

const take = async (folder: string, lockedAt: number): Promise<string> => {
  const path = join(folder, fileName)
  const holder: Holder = { pid: process.pid, processStart: await startOf(process.pid), host: hostname(), lockedAt }
  const mine = JSON.stringify(holder)
  await mkdir(folder, { recursive: true })
  const own = `${path}.${randomUUID()}`
  await writeFile(own, mine)
  try {
    const other = await occupy(path, own)
    if (other !== undefined) throw inUse(folder, other)
    return mine
  } finally {
    await rm(own, { force: true })
  }
}

const release = async (folder: string, mine: string): Promise<void> => {
  const path = join(folder, fileName)
  if ((await textOf(path)) === mine) await rm(path, { force: true })
}

/** Holds the folder, which is made where it is not there, until the scope closes. */
export const acquire = (folder: string): Effect.Effect<void, FolderInUse | FolderUnusable, Scope.Scope> =>
  Effect.gen(function* () {
    const lockedAt = yield* Clock.currentTimeMillis
    yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: () => take(folder, lockedAt),
        catch: (cause) => (cause instanceof FolderInUse ? cause : unusable(folder, cause)),
      }),
      (mine) => Effect.promise(() => release(folder, mine).catch(() => undefined)),
    )
  })
