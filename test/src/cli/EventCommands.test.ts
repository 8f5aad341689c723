/** `countersign events`: what each command asks for, and what it prints of the answer. Source: D-450, D-458. */
import { describe, expect, it } from "vitest"
import { commandAt } from "./CommandsAt.ts"

const eventOf = (id: string, more: object = {}) => ({
  id,
  createdAt: "2026-01-31T12:34:56.789Z",
  type: "TEST",
  delivery: "DELIVERED",
  ...more,
})
const attemptOf = (number: number, more: object = {}) => ({
  number,
  at: "2026-01-31T12:34:57.000Z",
  url: "https://receiver.example/",
  latencyMillis: 12,
  isResend: false,
  ...more,
})

const asked = async (...words: ReadonlyArray<string>) => {
  const { code, sent, stderr } = await commandAt(["events", ...words], () => ({ data: [], hasMore: false }))
  return { code, stderr, requests: sent.map(({ method, path }) => `${method} ${path}`) }
}
const printed = async (words: ReadonlyArray<string>, answer: unknown) => {
  const { code, stderr, stdout } = await commandAt(["events", ...words], () => answer)
  expect([code, stderr]).toEqual([0, ""])
  return stdout
}

describe("events list", () => {
  it.each<readonly [query: string, words: ReadonlyArray<string>]>([
    ["limit=20", []],
    ["limit=1", ["--last", "1"]],
    ["limit=100", ["--last", "100"]],
    ["limit=20&type=TEST", ["--type", "TEST"]],
    ["limit=20&subject=Agent%3A1", ["--subject", "Agent:1"]],
    ["limit=5&type=TEST&subject=a", ["--last", "5", "--subject", "a", "--type", "TEST"]],
  ])("asks for %s", async (query, words) => {
    const { code, requests } = await asked("list", ...words)
    expect(code).toBe(0)
    expect(requests).toEqual([`GET /operator/events?${query}`])
  })

  it.each(["0", "-1", "101"])("refuses --last %s", async (last) => {
    const { code, requests, stderr } = await asked("list", `--last=${last}`)
    expect([code, requests]).toEqual([2, []])
    expect(stderr).toContain("--last takes a number from 1 to 100")
  })

  it("says that there are no events", async () => {
    expect(await printed(["list"], { data: [] })).toBe("no events")
    expect(JSON.parse(await printed(["list", "--json"], { data: [] }))).toEqual([])
  })

  it.each<readonly [answer: string, lastAttempt: object | undefined]>([
    ["not sent", undefined],
    ["503", { ...attemptOf(1), status: 503, reason: "TIMEOUT" }],
    ["TIMEOUT", { ...attemptOf(1), reason: "TIMEOUT" }],
    ["no answer", attemptOf(1)],
  ])("shows %s as the last answer", async (answer, lastAttempt) => {
    const lines = await printed(["list"], { data: [eventOf("Webhook:1", { lastAttempt })] })
    expect(lines.split("\n").map((line) => line.split(/ {2,}/u))).toEqual([
      ["when", "event", "type", "delivery", "last answer"],
      ["2026-01-31T12:34:56.789Z", "Webhook:1", "TEST", "DELIVERED", answer],
    ])
  })

  it("aligns every column to the left, and keeps the order of the answer", async () => {
    const data = [eventOf("b"), eventOf("a", { type: "LONGER", lastAttempt: { ...attemptOf(1), status: 200 } })]
    expect(await printed(["list"], { data })).toBe(
      [
        "when                      event  type    delivery   last answer",
        "2026-01-31T12:34:56.789Z  b      TEST    DELIVERED  not sent",
        "2026-01-31T12:34:56.789Z  a      LONGER  DELIVERED  200",
      ].join("\n"),
    )
    expect(JSON.parse(await printed(["list", "--json"], { data }))).toEqual(data)
  })
})

describe("events show", () => {
  const detail = { ...eventOf("Webhook:1"), attempts: [], body: '{"a":{"b":1}}' }
  const body = ["{", '  "a": {', '    "b": 1', "  }", "}"]
  const head = ["event     Webhook:1", "type      TEST", "emitted   2026-01-31T12:34:56.789Z"]
  const shown = async (more: object) => (await printed(["show", "Webhook:1"], { ...detail, ...more })).split("\n")

  it("asks for the event of the argument", async () => {
    const { sent } = await commandAt(["events", "show", "Webhook:1"], () => detail)
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /operator/events/Webhook%3A1"])
  })

  it.each<readonly [delivery: string, more: object]>([
    ["DELIVERED", {}],
    ["FAILED: NO_ENDPOINT", { delivery: "FAILED", reason: "NO_ENDPOINT" }],
  ])("shows the delivery %s and the body", async (delivery, more) => {
    expect(await shown(more)).toEqual([...head, `delivery  ${delivery}`, ...body])
  })

  it("shows each attempt with its answer, and which was requested", async () => {
    const attempts = [attemptOf(1, { reason: "TIMEOUT" }), attemptOf(2, { status: 200, isResend: true })]
    const at = "2026-01-31T12:34:57.000Z, https://receiver.example/"
    expect(await shown({ attempts })).toEqual([
      ...head,
      "delivery  DELIVERED",
      `attempt   1, ${at}: TIMEOUT, 12 ms`,
      `attempt   2, ${at}: 200, 12 ms, sent again by request`,
      ...body,
    ])
  })

  it("with --json is the answer", async () => {
    expect(JSON.parse(await printed(["show", "Webhook:1", "--json"], detail))).toEqual(detail)
  })
})

describe("events resend", () => {
  const answer = { eventId: "Webhook:1", url: "https://receiver.example/" }

  it("sends the event of the argument again", async () => {
    const ended = await commandAt(["events", "resend", "Webhook:1"], () => answer)
    expect(ended.sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /operator/events/Webhook%3A1/resend",
    ])
    expect([ended.code, ended.stdout]).toEqual([0, "sending Webhook:1 to https://receiver.example/ again"])
    expect(JSON.parse(await printed(["resend", "Webhook:1", "--json"], answer))).toEqual(answer)
  })

  it("ends with the code of a refusal", async () => {
    expect((await commandAt(["events", "resend", "Webhook:1"], () => 409)).code).toBe(1)
  })
})
