/** What the client makes of the answers of a faulty bank: `Unknown` for money, a defect for a question, never a second instruction. */
import { PortUnavailable, type PushRequest, RailRefusals, Rails } from "@countersign/core/ports"
import { httpPorts } from "@countersign/ports-http"
import { Cause, Effect, Exit, Logger, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { type StoppedTimers, stoppedTimers } from "../harness/StoppedTimers.ts"
import { type Answers, type PortServer, portServer, type Reply, serverSecret } from "./PortServer.ts"

const accountInfo = { accountType: "USD_ACCOUNT", accountNumber: "12345678", routingNumber: "021000021" } as const
const account = { accountId: "ExternalAccount:1", currency: "USD", accountInfo } as const
const pushOf = (reference: string): PushRequest => ({ reference, destination: account, amount: 500, submittedAt: 0 })

const done: Answers = ({ path }) =>
  path.endsWith("inspect-pull") ? { result: { pullable: true, funds: "unknown" } } : { outcome: "Done" }

const deadlines = { ask: 3_600_000, instruct: 3_600_000 }

const asked = <A>({ url }: Pick<PortServer, "url">, use: (rails: Rails["Service"]) => Effect.Effect<A>) =>
  Effect.runPromiseExit(
    Effect.provide(
      Rails.use(use),
      httpPorts({ url, secrets: [Redacted.make(serverSecret)], deadlines, answerBytesMax: 10_000 }).rails,
    ),
  )

const bodyEnded = (text: string, { call, response, sign }: Reply, length = text.length) => {
  response.writeHead(200, { "Content-Length": length, "Port-Signature": sign(text) })
  response.write(text, () => call.socket.destroy())
}

interface Fault {
  readonly reply: (reply: Reply) => void
  readonly cause: string
  readonly isSilent?: boolean
}

const signed = (change: (text: string) => string, changes: Parameters<Reply["sign"]>[1] = {}) => ({
  reply: ({ response, sign, text }: Reply) => {
    const sent = change(text)
    response.writeHead(200, { "Port-Signature": sign(sent, changes) }).end(sent)
  },
})
const same = (text: string) => text
const notValid = "the signature of the answer is not valid"
const closed = "the connection was closed before the answer was complete"

const faults: { readonly [fault: string]: Fault } = {
  "never answers": { reply: () => {}, cause: "no complete answer within 3600000 ms", isSilent: true },
  "begins an answer and never ends it": {
    reply: ({ response, text }) => void response.writeHead(200).write(text.slice(0, 5)),
    cause: "no complete answer within 3600000 ms",
    isSilent: true,
  },
  "closes the connection": { reply: ({ call }) => call.socket.destroy(), cause: closed },
  "sends half a body": { reply: (reply) => bodyEnded(reply.text.slice(0, 9), reply, reply.text.length), cause: closed },
  "sends a giant body": {
    ...signed(() => JSON.stringify("x".repeat(20_000))),
    cause: "the answer has more than 10000 bytes",
  },
  "answers 500": {
    reply: ({ response, sign, text }) =>
      response.writeHead(500, { "Port-Signature": sign(text, { status: "500" }) }).end(text),
    cause: "the answer has the status 500",
  },
  redirects: {
    reply: ({ response }) => response.writeHead(307, { Location: "http://127.0.0.1:1/" }).end(),
    cause: "the answer has the status 307",
  },
  "does not sign": { reply: ({ response, text }) => response.writeHead(200).end(text), cause: notValid },
  "signs with another secret": { ...signed(same, { secret: "another port secret of the tests 42" }), cause: notValid },
  "signs an answer to another request": { ...signed(same, { id: "another" }), cause: notValid },
  "signs an answer of another time": { ...signed(same, { timestamp: "1" }), cause: notValid },
  "signs an answer of another operation": { ...signed(same, { path: "/ports/rails/cancel" }), cause: notValid },
  "sends the signature of a request": { ...signed(same, { direction: "request", status: "POST" }), cause: notValid },
  "changes the body after signing": {
    reply: ({ response, sign, text }) => response.writeHead(200, { "Port-Signature": sign(text) }).end(`${text} `),
    cause: notValid,
  },
  "sends what is not JSON": { ...signed(() => "<html>"), cause: "the answer is not JSON" },
  "nests too deep": { ...signed(() => "[".repeat(2_000) + "]".repeat(2_000)), cause: "the answer is not JSON" },
}

describe.each(Object.entries(faults))("a bank that %s", (_, { cause, isSilent = false, reply }) => {
  /** The bank's reply; the deadline of one that is silent has passed at once. */
  const replying = (timers: StoppedTimers) => (given: Reply) => {
    reply(given)
    if (isSilent) timers.pass(deadlines.ask)
  }

  it("has an unknown outcome, and is instructed once", async () => {
    using timers = stoppedTimers()
    await using bank = await portServer(done, replying(timers))
    const exit = await asked(bank, (rails) => rails.push(pushOf("Transaction:1")))
    expect(exit).toEqual(Exit.succeed({ _tag: "Unknown", cause }))
    expect(bank.calls).toHaveLength(1)
  })

  it("does not answer a question, which fails as a port that is unavailable", async () => {
    using timers = stoppedTimers()
    await using bank = await portServer(done, replying(timers))
    const ask = (rails: Rails["Service"]) => rails.inspectPull(account, 500, { _tag: "Transfer" })
    const exit = await asked(bank, ask)
    expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toEqual(
      new PortUnavailable({ operation: "/rails/inspect-pull", cause }),
    )
  })
})

const refusals = RailRefusals.keys.join(", ")
const malformed: ReadonlyArray<readonly [what: string, answer: object, cause: string]> = [
  ["a reason of its own", { outcome: "Refused", reason: "SECRET-7391" }, `reason: Expected one of ${refusals}`],
  ["no reason", { outcome: "Refused" }, "reason: Missing key"],
  ["another type", { outcome: "Later", at: "SECRET-7391" }, "at: Expected number"],
  ["an outcome of its own", { outcome: "SECRET-7391" }, "Expected RailOutcome"],
]

it.each(malformed)(
  "an answer with %s is an unknown outcome; the log says which member, and not its value",
  async (_, answer, at) => {
    await using bank = await portServer(() => answer)
    const lines: Array<string> = []
    const logger = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))])
    const exit = await asked(bank, (rails) => Effect.provide(rails.push(pushOf("Transaction:1")), logger))
    const cause = `the answer is not one of this operation: ${at}`
    expect(exit).toEqual(Exit.succeed({ _tag: "Unknown", cause }))
    expect(bank.calls).toHaveLength(1)
    expect(lines).toHaveLength(1)
    for (const part of ["level=WARN", "/rails/push", "Transaction:1", cause]) expect(lines[0]).toContain(part)
    expect(lines[0]).not.toContain("7391")
  },
)

