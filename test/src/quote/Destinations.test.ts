/** Each kind of external account receives money: of a bank, of a mobile-money operator, of a blockchain. Spec: What the service does. */

import { expect, it } from "vitest"
import { at, between, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"

const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace" }

// Proves: GEN-02, GEN-08
it.each([
  ["a bank account", "MXN", { accountType: "MXN_ACCOUNT", clabeNumber: "032180000118359000", beneficiary }],
  [
    "a mobile-money account",
    "KES",
    { accountType: "KES_ACCOUNT", phoneNumber: "+254712345000", provider: "M-PESA", beneficiary },
  ],
  ["a crypto wallet", "BTC", { accountType: "SPARK_WALLET", address: `spark1${"q".repeat(78)}000` }],
])("pays %s from an internal account", async (_what, currency, accountInfo) => {
  await using pay = await quoteHarness()
  await pay.fund("USD", 100_000)
  const account = await pay.send("POST", "/customers/external-accounts", {
    body: { customerId: pay.customerId, currency, accountInfo },
  })
  expect(account).toMatchObject({ status: 201, body: { status: "ACTIVE", currency } })
  const quote = await pay.quote(between(await pay.accountId("USD"), String(at(account, "id")), 10_000))
  expect(await pay.execute(String(at(quote, "id")))).toMatchObject({ status: 200 })
  await pay.settle()
  expect(await pay.transaction(quote)).toMatchObject({
    body: { type: "OUTGOING", status: "COMPLETED", receivedAmount: { currency: { code: currency } } },
  })
  expect(await pay.balances("USD")).toEqual([90_000, 90_000])
})
