/** The lines of an exported program: one for each form of a step. Source: D-449. */
import { describe, expect, it } from "vitest"
import type { Tape, TapeCall, TapeStep } from "../../../packages/client/src/tape/Tape.ts"
import { asScript, asTest } from "../../../packages/client/src/tape/TapeText.ts"

const call = (more: Partial<TapeCall> = {}): TapeCall => ({
  _tag: "Call",
  method: "GET",
  path: "/config",
  as: "platform",
  headers: {},
  answer: { status: 200 },
  ...more,
})
const tapeOf = (...steps: ReadonlyArray<TapeStep>): Tape => ({ format: "countersign tape 1", steps })

/** The line that sends a call as the only step of a tape. */
const sent = (more: Partial<TapeCall>) =>
  /^const a0 = await send\((.*)\)$/mu.exec(asScript(tapeOf(call(more))))?.[1] ?? "nothing"

/** A placeholder of a template. */
const placeholder = (code: string) => `\${${code}}`

describe("a call", () => {
  it.each<readonly [line: string, more: Partial<TapeCall>]>([
    ['"GET", "/config"', {}],
    ['"POST", "/agents"', { method: "POST", path: "/agents" }],
    ['"GET", ORIGIN + "/healthz"', { path: "/healthz", isOutside: true }],
    ['"GET", "/healthz"', { path: "/healthz", isOutside: false }],
    [`"GET", \`/agents/${placeholder("encodeURIComponent(a0.body.id)")}\``, { path: "/agents/{{0:id}}" }],
    ['"GET", encodeURIComponent(a0.body.id)', { path: "{{0:id}}" }],
    ['"GET", "/a/{{0:id}}"', { path: "/a/{{braces}}0:id}}" }],
    ['"GET", "/config", { as: "nobody" }', { as: "nobody" }],
    ['"GET", "/config", { as: { token: a2.body.accessToken } }', { as: { token: "{{2:accessToken}}" } }],
    ['"GET", "/config", { as: { token: "wrong" } }', { as: { token: "wrong" } }],
    [
      '"GET", "/config", { as: "nobody", headers: { "authorization": variable("AUTHORIZATION_1") } }',
      { as: { variable: "AUTHORIZATION_1" } },
    ],
    [
      '"GET", "/config", { as: "nobody", headers: { "authorization": basic("cid", a1.body.clientSecret) } }',
      { as: { clientId: "cid", clientSecret: "{{1:clientSecret}}" } },
    ],
    ['"GET", "/config", { headers: { "if-match": a1.body.etag } }', { headers: { "if-match": "{{1:etag}}" } }],
    [
      '"GET", "/config", { as: "nobody", headers: { "authorization": variable("A"), "x": "y" } }',
      { as: { variable: "A" }, headers: { x: "y" } },
    ],
    ['"GET", "/config", { body: "plain" }', { text: "plain" }],
    [`"GET", "/config", { body: \`a${placeholder("a0.body.id")}b\` }`, { text: "a{{0:id}}b" }],
    ['"GET", "/config", { body: variable("TEXT_1") }', { text: "{{env:TEXT_1}}" }],
    ['"GET", "/config", { body: null }', { body: null }],
    ['"GET", "/config", { body: [1, true, "x", null] }', { body: [1, true, "x", null] }],
    [
      '"GET", "/config", { body: { "a b": { "c": a0.body.id }, "d": [] } }',
      { body: { "a b": { c: "{{0:id}}" }, d: [] } },
    ],
    ['"GET", "/config", { body: {  } }', { body: {} }],
    ['"GET", "/config", { body: await otp(a3.body.bundle) }', { body: "{{otp:3:bundle}}" }],
    [
      '"GET", "/config", { form: [["holder", a0.body.id], ["file", new File([Buffer.from("YQ==", "base64")], "a\\"b.png", { type: "image/png" })]] }',
      {
        form: [
          { name: "holder", value: "{{0:id}}" },
          { name: "file", fileName: 'a"b.png', type: "image/png", base64: "YQ==" },
        ],
      },
    ],
  ])("is sent by: %s", (line, more) => {
    expect(sent(more)).toBe(line)
  })

  it.each<readonly [expression: string, reference: string]>([
    ["a0.body.a.b", "{{0:a.b}}"],
    ["a0.body[0].id", "{{0:0.id}}"],
    ["a0.body.data[12].$id_1", "{{0:data.12.$id_1}}"],
    ['a0.body["a-b"]', "{{0:a-b}}"],
    ['a0.body["1a"]', "{{0:1a}}"],
    ["a11.body.id", "{{11:id}}"],
  ])("reads %s for %s", (expression, reference) => {
    expect(sent({ text: reference })).toBe(`"GET", "/config", { body: ${expression} }`)
  })

  it("escapes what a template would read in the text between references", () => {
    expect(sent({ text: "`\\ $" + "{x} {{0:id}}" })).toBe(
      '"GET", "/config", { body: `\\`\\\\ \\$' + "{x} $" + "{a0.body.id}` }",
    )
    expect(sent({ text: '"`$' + "{x}" })).toBe('"GET", "/config", { body: "\\"`$' + '{x}" }')
  })
})

