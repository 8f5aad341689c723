/** Where the money of an action goes, for the rows of the approval policy and for what approvers see. Source: D-532. */
import type { ExternalAccount, InternalAccount } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import { destinationFacts } from "../../../packages/core/src/decision/approval/ActionDestination.ts"
import type { Stored } from "../../../packages/core/src/store/ChangeSet.ts"
import { at, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"
import { agentQuotes, idOf, toPesos, withQuotingAgent } from "../agent/AgentQuoteSteps.ts"
import { account, external } from "../quote/QuoteFacts.ts"
import { type Row, twoOfFinance, withRows } from "./Policies.ts"
import { shown } from "./Votes.ts"

const owner = { platformId: "Platform:1", version: 1, createdAt: 5, updatedAt: 6 }
const inside = (customerId: string | null): Stored<"InternalAccount"> => ({
  ...owner,
  kind: "InternalAccount",
  id: "InternalAccount:1",
  customerId,
  data: account satisfies InternalAccount,
})
const outside = (customerId: string | null, more: Partial<ExternalAccount> = {}): Stored<"ExternalAccount"> => ({
  ...owner,
  kind: "ExternalAccount",
  id: "ExternalAccount:1",
  customerId,
  data: { ...external, ...more },
})

const none = { isOwn: false, isTrusted: false, createdAt: undefined }

describe("a destination", () => {
  it.each([
    ["the customer's internal account is its own", inside("Customer:1"), { ...none, isOwn: true, createdAt: 5 }],
    ["another customer's internal account is new", inside("Customer:2"), none],
    ["the platform's internal account is new", inside(null), none],
    ["the customer's external account is as old as its record", outside("Customer:1"), { ...none, createdAt: 5 }],
    [
      "the customer's trusted external account is trusted",
      outside("Customer:1", { isTrusted: true }),
      { ...none, isTrusted: true, createdAt: 5 },
    ],
    ["an account that another customer trusts is new", outside("Customer:2", { isTrusted: true }), none],
    ["an account without a record is new", undefined, none],
  ])("%s", (_, record, expected) => {
    expect(destinationFacts("x", record, "Customer:1")).toEqual({ id: "x", ...expected })
  })
})

const to = (...ids: ReadonlyArray<string>): Row => ({ ...twoOfFinance, destination: { is: "ONE_OF", ids } })

describe("a row for named destinations", () => {
  const umaAddress = "$success.usd@uma.sandbox.example"

  it("covers the execution of a quote to an UMA address in any letter case, and approvers see the address", async () => {
    const pay = await quoteHarness({ ports: withRows(to(umaAddress.toUpperCase())) })
    await using _ = pay
    await pay.fund("USD", 100_000)
    const paying = await withQuotingAgent(pay)
    const lookup = await pay.send("GET", `/receiver/uma/${encodeURIComponent(umaAddress)}`)
    const quote = await paying.ask({
      lookupId: at(lookup, "lookupId"),
      source: { sourceType: "ACCOUNT", accountId: await pay.accountId("USD") },
      destination: { destinationType: "UMA_ADDRESS", umaAddress },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 10_000,
    })
    const submitted = await paying.perform(idOf(quote))
    expect(submitted).toMatchObject({ body: { status: "PENDING_APPROVAL", details: { rule: "APPROVAL_POLICY" } } })
    const { destination } = (await shown(paying, idOf(submitted))).shown
    expect(destination).toMatchObject({ id: umaAddress })
    expect(destination).not.toHaveProperty("name")
  })

  it("covers the execution of a quote to an account, and approvers see its beneficiary", async () => {
    await using pay = await agentQuotes()
    const receiver = await pay.external("MXN")
    await using held = await agentQuotes({}, { ports: withRows(to(receiver)) })
    // Worlds of one seed have the same identifiers.
    expect(await held.external("MXN")).toBe(receiver)
    const submitted = await held.perform(idOf(await held.ask(await toPesos(held))))
    expect(submitted).toMatchObject({ body: { status: "PENDING_APPROVAL" } })
    expect((await shown(held, idOf(submitted))).shown.destination).toEqual({
      id: receiver,
      version: expect.any(Number),
      name: "Ada Lovelace",
    })
    const other = await held.ask(await toPesos(held, 10_000, {}, "111"))
    expect(await held.perform(idOf(other))).toMatchObject({ body: { status: "APPROVED" } })
  })
})
