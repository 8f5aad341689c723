/**
 * The network between a process and its server. A cut connection is silent, as with a lost route, until it is restored or closed. Its address may
 * lead to another server later, as a name does, and may take its time.
 */
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { socketName } from "../adapter-postgres/PostgresServer.ts"

export interface Network extends AsyncDisposable {
  /** The folder of the socket to connect to. */
  readonly folder: string
  /** Drops all data without closing a connection. */
  readonly cut: () => void
  readonly mend: () => void
  /** Closes all connections. */
  readonly pull: () => void
  /** Leads new connections to the server of a folder, after a time, or to none. */
  readonly lead: (server: string | undefined, afterMillis?: number) => void
}

export const networkTo = async (server?: string): Promise<Network> => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-network-"))
  const ends = new Set<Socket>()
  let isCut = false
  let target = server
  let millis = 0
  const carry = (from: Socket, to: Socket) => {
    ends.add(from)
    from.on("data", (chunk) => {
      // Data that is sent while the network is cut is lost.
      if (!isCut) to.write(chunk)
    })
    from.on("error", () => undefined)
    from.on("close", () => {
      ends.delete(from)
      to.destroy()
    })
  }
  const listener = createServer(async (near) => {
    ends.add(near)
    if (millis > 0) await Effect.runPromise(Effect.sleep(millis))
    if (target === undefined) {
      near.destroy()
      return
    }
    const far = connect(join(target, socketName))
    carry(near, far)
    carry(far, near)
  })
  listener.listen(join(folder, socketName))
  await once(listener, "listening")
  const pull = () => {
    for (const end of ends) end.destroy()
  }
  return {
    folder,
    cut: () => {
      isCut = true
    },
    mend: () => {
      isCut = false
    },
    pull,
    lead: (to, afterMillis = 0) => {
      target = to
      millis = afterMillis
    },
    [Symbol.asyncDispose]: async () => {
      pull()
      listener.close()
      await once(listener, "close")
      await rm(folder, { recursive: true, force: true })
    },
  }
}
