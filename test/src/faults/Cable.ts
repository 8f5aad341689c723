/** The network between a process and its server: what is cut is silent, as a lost route is, until it is mended or pulled out. */
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface Cable extends AsyncDisposable {
  /** Where to connect instead: a folder with a socket. */
  readonly folder: string
  /** Nothing comes through any more, and nobody is told. */
  readonly cut: () => void
  readonly mend: () => void
  /** All connections break. */
  readonly pull: () => void
}

const socketName = ".s.PGSQL.5432"

export const cableTo = async (server: string): Promise<Cable> => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-cable-"))
  const ends = new Set<Socket>()
  let isCut = false
  const carry = (from: Socket, to: Socket) => {
    ends.add(from)
    from.on("data", (chunk) => {
      // What is sent into a cut cable is lost.
      if (!isCut) to.write(chunk)
    })
    from.on("error", () => undefined)
    from.on("close", () => {
      ends.delete(from)
      to.destroy()
    })
  }
  const listener = createServer((near) => {
    const far = connect(join(server, socketName))
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
    [Symbol.asyncDispose]: async () => {
      pull()
      listener.close()
      await once(listener, "close")
      await rm(folder, { recursive: true, force: true })
    },
  }
}
