/** The texts that commands read and print: durations, unknown variables, tables and several problems at once. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { aheadText } from "../../../packages/cli/src/clock/Clock.ts"
import { isoDuration } from "../../../packages/cli/src/clock/DurationText.ts"
import { unknownVariables } from "../../../packages/cli/src/EnvironmentCheck.ts"
import { asJson } from "../../../packages/cli/src/output/Print.ts"
import { printable } from "../../../packages/cli/src/output/Printable.ts"
import { failWith } from "../../../packages/cli/src/Problems.ts"
import { handleLines } from "../../../packages/cli/src/StartScenario.ts"
import * as TextTable from "../../../packages/cli/src/TextTable.ts"

describe("a duration", () => {
  it.each<readonly [text: string, duration: string | undefined]>([
    ["90s", "PT90S"],
    ["1.5s", "PT1.5S"],
    ["0.123s", "PT0.123S"],
    ["0.1234s", undefined],
    ["5m", "PT5M"],
    ["1h30m", "PT1H30M"],
    ["2w3d4h5m6s", "P2W3DT4H5M6S"],
    ["40d", "P40D"],
    ["1D", "P1D"],
    ["999999999s", "PT999999999S"],
    ["1000000000s", undefined],
    ["1000000000w", undefined],
    ["pt5m", "PT5M"],
    ["P1D", "P1D"],
    ["P", undefined],
    ["m5", undefined],
    ["5m1h", undefined],
    ["5", undefined],
    ["", undefined],
    ["-5m", undefined],
    ["5 m", undefined],
  ])("of %j is %s", (text, duration) => {
    expect(isoDuration(text)).toBe(duration)
  })

  it.each([
    [0, "real time"],
    [999, "0 days 0 h 0 min 0 s ahead of real time"],
    [1_000, "0 days 0 h 0 min 1 s ahead of real time"],
    [59_999, "0 days 0 h 0 min 59 s ahead of real time"],
    [60_000, "0 days 0 h 1 min 0 s ahead of real time"],
    [3_600_000, "0 days 1 h 0 min 0 s ahead of real time"],
    [86_399_999, "0 days 23 h 59 min 59 s ahead of real time"],
    [176_521_000, "2 days 1 h 2 min 1 s ahead of real time"],
  ])("of %d ms ahead is: %s", (millis, text) => {
    expect(aheadText(millis)).toBe(text)
  })
})

describe("a variable", () => {
  const known = ["COUNTERSIGN_HOST", "COUNTERSIGN_PORT", "COUNTERSIGN_PORTS"]
  it.each<readonly [name: string, nearest: string | undefined]>([
    ["COUNTERSIGN_PORT", undefined],
    ["COUNTERSIGN_PROT", "COUNTERSIGN_PORT"],
    ["COUNTERSIGN_PORTSS", "COUNTERSIGN_PORTS"],
    ["countersign_port", "COUNTERSIGN_PORT"],
    ["COUNTERSIGN_HOSTS", "COUNTERSIGN_HOST"],
    ["COUNTERSIGN_", "COUNTERSIGN_HOST"],
    ["COUNTERSIGN", undefined],
    ["MY_COUNTERSIGN_PORTX", undefined],
    ["COUNTERSIGN_TEST_CLUSTER", undefined],
    ["COUNTERSIGN_FUZZ", undefined],
    ["COUNTERSIGN_FUZZY", "COUNTERSIGN_HOST"],
  ])("%s is near %s", (name, nearest) => {
    expect(unknownVariables([name], known)).toEqual(
      nearest === undefined
        ? []
        : [
            {
              reason: "usage",
              message: `${name} is not a variable of this command; the nearest is ${nearest}`,
              concerns: [],
            },
          ],
    )
  })
})

describe("a table", () => {
  it("aligns texts to the left and numbers to the right, without spaces at the end", () => {
    const rows = [
      ["a", "", "1"],
      ["bbb", "cc", "100"],
    ]
    expect(TextTable.make(["x", "y", "number"], rows, 2).split("\n")).toEqual([
      "x    y   number",
      "a             1",
      "bbb  cc     100",
    ])
    expect(TextTable.make(["x", "y"], [["aaa"]], 2)).toBe("x    y\naaa")
  })

  it("is as wide as what it shows of control characters", () => {
    expect(TextTable.make(["x", "y"], [["\u0007", "b"]], 2)).toBe("x       y\n\\u0007  b")
  })
})

it.each([
  ["plain é 🙂", "plain é 🙂"],
  ["\u001b[1m", "\\u001b[1m"],
  ["a\nb\tc", "a\\u000ab\\u0009c"],
  ["\u007f\u0085\u009f\u00a0", "\\u007f\\u0085\\u009f\u00a0"],
  ["\u2027\u2028\u2029\u202a\u202e\u202f", "\u2027\\u2028\\u2029\\u202a\\u202e\u202f"],
  ["\u200d\u200e\u200f\u061c\u2065\u2066\u2069", "\u200d\\u200e\\u200f\\u061c\u2065\\u2066\\u2069"],
])("shows %j without what moves a cursor or turns letters", (text, shown) => {
  expect(printable(text)).toBe(shown)
})

it("prints big integers as texts", () => {
  expect(asJson({ a: 5n, b: [1, { c: -7n }] })).toBe(JSON.stringify({ a: "5", b: [1, { c: "-7" }] }, null, 2))
})

it("lists identifiers by their paths", () => {
  expect(handleLines({ a: { b: "x" }, "a-name-that-is-longer-than-all": null })).toEqual([
    `a.b${" ".repeat(21)}  x`,
    "a-name-that-is-longer-than-all  null",
  ])
})

describe("several problems", () => {
  const unsafe = { reason: "unsafe", message: "a", concerns: [] } as const
  const usage = { reason: "usage", message: "b", concerns: [] } as const
  it("fail with all messages once, and with the reason of the first wrong use", async () => {
    const failed = await Effect.runPromise(Effect.flip(failWith([unsafe, usage, unsafe])))
    expect(failed).toMatchObject({ reason: "usage", message: "a\n  b" })
    expect(await Effect.runPromise(Effect.flip(failWith([unsafe])))).toMatchObject({ reason: "unsafe", message: "a" })
  })

  it("do not fail if there are none", async () => {
    expect(await Effect.runPromise(failWith([]))).toBeUndefined()
  })
})
