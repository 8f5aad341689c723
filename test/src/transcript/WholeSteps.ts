/** Requests with every optional member, and two of a kind that must not be mixed up: two accounts, two currencies, two customers. */

import { externalAccountBody, idAt, quoteBetween } from "../confinement/Bodies.ts"
import type { StepWorld } from "../confinement/ConfinedWorld.ts"
import { businessInfo, person } from "../customer/CustomerRequests.ts"

const customers = async ({ call }: StepWorld) => {
  const made = await call("POST", "/customers", { body: { ...person, currencies: ["USD"], umaAddress: undefined } })
  const path = `/customers/${idAt(made, "id")}`
  await call("PATCH", path, {
    body: {
      customerType: "INDIVIDUAL",
      nationality: "US",
      pepStatus: "DOMESTIC",
      currencies: ["USD", "USDC"],
      email: "b@example.com",
    },
  })
  const business = {
    customerType: "BUSINESS",
    platformCustomerId: "engines-301",
    region: "US",
    businessInfo,
    address: { line1: "1 Main St", line2: "Floor 2", city: "Boston", state: "MA", postalCode: "02101", country: "US" },
  }
  await call("POST", "/customers", { body: business })
  await call("POST", "/customers", { body: { ...business, platformCustomerId: "engines-301" } })
}

const transfers = async ({ call, callers, prepare }: StepWorld) => {
  const { accountId } = callers
  const external = idAt(
    await prepare("POST", "/customers/external-accounts", externalAccountBody(callers, "000")),
    "id",
  )
  const push = { source: { accountId }, destination: { accountId: external, paymentRail: "WIRE" } }
  await call("POST", "/transfer-out", {
    body: { ...push, amount: 70, remittanceInformation: "Invoice 7" },
    isKeyed: true,
  })
  for (const amount of [0, 70_000_000]) await call("POST", "/transfer-out", { body: { ...push, amount } })
  await call("POST", "/transfer-out", {
    body: { ...push, destination: { accountId: external, paymentRail: "SPEI" }, amount: 7 },
  })
  return external
}

const quotes = async ({ call, callers, pay, prepare }: StepWorld, external: string) => {
  const body = {
    ...quoteBetween(callers.accountId, external, 300),
    lockedCurrencySide: "RECEIVING",
    description: "Rent",
    remittanceInformation: "Invoice 8",
    purposeOfPayment: "GIFT",
    platformFeeOverride: { platformFixedFee: { amount: 12, currency: "USD" }, platformVariableFeeBps: 150 },
    senderCustomerInfo: { note: "x" },
  }
  const quote = idAt(await call("POST", "/quotes", { body, isKeyed: true }), "id")
  await call("POST", `/quotes/${quote}/execute`, { isKeyed: true })
  await call("POST", "/quotes", { body: { ...body, immediatelyExecute: true } })
  const source = {
    sourceType: "REALTIME_FUNDING",
    currency: "USDC",
    customerId: callers.customerId,
    cryptoNetwork: "BASE",
  }
  // Only a conversion has fees, and the platform's are swept.
  const accountInfo = {
    accountType: "MXN_ACCOUNT",
    clabeNumber: "032180000118359000",
    beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Frida Kahlo" },
  }
  const mexican = { customerId: callers.customerId, currency: "MXN", accountInfo }
  const abroad = idAt(await prepare("POST", "/customers/external-accounts", mexican), "id")
  const destination = { destinationType: "ACCOUNT", accountId: abroad }
  const converted = await call("POST", "/quotes", { body: { ...body, destination } })
  await call("POST", `/quotes/${idAt(converted, "id")}/execute`)
  const { platformFeeOverride: _, ...usual } = body
  const funded = await call("POST", "/quotes", { body: { ...usual, source } })
  await call("POST", "/sandbox/send", {
    body: { quoteId: idAt(funded, "id"), currencyCode: "USDC", currencyAmount: 1 },
  })
  const receiver = encodeURIComponent("$success.eur@uma.sandbox.example")
  const lookup = await call("GET", `/receiver/uma/${receiver}?customerId=${callers.customerId}`)
  const uma = { destinationType: "UMA_ADDRESS", umaAddress: "$success.eur@uma.sandbox.example", currency: "EUR" }
  const { remittanceInformation: _text, ...unremitted } = usual
  const paid = await call("POST", "/quotes", {
    body: { ...unremitted, destination: uma, lookupId: idAt(lookup, "lookupId") },
  })
  await call("POST", `/quotes/${idAt(paid, "id")}/execute`)
  await pay.clock.advance("1 minute")
}

const money = { code: "USD", name: "Dollar", symbol: "$", decimals: 2 }
const shop = (suffix: string) => ({
  amount: 10,
  currency: money,
  merchant: { descriptor: `Shop ${suffix}`, mcc: "5411", country: "US" },
})

const cards = async ({ call, callers, pay }: StepWorld) => {
  const { accountId, customerId } = callers
  const issue = { cardholderId: customerId, form: "VIRTUAL", fundingSources: [accountId], maxSpendPerTransaction: 500 }
  for (const suffix of ["001", "002", "005"]) {
    await call("POST", "/cards", { body: { ...issue, platformCardId: `card-${suffix}` } })
  }
  const path = `/cards/${idAt(await call("POST", "/cards", { body: { ...issue, platformCardId: "card-000" } }), "id")}`
  for (const suffix of ["000", "002", "003", "005", "006"]) {
    await call("POST", `/sandbox${path}/simulate/authorization`, { body: shop(suffix) })
  }
  await call("POST", `/sandbox${path}/simulate/authorization`, { body: { ...shop("000"), amount: 501 } })
  await pay.clock.advance("1 minute")
  for (const state of ["FROZEN", "ACTIVE", "CLOSED"]) await call("PATCH", path, { body: { state } })
  await pay.clock.advance("40 days")
}

const policies = async ({ call, callers }: StepWorld, external: string) => {
  const { accountId, agent } = callers
  await call("PATCH", `/agents/${agent.agentId}/policy`, {
    body: {
      spendingLimits: { currency: "EUR", dailyLimit: 900, dailyTransactionLimit: 3, monthlyLimit: 2000 },
      approvalThresholds: { currency: "EUR", amount: 60 },
      accountRestrictions: { allowedAccountIds: [accountId], accountRules: [{ accountId, perTransactionLimit: 50 }] },
    },
  })
  const push = { source: { accountId }, destination: { accountId: external } }
  for (const amount of [45, 51, 70]) await call("POST", "/agents/me/transfer-out", { body: { ...push, amount } })
  await call("GET", "/agents/me")
  await call("GET", `/agents/${agent.agentId}`)
}

const invitations = async ({ call, callers, pay, prepare }: StepWorld) => {
  const inviterUma = idAt(await prepare("GET", `/customers/${callers.customerId}`), "umaAddress")
  const expiresAt = new Date((await pay.clock.now()) + 3_600_000).toISOString()
  const made = await call("POST", "/invitations", { body: { inviterUma, expiresAt, amountToSend: 25 } })
  const claim = { inviteeUma: "$somewhere@elsewhere.example" }
  await call("POST", `/invitations/${idAt(made, "code")}/claim`, { body: claim })
}

export const wholeSteps = async (it: StepWorld) => {
  await it.prepare("POST", `/sandbox/internal-accounts/${it.callers.accountId}/fund`, { amount: 100_000 })
  await customers(it)
  const external = await transfers(it)
  await quotes(it, external)
  await cards(it)
  await policies(it, external)
  await invitations(it)
}
