/** Which differences between a recorded response and a replayed one count. Source: D-233, D-449. */
import { describe, expect, it } from "vitest"
import { differences, pairs } from "../../../packages/client/src/tape/Differences.ts"
import { type Json, maskedText } from "../../../packages/client/src/tape/Tape.ts"

type Side = Json | undefined
const between = (recorded: Side, played: Side) => differences(recorded, played, pairs())

describe("two values", () => {
  it.each<readonly [recorded: Side, played: Side]>([
    ["same", "same"],
    [5, 5],
    [null, null],
    [undefined, undefined],
    [true, true],
    [[], []],
    [{ a: [1, { b: "x" }] }, { a: [1, { b: "x" }] }],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [maskedText, "anything"],
    [maskedText, undefined],
    [maskedText, { a: 1 }],
    ["2026-01-31T12:00:00Z", "1999-12-31T23:59:59.999+01:00"],
    ["FUND-ABCDEFGH", "FUND-HGFEDCBA"],
    ["AB-12345678", "ABCDEFGH-ABCDEFGH"],
    ["1234", "5678"],
    ["agent1", "agent22"],
    ["Agent:00000000-0000-4000-8000-000000000001", "Agent:00000000-0000-4000-8000-000000000002"],
    ["abcde1", "abcdef"],
    ["abcdef", "abcde1"],
    ["Paid agent1, by FUND-ABCDEFGH.", "Paid agent2, by FUND-HGFEDCBA."],
    ["Card 1234 of agent1", "Card 5678 of agent1"],
  ])("are alike: %j and %j", (recorded, played) => {
    expect(between(recorded, played)).toEqual([])
  })

  it.each<readonly [recorded: Side, played: Side]>([
    ["same", "other"],
    ["anything", maskedText],
    [5, 6],
    [5, "5"],
    [0, -0],
    [null, undefined],
    [null, {}],
    [[], {}],
    [{}, "x"],
    [1234, 5678],
    ["2026-01-31T12:00:00Z", "soon"],
    ["2026-01-31", "2026-02-01T00:00:00 later"],
    ["abcdef", "ghijkl"],
    ["a2345", "b2345"],
    ["12345", "54321"],
    ["123", "456"],
    ["1234", "12345"],
    ["agent1 a", "agent2 b"],
    ["abcde1", "abcdefg"],
    ["A-ABCDEFGH", "A-HGFEDCBA"],
    ["FUND-ABCDEFG", "FUND-GFEDCBA"],
    ["ABCDEFGHI-ABCDEFGH", "ABCDEFGHI-HGFEDCBA"],
    ["Paid agent1 now", "Paid agent2 later"],
    ["Paid agent1", "Paid agent2 now"],
    ["agent1 paid", "agent2"],
  ])("differ: %j and %j", (recorded, played) => {
    expect(between(recorded, played)).toEqual([{ at: "", recorded, played }])
  })
})

describe("generated texts", () => {
  it("correspond one to one, in both directions", () => {
    expect(between(["agent1", "agent1"], ["other9", "other9"])).toEqual([])
    expect(between(["agent1", "agent1"], ["other9", "other8"])).toEqual([
      { at: "1", recorded: "agent1", played: "other8" },
    ])
    expect(between(["agent1", "agent2"], ["other9", "other9"])).toEqual([
      { at: "1", recorded: "agent2", played: "other9" },
    ])
  })

  it("may not change places after they were equal", () => {
    const isPair = pairs()
    expect(isPair("agent1", "agent1")).toBe(true)
    expect(isPair("agent1", "agent2")).toBe(false)
    expect(isPair("agent2", "agent1")).toBe(false)
    expect(isPair("agent2", "agent2")).toBe(true)
    expect(isPair("agent1", "agent1")).toBe(true)
  })

  it("are not times, of which one may become several", () => {
    const [first, second] = ["2026-01-31T12:00:00Z", "2026-01-31T12:00:01Z"]
    expect(between([first, first], [first, second])).toEqual([])
    expect(between([first, second], [first, first])).toEqual([])
    expect(between(["2026-01-31", "2026-01-31"], ["2026-02-01", "2026-02-02"])).toHaveLength(1)
  })

  it("correspond in sentences as in members", () => {
    expect(between(["agent1", "Paid agent1"], ["other9", "Paid other9"])).toEqual([])
    expect(between(["agent1", "Paid agent1"], ["other9", "Paid other8"])).toEqual([
      { at: "1", recorded: "Paid agent1", played: "Paid other8" },
    ])
  })
})

describe("the differences of two responses", () => {
  it("are named by their paths, the recorded members first", () => {
    const recorded = { a: 1, b: { c: [1, 2, { d: "x" }] }, gone: true }
    const played = { added: null, b: { c: [1, 3, { d: "y" }, 4] }, a: 1 }
    expect(between(recorded, played)).toEqual([
      { at: "b.c.1", recorded: 2, played: 3 },
      { at: "b.c.2.d", recorded: "x", played: "y" },
      { at: "b.c.3", recorded: undefined, played: 4 },
      { at: "gone", recorded: true, played: undefined },
      { at: "added", recorded: undefined, played: null },
    ])
  })

  it("begin at the place that is given", () => {
    expect(differences({ a: 1 }, { a: 2 }, pairs(), "body")).toEqual([{ at: "body.a", recorded: 1, played: 2 }])
  })

  it("do not count an inherited member as one", () => {
    expect(between({}, { toString: 1 })).toEqual([{ at: "toString", recorded: undefined, played: 1 }])
  })
})
