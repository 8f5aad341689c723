/** A vault over HTTP passes the suite of vaults, takes no more memory for a larger file, and hands out no bytes that a fault has changed. */
import { BytesMissing, DocumentVault, PortUnavailable, VaultUnavailable } from "@countersign/core/ports"
import { httpPorts } from "@countersign/ports-http"
import { documentVaultConformance } from "@countersign/test/conformance"
import { Cause, Effect, Exit, Fiber, Latch, Layer, Redacted, Stream } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { pieceBytesMax } from "../../../packages/ports-http/src/contract/VaultOperations.ts"
import { stoppedTimers } from "../harness/StoppedTimers.ts"
import { type PortServer, portServer, type Reply, serverSecret } from "./PortServer.ts"
import { servedVault } from "./ServedVault.ts"

let server: PortServer
beforeAll(async () => {
  server = await portServer(servedVault().answer)
})
afterAll(() => server[Symbol.asyncDispose]())

const deadlines = { ask: 3_600_000, instruct: 3_600_000 }
const optionsOf = (url: string) => ({
  url,
  secrets: [Redacted.make(serverSecret)] as const,
  deadlines,
})

documentVaultConformance("over HTTP", Layer.unwrap(Effect.sync(() => httpPorts(optionsOf(server.url)).documentVault)))

const within = <A, E>(
  options: Parameters<typeof httpPorts>[0],
  use: (vault: DocumentVault["Service"]) => Effect.Effect<A, E>,
) => Effect.runPromiseExit(Effect.provide(DocumentVault.use(use), httpPorts(options).documentVault))

const size = 2 * pieceBytesMax + 5
const file = Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 7 + (at >> 8)) % 251))
const pieces = Stream.fromIterable([file.subarray(0, 1000), file.subarray(1000)])
const collected = (vault: DocumentVault["Service"], from?: number) =>
  Effect.map(Stream.runCollect(vault.read("key", from)), (read) => Buffer.concat(read))
const storedAndRead = (vault: DocumentVault["Service"]) => Effect.andThen(vault.store("key", pieces), collected(vault))

const nameOf = ({ call }: Reply) => call.path.replace("/ports/document-vault/", "")
const asIs = ({ response, sign, text }: Reply, sent = text) =>
  void response.writeHead(200, { "Port-Signature": sign(sent) }).end(sent)

/** A vault that answers the first call of an operation with a fault, and every other call as it should. */
const faulty = async (operation: string, fault: (reply: Reply) => void, isLasting = false) => {
  const vault = servedVault()
  let count = 0
  const served = await portServer(vault.answer, (reply) => {
    const isFaulty = nameOf(reply) === operation && (isLasting || count++ === 0)
    if (isFaulty) fault(reply)
    else asIs(reply)
  })
  return { ...served, vault, [Symbol.asyncDispose]: () => served[Symbol.asyncDispose]() }
}

const operations = ["append", "complete", "read", "erase"]

/** Answers that are lost: the request had its effect, and is sent once more. */
const passing: { readonly [fault: string]: (reply: Reply) => void } = {
  "closes the connection": ({ call }) => call.socket.destroy(),
  "sends half an answer": ({ call, response, sign, text }) => {
    response.writeHead(200, { "Content-Length": text.length, "Port-Signature": sign(text) })
    response.write(text.slice(0, -1), () => call.socket.destroy())
  },
  "sends a giant answer": (reply) => asIs(reply, JSON.stringify({ content: "A".repeat(2_000_000) })),
  "signs with another secret": ({ response, sign, text }) =>
    void response.writeHead(200, { "Port-Signature": sign(text, { secret: "another port secret 42" }) }).end(text),
  "signs the answer to another request": ({ response, sign, text }) =>
    void response.writeHead(200, { "Port-Signature": sign(text, { id: "another" }) }).end(text),
  "changes the answer after signing": ({ response, sign, text }) =>
    void response.writeHead(200, { "Port-Signature": sign(text) }).end(`${text} `),
  "answers 503": ({ response }) => void response.writeHead(503).end(),
}

