/** What a replay prints of each step, for people and as JSON. Source: D-474. */
import type { PlayedStep, TapeCall } from "@countersign/client/tape"
import { describe, expect, it } from "vitest"
import type { Paint } from "../../../packages/cli/src/output/Paint.ts"
import { type CheckedStep, stepJson, stepText } from "../../../packages/cli/src/replay/StepLines.ts"

const coloured: Paint = (colour, text) => `<${colour}>${text}</>`

type PlayedCall = Extract<PlayedStep, { readonly _tag: "Call" }>

const call: TapeCall = {
  _tag: "Call",
  method: "POST",
  path: "/agents/{{0:id}}",
  as: "platform",
  headers: {},
  answer: { status: 201 },
}
const stepOf = (played: Partial<PlayedCall>, more: Partial<CheckedStep> = {}): CheckedStep => ({
  played: { _tag: "Call", step: 3, call, status: 201, body: undefined, differences: [], ...played },
  isAsRecorded: true,
  withBodies: false,
  ...more,
})
const refused = { status: 409, body: { code: "CONFLICT", message: "It exists.", details: {} } }
const status = { at: "status", recorded: 201, played: 409 }
const textOf = (step: CheckedStep) => stepText(coloured, step).split("\n")

describe("a step", () => {
  it("that no request can repeat is a gap", () => {
    const gap: CheckedStep = {
      ...stepOf({}),
      played: { _tag: "Gap", step: 12, reason: "a file\u0007" },
    }
    expect(textOf(gap)).toEqual(["12    <yellow>gap</>  cannot be repeated: a file\\u0007"])
    expect(stepJson(gap)).toEqual({ step: 12, kind: "GAP", reason: "a file\u0007" })
  })

  it.each([
    [0, "due work was run"],
    [1, "0.001 s forward"],
    [90_000, "90 s forward"],
  ])("of the clock by %d ms says: %s", (millis, text) => {
    const advance: CheckedStep = { ...stepOf({}), played: { _tag: "Advance", step: 0, millis } }
    expect(textOf(advance)).toEqual([`0     <dim>clock</>  ${text}`])
    expect(stepJson(advance)).toEqual({ step: 0, kind: "ADVANCE", millis })
  })

  it("that was answered as recorded has its status and address, and no body", () => {
    const step = stepOf({ body: { code: "A", message: "B" } })
    expect(textOf(step)).toEqual(["3     <green>201</>  POST /agents/{{0:id}}"])
    expect(stepJson(step)).toEqual({
      step: 3,
      kind: "CALL",
      method: "POST",
      path: "/agents/{{0:id}}",
      expected: 201,
      actual: 201,
      isAsRecorded: true,
    })
  })

  it("that was refused has both statuses and the reason", () => {
    const step = stepOf({ ...refused, differences: [status] }, { isAsRecorded: false })
    expect(textOf(step)).toEqual(["3     <red>409</>  POST /agents/{{0:id}}  the tape has 201  CONFLICT: It exists."])
    expect(stepJson(step)).toMatchObject({
      expected: 201,
      actual: 409,
      isAsRecorded: false,
      refusal: "CONFLICT: It exists.",
    })
    expect(stepJson(step)).not.toHaveProperty("differences")
  })

  it.each<readonly [reason: string | undefined, body: PlayedCall["body"]]>([
    ["CONFLICT", { code: "CONFLICT", message: 5 }],
    ["It exists.", { message: "It exists." }],
    [undefined, {}],
    [undefined, undefined],
    [undefined, "CONFLICT"],
    ["m".repeat(200), { message: "m".repeat(200) }],
    [`${"m".repeat(199)}…`, { message: "m".repeat(201) }],
  ])("that was refused gives the reason %j", (reason, body) => {
    const step = stepOf({ status: 500, body }, { isAsRecorded: false })
    const line = [
      "3     <red>500</>  POST /agents/{{0:id}}",
      "the tape has 201",
      ...(reason === undefined ? [] : [reason]),
    ]
    expect(textOf(step)).toEqual([line.join("  ")])
    expect(stepJson(step)).toMatchObject(reason === undefined ? {} : { refusal: reason })
    expect(Object.hasOwn(stepJson(step), "refusal")).toBe(reason !== undefined)
  })

  it("of another path shows its control characters as escapes", () => {
    expect(textOf(stepOf({ call: { ...call, path: "/a\u202eb" } }))[0]).toContain("POST /a\\u202eb")
  })
})

