/** Refusals that other tests meet below HTTP: each answers its caller with a message that says what would be right. Source: D-545. */
import { agentHarness, named } from "@countersign/test"
import { describe, expect, it } from "vitest"

type World = Awaited<ReturnType<typeof agentHarness>>

const message = async (
  pay: Pick<World, "send">,
  method: string,
  path: string,
  options: Parameters<World["send"]>[2] = {},
) => {
  const { body, status } = await pay.send(method, path, options)
  return [status, Object(body)["message"]]
}

const idOf = (answer: { readonly body: unknown }): string => String(Object(answer.body)["id"])

const bankAccount = {
  accountType: "USD_ACCOUNT",
  accountNumber: "12345000",
  routingNumber: "021000021",
  beneficiary: {
    beneficiaryType: "INDIVIDUAL",
    fullName: "Grace Hopper",
    address: { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" },
  },
}

describe("a refusal", () => {
  it("of an agent's policy names the second rule for one account", async () => {
    await using pay = await agentHarness()
    const rule = { accountId: pay.accountId, permissions: ["CREATE_TRANSFERS"] }
    const policy = {
      permissions: ["CREATE_TRANSFERS"],
      defaultExecutionMode: "AUTO",
      spendingLimits: { currency: "USD", perTransactionLimit: 1000, dailyLimit: 1000 },
      accountRestrictions: { accountRules: [rule, rule] },
    }
    const body = { name: "Payroll", customerId: pay.customerId, policy }
    const [status, text] = await message(pay, "POST", "/agents", { body })
    expect([status, text]).toEqual([400, expect.stringContaining("must not have two rules for one account")])
  })

  it("of a transfer out of a wallet says how wallets pay", async () => {
    await using pay = await named("funded-wallet-with-session")
    const source = { accountId: pay.handles.walletId }
    const account = await pay.send("POST", "/customers/external-accounts", {
      body: {
        customerId: pay.handles.customerId,
        currency: "USDB",
        accountInfo: {
          accountType: "SPARK_WALLET",
          address: "spark1pgssy75lcn5suv6c0k3v0mq3xedcpfw2au2rjh5r4rxly9euvxr2h584rg25200",
        },
      },
    })
    const body = { source, destination: { accountId: idOf(account) }, amount: 100 }
    expect(await message(pay, "POST", "/transfer-out", { body })).toEqual([
      400,
      "An embedded wallet pays by quotes, which its owner signs.",
    ])
  })

  it("of a code by text message names the missing number", async () => {
    await using pay = await named("funded-wallet-with-session")
    const body = { type: "SMS_OTP", accountId: pay.handles.walletId }
    const [status, text] = await message(pay, "POST", "/auth/credentials", { body })
    expect([status, text]).toEqual([400, expect.stringContaining("needs a customer with a telephone number")])
  })

  it("of a quote names the owner of the accounts, and the range of the amount", async () => {
    await using pay = await agentHarness()
    const other = await pay.send("POST", "/customers", {
      body: { customerType: "INDIVIDUAL", fullName: "Grace Hopper" },
    })
    const added = await pay.send("POST", "/customers/external-accounts", {
      body: { customerId: idOf(other), currency: "USD", accountInfo: bankAccount },
    })
    const foreign = idOf(added)
    const quote = (accountId: string, amount: number) => ({
      body: {
        source: { sourceType: "ACCOUNT", accountId: pay.accountId },
        destination: { destinationType: "ACCOUNT", accountId },
        lockedCurrencySide: "SENDING",
        lockedCurrencyAmount: amount,
      },
    })
    expect(await message(pay, "POST", "/quotes", quote(foreign, 100))).toEqual([
      400,
      "The accounts must belong to the customer who pays.",
    ])
    const [, range] = await message(pay, "POST", "/quotes", quote(pay.sources["000"] ?? "", 9_000_000_000_000))
    expect(range).toMatch(/^The sending amount must be between \d+ and \d+ \(USD\)\.$/u)
  })
})
