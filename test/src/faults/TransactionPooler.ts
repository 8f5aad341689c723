/**
 * Poolers that lend a session of the server for one transaction each. One is PgBouncer, where it is installed. The other speaks as much of
 * the protocol as the tests need, so that they always have one: it refuses settings in the first message of a session, and shares sessions
 * with whatever they have prepared.
 * Source: PostgreSQL manual, 55.2 and 55.7 (protocol); PgBouncer manual, "pool_mode".
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { socketName, unprivileged, urlOf } from "../adapter-postgres/PostgresServer.ts"
import { eventually } from "../e2e/Deadline.ts"
import { authenticated, fatal, ready } from "./Messages.ts"

export interface Pooler extends AsyncDisposable {
  /** The address of a database of the server, through the pooler. */
  readonly url: (database: string) => string
}

/** So few that clients have to share them. */
const sessionsMax = 4

const codes = { tls: 80_877_103, version: 196_608 } as const

const startup = (parameters: Readonly<Record<string, string>>): Buffer => {
  const texts = Object.entries(parameters).flatMap(([name, value]) => [`${name}\0`, `${value}\0`])
  const body = Buffer.from(`${texts.join("")}\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(body.length + 8, 0)
  head.writeInt32BE(codes.version, 4)
  return Buffer.concat([head, body])
}

/** Cuts a stream into messages; those before `Z` of a session's start have a type, the first one of a client has none. */
const messages = (socket: Socket, onMessage: (type: string, whole: Buffer) => void, isFirstBare: boolean): void => {
  let rest = Buffer.alloc(0)
  let isBare = isFirstBare
  socket.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const at = isBare ? 0 : 1
      if (rest.length < at + 4) return
      const length = rest.readInt32BE(at) + at
      if (rest.length < length) return
      const whole = rest.subarray(0, length)
      rest = rest.subarray(length)
      const isTls = isBare && whole.readInt32BE(4) === codes.tls
      const type = isBare ? (isTls ? "tls" : "startup") : String.fromCharCode(whole[0] ?? 0)
      isBare = isTls
      onMessage(type, whole)
    }
  })
}

interface Session {
  readonly socket: Socket
  client: Socket | undefined
  /** Messages that the server will answer with `Z`. */
  unanswered: number
}

const parametersOf = (whole: Buffer): Readonly<Record<string, string>> => {
  const texts = whole.subarray(8).toString().split("\0")
  return Object.fromEntries(
    texts.flatMap((name, index) => (index % 2 === 0 && name !== "" ? [[name, texts[index + 1] ?? ""]] : [])),
  )
}

const accepted: ReadonlyArray<string> = ["user", "database", "application_name", "client_encoding"]

/** The sessions of one database. */
const sessionsOf = (server: string, database: string) => {
  const idle: Array<Session> = []
  const waiting: Array<(session: Session) => void> = []
  const all = new Set<Session>()
  const release = (session: Session) => {
    session.client = undefined
    const next = waiting.shift()
    if (next === undefined) idle.push(session)
    else next(session)
  }
  const open = () => {
    const session: Session = { socket: connect(join(server, socketName)), client: undefined, unanswered: 1 }
    all.add(session)
    session.socket.write(startup({ user: "postgres", database }))
    session.socket.on("error", () => undefined)
    session.socket.on("close", () => {
      all.delete(session)
      if (idle.includes(session)) idle.splice(idle.indexOf(session), 1)
      session.client?.destroy()
      if (waiting.length > 0) open()
    })
    let isStarted = false
    const onMessage = (type: string, whole: Buffer) => {
      if (isStarted) session.client?.write(whole)
      if (type !== "Z") return
      isStarted = true
      session.unanswered -= 1
      if (session.unanswered === 0 && whole.at(5) === "I".charCodeAt(0)) release(session)
    }
    messages(session.socket, onMessage, false)
  }
  return {
    all,
    take: (then: (session: Session) => void) => {
      const session = idle.shift()
      if (session !== undefined) then(session)
      else {
        waiting.push(then)
        if (all.size < sessionsMax) open()
      }
    },
  }
}

/** Lends sessions of the server whose socket is in this folder. */
const standIn = async (server: string): Promise<Pooler> => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-pooler-"))
  const pools = new Map<string, ReturnType<typeof sessionsOf>>()
  const clients = new Set<Socket>()
  const listener = createServer((client) => {
    clients.add(client)
    client.on("error", () => undefined)
    let pool: ReturnType<typeof sessionsOf> | undefined
    let session: Session | undefined
    let early: Array<[type: string, whole: Buffer]> = []
    let isAsked = false
    client.on("close", () => {
      clients.delete(client)
      // In the middle of a transaction, which ends with its session.
      if (session?.client === client) session.socket.destroy()
    })
    const pass = (to: Session, type: string, whole: Buffer) => {
      if (type === "Q" || type === "S") to.unanswered += 1
      to.socket.write(whole)
    }
    const start = (whole: Buffer) => {
      const parameters = parametersOf(whole)
      const refused = Object.keys(parameters).find((name) => !accepted.includes(name))
      if (refused !== undefined) {
        client.end(fatal("08P01", `unsupported startup parameter: ${refused}`))
        return
      }
      const { database = "" } = parameters
      pool = pools.get(database) ?? sessionsOf(server, database)
      pools.set(database, pool)
      client.write(Buffer.concat([authenticated, ready]))
    }
    const onMessage = (type: string, whole: Buffer) => {
      if (type === "tls") return client.write("N")
      if (type === "startup") return start(whole)
      if (type === "X") return client.end()
      if (session?.client === client) return pass(session, type, whole)
      early.push([type, whole])
      if (isAsked) return
      isAsked = true
      pool?.take((taken) => {
        session = taken
        taken.client = client
        isAsked = false
        const asked = early
        early = []
        for (const [each, bytes] of asked) pass(taken, each, bytes)
      })
    }
    messages(client, (type, whole) => void onMessage(type, whole), true)
  })
  listener.listen(join(folder, socketName))
  await once(listener, "listening")
  return {
    url: (database) => urlOf(folder, database),
    [Symbol.asyncDispose]: async () => {
      for (const client of clients) client.destroy()
      for (const { all } of pools.values()) for (const { socket } of all) socket.destroy()
      listener.close()
      await once(listener, "close")
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const pgBouncer = async (server: string): Promise<Pooler> => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-pooler-"))
  const settings = [
    "[databases]",
    `* = host=${server} user=postgres`,
    "[pgbouncer]",
    "listen_addr =",
    `unix_socket_dir = ${folder}`,
    "listen_port = 5432",
    "auth_type = any",
    "pool_mode = transaction",
    `default_pool_size = ${sessionsMax}`,
    `logfile = ${join(folder, "log")}`,
  ]
  await writeFile(join(folder, "settings.ini"), `${settings.join("\n")}\n`)
  if (unprivileged.uid !== undefined) await chown(folder, unprivileged.uid, unprivileged.gid)
  const child = spawn("pgbouncer", ["-q", join(folder, "settings.ini")], { ...unprivileged, stdio: "ignore" })
  const exited = once(child, "exit")
  const isListening = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(join(folder, socketName))
      socket.once("error", () => resolve(false))
      socket.once("connect", () => {
        socket.destroy()
        resolve(true)
      })
    })
  await eventually("PgBouncer", isListening, (found) => found)
  return {
    url: (database) => urlOf(folder, database),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGINT")
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const isInstalled = spawnSync("pgbouncer", ["--version"]).error === undefined

/** Every pooler that there is on this machine. */
export const poolers: ReadonlyArray<readonly [name: string, start: (server: string) => Promise<Pooler>]> = [
  ["a pooler", standIn],
  ...(isInstalled ? ([["PgBouncer", pgBouncer]] as const) : []),
]
