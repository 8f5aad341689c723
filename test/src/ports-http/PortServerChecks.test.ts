/** What an operator learns about a server of ports: reached, signed both ways, on time, and with every operation. Source: D-534. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { portChecksIn } from "@countersign/core/ports"
import { httpPorts, operationsOfPorts } from "@countersign/ports-http"
import { type Context, Effect, Layer, Redacted } from "effect"
import { expect, it } from "vitest"
import { portServer, type Reply, serverSecret, signatureOf } from "./PortServer.ts"

const all = [operationsOfPorts.Rails, operationsOfPorts.Verifier].flatMap((rows) =>
  Object.values(rows).map(({ path }) => path),
)

const describing = (operations: ReadonlyArray<string>, isTest?: boolean) => () => ({
  result: { operations, ...(isTest === undefined ? {} : { isTest }) },
})

/** The findings about two ports of a server. */
const findingsAt = (url: string, secret = serverSecret) =>
  Effect.gen(function* () {
    const { rails, verifier } = httpPorts({ url, secrets: [Redacted.make(secret)] })
    const context: Context.Context<never> = yield* Layer.build(Layer.merge(rails, verifier))
    const found = yield* Effect.forEach(portChecksIn(context), ({ name, run }) =>
      Effect.map(run, ({ status, text }) => [name, `${status}: ${text}`] as const),
    )
    expect(new Set(found.map(([name]) => name)).size).toBe(found.length)
    return Object.fromEntries(found)
  }).pipe(Effect.scoped, Effect.runPromise)

const good = {
  "ports server": "ok: the server answers, with valid signatures both ways",
  "ports clock": "ok: the server's clock is that of this machine",
  "ports signature": "ok: the server refuses the signature of a stranger",
  rails: "ok: the server knows all operations",
  verifier: "ok: the server knows all operations",
}

it("finds nothing wrong with a server as it should be, and asks it nothing that acts", async () => {
  await using server = await portServer(describing(all))
  expect(await findingsAt(server.url)).toEqual(good)
  expect(server.calls.map(({ path }) => path)).toEqual(["/ports/port-server/describe"])
})

it("warns about a test system, and about operations that are not known", async () => {
  await using server = await portServer(describing(["/rails/push"], true))
  const found = await findingsAt(server.url)
  expect(found).toMatchObject({
    ...good,
    "ports server": expect.stringMatching(/^warning: a test system/u),
    rails: expect.anything(),
    verifier: expect.anything(),
  })
  expect(found["rails"]).toMatch(/^warning: the server does not know \/rails\/inspect-pull, .*\/rails\/cancel$/u)
})

it("tells a refused signature from an answer that is not signed", async () => {
  await using server = await portServer(describing(all))
  expect((await findingsAt(server.url, "another port secret of the tests, 32+"))["ports server"]).toBe(
    "problem: the server refuses our signature",
  )
  const unsigned = ({ response, text }: Reply): void => void response.writeHead(200).end(text)
  await using forged = await portServer(describing(all), unsigned)
  expect((await findingsAt(forged.url))["ports server"]).toBe("problem: the signature of the answer is not valid")
})

it("finds another clock, another answer, and an answer with an error", async () => {
  const late = ({ response, sign, text }: Reply): void => {
    response.setHeader("Date", new Date(Date.now() - 600_000).toUTCString())
    response.writeHead(200, { "Port-Signature": sign(text) }).end(text)
  }
  await using slow = await portServer(describing(all), late)
  expect((await findingsAt(slow.url))["ports clock"]).toMatch(
    /^problem: the server's clock differs by -(?:599|600|601) s/u,
  )
  await using other = await portServer(() => ({ result: "all" }))
  expect((await findingsAt(other.url))["ports server"]).toMatch(/^problem: the answer to .* is not one/u)
  await using broken = await portServer(describing(all), ({ response }) => void response.writeHead(500).end())
  expect(await findingsAt(broken.url)).toMatchObject({
    "ports server": "problem: the server answers with 500",
    rails: expect.stringMatching(/^warning: not known/u),
  })
})

it("finds a server that answers everybody, one without the question, and none", async () => {
  let status = 200
  const open = createServer(async (request, response) => {
    const body = Buffer.from(JSON.stringify({ result: { operations: all } }))
    const [id, timestamp] = [String(request.headers["port-request-id"]), String(request.headers["port-timestamp"])]
    const lines = ["answer", String(status), request.url ?? "", timestamp, id]
    response.writeHead(status, { "Port-Signature": signatureOf(serverSecret, lines, body) }).end(body)
  }).listen(0, "127.0.0.1")
  await once(open, "listening")
  const url = `http://127.0.0.1:${(open.address() as AddressInfo).port}/ports`
  expect(await findingsAt(url)).toEqual({
    ...good,
    "ports signature": "problem: the server answers the signature of a stranger with 200",
  })
  status = 404
  expect(await findingsAt(url)).toMatchObject({
    "ports server": "warning: the server answers, but does not say which operations it knows",
    "ports signature": "warning: the server answers the signature of a stranger with 404",
  })
  open.close()
  expect((await findingsAt(url))["ports server"]).toBe(
    "problem: the server does not answer: the connection was refused",
  )
})
