/** Connections to the mail server at the end of a process: none stays open, whatever it carries. Source: D-528. */
import { Effect } from "effect"
import { afterAll, beforeEach, expect, it } from "vitest"
import { makeConnections } from "../../../packages/adapter-messages/src/SmtpConnections.ts"
import { problemOf, type SmtpOptions } from "../../../packages/adapter-messages/src/SmtpOptions.ts"
import { eventually } from "../e2e/Deadline.ts"
import { answering, startBrokenServer } from "./BrokenServer.ts"
import { startMailReceiver } from "./MailReceiver.ts"

const server = await startMailReceiver()
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => server.reset())

const from = { address: "codes@acme.example" }
// An idle connection must not end by its own time.
const connectionsTo = (port: number) =>
  makeConnections({ host: "localhost", port, security: "none", from, timeoutMillis: 600_000 })
const message = { from: from.address, to: "ada@example.com", bytes: Buffer.from("Subject: Code\r\n\r\n731904\r\n") }
const noneOpen = () =>
  eventually(
    "all connections to end",
    async () => server.open(),
    (open) => open === 0,
  )

it("a kept connection ends with the process", async () => {
  const connections = connectionsTo(server.port)
  await Effect.runPromise(connections.check)
  expect(server.open()).toBe(1)
  await Effect.runPromise(connections.close)
  await noneOpen()
})

it("a mail that is under way is delivered, and its connection is not kept", async () => {
  const connections = connectionsTo(server.port)
  const acknowledged = Promise.withResolvers<void>()
  server.hold(acknowledged.promise)
  await Effect.runPromise(connections.check)
  const sending = Effect.runPromise(connections.send(message))
  // The one that was kept carries it now.
  await Effect.runPromise(connections.close)
  expect(server.open()).toBe(1)
  acknowledged.resolve()
  await sending
  expect(server.mails).toHaveLength(1)
  await noneOpen()
})

const replies = new Map([
  ["EHLO", "250-ready\r\n250 STARTTLS\r\n"],
  ["MAIL", "250 ok\r\n"],
  ["RCPT", "250 ok\r\n"],
  ["DATA", "354 go on\r\n"],
  [".", "250 taken\r\n"],
])

it("a kept connection that ends when it is used costs no message, which goes over a new one", async () => {
  const commands: Array<string> = []
  await using broken = await startBrokenServer((socket, number) => {
    answering(socket, (command) => {
      commands.push(`${number} ${command}`)
      return number === 1 && command === "MAIL" ? undefined : replies.get(command)
    })
  })
  const connections = connectionsTo(broken.port)
  await Effect.runPromise(connections.check)
  await Effect.runPromise(connections.send(message))
  // The next one uses the second connection, and none that has ended.
  await Effect.runPromise(connections.send(message))
  expect(broken.accepted()).toBe(2)
  expect(commands.filter((command) => command.endsWith("."))).toEqual(["2 .", "2 ."])
  // Without encryption none is begun, although the server offers it.
  expect(commands).not.toContain("1 STARTTLS")
  await Effect.runPromise(connections.close)
})

it("the end of a connection that carries a mail forgets no other one that is kept", async () => {
  const ended: Array<number> = []
  const commands: Array<string> = []
  await using broken = await startBrokenServer((socket, number) => {
    let mails = 0
    socket.on("close", () => ended.push(number))
    answering(socket, (command) => {
      commands.push(`${number} ${command}`)
      if (command === "MAIL") mails += 1
      // A connection ends at its second mail.
      return mails === 2 ? undefined : replies.get(command)
    })
  })
  const connections = connectionsTo(broken.port)
  // Two at once: each over a connection of its own, and both are kept.
  await Effect.runPromise(
    Effect.all([connections.send(message), connections.send(message)], { concurrency: "unbounded" }),
  )
  expect(broken.accepted()).toBe(2)
  await Effect.runPromise(connections.send(message))
  expect(ended).toHaveLength(1)
  await Effect.runPromise(connections.close)
  await eventually(
    "the end of all connections",
    async () => ended.length,
    (found) => found === broken.accepted(),
  )
  expect(commands.filter((command) => command.endsWith(" ."))).toHaveLength(3)
})

const options: SmtpOptions = { host: "localhost", from }
const port = "`port` must be a whole number from 1 to 65535."
const connectionsMax = "`connectionsMax` must be a positive whole number."
const times = "Time limits must be positive."

it.each<[Partial<SmtpOptions>, string | undefined]>([
  [{}, undefined],
  [{ port: 1, connectionsMax: 1, timeoutMillis: 0.5, deadlineMillis: 1 }, undefined],
  [{ port: 65_535 }, undefined],
  [{ port: 65_536 }, port],
  [{ port: 0 }, port],
  [{ port: -1 }, port],
  [{ port: 25.5 }, port],
  [{ connectionsMax: 0 }, connectionsMax],
  [{ connectionsMax: 1.5 }, connectionsMax],
  [{ timeoutMillis: 0 }, times],
  [{ deadlineMillis: 0 }, times],
  [{ deadlineMillis: Number.POSITIVE_INFINITY }, times],
  [{ timeoutMillis: Number.NaN }, times],
  [{ host: "mail example" }, "`host` must be a host name or an address."],
  [{ host: "mail.example", security: "none" }, "`security` may be `none` for a server of this machine only."],
  [{ from: { address: "codes" } }, "`from.address` must be an e-mail address."],
])("the options %j have the problem: %s", (more, problem) => {
  expect(problemOf({ ...options, ...more })).toBe(problem)
})
