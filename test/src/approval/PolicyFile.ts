/** The file of an approval policy in tests of the server, and the approvers who sign in with a token of their own. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { ApprovalPolicy } from "@countersign/core/models"
import { type Send, textAt } from "../e2e/Client.ts"
import { type Folder, newFolder } from "../e2e/Folder.ts"

export interface PolicyFile extends Folder {
  readonly options: ReadonlyArray<string>
}

/** Writes the policy into a temporary folder. */
export const policyFile = async (policy: ApprovalPolicy): Promise<PolicyFile> => {
  const folder = await newFolder()
  const file = join(folder.path, "approvals.json")
  await writeFile(file, JSON.stringify(policy))
  return { ...folder, options: ["--approval-policy", file] }
}

/** Creates an API token for approvers, which was given no credential of an agent. */
export const approversToken = async (platform: Send) => {
  const body = { name: "Approvers", permissions: ["VIEW", "TRANSACT"] }
  const created = await platform("POST", "/tokens", { body })
  return { clientId: textAt(created, "clientId"), clientSecret: textAt(created, "clientSecret") }
}
