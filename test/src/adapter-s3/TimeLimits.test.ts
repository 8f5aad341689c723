/** The time limit of a request to a bucket: of an answer that is opened it ends at its beginning. D-420. */
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Cause, Effect, Exit, Redacted, type Scope } from "effect"
import { afterEach, expect, it, vi } from "vitest"
import { S3Failure } from "../../../packages/adapter-s3/src/S3Failure.ts"
import { makeRequests, type S3Requests } from "../../../packages/adapter-s3/src/S3Requests.ts"

/** A bucket that a test answers for, and the time limits, which pass when it says so. */
const opened = async (answer: (response: ServerResponse, pass: () => void) => void) => {
  let pass = () => {}
  const server = createServer((_request, response) => answer(response, pass)).listen(0, "127.0.0.1")
  await once(server, "listening")
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    const limit = new AbortController()
    pass = () => limit.abort(new DOMException("the time is over", "TimeoutError"))
    return limit.signal
  })
  const { port } = server.address() as AddressInfo
  return {
    pass: () => pass(),
    requests: makeRequests({
      endpoint: `http://127.0.0.1:${port}`,
      bucket: "bucket",
      region: "region",
      credentials: { accessKeyId: "id", secretAccessKey: Redacted.make("secret") },
    }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

afterEach(() => vi.restoreAllMocks())

const request = { method: "GET", key: "key" } as const

it("an answer that has begun is read to its end, however long that takes", async () => {
  const answers: Array<ServerResponse> = []
  await using bucket = await opened((response) => {
    answers.push(response)
    response.writeHead(200).write("beginning")
  })
  const reading = Effect.gen(function* () {
    const response = yield* bucket.requests.open(request)
    bucket.pass()
    answers[0]?.end(" and end")
    return yield* Effect.promise(() => response.text())
  })
  expect(await Effect.runPromise(Effect.scoped(reading))).toBe("beginning and end")
})

it.each<[string, (requests: S3Requests) => Effect.Effect<unknown, S3Failure, Scope.Scope>]>([
  ["open", ({ open }) => open(request)],
  ["call", ({ call }) => call(request)],
])("an answer that does not begin in time is a failure, after three tries: %s", async (_, use) => {
  let tries = 0
  await using bucket = await opened((_response, pass) => {
    tries += 1
    pass()
  })
  const exit = await Effect.runPromiseExit(Effect.scoped(use(bucket.requests)))
  expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toEqual(
    new S3Failure({ method: "GET", code: "TimeoutError" }),
  )
  expect(tries).toBe(3)
})

it("an answer that is read whole has to end in time", async () => {
  await using bucket = await opened((response, pass) => {
    response.writeHead(200)
    response.write("beginning", pass)
  })
  const exit = await Effect.runPromiseExit(bucket.requests.call(request))
  expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toEqual(
    new S3Failure({ method: "GET", code: "TimeoutError" }),
  )
})
