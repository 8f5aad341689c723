/** What a decision reads in the rejections of its operation's earlier attempts. Source: architecture, "Load, ask, decide, commit". */
import { describe, expect, it } from "vitest"
import {
  answer,
  type CommitRejection,
  exceededExactRange,
  exceededVolume,
  hasReached,
  interim,
  refuse,
  takenClaim,
  takenClaims,
} from "../../../packages/core/src/decision/Decision.ts"

const taken = (key: string): CommitRejection => ({ _tag: "Taken", claim: { scope: "platform", key } })
const counter = (key: string): CommitRejection => ({ _tag: "Bound", bound: { _tag: "Counter", key } })
const range: CommitRejection = { _tag: "Bound", bound: { _tag: "Range", account: "available:1" } }
const floor: CommitRejection = { _tag: "Bound", bound: { _tag: "Floor", account: "available:1" } }

describe("the rejections of earlier attempts", () => {
  it("name the unique keys that other records have taken, the first one first", () => {
    const rejections = [floor, taken("a"), counter("c"), taken("b")]
    expect(takenClaims(rejections).map(({ key }) => key)).toEqual(["a", "b"])
    expect(takenClaim(rejections)?.key).toBe("a")
    expect(takenClaim([floor, range, counter("a")])).toBeUndefined()
  })

  it("name the counters whose maximum was reached", () => {
    expect(hasReached([taken("a"), floor, counter("b")], "b")).toBe(true)
    expect(hasReached([taken("b"), floor, range, counter("a")], "b")).toBe(false)
    expect(hasReached([], "b")).toBe(false)
  })

  it("say whether a sum would have left the exact range", () => {
    expect(exceededExactRange([taken("a"), range])).toBe(true)
    expect(exceededExactRange([taken("a"), floor, counter("a")])).toBe(false)
  })

  it("refuse a payment only where a counter of the day's volume was reached", () => {
    expect(exceededVolume({ now: 0, rejections: [floor, range, taken("a"), counter("a")] })).toBeUndefined()
  })
})

describe("a decision", () => {
  it("answers with its status and body, without changes by default", () => {
    expect(answer(201, "made")).toEqual({ _tag: "Answer", status: 201, body: "made", placeholders: [], changes: {} })
    expect(answer(200, null, { validUntil: 5 })).toMatchObject({ changes: { validUntil: 5 } })
  })

  it("that another one ends is marked, so that nothing is stored under the key of the request", () => {
    expect(interim("text")).toEqual({ _tag: "Answer", status: 202, body: "text", changes: {}, isInterim: true })
  })

  it("refuses, and may commit what the refusal leaves behind", () => {
    const refusal = { code: "CONFLICT", message: "No." } as const
    expect(refuse(refusal)).toEqual({ _tag: "Refuse", refusal, changes: {} })
    expect(refuse(refusal, { validUntil: 5 })).toMatchObject({ changes: { validUntil: 5 } })
  })
})
