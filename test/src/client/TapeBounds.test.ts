/** The bounds of what is a tape: what each rule just accepts, and what it just refuses. Source: D-474. */
import { describe, expect, it } from "vitest"
import { InvalidTape, readTape } from "../../../packages/client/src/tape/ReadTape.ts"

const call = (more: object = {}) => ({
  _tag: "Call",
  method: "POST",
  path: "/agents",
  as: "nobody",
  headers: {},
  answer: { status: 200 },
  ...more,
})
const textOf = (...steps: ReadonlyArray<unknown>) => JSON.stringify({ format: "countersign tape 1", steps })
const nested = (levels: number): unknown => (levels === 0 ? "x" : [nested(levels - 1)])
const part = (more: object) =>
  call({
    form: [
      { name: "a", value: "b" },
      { name: "file", ...more },
    ],
  })

const messageOf = (text: string): string | undefined => {
  try {
    readTape(text)
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidTape)
    return error instanceof InvalidTape ? error.message : ""
  }
}

describe("a tape", () => {
  it.each<readonly [what: string, ...steps: ReadonlyArray<unknown>]>([
    ["without steps"],
    ["with a gap whose reason is empty", { _tag: "Gap", reason: "" }],
    ["with an advance of 0", { _tag: "Advance", millis: 0 }],
    ["with a method of one letter", call({ method: "G" })],
    ["with a method of 20 letters", call({ method: "G".repeat(20) })],
    ["with a path outside", call({ path: "/", isOutside: true })],
    ["sent by the platform", call({ as: "platform" })],
    ["sent with a token", call({ as: { token: "" } })],
    ["sent with credentials", call({ as: { clientId: "", clientSecret: "" } })],
    ["sent with a variable of one letter", call({ as: { variable: "a" } })],
    ["sent with a variable of 64 letters", call({ as: { variable: `_${"a".repeat(63)}` } })],
    ["with a header", call({ headers: { a: "b" } })],
    ["with a text", call({ text: "" })],
    ["with a form without parts", call({ form: [] })],
    ["with a file", part({ fileName: "", type: "", base64: "YQ==" })],
    ["with an empty file", part({ fileName: "a", type: "b", base64: "" })],
    ["with the least status", call({ answer: { status: 100 } })],
    ["with the greatest status", call({ answer: { status: 599 } })],
    ["with a body of 99 levels", call({ body: nested(99) })],
    ["with a reference to the call before", call(), call({ path: "/{{0:id}}" })],
    ["with a variable as a text", call({ body: "{{env:TEXT_1}}" })],
    ["with a reference in an answer", call({ answer: { status: 200, body: "{{9:id}}" } })],
  ])("is read %s", (_what, ...steps) => {
    expect(readTape(textOf(...steps))).toEqual({ format: "countersign tape 1", steps })
  })

  const sender = "`as` must be platform, nobody, a token, client credentials or the name of a variable"
  const method = "`method` must be a method, such as POST"
  const status = "`answer.status` must be a status from 100 to 599"
  const form = "`form` must be a list of parts"
  const millis = "`millis` must be a number of milliseconds, 0 or more"
  it.each<readonly [message: string, step: unknown]>([
    ["must be an object", null],
    ["must be an object", []],
    ["`_tag` must be Call, Advance or Gap", {}],
    ["`reason` must be a text", { _tag: "Gap", reason: 5 }],
    [millis, { _tag: "Advance", millis: 0.5 }],
    [millis, { _tag: "Advance", millis: -1 }],
    [millis, { _tag: "Advance" }],
    [method, call({ method: "" })],
    [method, call({ method: "G".repeat(21) })],
    [method, call({ method: "GET /" })],
    [method, call({ method: undefined })],
    ["`path` must begin with /", call({ path: "" })],
    ["`path` must begin with /", call({ path: 5 })],
    ["`isOutside` must be true or false", call({ isOutside: null })],
    [sender, call({ as: undefined })],
    [sender, call({ as: { variable: "" } })],
    [sender, call({ as: { variable: "1A" } })],
    [sender, call({ as: { variable: `_${"a".repeat(64)}` } })],
    [sender, call({ as: { clientSecret: "a" } })],
    [sender, call({ as: ["platform"] })],
    ["`headers` must be an object of texts", call({ headers: undefined })],
    ["`headers` must be an object of texts", call({ headers: null })],
    ["`text` must be a text", call({ text: null })],
    [form, call({ form: {} })],
    [form, call({ form: ["a"] })],
    [form, part({})],
    [form, part({ fileName: "a", type: "b" })],
    [form, part({ fileName: "a", base64: "YQ==" })],
    [form, part({ type: "a", base64: "YQ==" })],
    [form, part({ fileName: "a", type: "b", base64: "a" })],
    [status, call({ answer: undefined })],
    [status, call({ answer: { status: 99 } })],
    [status, call({ answer: { status: 600 } })],
    [status, call({ answer: { status: 200.5 } })],
    [status, call({ answer: { status: "200" } })],
    ["must have at most 100 levels", call({ body: nested(100) })],
    ["{{1:id}} must refer to an earlier call", call({ path: "/{{1:id}}" })],
    ["{{2:id}} must refer to an earlier call", call({ headers: { a: "{{2:id}}" } })],
    [
      `{{7:${"a".repeat(79)}…} must refer to an earlier call`.replace("…}", "…}}"),
      call({ text: `{{7:${"a".repeat(81)}}}` }),
    ],
    [`{{7:${"a".repeat(80)}}} must refer to an earlier call`, call({ text: `{{7:${"a".repeat(80)}}}` })],
  ])("is refused with: %s", (message, step) => {
    expect(messageOf(textOf(call(), step))).toBe(`step 1: ${message}`)
  })

  it("names the first wrong place", () => {
    const wrong = call({ method: "post", path: "agents" })
    expect(messageOf(textOf(wrong, null))).toBe("step 0: `method` must be a method, such as POST")
  })

  it.each<readonly [message: RegExp, text: string]>([
    [/^it is not JSON: ./u, "{"],
    [/^it has no `format` of "countersign tape 1": a tape is what `tape\(\)` of the harness returns, as JSON$/u, "[]"],
    [/^it has no `format`/u, JSON.stringify({ tape: [] })],
    [/^`steps` must be a list$/u, JSON.stringify({ format: "countersign tape 1", steps: {} })],
    [/^step 0: must be an object$/u, JSON.stringify({ tape: { format: "countersign tape 1", steps: [5] } })],
  ])("is refused with %s", (message, text) => {
    expect(messageOf(text)).toMatch(message)
  })
})
