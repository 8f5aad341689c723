/** A client that writes bytes to a socket as they are, and reads all that comes back. */
import { once } from "node:events"
import { connect, type Socket } from "node:net"

export interface Received {
  readonly text: string
  /** The status of each response, in order. */
  readonly statuses: ReadonlyArray<number>
}

/** Returns the statuses of responses, each of which begins where the body of the one before ends. */
const statusesOf = (text: string): ReadonlyArray<number> => {
  const statuses: Array<number> = []
  let rest = text
  while (rest !== "") {
    const end = rest.indexOf("\r\n\r\n")
    const status = /^HTTP\/1\.1 (\d{3}) /u.exec(rest)?.[1]
    if (status === undefined || end < 0) throw new Error(`not a response: ${JSON.stringify(rest.slice(0, 200))}`)
    const head = rest.slice(0, end).toLowerCase()
    const length = Number(/\r\ncontent-length: (\d+)/u.exec(head)?.[1] ?? 0)
    if (status !== "100") statuses.push(Number(status))
    rest = rest.slice(end + 4 + length)
  }
  return statuses
}

/** Collects what a socket receives, and when it ends. */
export const received = (socket: Socket) => {
  const chunks: Array<Buffer> = []
  socket.on("data", (chunk: Buffer) => chunks.push(chunk))
  socket.on("error", () => {})
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()))
  const text = () => Buffer.concat(chunks).toString("latin1")
  return {
    text,
    /** Resolves when the server has closed the connection. */
    closed: async (): Promise<Received> => {
      await closed
      return { text: text(), statuses: statusesOf(text()) }
    },
    /** Resolves when the text matches. */
    matching: async (pattern: RegExp): Promise<string> => {
      while (!pattern.test(text()))
        await Promise.race([once(socket, "data"), closed.then(() => Promise.reject(new Error(`closed: ${text()}`)))])
      return text()
    },
  }
}

export const open = async (port: number): Promise<Socket> => {
  const socket = connect(port, "127.0.0.1")
  await once(socket, "connect")
  return socket
}

/** Sends bytes over a new connection and returns what came back when the server has closed it. */
export const exchange = async (port: number, bytes: string | Uint8Array): Promise<Received> => {
  const socket = connect(port, "127.0.0.1")
  const { closed } = received(socket)
  socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes)
  return closed()
}
