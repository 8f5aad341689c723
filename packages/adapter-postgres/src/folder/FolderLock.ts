/**
 * One process per folder: PGlite has no lock of its own, and two processes that write one data folder destroy it.
 * Source: architecture, "The Store port" (PGlite). A lock names its process; that of a dead one is taken over.
 */
import { execFile } from "node:child_process"
import { createHash, randomUUID } from "node:crypto"
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
  /** Drawn for this lock: no other has its text. */
  readonly id: string
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
    const { host, id = "", lockedAt, pid, processStart = null } = value ?? {}
    return typeof pid === "number" && typeof host === "string" && typeof lockedAt === "number"
      ? { id, pid, processStart, host, lockedAt }
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

/** Runs with a file of this text, which is gone afterwards unless it was moved. */
const withFile = async <A>(path: string, text: string, use: (own: string) => Promise<A>): Promise<A> => {
  const own = `${path}.${randomUUID()}`
  await writeFile(own, text)
  try {
    return await use(own)
  } finally {
    await rm(own, { force: true })
  }
}

/** Whether the file was not there before: it appears with its whole text, or not at all. */
const appears = (path: string, text: string): Promise<boolean> =>
  withFile(path, text, (own) =>
    link(own, path).then(
      () => true,
      (error: unknown) => {
        if (codeOf(error) === "EEXIST") return false
        throw error
      },
    ),
  )

/** Puts the file in the place of the one that is there, in one step. */
const replace = (path: string, text: string): Promise<void> => withFile(path, text, (own) => rename(own, path))

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
 * Makes the file with this text, or takes the place of a dead holder's. The place of each text may be taken by one alone: by who holds
 * the file that is named for that text, which he gets in the same way. So nobody removes what another has just put there.
 */
const hold = async (folder: string, path: string, mine: string): Promise<void> => {
  for (;;) {
    if (await appears(path, mine)) return
    const found = await textOf(path)
    if (found === undefined) continue
    const other = parsed(found)
    if (other !== undefined && (await mayLive(other))) throw inUse(folder, other)
    const right = join(folder, `${fileName}.${createHash("sha256").update(found).digest("hex").slice(0, 16)}`)
    await hold(folder, right, mine)
    try {
      if ((await textOf(path)) === found) return await replace(path, mine)
    } finally {
      await rm(right, { force: true })
    }
  }
}

const take = async (folder: string, lockedAt: number): Promise<string> => {
  const holder: Holder = {
    id: randomUUID(),
    pid: process.pid,
    processStart: await startOf(process.pid),
    host: hostname(),
    lockedAt,
  }
  const mine = JSON.stringify(holder)
  await mkdir(folder, { recursive: true })
  await hold(folder, join(folder, fileName), mine)
  return mine
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
