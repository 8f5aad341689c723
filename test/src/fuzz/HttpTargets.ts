/**
 * HTTP as it reaches the service over a socket. One server handles requests directly, the other one through the Fetch API: both must give
 * the same answers to the same bytes.
 */
import { once } from "node:events"
import { connect } from "node:net"
import { setImmediate as turn } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import { startNodeServer } from "@countersign/adapter-http"
import { bytesOf } from "./ByteMutants.ts"
import { httpMutator } from "./HttpMutants.ts"
import { holds, type Problem, type Target, type TargetSource } from "./Target.ts"

/** How many turns of the event loop without a new byte end an exchange: at first, and to make sure that it has ended. */
const quietTurns = { first: 6, again: 200 }
const responseBytesMax = 64 * 1024

/** Sends the bytes and returns what comes back. */
const exchanged = async (port: number, bytes: Uint8Array, quiet: number): Promise<string> => {
  const socket = connect(port, "127.0.0.1")
  const chunks: Array<Buffer> = []
  let isOver = false
  let turns = 0
  socket.on("data", (chunk: Buffer) => {
    turns = 0
    chunks.push(chunk)
  })
  socket.on("error", () => {})
  socket.once("close", () => {
    isOver = true
  })
  await once(socket, "connect")
  socket.write(bytes)
  for (; !isOver && turns < quiet; turns += 1) await turn()
  socket.destroy()
  return Buffer.concat(chunks).toString("latin1")
}

/** The responses of a connection without what differs at any time, each with its headers in one order. */
const responsesOf = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll(/(HTTP\/1\.1 [^\r]*\r\n)((?:[^\r]+\r\n)+)\r\n/gu, (_, status: string, headers: string) => {
      const kept = headers
        .split("\r\n")
        .map((line) => line.replace(/^[^:]*/u, (name) => name.toLowerCase()))
        .filter((line) => !/^(?:date|connection|keep-alive|x-request-id):/u.test(line))
      return `${status}${kept.toSorted().join("\r\n")}\r\n\r\n`
    })
    .split(/(?=HTTP\/1\.1 \d{3} )/u)

const malformed = JSON.stringify({
  status: 400,
  code: "INVALID_REQUEST_FORMAT",
  message: "The request is not valid HTTP.",
})

/** By its length, because the answer to HEAD has no body. */
const isMalformed = (response: string): boolean =>
  response.startsWith("HTTP/1.1 400 ") && response.includes(`content-length: ${malformed.length}\r\n`)

/**
 * Whether two connections got the same answers. One that says that bytes are no request ends a connection, and is sent only if the answer
 * to the request before them has not been: that is a matter of time.
 */
const areSame = (one: string, other: string): boolean => {
  const both = [one, other].map(responsesOf)
  const ends = both.map((responses) => responses.findIndex(isMalformed))
  const end = Math.min(...ends.map((at) => (at < 0 ? Number.POSITIVE_INFINITY : at)))
  const [first, second] = both.map((responses) => responses.slice(0, end))
  return isDeepStrictEqual(first, second)
}

const problemOfResponses = (text: string): Problem => {
  const heads = [...text.matchAll(/HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[^\r\n]*\r\n)*?)\r\n/gu)]
  const statuses = heads.map(([, status]) => Number(status))
  const lines = heads.flatMap(([, , head = ""]) => head.split("\r\n").filter((line) => line !== ""))
  return (
    holds(text === "" || heads[0]?.index === 0, "an answer that does not begin with a head") ??
    holds(!statuses.some((status) => status >= 500 && status !== 503), "a defect of the service") ??
    holds(
      lines.every((line) => /^[\w-]+: ?[\x20-\x7e]*$/u.test(line)),
      "a header that is malformed",
    ) ??
    holds(text.length < responseBytesMax * (heads.length + 1), "an answer that is too long")
  )
}

const requests = async (): Promise<Target> => {
  const { base, basic, bearer, fakeService } = await import("../wire/FakeService.ts")
  const service = fakeService()
  await service.handler(new Request("http://service.test/healthz"))
  const options = { port: 0, host: "127.0.0.1", graceMillis: 0 }
  const direct = await startNodeServer({ ...service, ...options })
  const fetched = await startNodeServer({ handler: service.handler, ...options })
  const both = (bytes: Uint8Array, quiet: number) =>
    Promise.all([direct, fetched].map(({ port }) => exchanged(port, bytes, quiet)))
  const authorization = `Authorization: ${basic()}\r\n`
  const body = '{"customerType":"INDIVIDUAL","platformCustomerId":"a"}'
  const post = `POST ${base}/customers HTTP/1.1\r\nHost: a\r\n${authorization}Content-Type: application/json\r\nIdempotency-Key: k\r\n`
  return {
    name: "HTTP requests",
    sources:
      /packages\/adapter-http\/src\/(?:server\/(?:Node|Socket|Web|Exchange|Connections|SystemRoutes)|middleware)|FindMyWay|HttpRouter/u,
    valid: [
      `GET ${base}/customers?limit=2&cursor=a HTTP/1.1\r\nHost: a\r\n${authorization}\r\n`,
      `GET ${base}/customers/Customer%3A1 HTTP/1.1\r\nHost: a\r\n${authorization}Accept: application/json\r\n\r\n`,
      `GET ${base}/agents/me HTTP/1.1\r\nHost: a\r\nAuthorization: ${bearer()}\r\n\r\n`,
      `GET http://a${base}/agents/approvals?status=PENDING HTTP/1.1\r\nHost: a\r\n${authorization}\r\n`,
      `${post}Content-Length: ${body.length}\r\n\r\n${body}`,
      `${post}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)};x=y\r\n${body}\r\n0\r\nT: u\r\n\r\n`,
      `${post}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
      `HEAD /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      `OPTIONS ${base}/customers HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nAccess-Control-Request-Method: POST\r\n\r\n`,
      `DELETE ${base}/agents/Agent:1 HTTP/1.0\r\n${authorization}Connection: keep-alive\r\n\r\n`,
      `GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET ${base}/customers/b HTTP/1.1\r\nHost: a\r\n\r\n`,
    ],
    mutant: httpMutator,
    check: async (input) => {
      const bytes = bytesOf(input)
      if (bytes.length === 0) return undefined
      let [one = "", other = ""] = await both(bytes, quietTurns.first)
      if (!areSame(one, other)) [one = "", other = ""] = await both(bytes, quietTurns.again)
      return problemOfResponses(one) ?? holds(areSame(one, other), "other answers than through the Fetch API")
    },
    close: async () => {
      await Promise.all([direct.close(), fetched.close()])
      await service.dispose()
    },
  }
}

export const httpTargets: ReadonlyArray<TargetSource> = [{ name: "HTTP requests", cost: 40, make: requests }]