describe.each(Object.entries(passing))("a vault that once %s", (_, fault) => {
  it.each(operations)("has stored, read and erased a file: %s", async (operation) => {
    await using served = await faulty(operation, fault)
    const exit = await within(optionsOf(served.url), (vault) =>
      Effect.tap(storedAndRead(vault), () => vault.erase("key")),
    )
    expect(Exit.isSuccess(exit) && exit.value.equals(file)).toBe(true)
    expect(served.vault.keys()).toEqual([])
    expect(served.calls.filter(({ path }) => path.endsWith(operation))).toHaveLength(
      { append: 4, complete: 2, read: 4, erase: 2 }[operation] ?? 0,
    )
  })
})

/** What asks each operation, of a vault that has the file. */
const asking: { readonly [operation: string]: (vault: DocumentVault["Service"]) => Effect.Effect<unknown, unknown> } = {
  append: (vault) => vault.store("another", pieces),
  complete: (vault) => vault.store("another", pieces),
  read: (vault) => collected(vault),
  erase: (vault) => vault.erase("key"),
}

it.each(Object.entries(asking))(
  "a vault that never answers %s is unavailable, and is asked once",
  async (operation, use) => {
    using timers = stoppedTimers()
    await using served = await faulty(operation, () => timers.pass(deadlines.ask), true)
    await using right = await portServer(served.vault.answer)
    expect(Exit.isSuccess(await within(optionsOf(right.url), (vault) => vault.store("key", pieces)))).toBe(true)
    const exit = await within(optionsOf(served.url), use)
    const path = `/document-vault/${operation}`
    const cause = new PortUnavailable({ operation: path, cause: "no complete answer within 3600000 ms" })
    expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toEqual(new VaultUnavailable({ cause }))
    expect(served.calls.filter((call) => call.path.endsWith(operation))).toHaveLength(1)
    if (operation === "complete") expect(served.vault.keys()).toEqual(["key"])
  },
)

/** Signed answers that do not belong to the file. */
const lies: { readonly [lie: string]: readonly [operation: string, text: string] } = {
  "has fewer bytes than were sent": ["append", '{"result":1}'],
  "has more bytes than were sent": ["append", '{"result":262145}'],
  "has bytes of another digest": ["complete", '{"outcome":"Refused"}'],
  "answers with more bytes than were asked for": [
    "read",
    JSON.stringify({ outcome: "Bytes", size, content: Buffer.alloc(pieceBytesMax + 1).toString("base64") }),
  ],
  "answers with more bytes than the file has": ["read", '{"outcome":"Bytes","size":1,"content":"AAAA"}'],
  "answers with no bytes before the end": ["read", '{"outcome":"Bytes","size":9,"content":""}'],
  "answers with what is not base64": ["read", '{"outcome":"Bytes","size":9,"content":"A*=="}'],
}

it.each(Object.entries(lies))("a vault that %s is unavailable", async (_, [operation, text]) => {
  await using served = await faulty(operation, (reply) => asIs(reply, text), true)
  const exit = await within(optionsOf(served.url), storedAndRead)
  const failure = Exit.isFailure(exit) && Cause.squash(exit.cause)
  expect(failure).toBeInstanceOf(VaultUnavailable)
  // The first answer that is wrong is the last one that is asked for.
  expect(failure).toMatchObject({ cause: { operation: `/document-vault/${operation}` } })
  expect(served.calls.filter(({ path }) => path.endsWith(operation))).toHaveLength(1)
  expect(served.vault.keys()).toEqual(operation === "read" ? ["key"] : [])
})

/** A vault whose file is another one from the second piece on. */
const changing = async (text: string) => {
  let reads = 0
  return portServer(servedVault().answer, (reply) => {
    if (nameOf(reply) === "read") reads += 1
    asIs(reply, nameOf(reply) === "read" && reads > 1 ? text : reply.text)
  })
}

