/** Clients that have a number of requests outstanding: each answer is followed by the next request at once, whatever it says. */
import { once } from "node:events"
import { connect, type Socket } from "node:net"

export interface Outstanding {
  /** How many answers had each status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly answers: () => number
  /** The head of the latest 503. */
  readonly refusal: () => string
  /** Resolves when this number of further answers has come. */
  readonly more: (count: number) => Promise<void>
  readonly stop: () => void
}

const openFrom = async (port: number, localAddress: string): Promise<Socket> => {
  const socket = connect({ port, host: "127.0.0.1", localAddress })
  socket.on("error", () => {})
  await once(socket, "connect")
  return socket
}

/** The bytes of a request that keeps its connection. */
export const bytesOf = (path: string, authorization?: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\n${authorization === undefined ? "" : `Authorization: ${authorization}\r\n`}\r\n`

/** Keeps requests outstanding, one on each of `count` connections from these addresses in turn. */
export const keepOutstanding = async (
  port: number,
  count: number,
  bytes: (index: number) => string,
  addresses: ReadonlyArray<string>,
): Promise<Outstanding> => {
  const statuses: Record<string, number> = {}
  const waiting: Array<{ readonly at: number; readonly resolve: () => void }> = []
  let answers = 0
  let refusal = ""
  let isRunning = true
  const sockets = await Promise.all(
    Array.from({ length: count }, (_, index) => openFrom(port, addresses[index % addresses.length] ?? "127.0.0.1")),
  )
  for (const [index, socket] of sockets.entries()) {
    const request = bytes(index)
    socket.on("data", (chunk: Buffer) => {
      const [, status] = /^HTTP\/1\.1 (\d{3}) /u.exec(chunk.toString("latin1")) ?? []
      if (status === undefined) return
      answers += 1
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status === "503") refusal = chunk.toString("latin1")
      for (const { at, resolve } of waiting) if (answers >= at) resolve()
      if (isRunning) socket.write(request)
    })
    socket.write(request)
  }
  return {
    statuses,
    answers: () => answers,
    refusal: () => refusal,
    more: (wanted) => new Promise((resolve) => void waiting.push({ at: answers + wanted, resolve })),
    stop: () => {
      isRunning = false
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** A client that sends one request at a time over one connection. */
export const oneAtATime = async (port: number, localAddress: string) => {
  const socket = await openFrom(port, localAddress)
  const closed = once(socket, "close").then(() => Promise.reject(new Error("the server closed the connection")))
  closed.catch(() => {})
  return {
    /** Resolves with the status. */
    ask: async (bytes: string): Promise<string> => {
      socket.write(bytes)
      const [chunk] = (await Promise.race([once(socket, "data"), closed])) as [Buffer]
      return chunk.toString("latin1").slice(9, 12)
    },
    close: () => socket.destroy(),
  }
}
