/** Connections to the mail server at the end of a process: none stays open, whatever it carries. Source: D-528. */
import { Effect } from "effect"
import { afterAll, beforeEach, expect, it } from "vitest"
import { makeConnections } from "../../../packages/adapter-messages/src/SmtpConnections.ts"
import { eventually } from "../e2e/Deadline.ts"
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
