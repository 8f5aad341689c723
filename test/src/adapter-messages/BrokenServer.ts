/**
 * A TCP server on loopback that does not do what its protocol says: it is silent, ends in the middle, or never ends.
 */
import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"

export const startBrokenServer = async (serve: (socket: Socket, number: number) => void) => {
  const sockets = new Set<Socket>()
  let accepted = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined)
    socket.on("close", () => sockets.delete(socket))
    accepted += 1
    serve(socket, accepted)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    port,
    accepted: () => accepted,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Answers each line of a mail client by the first word of it. */
export const answering = (socket: Socket, answers: (command: string) => string | undefined): void => {
  socket.write("220 ready\r\n")
  let rest = ""
  let isBody = false
  socket.on("data", (bytes: Buffer) => {
    rest += bytes.toString()
    const lines = rest.split("\r\n")
    rest = lines.pop() ?? ""
    for (const line of lines) {
      if (isBody && line !== ".") continue
      const command = isBody ? "." : (line.split(" ")[0] ?? "").toUpperCase()
      isBody = command === "DATA"
      const answer = answers(command)
      if (answer === undefined) return void socket.destroy()
      socket.write(answer)
    }
  })
}
