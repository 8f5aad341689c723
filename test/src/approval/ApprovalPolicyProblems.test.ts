/** The problems of the file of `--approval-policy`: all of them at once, and those of passkeys only where they are off. Source: D-532. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Option } from "effect"
import { expect, it } from "vitest"
import { check } from "../../../packages/cli/src/ApprovalPolicyFile.ts"
import { newFolder } from "../e2e/Folder.ts"
import { policyOf, type Row, twoOfFinance } from "./Policies.ts"

const signed: Row = { ...twoOfFinance, name: "signed", stepUp: true, from: { currency: "USD", amount: 100 } }

const problemsOf = async (content: object, consolePasskeys: "off" | "required") => {
  await using folder = await newFolder()
  const path = join(folder.path, "approvals.json")
  await writeFile(path, JSON.stringify(content))
  const options = { approvalPolicy: Option.some(path), consolePasskeys, mode: "sandbox" } as const
  return (await Effect.runPromise(check(options))).problems.map(({ message }) => message)
}

const noPasskeys = expect.stringContaining("needs --console-passkeys required, because")
const noStepUp = expect.stringContaining("has rows with stepUp")

it("accepts rows with stepUp where passkeys are required", async () => {
  expect(await problemsOf(policyOf(signed, twoOfFinance), "required")).toEqual([])
})

it("reports one row with stepUp among others, and every problem of passkeys", async () => {
  expect(await problemsOf(policyOf(signed, twoOfFinance), "off")).toEqual([noPasskeys, noStepUp])
  expect(await problemsOf(policyOf(twoOfFinance), "off")).toEqual([noPasskeys])
  expect(await problemsOf({ ...policyOf(signed, twoOfFinance), acceptsStatedNames: true }, "off")).toEqual([noStepUp])
})

it("names every member of another form", async () => {
  const [message = "", ...others] = await problemsOf({ groups: 1, rows: 2 }, "required")
  expect(others).toEqual([])
  expect(message).toContain("groups")
  expect(message).toContain("rows")
})
