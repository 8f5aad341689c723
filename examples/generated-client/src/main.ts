/** A typed client from `npm run generate`: paths, bodies and answers are those of the document. */
import createClient from "openapi-fetch"
import type { components, paths } from "./schema.ts"

const baseUrl = process.env["BASE"] ?? "http://127.0.0.1:8787/2025-10-13"
const authorization = `Basic ${btoa(process.env["AUTH"] ?? "demo:demo-secret")}`
const platform = createClient<paths>({ baseUrl, headers: { authorization } })

/** What was answered, or an error with the service's own code. */
const answered = <A>({ data, error }: { data?: A; error?: components["schemas"]["Error"] }): A => {
  if (data === undefined) throw new Error(error?.code)
  return data
}

const fullName = "Ada Lovelace"
const customer = answered(await platform.POST("/customers", { body: { customerType: "INDIVIDUAL", fullName } }))
const accounts = answered(
  await platform.GET("/customers/internal-accounts", {
    params: { query: { customerId: customer.id, currency: "USD" } },
  }),
)
const account = accounts.data[0]
if (account === undefined) throw new Error("the customer has no account in USD")

const path = { accountId: account.id }
const funded = answered(
  await platform.POST("/sandbox/internal-accounts/{accountId}/fund", { params: { path }, body: { amount: 100_000 } }),
)
console.log(funded.balance.amount)

const external = answered(
  await platform.POST("/customers/external-accounts", {
    body: {
      customerId: customer.id,
      currency: "MXN",
      accountInfo: {
        accountType: "MXN_ACCOUNT",
        clabeNumber: "646180110400000007",
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName },
      },
    },
  }),
)
console.log(external.status, external.accountInfo.accountType)

const refused = await platform.POST("/customers/external-accounts", {
  body: {
    customerId: customer.id,
    currency: "MXN",
    accountInfo: {
      accountType: "MXN_ACCOUNT",
      clabeNumber: "1",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName },
    },
  },
})
console.log(refused.error?.status, refused.error?.code)
