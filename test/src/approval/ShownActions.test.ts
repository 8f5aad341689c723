/** What approvers are shown of a transfer: its money, its accounts in their versions, and the name of the beneficiary. Source: D-532. */
import type { ExternalAccount } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import type { ActionRecords } from "../../../packages/core/src/decision/approval/ActionLoaded.ts"
import { shownActionOf } from "../../../packages/core/src/decision/approval/ShownActionOf.ts"
import type { AgentAction } from "../../../packages/core/src/model/agent/AgentAction.ts"
import { requirementOf } from "../../../packages/core/src/model/approval/ApprovalRequirement.ts"
import type { Stored } from "../../../packages/core/src/store/ChangeSet.ts"
import { agentWith } from "../agent/SpendingFacts.ts"
import { customerOf, externalOf, internalOf } from "../quote/CreationFacts.ts"
import { heldTransfer } from "./HeldActions.ts"
import { twoOfFinance } from "./Policies.ts"

const record = { platformId: "Platform:1", customerId: "Customer:1", version: 1, createdAt: 0, updatedAt: 0 }
const requirement = requirementOf(twoOfFinance, { tokenIds: [] }, 0)
const order = { sourceAccountId: "InternalAccount:a", destinationAccountId: "ExternalAccount:b", amount: 70 }
const data = heldTransfer(order)
const action: Stored<"AgentAction"> = { ...record, kind: "AgentAction", id: "AgentAction:1", data }

const recordsOf = (destination: Stored<"ExternalAccount"> | undefined): ActionRecords => ({
  agent: { ...record, kind: "Agent", id: "Agent:1", data: agentWith() },
  customer: customerOf(),
  usage: { dailyCount: 0, dailySpend: 0, monthlySpend: 0 },
  dayEndsAt: 0,
  requested: {
    type: "TRANSFER_OUT",
    order,
    accounts: { source: { ...internalOf(), version: 4 }, destination, available: { balance: 0, sequence: 0 } },
  },
})

const shownOf = (destination: Stored<"ExternalAccount"> | undefined, more: Partial<AgentAction> = {}) =>
  shownActionOf({ ...action, data: { ...data, ...more } }, requirement, recordsOf(destination))

const named = (beneficiary: ExternalAccount["accountInfo"]["beneficiary"]) =>
  shownOf({ ...externalOf("Customer:1", { accountInfo: { accountType: "GBP_ACCOUNT", beneficiary } }), version: 6 })

describe("a transfer", () => {
  it("is shown with its money, its accounts, and what its row needs", () => {
    expect(named({ beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace" })).toEqual({
      actionId: "AgentAction:1",
      type: "TRANSFER_OUT",
      agent: { id: "Agent:1", name: "Payroll" },
      customerId: "Customer:1",
      sending: { amount: 70, currency: "USD" },
      source: { id: "InternalAccount:a", version: 4 },
      destination: { id: "ExternalAccount:b", version: 6, name: "Ada Lovelace" },
      row: "two of finance",
      needed: 2,
    })
  })

  it("is shown with its instructions", () => {
    const instructions = { remittanceInformation: "May" }
    expect(shownOf(externalOf(), { instructions })).toMatchObject({ instructions })
  })

  it("to an account without a record is shown with the id that it names", () => {
    expect(shownOf(undefined).destination).toEqual({ id: "ExternalAccount:b" })
  })
})

describe("the name of the beneficiary", () => {
  it.each<readonly [string, ExternalAccount["accountInfo"]["beneficiary"], string | undefined]>([
    ["a person's", { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace" }, "Ada Lovelace"],
    ["a business's", { beneficiaryType: "BUSINESS", businessInfo: { legalName: "Engines Ltd" } }, "Engines Ltd"],
    ["a business's in the older form", { beneficiaryType: "BUSINESS", legalName: "Looms Ltd" }, "Looms Ltd"],
    [
      "the newer one of both forms",
      { beneficiaryType: "BUSINESS", legalName: "Looms Ltd", businessInfo: { legalName: "Engines Ltd" } },
      "Engines Ltd",
    ],
    ["nothing for an empty name", { beneficiaryType: "INDIVIDUAL", fullName: "" }, undefined],
    ["nothing for what is no text", { beneficiaryType: "INDIVIDUAL", fullName: 7 }, undefined],
    ["nothing for what is no object", "Ada Lovelace", undefined],
    ["nothing for a list", ["Ada Lovelace"], undefined],
    ["nothing for null", null, undefined],
  ])("is %s", (_, beneficiary, name) => {
    const { destination } = named(beneficiary)
    expect(destination).toEqual({ id: "ExternalAccount:b", version: 6, ...(name === undefined ? {} : { name }) })
  })

  it("is nothing where the account has no beneficiary", () => {
    const { destination } = shownOf(externalOf("Customer:1", { accountInfo: { accountType: "BASE_WALLET" } }))
    expect(destination).toEqual({ id: "ExternalAccount:b", version: 1 })
  })
})
