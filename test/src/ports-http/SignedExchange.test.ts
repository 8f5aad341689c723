/** A signed call over a connection: its address, which answers are read, and when a connection is used again. Source: D-527. */
import { Outside } from "@countersign/core"
import { Effect, Redacted, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { signedExchange } from "../../../packages/ports-http/src/call/SignedExchange.ts"
import { type Repetition, withoutUnknown } from "../../../packages/ports-http/src/contract/PortOperation.ts"
import { type Answers, portServer, type Reply, serverSecret } from "./PortServer.ts"

const operationOf = (repetition: Repetition = "none", carriesBytes?: boolean) =>
  withoutUnknown({
    path: "/rails/push",
    summary: "A call of these tests.",
    request: Schema.Unknown,
    answer: Schema.Unknown,
    repetition,
    deadline: "ask",
    ...(carriesBytes === undefined ? {} : { carriesBytes }),
  })
const body = new TextEncoder().encode('{"platformId":null,"businessTime":1,"request":{}}')

interface Call {
  readonly operation?: ReturnType<typeof operationOf>
  readonly answers?: Answers
  readonly reply?: (reply: Reply) => void
  readonly times?: number
  readonly suffix?: string
  readonly answerBytesMax?: number
}

/** The results of calls one after another, and what the bank got. */
const called = async ({
  answerBytesMax,
  answers = () => ({ a: 1 }),
  operation,
  reply,
  suffix = "",
  times = 1,
}: Call) => {
  await using server = await portServer(answers, reply)
  const results = await Effect.runPromise(
    Effect.gen(function* () {
      const send = yield* signedExchange({
        url: server.url + suffix,
        secrets: [Redacted.make(serverSecret)],
        ...(answerBytesMax === undefined ? {} : { answerBytesMax }),
      })
      return yield* Effect.forEach(Array.from({ length: times }), () =>
        Effect.catch(send(operation ?? operationOf(), body), ({ reason }) => Effect.succeed(reason)),
      )
    }).pipe(Effect.scoped),
  )
  const { calls } = server
  return { results, paths: calls.map(({ path }) => path), sockets: new Set(calls.map(({ socket }) => socket)).size }
}

const send = ({ response, sign, text }: Reply, sent = text, status = 200, headers = {}) =>
  void response.writeHead(status, { ...headers, "Port-Signature": sign(sent, { status: String(status) }) }).end(sent)

describe("the address of a call", () => {
  it.each(["", "/", "///"])("is below the base address that ends with %j", async (suffix) => {
    const { paths, results } = await called({ suffix })
    expect([paths, results]).toEqual([["/ports/rails/push"], [{ a: 1 }]])
  })
})

describe("an answer", () => {
  it.each([201, 204, 302, 307, 404, 500])("with the status %i is lost, although it is signed", async (status) => {
    const headers = { Location: "/ports/rails/other" }
    const { paths, results } = await called({ reply: (reply) => send(reply, reply.text, status, headers) })
    expect([results, paths]).toEqual([[`the answer has the status ${status}`], ["/ports/rails/push"]])
  })

  it.each<readonly [string, Parameters<Reply["sign"]>[1]]>([
    ["another request", { id: "another" }],
    ["another path", { path: "/ports/rails/pull" }],
    ["another time", { timestamp: "1" }],
    ["another status", { status: "201" }],
    ["another direction", { direction: "request" }],
    ["another secret", { secret: "another port secret of the tests 42" }],
  ])("signed for %s is lost", async (_, changes) => {
    const { results } = await called({
      reply: ({ response, sign, text }) =>
        void response.writeHead(200, { "Port-Signature": sign(text, changes) }).end(text),
    })
    expect(results).toEqual(["the signature of the answer is not valid"])
  })

  it("without a signature, or without JSON, is lost", async () => {
    const unsigned = await called({ reply: ({ response, text }) => void response.writeHead(200).end(text) })
    expect(unsigned.results).toEqual(["the signature of the answer is not valid"])
    expect((await called({ reply: (reply) => send(reply, "<html>") })).results).toEqual(["the answer is not JSON"])
  })

  it("is read up to a limit of bytes", async () => {
    const text = JSON.stringify({ a: "x".repeat(92) })
    expect(text).toHaveLength(100)
    const reply = (given: Reply) => send(given, text)
    expect((await called({ answerBytesMax: 100, reply })).results).toEqual([JSON.parse(text)])
    expect((await called({ answerBytesMax: 99, reply })).results).toEqual(["the answer has more than 99 bytes"])
  })

  it("is cleaned, unless it carries bytes", async () => {
    const reply = (given: Reply) => send(given, '{"a":"x\\u0000y"}')
    const cleaned = Outside.clean("x\u0000y")
    expect(cleaned).not.toBe("x\u0000y")
    for (const given of [{ reply }, { reply, operation: operationOf("none", false) }]) {
      expect((await called(given)).results).toEqual([{ a: cleaned }])
    }
    expect((await called({ reply, operation: operationOf("none", true) })).results).toEqual(["the answer is not JSON"])
  })
})

describe("a connection", () => {
  it.each<readonly [Repetition, number]>([
    ["none", 1],
    ["reference", 1],
    ["key", 1],
    ["again", 3],
  ])("of calls with the repetition %s is one of %i", async (repetition, count) => {
    const { results, sockets } = await called({ operation: operationOf(repetition), times: 3 })
    expect([results, sockets]).toEqual([[{ a: 1 }, { a: 1 }, { a: 1 }], count])
  })
})
