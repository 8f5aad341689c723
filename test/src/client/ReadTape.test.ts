/** Which texts are tapes: a tape is sent with a platform's credentials, so that it is checked in full. Source: D-474. */
import { InvalidTape, readTape } from "@countersign/client/tape"
import { harness } from "@countersign/test"
import { describe, expect, it } from "vitest"

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

it("reads the tape of a harness, and that of a state which it saved", async () => {
  await using pay = await harness()
  await pay.send("GET", "/config")
  await pay.clock.advance("1 hour")
  await pay.send("POST", "/documents", { form: { file: new Blob(["a"]) } })
  const text = JSON.stringify(pay.tape())
  expect(readTape(text)).toEqual(JSON.parse(text))
  expect(readTape(JSON.stringify({ tape: pay.tape(), records: [] }))).toEqual(JSON.parse(text))
})

const sender = "`as` must be platform"
const refused: ReadonlyArray<readonly [what: string, text: string, message: string]> = [
  ["no JSON", "tape", "it is not JSON"],
  ["null", "null", "`format`"],
  ["another format", JSON.stringify({ format: "countersign tape 2", steps: [] }), "`format`"],
  ["no steps", JSON.stringify({ format: "countersign tape 1" }), "`steps`"],
  ["a step that is a text", textOf("x"), "step 0: must be an object"],
  ["an unknown step", textOf({ _tag: "Wait" }), "step 0: `_tag`"],
  ["a gap without a reason", textOf({ _tag: "Gap" }), "step 0: `reason`"],
  ["an advance into the past", textOf({ _tag: "Advance", millis: -1 }), "step 0: `millis`"],
  ["an advance without a number", textOf({ _tag: "Advance", millis: "1" }), "step 0: `millis`"],
  ["a method in lower case", textOf(call({ method: "post" })), "step 0: `method`"],
  ["a path to another host", textOf(call({ path: "@other.example/" })), "step 0: `path`"],
  ["an absolute address", textOf(call({ path: "https://other.example/" })), "step 0: `path`"],
  ["a path with another port", textOf(call({ path: ":8080/" })), "step 0: `path`"],
  ["`isOutside` as a text", textOf(call({ isOutside: "yes" })), "step 0: `isOutside`"],
  ["an unknown sender", textOf(call({ as: "everybody" })), sender],
  ["a sender without a secret", textOf(call({ as: { clientId: "a" } })), sender],
  ["a variable that no shell can set", textOf(call({ as: { variable: "A-B" } })), sender],
  ["headers as a list", textOf(call({ headers: [] })), "step 0: `headers`"],
  ["a header that is a number", textOf(call({ headers: { a: 1 } })), "step 0: `headers`"],
  ["a text that is a number", textOf(call({ text: 1 })), "step 0: `text`"],
  ["a form without names", textOf(call({ form: [{ value: "a" }] })), "step 0: `form`"],
  [
    "a file that is not base64",
    textOf(call({ form: [{ name: "a", fileName: "b", type: "", base64: "?" }] })),
    "step 0: `form`",
  ],
  ["a call without a status", textOf(call({ answer: {} })), "step 0: `answer.status`"],
  ["a status that does not exist", textOf(call({ answer: { status: 1000 } })), "step 0: `answer.status`"],
  ["a body of too many levels", textOf(call(), call({ body: nested(200) })), "step 1: must have at most"],
  [
    "a body of very many levels",
    textOf(call()).replace('"nobody"', `"nobody","body":${"[".repeat(50_000)}${"]".repeat(50_000)}`),
    "step 0: must have at most",
  ],
  [
    "a reference to itself",
    textOf(call({ body: { a: "{{0:id}}" } })),
    "step 0: {{0:id}} must refer to an earlier call",
  ],
  [
    "a reference to an advance",
    textOf({ _tag: "Advance", millis: 1 }, call({ path: "/{{0:id}}" })),
    "step 1: {{0:id}}",
  ],
  ["a code for no response", textOf(call({ as: { token: "{{otp:7:a}}" } })), "step 0: {{7:a}}"],
]

describe("a text with", () => {
  it.each(refused)("%s is not a tape", (_, text, message) => {
    const read = () => readTape(text)
    expect(read).toThrow(InvalidTape)
    expect(read).toThrow(message)
    let printed = ""
    try {
      read()
    } catch (error) {
      printed = error instanceof Error ? error.message : ""
    }
    expect(printed.length).toBeLessThan(250)
  })
})

it("allows texts with braces that are no references, and references to earlier calls", () => {
  const text = textOf(call(), call({ body: { note: "{{name}}", id: "{{0:id}}" }, path: "/agents/{{0:id}}" }))
  expect(readTape(text).steps).toHaveLength(2)
})