it("a question with an answer of another type fails as a port that is unavailable, which names the member", async () => {
  await using bank = await portServer(() => ({ result: { pullable: "SECRET-7391", funds: "unknown" } }))
  const exit = await asked(bank, (rails) => rails.inspectPull(account, 500, { _tag: "Transfer" }))
  const cause = "the answer is not one of this operation: result.pullable: Expected boolean"
  expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toEqual(
    new PortUnavailable({ operation: "/rails/inspect-pull", cause }),
  )
})

/** Lets the event loop turn. */
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const outcomeOfPush = (bank: Pick<PortServer, "url">, reference = "Transaction:1") =>
  asked(bank, (rails) => rails.push(pushOf(reference)))

it("an answer about another reference is an unknown outcome", async () => {
  await using bank = await portServer(() => ({ outcome: "Done", reference: "Transaction:2" }))
  const cause = "the answer is about another reference"
  expect(await outcomeOfPush(bank)).toEqual(Exit.succeed({ _tag: "Unknown", cause }))
})

it("an answer without a reference is an unknown outcome", async () => {
  await using bank = await portServer(() => ({ outcome: "Done", reference: null }))
  expect(await outcomeOfPush(bank)).toMatchObject({ value: { _tag: "Unknown" } })
})

it("a bank that cannot be reached has an unknown outcome", async () => {
  const gone = await portServer(done)
  await gone[Symbol.asyncDispose]()
  expect(await outcomeOfPush(gone)).toEqual(Exit.succeed({ _tag: "Unknown", cause: "the connection was refused" }))
})

it("a bank that does not accept the secret has an unknown outcome", async () => {
  await using bank = await portServer(done)
  const { rails } = httpPorts({ url: bank.url, secrets: [Redacted.make("another port secret of the tests 42")] })
  const outcome = await Effect.runPromise(
    Effect.provide(
      Rails.use(({ push }) => push(pushOf("Transaction:1"))),
      rails,
    ),
  )
  expect(outcome).toEqual({ _tag: "Unknown", cause: "the answer has the status 401" })
})

