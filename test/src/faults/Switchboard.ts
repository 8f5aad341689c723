/** An address that leads to one server or another, as a name of a network does, and may take its time. */
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

export interface Switchboard extends AsyncDisposable {
  /** The folder of the socket to connect to. */
  readonly folder: string
  /** Leads new connections to the server of a folder, after a time, or to none; those that are there end, unless they may stay. */
  readonly lead: (
    server: string | undefined,
    options?: { readonly afterMillis?: number; readonly endsOthers?: boolean },
  ) => void
}

const socketName = ".s.PGSQL.5432"

export const switchboard = async (): Promise<Switchboard> => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-switch-"))
  const ends = new Set<Socket>()
  let target: string | undefined
  let millis = 0
  const listener = createServer(async (near) => {
    near.on("error", () => undefined)
    ends.add(near)
    near.on("close", () => ends.delete(near))
    await Effect.runPromise(Effect.sleep(millis))
    if (target === undefined) {
      near.destroy()
      return
    }
    const far = connect(join(target, socketName))
    far.on("error", () => undefined)
    far.on("close", () => near.destroy())
    near.on("close", () => far.destroy())
    near.pipe(far)
    far.pipe(near)
  })
  listener.listen(join(folder, socketName))
  await once(listener, "listening")
  const lead: Switchboard["lead"] = (server, { afterMillis = 0, endsOthers = true } = {}) => {
    target = server
    millis = afterMillis
    if (endsOthers) for (const end of ends) end.destroy()
  }
  return {
    folder,
    lead,
    [Symbol.asyncDispose]: async () => {
      lead(undefined)
      listener.close()
      await once(listener, "close")
      await rm(folder, { recursive: true, force: true })
    },
  }
}
