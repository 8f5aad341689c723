/**
 * A transport that sends to the public internet only also sends to the inboxes of its own server, and to nothing else of that machine.
 * Source: D-473, D-351.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { WebhookTransport } from "@countersign/core/ports"
import { Effect } from "effect"
import { expect, it } from "vitest"
import * as NodeWebhookTransport from "../../../packages/adapter-http/src/webhook/NodeWebhookTransport.ts"

it("sends to inboxes below the configured address, and to no other address of the machine", async () => {
  const received: Array<string> = []
  const server = createServer((request, response) => {
    received.push(request.url ?? "")
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const name = "00000000-0000-4000-8000-000000000001-0123456789abcdef0123456789abcdef"
  const outside = [
    `${origin}/`,
    `${origin}/inbox/`,
    `${origin}/inbox/../metrics`,
    `${origin}/inbox/${name}/../../metrics`,
    `${origin}/inbox/${name}?to=metrics`,
    `${origin}@127.0.0.1/inbox/${name}`,
    `http://localhost:${new URL(origin).port}/inbox/${name}`,
  ]
  const results = await Effect.gen(function* () {
    const transport = yield* WebhookTransport
    const send = (url: string) => transport.send({ url, body: "{}", headers: {}, timeoutMillis: 5_000 })
    return {
      own: yield* send(`${origin}/inbox/${name}`),
      check: yield* transport.check(`${origin}/inbox/${name}`),
      outside: yield* Effect.forEach(outside, send),
      checks: yield* Effect.forEach(outside, transport.check),
    }
  }).pipe(
    Effect.provide(NodeWebhookTransport.layer({ addresses: "public", inboxes: `${origin}/inbox/` })),
    Effect.runPromise,
  )
  expect(results.own).toMatchObject({ _tag: "Answered", status: 200 })
  expect(results.check).toBeUndefined()
  expect(results.outside.map(({ _tag }) => _tag)).toEqual(outside.map(() => "Unreachable"))
  expect(results.checks.filter((refusal) => refusal === undefined)).toEqual([])
  expect(received).toEqual([`/inbox/${name}`])
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})
