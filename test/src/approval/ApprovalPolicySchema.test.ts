/** The form of an approval policy: the smallest and largest of each field, and what is just outside. Source: D-532. */
import { ApprovalPolicy } from "@countersign/core/models"
import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { policyOf, twoOfFinance } from "./Policies.ts"

const isPolicy = Schema.is(ApprovalPolicy)
const decode = Schema.decodeUnknownResult(ApprovalPolicy)
const accepts = (row: object): boolean => isPolicy({ ...policyOf(), rows: [{ ...twoOfFinance, ...row }] })

const year = 366 * 24 * 60 * 60

describe("a row of an approval policy", () => {
  it.each<readonly [field: string, accepted: ReadonlyArray<unknown>, refused: ReadonlyArray<unknown>]>([
    ["name", ["a", "two of_finance-2", "x".repeat(80)], ["", "x".repeat(81), "a/b", "<b>", 1]],
    ["approvers", ["finance"], ["", "a.b"]],
    ["needed", [1, 20], [0, 21, 1.5, "2"]],
    ["stepUp", [true, false], ["true", 1]],
    ["from", [{ currency: "USD", amount: 0 }], [{ currency: "USD", amount: -1 }, { currency: "XXX", amount: 1 }, 5]],
    ["expiresAfterSeconds", [1], [0, -1, 0.5, 20 * year]],
    ["escalates", [{ afterSeconds: 1, to: "board" }], [{ afterSeconds: 0, to: "board" }, { afterSeconds: 1 }]],
    [
      "destination",
      [
        { is: "NEW", days: 1 },
        { is: "KNOWN", days: 1 },
        { is: "ONE_OF", ids: ["ExternalAccount:1"] },
      ],
      [
        { is: "ONE_OF", ids: [] },
        { is: "ONE_OF", ids: [1] },
        { is: "ONE_OF" },
        { is: "NEW" },
        { is: "OLD", days: 1 },
        {},
      ],
    ],
  ])("has a %s within its bounds", (field, accepted, refused) => {
    for (const value of accepted) expect(accepts({ [field]: value }), JSON.stringify(value)).toBe(true)
    for (const value of refused) expect(accepts({ [field]: value }), JSON.stringify(value)).toBe(false)
  })

  it("needs a name, its approvers and their number", () => {
    for (const field of ["name", "approvers", "needed"]) expect(accepts({ [field]: undefined }), field).toBe(false)
  })
})

it("a policy with a wrong name says what a name is, and names its path", () => {
  const problem = (policy: object) => String(Result.getOrThrow(Result.flip(decode(policy))))
  expect(problem({ ...policyOf(), rows: [{ ...twoOfFinance, name: "a/b" }] })).toContain(
    'Expected 1 to 80 letters, digits, spaces, _ and -\n  at ["rows"][0]["name"]',
  )
})

it.each([
  ["days", 3650, (days: number) => ({ destination: { is: "NEW", days } })],
  ["days", 3650, (days: number) => ({ destination: { is: "KNOWN", days } })],
  ["seconds until it expires", year, (expiresAfterSeconds: number) => ({ expiresAfterSeconds })],
  ["seconds until it escalates", year, (afterSeconds: number) => ({ escalates: { afterSeconds, to: "board" } })],
] as const)("a row counts from 1 to a largest number of %s", (_, largest, rowOf) => {
  const [none, least, most, more] = [0, 1, largest, largest + 1].map((count) => accepts(rowOf(count)))
  expect([none, least, most, more]).toEqual([false, true, true, false])
})

it("a policy has groups of names, and says with a boolean whether it accepts stated names", () => {
  expect(isPolicy({ groups: {}, rows: [] })).toBe(true)
  expect(isPolicy({ groups: { finance: ["Ada"] }, rows: [], acceptsStatedNames: true })).toBe(true)
  expect(isPolicy({ groups: { finance: "Ada" }, rows: [] })).toBe(false)
  expect(isPolicy({ groups: {}, rows: [], acceptsStatedNames: "yes" })).toBe(false)
  expect(isPolicy({ groups: {} })).toBe(false)
})
