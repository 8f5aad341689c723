/** The action that a person tries against a policy. Source: D-477. */
import { describe, expect, it } from "vitest"
import { type ActionDraft, firstAction, requestOf } from "../../../packages/console/page/ActionDraft.ts"

const own = [
  { id: "InternalAccount:1", currency: "USD" },
  { id: "InternalAccount:2", currency: "JPY" },
]
const external = { status: "ACTIVE", defaultUmaDepositAccount: false, createdAt: "2027-01-31T00:00:00Z" } as const
const outside: Parameters<typeof firstAction>[1] = [
  { ...external, id: "ExternalAccount:1", currency: "JPY", accountInfo: { accountType: "JPY_ACCOUNT" } },
  { ...external, id: "ExternalAccount:2", currency: "USD", accountInfo: { accountType: "USD_ACCOUNT" } },
]
const decimalsOf = (currency: string) => (currency === "JPY" ? 0 : 2)
const draft: ActionDraft = {
  type: "TRANSFER_OUT",
  amount: "12.50",
  accountId: "InternalAccount:1",
  outsideId: "ExternalAccount:2",
  quoteId: "",
}
const requested = (more: Partial<ActionDraft>) => requestOf({ ...draft, ...more }, own, decimalsOf)

describe("the first action", () => {
  it.each([
    ["JPY", "InternalAccount:2", "ExternalAccount:1"],
    ["USD", "InternalAccount:1", "ExternalAccount:2"],
    ["EUR", "InternalAccount:1", "ExternalAccount:2"],
  ])("in %s goes out of %s to %s", (currency, accountId, outsideId) => {
    expect(firstAction(own, outside, currency)).toEqual({
      type: "TRANSFER_OUT",
      amount: "",
      accountId,
      outsideId,
      quoteId: "",
    })
  })

  it("has no accounts where there are none", () => {
    expect(firstAction([], outside, "USD")).toMatchObject({ accountId: "", outsideId: "" })
    expect(firstAction(own, [], "USD")).toMatchObject({ accountId: "InternalAccount:1", outsideId: "" })
  })
})

describe("the request of an action", () => {
  it("has the amount in smallest units, from one account to the other", () => {
    const inside = { accountId: "InternalAccount:1" }
    const outer = { accountId: "ExternalAccount:2" }
    expect(requested({})).toEqual({ type: "TRANSFER_OUT", source: inside, destination: outer, amount: 1250 })
    expect(requested({ type: "TRANSFER_IN" })).toEqual({
      type: "TRANSFER_IN",
      source: outer,
      destination: inside,
      amount: 1250,
    })
    expect(requested({ accountId: "InternalAccount:2", amount: "7" })).toMatchObject({ amount: 7 })
  })

  it.each([{ amount: "" }, { amount: "1.234" }, { accountId: "InternalAccount:9" }, { outsideId: "" }])(
    "does not exist with %j",
    (more) => expect(requested(more)).toBeUndefined(),
  )

  const quoteId = "Quote:01234567-89ab-7def-8123-456789abcdef"
  it.each([quoteId, ` ${quoteId}\n`])("of the quote %j has its id", (typed) => {
    expect(requested({ type: "EXECUTE_QUOTE", quoteId: typed })).toEqual({ type: "EXECUTE_QUOTE", quoteId })
  })

  it.each(["", "Quote:1", `x${quoteId}`, `${quoteId}0`, quoteId.replace("Quote", "Agent")])(
    "of a quote does not exist with the id %j",
    (typed) => expect(requested({ type: "EXECUTE_QUOTE", quoteId: typed })).toBeUndefined(),
  )
})