describe("a script", () => {
  const gap: TapeStep = { _tag: "Gap", reason: 'a "file"' }
  const advance = (millis: number): TapeStep => ({ _tag: "Advance", millis })
  const lines = (text: string) => text.split("\n")

  it("has the steps in their order, and expects the status of each call", () => {
    const text = asScript(tapeOf(call(), advance(0), gap, call({ answer: { status: 404 } })))
    expect(lines(text).slice(-7)).toEqual([
      'const a0 = await send("GET", "/config")',
      "expect(0, a0, 200)",
      "await advance(0)",
      'console.error("step 2 cannot be repeated: a \\"file\\"")',
      'const a3 = await send("GET", "/config")',
      "expect(3, a3, 404)",
      "",
    ])
  })

  it.each<readonly [helper: RegExp, needed: Partial<TapeCall>]>([
    [/^const basic = /mu, { as: { clientId: "a", clientSecret: "b" } }],
    [/^const variable = /mu, { text: "{{env:A}}" }],
    [/^const otp = /mu, { text: "{{otp:0:a}}" }],
    [/^import \{ walletCrypto \} from "@countersign\/client"$/mu, { text: "{{otp:0:a}}" }],
  ])("has the helper %s only if it needs it", (helper, needed) => {
    expect(asScript(tapeOf(call(needed)))).toMatch(helper)
    expect(asScript(tapeOf(call({ text: "plain" })))).not.toMatch(helper)
  })

  it("begins with the credentials of its environment", () => {
    expect(lines(asScript(tapeOf(call())))[0]).toBe("const { BASE_URL, CLIENT_ID, CLIENT_SECRET } = process.env")
  })

  it("for `node:test` is a test of its own harness", () => {
    const steps = [call({ isOutside: true }), advance(0), advance(1), gap]
    expect(asTest(tapeOf(...steps), 'a "name"')).toBe(`import assert from "node:assert/strict"
import { test } from "node:test"
import { harness } from "@countersign/test"

test("a \\"name\\"", async () => {
  await using pay = await harness()
  const a0 = await pay.send("GET", new URL(pay.baseUrl).origin + "/config")
  assert.equal(a0.status, 200)
  await pay.settle()
  await pay.clock.advance(1)
  console.error("step 3 cannot be repeated: a \\"file\\"")
})
`)
    expect(asTest(tapeOf())).toMatch(/^test\("the tape", /mu)
    expect(asTest(tapeOf(call({ text: "{{otp:0:a}}" })))).toMatch(/^import \{ walletCrypto \}.*\nimport assert /u)
  })
})
