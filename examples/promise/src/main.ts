/** The service inside of a program: no server, no Effect. A refusal is an exception with a code. */

import { embed } from "@countersign/adapter-http"
import { MemoryStore } from "@countersign/adapter-memory"
import { ApiError } from "@countersign/client"
import { Sandbox } from "@countersign/core/sandbox"

const credentials = { clientId: "demo", clientSecret: "demo-secret" }
const payments = await embed({
  store: MemoryStore.layer,
  ports: Sandbox.layer,
  sandbox: true,
  platforms: [credentials],
})
const platform = payments.client(credentials)

const fullName = "Ada Lovelace"
const customer = await platform.customers.createCustomer({ payload: { customerType: "INDIVIDUAL", fullName } })
const { data } = await platform.customers.listCustomerInternalAccounts({
  query: { customerId: customer.id, currency: "USD" },
})
const [account] = data
if (account === undefined) throw new Error("the customer has no account in USD")

const source = await platform.externalAccounts.createCustomerExternalAccount({
  payload: {
    customerId: customer.id,
    currency: "USD",
    accountInfo: {
      accountType: "USD_ACCOUNT",
      accountNumber: "12345000",
      routingNumber: "021000021",
      beneficiary: {
        beneficiaryType: "INDIVIDUAL",
        fullName,
        address: { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" },
      },
    },
  },
})

const { agent, deviceCode } = await platform.agents.createAgent({
  payload: {
    name: "Payroll",
    customerId: customer.id,
    policy: {
      permissions: ["CREATE_TRANSFERS"],
      defaultExecutionMode: "AUTO",
      spendingLimits: { currency: "USD", perTransactionLimit: 50_000 },
      approvalThresholds: { currency: "USD", amount: 10_000 },
    },
  },
})
const { code } = deviceCode
const { accessToken } = await payments.client("none").agents.redeemAgentDeviceCode({ params: { code } })

const asAgent = payments.client({ accessToken })
const transferIn = (amount: number) =>
  asAgent.agentsMe.agentCreateTransferIn({
    headers: { "idempotency-key": `transfer-of-${amount}` },
    payload: { source: { accountId: source.id }, destination: { accountId: account.id }, amount },
  })

console.log((await transferIn(5_000)).status)
const held = await transferIn(20_000)
console.log(held.status)
console.log((await platform.agents.approveAgentAction({ params: { agentId: agent.id, actionId: held.id } })).status)
try {
  await transferIn(60_000)
} catch (error) {
  if (!(error instanceof ApiError)) throw error
  console.log(error.status, error.code, error.details?.["limit"])
}
await payments.dispose()
