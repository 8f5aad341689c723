/** A host that speaks as much of the protocol of PostgreSQL as a pool needs, and answers each statement as a test says. */
import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"

/** A refusal of the server, with its SQLSTATE. */
export interface Refusal {
  readonly severity: "ERROR" | "FATAL"
  readonly code: string
}

/** The one value of an answer; `undefined`: the host does not answer, as a frozen one. */
type HostAnswer = string | Refusal | undefined

export interface HostBehaviour {
  answer: (sql: string) => HostAnswer | Promise<HostAnswer>
  /** How a session is refused. */
  refusesSessions?: Refusal | undefined
}

export interface FakeHost extends AsyncDisposable {
  readonly url: string
  readonly behaviour: HostBehaviour
  /** The statements so far, of all sessions. */
  readonly statements: Array<string>
  /** How many sessions were asked for, and how many are open. */
  readonly sessions: () => { readonly asked: number; readonly open: number }
  /** Ends all sessions; the host still listens. */
  readonly cut: () => void
  /** Stops to listen, and ends all sessions. */
  readonly stop: () => Promise<void>
  /** Listens again, at the same port. */
  readonly restart: () => Promise<void>
}

const int16 = (value: number) => {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
const text = (value: string) => Buffer.from(`${value}\0`)
const message = (type: string, ...parts: ReadonlyArray<Buffer>) => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}
const ready = message("Z", Buffer.from("I"))
const rowOf = (value: string) =>
  Buffer.concat([
    message("T", int16(1), text("timeline"), int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0)),
    message("D", int16(1), int32(Buffer.byteLength(value)), Buffer.from(value)),
    message("C", text("SELECT 1")),
    ready,
  ])
const refusalOf = ({ code, severity }: Refusal) =>
  message("E", text(`S${severity}`), text(`V${severity}`), text(`C${code}`), text("Mrefused"), Buffer.from("\0"))

export const fakeHost = async (answer: HostBehaviour["answer"]): Promise<FakeHost> => {
  const behaviour: HostBehaviour = { answer }
  const statements: Array<string> = []
  const sockets = new Set<Socket>()
  let asked = 0
  const reply = async (socket: Socket, sql: string) => {
    statements.push(sql)
    const answered = await behaviour.answer(sql)
    if (answered === undefined) return
    if (typeof answered === "string") return void socket.write(rowOf(answered))
    socket.write(answered.severity === "FATAL" ? refusalOf(answered) : Buffer.concat([refusalOf(answered), ready]))
    if (answered.severity === "FATAL") socket.end()
  }
  const server = createServer((socket) => {
    asked += 1
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    socket.on("error", () => undefined)
    let isStarted = false
    let rest = Buffer.alloc(0)
    socket.on("data", (bytes) => {
      rest = Buffer.concat([rest, bytes])
      for (;;) {
        const head = isStarted ? 1 : 0
        if (rest.length < head + 4) return
        const end = head + rest.readInt32BE(head)
        if (rest.length < end) return
        const type = rest.toString("latin1", 0, head)
        const body = rest.subarray(head + 4, end)
        rest = rest.subarray(end)
        if (!isStarted) {
          isStarted = true
          const { refusesSessions } = behaviour
          if (refusesSessions === undefined) socket.write(Buffer.concat([message("R", int32(0)), ready]))
          else socket.end(refusalOf(refusesSessions))
        } else if (type === "Q") reply(socket, body.toString("utf8", 0, body.length - 1))
        else if (type === "X") socket.end()
      }
    })
  })
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1")
    await once(server, "listening")
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const stop = async () => {
    if (!server.listening) return
    const closed = once(server, "close")
    server.close()
    cut()
    await closed
  }
  return {
    url: `postgres://user@127.0.0.1:${port}/database`,
    behaviour,
    statements,
    sessions: () => ({ asked, open: sockets.size }),
    cut,
    stop,
    restart: () => listen(port),
    [Symbol.asyncDispose]: stop,
  }
}

/** Waits until it is so, by turns of the event loop: no clock decides. */
export const until = async (isSo: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 50_000; turn++) {
    if (isSo()) return
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error("it never was so")
}

/** Lets everything happen that needs no timer. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 300; turn++) await new Promise((resolve) => setImmediate(resolve))
}
