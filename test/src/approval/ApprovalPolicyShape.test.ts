/** What is wrong with an approval policy before the service starts with it. Source: D-532. */
import { problemsOfApprovalPolicy } from "@countersign/core/models"
import { Layer } from "effect"
import { describe, expect, it } from "vitest"
import { membersOf } from "../../../packages/core/src/model/approval/ApprovalPolicyShape.ts"
import { world } from "../../../packages/test/src/harness/World.ts"
import { policyOf, type Row, twoOfFinance, withRows } from "./Policies.ts"

const second: Row = { ...twoOfFinance, name: "second" }
const usd = (amount: number) => ({ currency: "USD", amount }) as const

describe("an approval policy", () => {
  it("without problems reports none", () => {
    const rows: ReadonlyArray<Row> = [
      { ...twoOfFinance, from: usd(100), expiresAfterSeconds: 20, escalates: { afterSeconds: 19, to: "board" } },
      { ...second, from: usd(99) },
      { ...second, name: "third", from: { currency: "EUR", amount: 200 } },
      { ...second, name: "fourth", destination: { is: "NEW", days: 30 } },
      { ...second, name: "fifth", destination: { is: "NEW", days: 31 } },
      { ...second, name: "sixth", destination: { is: "KNOWN", days: 31 } },
      { ...second, name: "seventh", destination: { is: "KNOWN", days: 30 } },
      { ...second, name: "eighth", destination: { is: "ONE_OF", ids: ["a"] } },
      { ...second, name: "ninth", destination: { is: "ONE_OF", ids: ["a", "b"] } },
      { ...second, name: "last" },
    ]
    expect(problemsOfApprovalPolicy(policyOf(...rows))).toEqual([])
  })

  const cases: ReadonlyArray<readonly [string, ReadonlyArray<Row>, string]> = [
    ["two rows of one name", [{ ...twoOfFinance, from: usd(5) }, twoOfFinance], "another row has the same name"],
    ["an unknown group", [{ ...twoOfFinance, approvers: "toString" }], "there is no group toString"],
    [
      "an unknown group to escalate to",
      [{ ...twoOfFinance, escalates: { afterSeconds: 1, to: "x" } }],
      "there is no group x",
    ],
    ["too few approvers", [{ ...twoOfFinance, needed: 4 }], "finance has 3 approvers, and 4 must approve"],
    ["a row behind one of every action", [twoOfFinance, { ...second, from: usd(5) }], "covers all that it covers"],
    [
      "a row behind one of smaller amounts",
      [
        { ...twoOfFinance, from: usd(5) },
        { ...second, from: usd(5) },
      ],
      "covers all",
    ],
    [
      "a row behind one of zero of another currency",
      [{ ...twoOfFinance, from: { currency: "EUR", amount: 0 } }, second],
      "covers all",
    ],
    [
      "a row behind one of more new destinations",
      [
        { ...twoOfFinance, destination: { is: "NEW", days: 30 } },
        { ...second, destination: { is: "NEW", days: 30 } },
      ],
      "covers all",
    ],
    [
      "a row behind one of more known destinations",
      [
        { ...twoOfFinance, destination: { is: "KNOWN", days: 30 } },
        { ...second, destination: { is: "KNOWN", days: 30 } },
      ],
      "covers all",
    ],
    [
      "a row behind one of the same accounts",
      [
        { ...twoOfFinance, destination: { is: "ONE_OF", ids: ["a", "b"] } },
        { ...second, destination: { is: "ONE_OF", ids: ["b"] } },
      ],
      "covers all",
    ],
    [
      "a row behind one of the same address in another letter case",
      [
        { ...twoOfFinance, destination: { is: "ONE_OF", ids: ["$Ada@pay.example"] } },
        { ...second, destination: { is: "ONE_OF", ids: ["$ada@PAY.example"] } },
      ],
      "covers all",
    ],
    [
      "an escalation at its end",
      [{ ...twoOfFinance, expiresAfterSeconds: 20, escalates: { afterSeconds: 20, to: "board" } }],
      "it expires before it escalates",
    ],
  ]
  it.each(cases)("reports %s", (_name, rows, problem) => {
    const problems = problemsOfApprovalPolicy(policyOf(...rows))
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(problem)
  })

  it("reports names that nobody can have, and the same person in two spellings", () => {
    const groups = { finance: ["Ada Lovelace", "ADA  lovelace", "\u202eGrace"] }
    expect(problemsOfApprovalPolicy({ groups, rows: [{ ...twoOfFinance, needed: 1 }] })).toEqual([
      "group finance: ADA  lovelace is listed twice",
      'group finance: "\u202eGrace" is not a name of an approver',
    ])
    expect([...membersOf({ groups }, ["finance"]).keys()]).toEqual(["ada lovelace"])
  })

  it("with a problem starts no service", async () => {
    await using started = await world({ ports: Layer.empty })
    expect(started.platformId).not.toBe("")
    await expect(world({ ports: withRows({ ...twoOfFinance, needed: 4 }) })).rejects.toThrow("4 must approve")
  })
})
