/** The lines of exported curl commands: one for each form of a step. Source: D-449. */
import { describe, expect, it } from "vitest"
import type { Tape, TapeCall, TapeStep } from "../../../packages/client/src/tape/Tape.ts"
import { asCurl } from "../../../packages/client/src/tape/TapeCurl.ts"

const call = (more: Partial<TapeCall> = {}): TapeCall => ({
  _tag: "Call",
  method: "GET",
  path: "/config",
  as: "nobody",
  headers: {},
  answer: { status: 200 },
  ...more,
})
const linesOf = (...steps: ReadonlyArray<TapeStep>) => {
  const tape: Tape = { format: "countersign tape 1", steps }
  return asCurl(tape).split("\n")
}
/** The words of the command that sends a call. */
const sent = (more: Partial<TapeCall>) => linesOf(call(more)).at(-3)

describe("a call", () => {
  const begin = `call 0 200 -X GET "$BASE_URL"'/config'`
  it.each<readonly [line: string, more: Partial<TapeCall>]>([
    [begin, {}],
    [`call 0 404 -X POST "$BASE_URL"'/config'`, { method: "POST", answer: { status: 404 } }],
    [`call 0 200 -X GET "$ORIGIN"'/healthz'`, { path: "/healthz", isOutside: true }],
    [`call 0 200 -X GET "$BASE_URL"'/healthz'`, { path: "/healthz", isOutside: false }],
    [`call 0 200 -X GET "$BASE_URL"'/a/'"$(answer 3 'agent.id' url)"'/b'`, { path: "/a/{{3:agent.id}}/b" }],
    [`call 0 200 -X GET "$BASE_URL"'/it'\\''s a dog'\\''s'`, { path: "/it's a dog's" }],
    [`${begin} -u "$CLIENT_ID:$CLIENT_SECRET"`, { as: "platform" }],
    [`${begin} -H 'Authorization: Bearer ''wrong'`, { as: { token: "wrong" } }],
    [`${begin} -H 'Authorization: Bearer '"$(answer 1 'token' plain)"`, { as: { token: "{{1:token}}" } }],
    [`${begin} -u 'cid':"$(answer 1 'secret' plain)"`, { as: { clientId: "cid", clientSecret: "{{1:secret}}" } }],
    [`${begin} -u '':''`, { as: { clientId: "", clientSecret: "" } }],
    [`${begin} -H 'if-match: '"$(answer 1 'etag' plain)"`, { headers: { "if-match": "{{1:etag}}" } }],
    [`${begin} -H 'content-type: application/json' --data-raw '{"a":"b"}'`, { body: { a: "b" } }],
    [`${begin} -H 'content-type: application/json' --data-raw 'null'`, { body: null }],
    [
      `${begin} -H 'content-type: application/json' --data-raw '{"a":"'"$(answer 1 'id' json)"'"}'`,
      { body: { a: "{{1:id}}" } },
    ],
    [
      `${begin} -H 'content-type: application/json' --data-raw '{"a":"'"$(otp 1 'bundle' json)"'"}'`,
      { body: { a: "{{otp:1:bundle}}" } },
    ],
    [`${begin} --data-raw 'it'\\''s {{'`, { text: "it's {{braces}}" }],
    [`${begin} --data-raw "$(given TEXT_1 plain)"`, { text: "{{env:TEXT_1}}" }],
    [`${begin} --data-raw ''`, { text: "" }],
    [
      `${begin} --form-string 'a=''b' -F 'f=@'"$(file 0-1 'YQ==')"';filename="x\\"y\\\\.txt";type=text/plain'`,
      {
        form: [
          { name: "a", value: "b" },
          { name: "f", fileName: 'x"y\\.txt', type: "text/plain", base64: "YQ==" },
        ],
      },
    ],
    [
      `${begin} -F 'f=@'"$(file 0-0 '')"';filename="x";type=application/octet-stream'`,
      { form: [{ name: "f", fileName: "x", type: "", base64: "" }] },
    ],
  ])("is sent by: %s", (line, more) => {
    expect(sent(more)).toBe(line)
  })

  it("with credentials that the tape does not contain asks for them before anything is sent", () => {
    const lines = linesOf(call({ as: { variable: "AUTHORIZATION_1" }, text: "{{env:TEXT_1}}" }))
    const needed = ["AUTHORIZATION_1", "TEXT_1"].map((name) => `export ${name}="$\{${name}:?is not in the tape}"`)
    expect(lines.slice(0, 2)).toEqual(needed)
    expect(lines.at(-3)).toContain(
      `-H "Authorization: \${AUTHORIZATION_1:?is an Authorization header that the tape does not contain}"`,
    )
    expect(linesOf(call())[0]).toBe("ANSWERS=$(mktemp -d)")
  })
})

describe("the commands of a tape", () => {
  it("have the steps in their order, and end with the code of a difference", () => {
    const steps: ReadonlyArray<TapeStep> = [
      call(),
      { _tag: "Advance", millis: 0 },
      { _tag: "Advance", millis: 90_000 },
      { _tag: "Gap", reason: "it's a file" },
      call(),
    ]
    expect(linesOf(...steps).slice(-7)).toEqual([
      `call 0 200 -X GET "$BASE_URL"'/config'`,
      "advance PT0.001S",
      "advance PT90S",
      "echo 'step 3 cannot be repeated: it'\\''s a file' >&2",
      `call 4 200 -X GET "$BASE_URL"'/config'`,
      "exit $FAILED",
      "",
    ])
  })

  it("seal codes only if they need one", () => {
    expect(linesOf(call({ text: "{{otp:0:a}}" }))).toContain("otp() {")
    expect(linesOf(call({ text: "plain" }))).not.toContain("otp() {")
  })
})
