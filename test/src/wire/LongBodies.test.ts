/** The turns of the event loop in which a long body is handled: other requests are answered between its steps. Source: D-310. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { basic, call, json } from "./FakeService.ts"

/** The turns since the test began. */
let turn = 0
let immediate: NodeJS.Immediate
const countTurns = (): void => {
  immediate = setImmediate(() => {
    turn += 1
    countTurns()
  })
}
beforeEach(countTurns)
afterEach(() => {
  clearImmediate(immediate)
  vi.restoreAllMocks()
})

type Post = (path: string, body: string) => Promise<Response>
const post: Post = (path, body) => call(path, { method: "POST", body })

/** Sends a body, and returns the response with the turns in which the body was decoded as UTF-8 for the first time, and parsed. */
const turnsOf = async (body: string, path = "/agents/x/actions/y/reject", send = post) => {
  const { parse } = JSON
  const { decode } = TextDecoder.prototype
  let read: number | undefined
  const parsed: Array<number> = []
  vi.spyOn(TextDecoder.prototype, "decode").mockImplementation(function (
    this: InstanceType<typeof TextDecoder>,
    bytes,
    options,
  ) {
    const text = decode.call(this, bytes, options)
    if (text === body) read ??= turn
    return text
  })
  vi.spyOn(JSON, "parse").mockImplementation((text, reviver) => {
    if (text === body) parsed.push(turn)
    return parse(text, reviver)
  })
  const response = await send(path, body)
  return { response, turns: [read, ...parsed] }
}

describe("a long body", () => {
  it.each([
    ["a long text", JSON.stringify({ reason: "a".repeat(500_000) })],
    [
      "many names",
      JSON.stringify({ reason: 0, ...Object.fromEntries(Array.from({ length: 4000 }, (_, n) => [n, 0])) }),
    ],
    ["a text that no store keeps", JSON.stringify({ reason: "\u0000".repeat(10_000) })],
  ])("with %s is read, checked and refused in a turn each", async (_what, body) => {
    const { response, turns } = await turnsOf(body)
    expect((await json(response)).code).toBe("INVALID_INPUT")
    expect(turns.length).toBeGreaterThan(1)
    expect(new Set(turns).size).toBe(turns.length)
  })
})

describe("a long body for a service with a name of its own", () => {
  it("is renamed in a turn of its own", async () => {
    await using pay = await harness({ serviceName: "Acme", tape: false })
    const { clientId, clientSecret } = pay.credentials
    const headers = {
      authorization: basic(clientId, clientSecret),
      "content-type": "application/json",
      "idempotency-key": "1",
    }
    const body = JSON.stringify({ other: "a".repeat(500_000) })
    const { response, turns } = await turnsOf(body, "/stablecoins/x/mints", (path, sent) =>
      pay.fetch(path, { method: "POST", headers, body: sent }),
    )
    expect((await json(response)).code).toBe("INVALID_INPUT")
    expect(turns).toHaveLength(4)
    expect(new Set(turns).size).toBe(4)
  })
})

describe("a short body", () => {
  it("is read, checked and refused in one turn", async () => {
    const { response, turns } = await turnsOf(JSON.stringify({ reason: 0 }))
    expect((await json(response)).code).toBe("INVALID_INPUT")
    expect(turns).toHaveLength(3)
    expect(new Set(turns).size).toBe(1)
  })
})
