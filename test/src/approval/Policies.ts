/** Approval policies and their approvers in tests. */
import { type Caller, tenant } from "@countersign/core"
import type { ApprovalPolicy } from "@countersign/core/models"
import { ApprovalPolicies } from "@countersign/core/ports"
import { Layer } from "effect"
import type { AgentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"

export type Row = ApprovalPolicy["rows"][number]

const groups = {
  finance: ["Ada Lovelace", "Grace Hopper", "Alan Turing"],
  board: ["Emmy Noether"],
} as const

/** A row that needs two of three. */
export const twoOfFinance: Row = { name: "two of finance", approvers: "finance", needed: 2 }

export const policyOf = (...rows: ReadonlyArray<Row>): ApprovalPolicy => ({ groups, rows })

/** The setting of a deployment with these rows. */
export const withRows = (...rows: ReadonlyArray<Row>): Layer.Layer<never> =>
  Layer.succeed(ApprovalPolicies, { policy: policyOf(...rows) })

const consoleToken = "ApiToken:console"

const key = (name: string) => name.toLowerCase().replaceAll(/\W+/gu, "-")

/** A person who is signed in on the console. The same person has the same id in every spelling. */
export const personOf = (
  { platformId }: Pick<AgentWorld, "platformId">,
  name: string,
  tokenId = consoleToken,
): Caller => ({
  ...tenant(platformId),
  tokenId,
  permissions: ["VIEW", "TRANSACT"],
  approver: { id: `Approver:${key(name)}`, name, proof: "PASSKEY" },
})
