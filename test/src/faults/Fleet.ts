/**
 * Several server processes on one database, as an operator runs them: a process that ended is restarted as often as necessary.
 */
import { generateKeyPairSync } from "node:crypto"

import { eventually } from "../e2e/Deadline.ts"
import { credentialOptions } from "../e2e/Flow.ts"
import { type ServerProcess, startServer } from "../e2e/ServerProcess.ts"

export type Role = "all" | "api" | "worker"

export interface FleetOptions {
  readonly url: string
  readonly webhookUrl: string
  /** One process each. */
  readonly roles: ReadonlyArray<Role>
  readonly randomInt: (below: number) => number
  /** Of every process. */
  readonly options?: ReadonlyArray<string>
}

interface Member {
  readonly role: Role
  server: ServerProcess | undefined
}

export interface Fleet extends AsyncDisposable {
  /** The address of a process that answers; `undefined` if none does now. */
  readonly anyBase: () => string | undefined
  /** The processes that are up now. */
  readonly processes: () => ReadonlyArray<{ readonly role: Role; readonly pid: number }>
  /** Kills a random process, of this role if one is given, which is restarted; `false` if none is up. */
  readonly killOne: (role?: Role) => boolean
  /** Waits until all are up. */
  readonly settled: () => Promise<void>
  readonly counts: { kills: number; starts: number; failedStarts: number }
}

const startsMax = 40

export const fleet = async ({ options = [], randomInt, roles, url, webhookUrl }: FleetOptions): Promise<Fleet> => {
  const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey
  const env = { COUNTERSIGN_WEBHOOK_KEY: key.export({ type: "pkcs8", format: "pem" }).toString() }
  const counts = { kills: 0, starts: 0, failedStarts: 0 }
  const members = roles.map((role): Member => ({ role, server: undefined }))
  let isOver = false

  const optionsOf = (role: Role) => [
    ...["--store", url, "--role", role, ...options],
    ...(role === "worker" ? [] : [...credentialOptions, "--webhook-url", webhookUrl]),
  ]
  const start = async (member: Member): Promise<void> => {
    for (let left = startsMax; !isOver; left--) {
      try {
        const server = await startServer({ options: optionsOf(member.role), env })
        counts.starts += 1
        member.server = server
        return
      } catch (error) {
        // The database may be unavailable now; the supervisor restarts the process.
        counts.failedStarts += 1
        if (left === 0) throw error
      }
    }
  }
  let starting = Promise.all(members.map(start)).then(() => undefined)
  await starting

  const kill = async (member: Member, server: ServerProcess) => {
    member.server = undefined
    server.kill()
    counts.kills += 1
    await server.exited
    await start(member)
  }
  const someOf = (which: (member: Member) => boolean) => {
    const up = members.flatMap((member) =>
      member.server !== undefined && which(member) ? [{ member, server: member.server }] : [],
    )
    return up[randomInt(Math.max(up.length, 1))]
  }
  return {
    counts,
    anyBase: () => someOf(({ role }) => role !== "worker")?.server.base,
    processes: () => members.flatMap(({ role, server }) => (server === undefined ? [] : [{ role, pid: server.pid }])),
    killOne: (role) => {
      const found = someOf((member) => role === undefined || member.role === role)
      if (found === undefined) return false
      const again = kill(found.member, found.server)
      starting = Promise.all([starting, again]).then(() => undefined)
      return true
    },
    settled: async () => {
      await eventually(
        "all processes",
        () => members.filter(({ server }) => server === undefined).length,
        (missing) => missing === 0,
        120_000,
      )
      await starting
    },
    [Symbol.asyncDispose]: async () => {
      isOver = true
      await starting.catch(() => undefined)
      await Promise.all(members.map(({ server }) => server?.[Symbol.asyncDispose]()))
    },
  }
}
