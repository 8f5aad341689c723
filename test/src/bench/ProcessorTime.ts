/**
 * Processor time, on systems that report it (Linux). On a shared machine, the processor time of a transfer is a better
 * measure than the throughput.
 */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Measured } from "./Rounds.ts"

/** The kernel's unit of processor time, in milliseconds. */
const tickMillis = 10

interface Counted {
  readonly parent: number
  readonly own: number
  /** The time of children that have ended. */
  readonly ended: number
}

const counted = async (pid: number): Promise<Counted | undefined> => {
  const text = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => undefined)
  if (text === undefined) return undefined
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number)
  const ticks = (index: number) => (fields[index] ?? 0) * tickMillis
  return { parent: fields[1] ?? 0, own: ticks(11) + ticks(12), ended: ticks(13) + ticks(14) }
}

export const ofProcess = async (pid: number): Promise<number> => (await counted(pid))?.own ?? Number.NaN

/** Returns the processor time of the PostgreSQL server with this data folder and all its sessions, also of ended ones. */
export const ofDataFolder = async (folder: string): Promise<number> => {
  const [first] = (await readFile(join(folder, "postmaster.pid"), "utf8")).split("\n")
  const postmaster = Number(first)
  const found = await counted(postmaster)
  if (found === undefined) return Number.NaN
  const names = (await readdir("/proc")).filter((name) => /^\d+$/u.test(name))
  const all = await Promise.all(names.map((name) => counted(Number(name))))
  const sessions = all.filter((each) => each?.parent === postmaster)
  return sessions.reduce((sum, each) => sum + (each?.own ?? 0), found.own + found.ended)
}

/** Returns the processor time of a server with this folder. */
export const ofServer = (folder: string): Promise<number> => ofDataFolder(join(folder, "data"))

/** Adds the processor time that the server used during the run. */
export const withServer = async (folder: string, run: () => Promise<Measured>): Promise<Measured> => {
  const before = await ofServer(folder)
  const measured = await run()
  return { ...measured, serverMillis: (await ofServer(folder)) - before }
}