/** A bank that closes a kept connection when the second request arrives on it. */
const closesKept = () => {
  let count = 0
  return portServer(done, ({ call, response, sign, text }) => {
    count += 1
    if (count === 2) call.socket.destroy()
    else response.writeHead(200, { "Port-Signature": sign(text) }).end(text)
  })
}

describe("when the bank closes a kept connection", () => {
  it("an instruction has an unknown outcome and is not sent again", async () => {
    await using bank = await closesKept()
    const both = (rails: Rails["Service"]) =>
      Effect.all([rails.push(pushOf("Transaction:1")), rails.push(pushOf("Transaction:2"))])
    const cause = closed
    expect(await asked(bank, both)).toEqual(Exit.succeed([{ _tag: "Done" }, { _tag: "Unknown", cause }]))
    expect(bank.calls.map(({ request }) => request["reference"])).toEqual(["Transaction:1", "Transaction:2"])
  })

  it("a question is sent again, signed anew", async () => {
    await using bank = await closesKept()
    const ask = (rails: Rails["Service"]) => rails.inspectPull(account, 500, { _tag: "Transfer" })
    expect(Exit.isSuccess(await asked(bank, (rails) => Effect.all([ask(rails), ask(rails)])))).toBe(true)
    const ids = bank.calls.map(({ headers }) => headers["port-request-id"])
    expect(ids).toHaveLength(3)
    expect(new Set(ids).size).toBe(3)
  })
})

it.each(["destroy", "resetAndDestroy"] as const)(
  "a question is not sent again once a part of its answer has arrived, however the connection ends: %s",
  async (end) => {
    let count = 0
    await using bank = await portServer(done, ({ call, response, sign, text }) => {
      count += 1
      response.writeHead(200, { "Content-Length": text.length, "Port-Signature": sign(text) })
      if (count !== 2) return void response.end(text)
      response.write(text.slice(0, 9))
      // The part is at the client before the connection ends.
      void turns(20).then(() => call.socket[end]())
    })
    const ask = (rails: Rails["Service"]) => rails.inspectPull(account, 500, { _tag: "Transfer" })
    const both = await asked(bank, (rails) => Effect.all([ask(rails), Effect.exit(ask(rails))]))
    expect(Exit.isSuccess(both) && Exit.isFailure(both.value[1])).toBe(true)
    expect(bank.calls).toHaveLength(2)
  },
)

it("requests that follow each other use one connection", async () => {
  await using bank = await portServer(done)
  const references = ["Transaction:1", "Transaction:2", "Transaction:3"]
  await asked(bank, (rails) => Effect.forEach(references, (reference) => rails.push(pushOf(reference))))
  expect(new Set(bank.calls.map(({ socket }) => socket)).size).toBe(1)
})

it("an answer that comes after its deadline answers no later request", async () => {
  let late: (() => void) | undefined
  using timers = stoppedTimers()
  await using bank = await portServer(
    ({ request }) => (request["reference"] === "Transaction:1" ? { outcome: "Returned" } : { outcome: "Done" }),
    ({ call, response, sign, text }) => {
      const send = () => void response.writeHead(200, { "Port-Signature": sign(text) }).end(text)
      if (call.request["reference"] !== "Transaction:1") return send()
      late = send
      timers.pass(deadlines.instruct)
    },
  )
  const both = (rails: Rails["Service"]) =>
    Effect.gen(function* () {
      const first = yield* rails.push(pushOf("Transaction:1"))
      late?.()
      return [first._tag, (yield* rails.push(pushOf("Transaction:2")))._tag]
    })
  expect(await asked(bank, both)).toEqual(Exit.succeed(["Unknown", "Done"]))
})

it("an answer that is sent twice answers one request", async () => {
  await using bank = await portServer(
    ({ request }) => (request["reference"] === "Transaction:1" ? { outcome: "Returned" } : { outcome: "Done" }),
    ({ call, response, sign, text }) => {
      const signature = sign(text)
      response.writeHead(200, { "Content-Length": text.length, "Port-Signature": signature }).end(text)
      const head = `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\nPort-Signature: ${signature}\r\n\r\n`
      call.socket.write(head + text)
    },
  )
  const both = (rails: Rails["Service"]) =>
    Effect.all([rails.push(pushOf("Transaction:1")), rails.push(pushOf("Transaction:2"))])
  const exit = await asked(bank, both)
  const [first, second] = Exit.isSuccess(exit) ? exit.value : []
  expect(first).toEqual({ _tag: "Returned" })
  expect(["Done", "Unknown"]).toContain(second?._tag)
})