it("a file whose size changes while it is read fails", async () => {
  await using served = await changing('{"outcome":"Bytes","size":900000,"content":"AAAA"}')
  const exit = await within(optionsOf(served.url), storedAndRead)
  expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toBeInstanceOf(VaultUnavailable)
})

it("a file that is erased while it is read is missing", async () => {
  await using served = await changing('{"outcome":"Missing"}')
  const exit = await within(optionsOf(served.url), storedAndRead)
  expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toEqual(new BytesMissing({ key: "key" }))
})

it("a vault may answer with fewer bytes than were asked for", async () => {
  const vault = servedVault()
  await using served = await portServer(({ path, request }) =>
    vault.answer({ path, request: path.endsWith("read") ? { ...request, length: 60_000 } : request }),
  )
  const exit = await within(optionsOf(served.url), storedAndRead)
  expect(Exit.isSuccess(exit) && exit.value.equals(file)).toBe(true)
})

it("takes the bytes of a large file one piece ahead of the vault, and sends pieces of bounded size", async () => {
  let [taken, kept, aheadMost, requestMost] = [0, 0, 0, 0]
  const pieceBytes = 100_000
  const total = 100 * pieceBytes
  await using served = await portServer(({ body, path, request }) => {
    aheadMost = Math.max(aheadMost, taken - kept)
    requestMost = Math.max(requestMost, body.byteLength)
    if (path.endsWith("complete")) return { outcome: "Stored" }
    kept = Number(request["position"]) + Buffer.from(String(request["content"]), "base64").byteLength
    return { result: kept }
  })
  const large = Stream.unfold(0, (at) =>
    Effect.sync(() => {
      if (at === total) return undefined
      taken += pieceBytes
      return [new Uint8Array(pieceBytes), at + pieceBytes] as const
    }),
  )
  const exit = await within(optionsOf(served.url), (vault) => vault.store("key", large))
  expect(exit).toMatchObject({ value: { size: total } })
  expect(aheadMost).toBeLessThanOrEqual(2 * pieceBytesMax)
  expect(requestMost).toBeLessThanOrEqual((pieceBytesMax * 4) / 3 + 1024)
})

it("asks for pieces whose answers are within the limit of answers", async () => {
  await using served = await portServer(servedVault().answer)
  const exit = await within({ ...optionsOf(served.url), answerBytesMax: 50_000 }, storedAndRead)
  expect(Exit.isSuccess(exit) && exit.value.equals(file)).toBe(true)
})

it("an interrupted file is erased, and a piece of it that comes later is not taken", async () => {
  const vault = servedVault()
  const isStored = Latch.makeUnsafe()
  await using served = await portServer((call) => {
    const answer = vault.answer(call)
    if (call.path.endsWith("append")) isStored.openUnsafe()
    return answer
  })
  const exit = await within(optionsOf(served.url), (client) =>
    Effect.gen(function* () {
      const storing = yield* Effect.forkChild(client.store("key", Stream.concat(pieces, Stream.never)))
      yield* isStored.await
      yield* Fiber.interrupt(storing)
    }),
  )
  expect(Exit.isSuccess(exit)).toBe(true)
  expect(vault.keys()).toEqual([])
  const late = served.calls.find(({ path }) => path.endsWith("append"))
  if (late === undefined) throw new Error("no piece was sent")
  expect([vault.answer(late), vault.keys()]).toEqual([{ result: 0 }, []])
})

it("takes no key that names another folder", async () => {
  const { calls, url } = server
  const before = calls.length
  for (const use of [
    (vault: DocumentVault["Service"]) => Effect.asVoid(vault.store("../outside", pieces)),
    (vault: DocumentVault["Service"]) => Stream.runDrain(vault.read("../outside")),
    (vault: DocumentVault["Service"]) => vault.erase("../outside"),
  ]) {
    expect(Exit.hasDies(await within(optionsOf(url), use))).toBe(true)
  }
  expect(calls).toHaveLength(before)
})
