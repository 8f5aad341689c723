/** The calls by which a vault over HTTP stores, reads and erases a file, and which of its answers are believed. Source: D-375, D-536. */
import { createHash } from "node:crypto"
import { BytesMissing, PortUnavailable, VaultUnavailable } from "@countersign/core/ports"
import { Cause, Effect, Exit, Schema, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { Lost } from "../../../packages/ports-http/src/call/Exchange.ts"
import type { PortClient } from "../../../packages/ports-http/src/call/PortClient.ts"
import { documentVaultOverHttp } from "../../../packages/ports-http/src/ports/DocumentVaultOverHttp.ts"

type Request = Readonly<Record<string, unknown>>
type Answers = (name: string, request: Request) => object | Lost

/** A vault that answers as the test says, and the calls that it got. */
const vaultOf = (answers: Answers, answerBytesMax = 1024 * 1024) => {
  const calls: Array<readonly [string, Request]> = []
  const unused = () => Effect.die(new Error("not expected"))
  const client: PortClient = {
    answerBytesMax,
    attempt: (operation, request) =>
      Effect.suspend(() => {
        const name = operation.path.replace("/document-vault/", "")
        const given: Request = Object(request)
        calls.push([name, given])
        const answer = answers(name, given)
        return answer instanceof Lost
          ? Effect.fail(answer)
          : Effect.orDie(Schema.decodeUnknownEffect(operation.answer)(answer))
      }),
    outcomeOf: unused,
    ask: unused,
  }
  return { calls, vault: documentVaultOverHttp(client) }
}
const exitOf = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromiseExit(effect)
const squashed = <A, E>(exit: Exit.Exit<A, E>) => (Exit.isFailure(exit) ? Cause.squash(exit.cause) : exit.value)
const unavailable = (name: string, cause: string) =>
  new VaultUnavailable({ cause: new PortUnavailable({ operation: `/document-vault/${name}`, cause }) })
const bytesOf = (length: number) => Uint8Array.from({ length }, (_, at) => at % 251)
const sizeOf = ({ content }: Request): number => (content instanceof Uint8Array ? content.byteLength : -1)

/** Takes everything. */
const taking: Answers = (name, request) => {
  if (name === "append") return { result: Number(request["position"]) + sizeOf(request) }
  return name === "complete" ? { outcome: "Stored" } : {}
}

describe("a file that is stored", () => {
  it("is sent in pieces with their positions, and completed by its size and digest", async () => {
    const { calls, vault } = vaultOf(taking, 1024 + 4000)
    const bytes = bytesOf(7000)
    const sha256 = createHash("sha256").update(bytes).digest("hex")
    const stored = await Effect.runPromise(vault.store("key", Stream.make(bytes.subarray(0, 10), bytes.subarray(10))))
    expect(stored).toEqual({ size: 7000, sha256 })
    const appended = calls.filter(([name]) => name === "append")
    expect(appended.map(([, request]) => [request["key"], request["position"], sizeOf(request)])).toEqual([
      ["key", 0, 3000],
      ["key", 3000, 3000],
      ["key", 6000, 1000],
    ])
    expect(calls.at(-1)).toEqual(["complete", { key: "key", size: 7000, sha256 }])
    expect(calls).toHaveLength(4)
  })

  it("without bytes is completed at once", async () => {
    const { calls, vault } = vaultOf(taking)
    expect(await Effect.runPromise(vault.store("key", Stream.empty))).toMatchObject({ size: 0 })
    expect(calls.map(([name]) => name)).toEqual(["complete"])
  })

  it.each<readonly [string, number, number]>([
    ["a small limit of answers", 100, 1024],
    ["a limit of answers for 1,023 bytes", 1024 + 1364, 1024],
    ["a limit of answers for 1,025.25 bytes", 1024 + 1367, 1025],
    ["a limit of answers for 256 KiB", 1024 + 349_526, 262_144],
    ["a large limit of answers", 100_000_000, 262_144],
  ])("has pieces of the size that fits %s", async (_, answerBytesMax, expected) => {
    const { calls, vault } = vaultOf(taking, answerBytesMax)
    await Effect.runPromise(vault.store("key", Stream.make(bytesOf(300_000))))
    expect(sizeOf(calls[0]?.[1] ?? {})).toBe(expected)
  })

  const lost = new Lost({ reason: "closed" })
  it.each<readonly [string, Answers, VaultUnavailable, ReadonlyArray<string>]>([
    [
      "whose piece has fewer bytes at the vault",
      (name, request) => (name === "append" ? { result: 9 } : taking(name, request)),
      unavailable("append", "the vault has another number of bytes than were sent"),
      ["append", "erase"],
    ],
    [
      "whose piece has more bytes at the vault",
      (name, request) => (name === "append" ? { result: 11 } : taking(name, request)),
      unavailable("append", "the vault has another number of bytes than were sent"),
      ["append", "erase"],
    ],
    [
      "that the vault refuses to complete",
      (name, request) => (name === "complete" ? { outcome: "Refused" } : taking(name, request)),
      unavailable("complete", "the vault has other bytes than were sent"),
      ["append", "complete", "erase"],
    ],
    [
      "whose completion is lost",
      (name, request) => (name === "complete" ? lost : taking(name, request)),
      unavailable("complete", "closed"),
      ["append", "complete", "erase"],
    ],
    ["that cannot be erased either", () => lost, unavailable("append", "closed"), ["append", "erase"]],
  ])("%s is unavailable, and is erased", async (_, answers, problem, names) => {
    const { calls, vault } = vaultOf(answers)
    expect(await exitOf(vault.store("key", Stream.make(bytesOf(10))))).toEqual(Exit.fail(problem))
    expect(calls.map(([name]) => name)).toEqual(names)
  })

  it("without bytes whose completion is lost is erased", async () => {
    const { calls, vault } = vaultOf((name) => (name === "complete" ? lost : {}))
    expect(await exitOf(vault.store("key", Stream.empty))).toEqual(Exit.fail(unavailable("complete", "closed")))
    expect(calls.map(([name]) => name)).toEqual(["complete", "erase"])
  })

  it("whose bytes fail is erased where a piece was sent, and only there", async () => {
    const problem = new Error("the upload broke off")
    const { calls, vault } = vaultOf(taking, 1024)
    const broken = Stream.concat(Stream.make(bytesOf(1024)), Stream.fail(problem))
    expect(squashed(await exitOf(vault.store("key", broken)))).toBe(problem)
    expect(calls.map(([name]) => name)).toEqual(["append", "erase"])
    const none = vaultOf(taking, 1024)
    expect(squashed(await exitOf(none.vault.store("key", Stream.fail(problem))))).toBe(problem)
    expect(none.calls).toEqual([])
  })
})

describe("a file that is read", () => {
  /** A vault that has a file of these bytes and answers with at most `most` of them. */
  const holding = (bytes: Uint8Array, most = Number.POSITIVE_INFINITY): Answers => {
    const size = bytes.byteLength
    return (_, { length, position }) => {
      const [at, count] = [Number(position), Math.min(Number(length), most)]
      return { outcome: "Bytes", size, content: Buffer.from(bytes.subarray(at, at + count)).toString("base64") }
    }
  }
  const collected = ({ vault }: ReturnType<typeof vaultOf>, from?: number) =>
    Effect.runPromiseExit(Effect.map(Stream.runCollect(vault.read("key", from)), (all) => Buffer.concat(all)))
  const asked = ({ calls }: ReturnType<typeof vaultOf>) =>
    calls.map(([, { length, position }]) => [Number(position), Number(length)])

  it.each([
    [2500, 0, [0, 1024, 2048]],
    [2048, 0, [0, 1024]],
    [2500, 1024, [1024, 2048]],
    [2500, 2499, [2499]],
    [2500, 2500, [2500]],
    [2500, 9999, [9999]],
    [0, 0, [0]],
  ])("of %i bytes from %i on is asked for at %j", async (size, from, positions) => {
    const bytes = bytesOf(size)
    const served = vaultOf(holding(bytes), 1024)
    const exit = await collected(served, from)
    expect(Exit.isSuccess(exit) && exit.value.equals(bytes.subarray(from))).toBe(true)
    expect(asked(served)).toEqual(positions.map((position) => [position, 1024]))
  })

  it("may come in smaller pieces", async () => {
    const bytes = bytesOf(1500)
    const served = vaultOf(holding(bytes, 700), 1024)
    const exit = await collected(served)
    expect(Exit.isSuccess(exit) && exit.value.equals(bytes)).toBe(true)
    expect(asked(served).map(([position]) => position)).toEqual([0, 700, 1400])
  })

  const piece = (size: number, length: number) => ({
    outcome: "Bytes",
    size,
    content: Buffer.from(bytesOf(length)).toString("base64"),
  })
  it.each<readonly [string, number, ReadonlyArray<object>]>([
    ["has more bytes than were asked for", 0, [piece(5000, 1025)]],
    ["has more bytes than the file", 0, [piece(4, 5)]],
    ["has no bytes before the end", 0, [piece(4, 0)]],
    ["has a byte after the end", 4, [piece(4, 1)]],
    ["changes the size of the file", 0, [piece(5000, 1024), piece(5001, 1024)]],
  ])("is unavailable if the vault %s", async (_, from, answers) => {
    let calls = 0
    const served = vaultOf(() => answers[calls++] ?? {}, 1024)
    expect(squashed(await collected(served, from))).toEqual(
      unavailable("read", "the piece does not belong to the file"),
    )
    expect(served.calls).toHaveLength(answers.length)
  })

  it("is missing, or unavailable with the reason of a lost answer", async () => {
    const missing = vaultOf(() => ({ outcome: "Missing" }))
    expect(squashed(await collected(missing))).toEqual(new BytesMissing({ key: "key" }))
    const lost = vaultOf(() => new Lost({ reason: "closed" }))
    expect(squashed(await collected(lost))).toEqual(unavailable("read", "closed"))
  })
})

describe("a file that is erased", () => {
  it("is asked for by its key", async () => {
    const { calls, vault } = vaultOf(() => ({}))
    expect(await Effect.runPromise(vault.erase("key"))).toBeUndefined()
    expect(calls).toEqual([["erase", { key: "key" }]])
    const lost = vaultOf(() => new Lost({ reason: "closed" }))
    expect(squashed(await exitOf(lost.vault.erase("key")))).toEqual(unavailable("erase", "closed"))
  })
})
