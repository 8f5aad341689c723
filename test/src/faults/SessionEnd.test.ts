/**
 * A server that ends a session in the same packet in which it reports it as ready: the driver emits both events before the caller that
 * waited for the connection continues, and an error event without a listener would end the process.
 * Source: PostgreSQL manual, message formats.
 */
import { createServer, type Socket } from "node:net"
import { join } from "node:path"
import { PoolConnection } from "@countersign/adapter-postgres"
import pg from "pg"
import { expect, it } from "vitest"
import { socketName } from "../adapter-postgres/PostgresServer.ts"
import { newFolder } from "../e2e/Folder.ts"
import { authenticated, fatal, message, ready } from "./Messages.ts"

const farewell = fatal("57P01", "terminating connection due to administrator command")
/** A result with one text column and one row. */
const column = Buffer.concat([
  Buffer.from([0, 1]),
  Buffer.from("name\0"),
  Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 255, 255, 255, 255, 255, 255, 0, 0]),
])
const value = Buffer.concat([Buffer.from([0, 1, 0, 0, 0, 3]), Buffer.from("yes")])
const answer = Buffer.concat([
  message("T", column),
  message("D", value),
  message("C", Buffer.from("SELECT 1\0")),
  ready,
])

it("a session that ends when it is ready fails the call and not the process", async () => {
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
      // The first three sessions end when they are ready, the fourth ends with its answer, the last one stays.
      socket.write(Buffer.concat([authenticated, ready, ...(session < 4 ? [farewell] : [])]))
      if (session < 4) socket.end()
      socket.on("data", () => {
        socket.write(session === 4 ? Buffer.concat([answer, farewell]) : answer)
        if (session === 4) socket.end()
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(join(folder.path, socketName), resolve))
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