describe("the differences of a step", () => {
  const name = { at: "data.name", recorded: "Ada", played: "Eve" }

  it("are listed if bodies are compared, without the status", () => {
    const step = stepOf({ ...refused, differences: [status, name] }, { withBodies: true, isAsRecorded: false })
    expect(textOf(step).slice(1)).toEqual(['      data.name: "Eve", the tape has "Ada"'])
    expect(stepJson(step)).toMatchObject({ differences: [{ at: "data.name", expected: "Ada", actual: "Eve" }] })
    const without = stepOf({ differences: [name] })
    expect(textOf(without)).toHaveLength(1)
    expect(stepJson(stepOf({}, { withBodies: true }))).toMatchObject({ differences: [] })
  })

  it("name a member that is absent on one side", () => {
    const differences = [
      { at: "a", recorded: undefined, played: { b: [1] } },
      { at: "c", recorded: null, played: undefined },
    ]
    const step = stepOf({ differences }, { withBodies: true })
    expect(textOf(step).slice(1)).toEqual([
      '      a: {"b":[1]}, the tape has nothing',
      "      c: nothing, the tape has null",
    ])
    expect(stepJson(step)).toMatchObject({
      differences: [
        { at: "a", expected: null, actual: { b: [1] } },
        { at: "c", expected: null, actual: null },
      ],
    })
  })

  it.each([
    "clientSecret",
    "data.accessToken",
    "token",
    "tokens",
    "password",
    "otpBundle",
    "signatureOfBody",
    "otp",
    "OTP1",
  ])("never show the value of %s", (at) => {
    const step = stepOf({ differences: [{ at, recorded: "old", played: "new" }] }, { withBodies: true })
    expect(textOf(step)[1]).toBe(`      ${at}: (not shown), the tape has (not shown)`)
    expect(stepJson(step)).toMatchObject({ differences: [{ at }] })
    expect(JSON.stringify(stepJson(step))).not.toMatch(/old|new/u)
  })

  it.each(["token.name", "secrets.0", "id"])("show the value of %s", (at) => {
    const step = stepOf({ differences: [{ at, recorded: "old", played: "new" }] }, { withBodies: true })
    expect(textOf(step)[1]).toBe(`      ${at}: "new", the tape has "old"`)
    expect(stepJson(step)).toMatchObject({ differences: [{ at, expected: "old", actual: "new" }] })
  })

  it("are at most twenty in lines, and all in JSON", () => {
    const many = (count: number) =>
      stepOf(
        { differences: Array.from({ length: count }, (_, at) => ({ ...name, at: `a${at}` })) },
        { withBodies: true },
      )
    expect(textOf(many(20))).toHaveLength(21)
    expect(textOf(many(21))).toHaveLength(22)
    expect(textOf(many(21)).at(-1)).toBe("      and 1 more")
    expect(stepJson(many(23))).toMatchObject({ differences: { length: 23 } })
  })

  it("are cut at 200 characters, and escaped", () => {
    const differences = [
      { at: "a", recorded: "x".repeat(198), played: "x".repeat(199) },
      { at: "b\u001b", recorded: 1, played: "\u2028" },
    ]
    expect(textOf(stepOf({ differences }, { withBodies: true })).slice(1)).toEqual([
      `      a: "${"x".repeat(198)}…, the tape has "${"x".repeat(198)}"`,
      '      b\\u001b: "\\u2028", the tape has 1',
    ])
  })
})
