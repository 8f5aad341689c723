/** The file of `--approval-policy`: what is accepted, and every problem of it. Source: D-532. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { ApprovalPolicies } from "@countersign/core/ports"
import { Effect, Option } from "effect"
import { describe, expect, it } from "vitest"
import { check } from "../../../packages/cli/src/ApprovalPolicyFile.ts"
import { newFolder } from "../e2e/Folder.ts"
import { policyOf, twoOfFinance } from "./Policies.ts"

type Options = Parameters<typeof check>[0]

const options = { consolePasskeys: "required", mode: "live" } as const

const checked = async (content: string, more: Partial<Options> = {}) => {
  await using folder = await newFolder()
  const path = join(folder.path, "approvals.json")
  await writeFile(path, content)
  return await Effect.runPromise(check({ ...options, approvalPolicy: Option.some(path), ...more }))
}

const messages = async (content: unknown, more?: Partial<Options>) =>
  (await checked(typeof content === "string" ? content : JSON.stringify(content), more)).problems.map(
    ({ message }) => message,
  )

describe("the file of an approval policy", () => {
  it("gives the service its policy", async () => {
    const { problems, settings } = await checked(JSON.stringify(policyOf(twoOfFinance)))
    expect(problems).toEqual([])
    const setting = Effect.gen(function* () {
      return yield* ApprovalPolicies
    })
    expect((await Effect.runPromise(Effect.provide(setting, settings))).policy).toEqual(policyOf(twoOfFinance))
  })

  it("may be absent", async () => {
    const { problems } = await Effect.runPromise(check({ ...options, approvalPolicy: Option.none() }))
    expect(problems).toEqual([])
  })

  it.each<readonly [string, unknown, string]>([
    ["that is no JSON", "{", "approvals.json"],
    ["of another form", { groups: {} }, "rows"],
    ["with an unknown member", { ...policyOf(), row: [] }, "row"],
    ["with an unknown member of a row", policyOf({ ...twoOfFinance, ...{ needs: 3 } }), "needs"],
    ["with a row that nobody can satisfy", policyOf({ ...twoOfFinance, needed: 4 }), "4 must approve"],
  ])("is refused if it is one %s", async (_name, content, message) => {
    const found = await messages(content)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(message)
  })

  it("is refused if it cannot be read", async () => {
    const { problems } = await Effect.runPromise(check({ ...options, approvalPolicy: Option.some("/does/not/exist") }))
    expect(problems).toMatchObject([{ reason: "usage", message: "--approval-policy /does/not/exist cannot be read" }])
  })

  it("needs passkeys, except for names that a sandbox accepts as stated", async () => {
    const stated = { ...policyOf(twoOfFinance), acceptsStatedNames: true }
    const off = { consolePasskeys: "off" } as const
    expect(await messages(policyOf(twoOfFinance), off)).toEqual([
      expect.stringContaining("--console-passkeys required"),
    ])
    expect(await messages(stated, off)).toHaveLength(1)
    expect(await messages(stated, { ...off, mode: "sandbox" })).toEqual([])
    const signed = { ...policyOf({ ...twoOfFinance, stepUp: true }), acceptsStatedNames: true }
    expect(await messages(signed, { ...off, mode: "sandbox" })).toEqual([expect.stringContaining("rows with stepUp")])
  })
})
