/** The target of an advance of the sandbox's clock, and its limits. D-100. */

import { Result } from "effect"
import { expect, it } from "vitest"
import * as AdvanceRules from "../../../packages/core/src/model/time/AdvanceRules.ts"

const now = Date.UTC(2026, 10, 21, 12)
const second = 1000
/** Ten years of 365 days, plus three leap days. */
const furthest = 3653 * 24 * 60 * 60 * second
const at = (millis: number) => new Date(millis).toISOString()
const target = (request: Parameters<typeof AdvanceRules.targetOf>[0], wallNow = now) =>
  AdvanceRules.targetOf(request, { now, wallNow })

it("advances by seconds, by a duration, or to a time", () => {
  expect(target({ seconds: 90 })).toEqual(Result.succeed(now + 90 * second))
  expect(target({ by: "PT5M" })).toEqual(Result.succeed(now + 300 * second))
  expect(target({ to: at(now + 1) })).toEqual(Result.succeed(now + 1))
})

it.each([
  ["to", { to: at(now) }],
  ["to", { to: at(now - 1) }],
  ["seconds", { seconds: 0 }],
  ["seconds", {}],
  ["by", { by: "PT0S" }],
] as const)("refuses a target that is not in the future: %s", (field, request) => {
  expect(target(request)).toEqual(
    Result.fail({ field, message: "must lead to a time later than the present one, 2026-11-21T12:00:00Z" }),
  )
})

it.each([
  ["to", { to: at(now + furthest + 1) }],
  ["seconds", { seconds: furthest / second + 1 }],
  ["by", { by: "P3654D" }],
] as const)("refuses a target more than ten years ahead of real time: %s", (field, request) => {
  const message = `must not lead further than ten years ahead of real time, 2036-11-21T12:00:00Z`
  expect(target(request)).toEqual(Result.fail({ field, message }))
})

it("limits the lead to exactly ten years of real time", () => {
  expect(target({ to: at(now + furthest) })).toEqual(Result.succeed(now + furthest))
  expect(Result.isFailure(target({ to: at(now + furthest) }, now - 1))).toBe(true)
})
