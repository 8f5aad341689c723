/**
 * A server that says farewell in the same breath in which it says that a session is ready: the driver tells both before anybody who
 * waited for the connection goes on, and an error that nobody listens to would end the process.
 * Source: issue "PostgreSQL", item 8; PostgreSQL manual, message formats.
 */
import { createServer, type Socket } from "node:net"
import { join } from "node:path"
import { PoolConnection } from "@countersign/adapter-postgres"
import pg from "pg"
import { expect, it } from "vitest"
import { newFolder } from "../e2e/Folder.ts"

/** A message of the protocol: a letter, its length, its body. */
const message = (letter: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.write(letter)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const authenticated = message("R", Buffer.alloc(4))
const ready = message("Z", Buffer.from("I"))
const farewell = message(
  "E",
  Buffer.from("SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"),
)
/** One column of type text, and one row of it. */
const column = Buffer.concat([
  Buffer.from([0, 1]),
  Buffer.from("told\0"),
  Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 255, 255, 255, 255, 255, 255, 0, 0]),
])
const value = Buffer.concat([Buffer.from([0, 1, 0, 0, 0, 3]), Buffer.from("yes")])
const answer = Buffer.concat([
  message("T", column),
  message("D", value),
  message("C", Buffer.from("SELECT 1\0")),
  ready,
])

it("is heard, and told to whoever asks", async () => {
  await using folder = await newFolder()
  let sessions = 0
  let ended = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    sessions += 1
    const session = sessions
    socket.on("error", () => undefined)
    socket.on("close", () => {
      ended += 1
    })
    socket.once("data", () => {
      // The first three end as they begin; the fourth ends as it answers; the last one stays.
      socket.write(Buffer.concat([authenticated, ready, ...(session < 4 ? [farewell] : [])]))
      if (session < 4) socket.end()
      socket.on("data", () => {
        socket.write(session === 4 ? Buffer.concat([answer, farewell]) : answer)
        if (session === 4) socket.end()
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(join(folder.path, ".s.PGSQL.5432"), resolve))
  const pool = new pg.Pool({ host: folder.path, user: "nobody", database: "none", max: 1 })
  pool.on("error", () => undefined)
  const { query } = PoolConnection.make(pool)
  const ask = () => query({ text: "select 1", values: [] }).catch(() => "failed")
  expect([await ask(), await ask(), await ask()]).toEqual(["failed", "failed", "failed"])
  expect(await ask()).toEqual(["yes"])
  expect(await ask()).toEqual(["yes"])
  expect([sessions, ended]).toEqual([5, 4])
  await pool.end()
  for (const socket of sockets) socket.destroy()
  server.close()
})
