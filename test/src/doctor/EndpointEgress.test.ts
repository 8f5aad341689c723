/** What `countersign doctor --live` says about a webhook endpoint of this machine, with and without TLS. Source: D-534. */
import { once } from "node:events"
import { createServer } from "node:net"
import { createServer as createSecureServer } from "node:tls"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { checkEgress } from "../../../packages/cli/src/doctor/EndpointEgress.ts"
import { reach } from "../../../packages/cli/src/doctor/Reach.ts"
import { selfSigned } from "../webhook/Certificate.ts"

const listening = async () => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.resume().end("HTTP/1.1 400 Bad Request\r\n\r\n")
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return {
    at: `127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    [Symbol.asyncDispose]: async () => void (await new Promise((closed) => server.close(closed))),
  }
}

it("warns of an endpoint that is reached without TLS", async () => {
  await using server = await listening()
  const url = `http://${server.at}/hooks`
  expect(await Effect.runPromise(checkEgress(url))).toMatchObject({
    status: "warning",
    text: `${url} is reached from here without TLS`,
  })
})

it("finds an https endpoint that speaks no TLS, and one that does not listen", async () => {
  const server = await listening()
  expect(await Effect.runPromise(checkEgress(`https://${server.at}/`))).toMatchObject({ status: "problem" })
  await server[Symbol.asyncDispose]()
  for (const scheme of ["http", "https"]) {
    expect(await Effect.runPromise(checkEgress(`${scheme}://${server.at}/`))).toMatchObject({
      status: "problem",
      text: expect.stringContaining("ECONNREFUSED"),
    })
  }
})

it("gives up a server that never answers", async () => {
  const server = createServer((socket) => void socket.on("error", () => undefined).resume())
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const url = new URL(`https://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`)
  expect(await Effect.runPromise(Effect.flip(reach(url, 20)))).toBe("no answer")
  await new Promise((closed) => server.close(closed))
})

it.each([
  ["localhost", ["localhost"]],
  // RFC 6066 allows no address there.
  ["127.0.0.1", []],
])("asks the server at %s for the certificates of %j", async (host, expected) => {
  const names: Array<string> = []
  const SNICallback = (name: string, done: (error: null) => void) => {
    names.push(name)
    done(null)
  }
  const server = createSecureServer({ ...selfSigned("localhost"), SNICallback })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const url = new URL(`https://${host}:${typeof address === "object" ? address?.port : ""}/`)
  expect(await Effect.runPromise(Effect.flip(reach(url)))).toBe("DEPTH_ZERO_SELF_SIGNED_CERT")
  await new Promise((closed) => server.close(closed))
  expect(names).toEqual(expected)
})
