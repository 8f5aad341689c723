/** Customers: every refusal of a creation and an update, the filters of lists, contacts, the end of access, and deletions. */
import { Platforms } from "@countersign/core"
import { sandboxCurrencies } from "@countersign/core/models"
import { Effect, Redacted } from "effect"
import { externalAccountBody, idAt, ids } from "../confinement/Bodies.ts"
import { basic } from "../confinement/Callers.ts"
import type { StepWorld } from "../confinement/ConfinedWorld.ts"
import { address, businessInfo, person, ssn } from "../customer/CustomerRequests.ts"
import { passport, pdfFile } from "../document/DocumentHarness.ts"
import { signIn as signInBySca } from "../sca/TrustRequests.ts"
import { newWallet, signIn } from "../wallet/People.ts"

const individual = { customerType: "INDIVIDUAL", fullName: "Ida Rhodes" }
const nobody = "Customer:00000000-0000-7000-8000-000000000009"
const consentTo = (termsVersion: string) => ({
  endUserTermsConsent: {
    termsVersion,
    acceptedAt: "2026-11-20T10:00:00Z",
    ipAddress: "203.0.113.9",
    acceptanceMethod: "CHECKBOX",
  },
})

const creations = async ({ call, pay, prepare }: StepWorld) => {
  const domain = idAt(await prepare("GET", "/config"), "umaDomain")
  const create = (body: object) => call("POST", "/customers", { body })
  const full = { ...person, identifier: ssn, currencies: ["USDC", "USD"], umaAddress: `$ada@${domain}` }
  const first = idAt(await create(full), "id")
  await create({ ...individual, umaAddress: `$ADA@${domain}` })
  await create({ ...individual, umaAddress: "$ida@elsewhere.example" })
  await create({ ...individual, platformCustomerId: "ada" })
  await create({ ...individual, currencies: ["USD", "EUR", "USD"] })
  await create({ ...individual, ...consentTo("2020-01-01") })
  await create({ ...individual, ...consentTo("2025-10-13") })
  for (const suffix of ["001", "002", "003"]) {
    await pay.clock.advance("13 seconds")
    await create({ ...individual, fullName: `Ida ${suffix}`, platformCustomerId: `ida-${suffix}`, region: "FR" })
  }
  const business = {
    customerType: "BUSINESS",
    businessInfo,
    platformCustomerId: "engines",
    currencies: ["USDC"],
    address,
  }
  const second = idAt(await create(business), "id")
  await pay.clock.advance("17 seconds")
  const patch = (id: string, body: object) => call("PATCH", `/customers/${id}`, { body })
  await patch(first, { customerType: "BUSINESS" })
  await patch(first, { customerType: "INDIVIDUAL", currencies: ["MXN"] })
  await patch(first, { customerType: "INDIVIDUAL", umaAddress: `$augusta@${domain}` })
  await patch(first, { customerType: "INDIVIDUAL", umaAddress: `$augusta@${domain}`, fullName: "Augusta Ada King" })
  await patch(first, { customerType: "INDIVIDUAL", umaAddress: "$augusta@elsewhere.example" })
  await patch(second, { customerType: "BUSINESS", umaAddress: `$augusta@${domain}` })
  await patch(second, { customerType: "BUSINESS", umaAddress: `$ada@${domain}`, ...consentTo("2025-10-13") })
  await patch(first, { customerType: "INDIVIDUAL", email: "b@example.com", phoneNumber: "+14155550199" })
  await patch(first, { customerType: "INDIVIDUAL", identifier: "****6789" })
  await patch(first, { customerType: "INDIVIDUAL", identifier: "999887777" })
  await patch(second, { customerType: "BUSINESS", businessInfo: { taxId: "****4321", doingBusinessAs: "Mills" } })
  await patch(second, { customerType: "BUSINESS", businessInfo: { taxId: "111222333" } })
  await patch(nobody, { customerType: "INDIVIDUAL" })
}

const lists = async ({ call, pay, prepare }: StepWorld) => {
  const domain = idAt(await prepare("GET", "/config"), "umaDomain")
  const at = (millis: number) => encodeURIComponent(new Date(millis).toISOString())
  const now = await pay.clock.now()
  for (const filter of [
    "platformCustomerId=ida-002",
    "customerType=BUSINESS",
    "region=FR&limit=1",
    `umaAddress=${encodeURIComponent(`$AUGUSTA@${domain}`)}`,
    "currency=USDC&limit=1",
    `createdFrom=${at(now - 30_000)}&createdTo=${at(now - 17_000)}&limit=1`,
    `updatedFrom=${at(now)}&limit=1`,
    `updatedTo=${at(now - 40_000)}&limit=1`,
    "isIncludingDeleted=true&limit=1",
  ])
    await call("GET", `/customers?${filter}`)
  const page = await call("GET", "/customers?region=FR&limit=2")
  const cursor = encodeURIComponent(idAt(page, "nextCursor"))
  await call("GET", `/customers?region=FR&limit=2&cursor=${cursor}`)
  await call("GET", `/customers?region=GB&limit=2&cursor=${cursor}`)
}

const contacts = async ({ call, pay }: StepWorld) => {
  const body = { ...individual, region: "EU", email: "ida@example.com" }
  const path = `/customers/${idAt(await call("POST", "/customers", { body }), "id")}`
  const outside = `/customers/${idAt(await call("POST", "/customers", { body: { ...body, region: "US" } }), "id")}`
  const confirm = (way: string, code: string) => call("POST", `${path}/verify-${way}/confirm`, { body: { code } })
  await call("POST", `${outside}/verify-email`)
  await call("POST", `${outside}/verify-email/confirm`, { body: { code: "123456" } })
  await call("POST", `${path}/verify-phone`)
  await confirm("phone", "123456")
  await call("POST", `${path}/kyc-link`, { body: { redirectUri: "https://shop.example/back" } })
  await call("POST", `${path}/verify-email`)
  for (let digit = 0; digit < 10; digit++) await confirm("email", String(digit).repeat(6))
  await confirm("email", "123456")
  await pay.clock.advance("1 day")
  await call("POST", `${path}/verify-email`)
  await confirm("email", "555555")
  await confirm("email", "123456")
  await call("POST", `${path}/verify-email`)
  await confirm("email", "123456")
  await call("POST", `${path}/kyc-link`, { body: { redirectUri: "https://shop.example/back" }, isKeyed: true })
  await call("PATCH", path, { body: { customerType: "INDIVIDUAL", phoneNumber: "+14155550177" } })
  await call("PATCH", path, { body: { customerType: "INDIVIDUAL", email: "rhodes@example.com" } })
}

/** The sessions, the login, the agents and the device codes of a customer end; those of another go on. */
const access = async ({ call, callers, pay, prepare }: StepWorld) => {
  const wallet = await newWallet(pay, { email: "ada@example.com", phoneNumber: "+14155550123", region: "EU" })
  await signIn(pay, wallet.emailId)
  await signIn(pay, wallet.emailId)
  await signInBySca(pay, wallet.customerId)
  const policy = {
    permissions: ["CREATE_TRANSFERS"],
    defaultExecutionMode: "AUTO",
    spendingLimits: { currency: "USD", perTransactionLimit: 5000 },
  }
  for (const name of ["First", "Second", "Third"]) {
    const made = await prepare("POST", "/agents", { name, customerId: wallet.customerId, policy })
    const code = idAt(made, "deviceCode", "code")
    if (name !== "Third") await prepare("POST", `/agents/device-codes/${code}/redeem`)
  }
  await pay.clock.advance("19 seconds")
  await call("POST", `/customers/${wallet.customerId}/end-access`)
  await pay.clock.advance("23 seconds")
  await call("POST", `/customers/${wallet.customerId}/end-access`)
  await call("POST", `/customers/${nobody}/end-access`)
  await call("GET", "/agents/me")
  await call("POST", `/customers/${callers.customerId}/end-access`)
  await call("GET", "/agents/me")
}

const deletions = async (it: StepWorld) => {
  const { call, callers, pay, prepare } = it
  const { accountId, neighbour } = callers
  await prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 730 })
  const external = await prepare("POST", "/customers/external-accounts", externalAccountBody(callers, "002"))
  await prepare("POST", "/customers/external-accounts", {
    ...externalAccountBody(callers, "000"),
    platformAccountId: "x",
  })
  await prepare("POST", "/transfer-out", {
    source: { accountId },
    destination: { accountId: idAt(external, "id") },
    amount: 31,
  })
  const issue = { cardholderId: callers.customerId, form: "VIRTUAL", fundingSources: [accountId] }
  await prepare("POST", "/cards", issue)
  const path = `/customers/${callers.customerId}`
  await call("DELETE", path)
  await pay.clock.advance("1 minute")
  await call("DELETE", path)
  // A pull that is not settled yet, without money.
  const poor = idAt(await prepare("POST", "/customers", { ...individual, platformCustomerId: "poor" }), "id")
  const own = await prepare("GET", `/customers/internal-accounts?customerId=${poor}&currency=USD`)
  const bank = await prepare("POST", "/customers/external-accounts", externalAccountBody({ customerId: poor }, "005"))
  await prepare("POST", "/transfer-in", {
    source: { accountId: idAt(bank, "id") },
    destination: { accountId: idAt(own, "data", 0, "id") },
    amount: 41,
  })
  await call("DELETE", `/customers/${poor}`)
  const ofNeighbour = await call("GET", `/agents/${neighbour.agentId}`)
  const customerId = idAt(ofNeighbour, "customerId")
  const accounts = await prepare("GET", `/customers/internal-accounts?customerId=${customerId}`)
  const body = { cardholderId: customerId, form: "VIRTUAL", fundingSources: ids(accounts.body).slice(0, 1) }
  await call("POST", "/cards", { body })
  await call("POST", "/customers/external-accounts", { body: externalAccountBody({ customerId }, "000") })
  const form = Object.fromEntries(
    Object.entries({ ...passport(customerId), file: pdfFile() }).flatMap(([name, part]) =>
      part === undefined ? [] : [[name, part] as const],
    ),
  )
  const first = idAt(await call("POST", "/documents", { form }), "id")
  await call("POST", "/documents", { form: { ...form, documentNumber: "B7654321" } })
  await call("DELETE", `/documents/${first}`)
  await call("POST", "/verifications", { body: { customerId } })
  const inviterUma = idAt(await call("GET", `/customers/${customerId}`), "umaAddress")
  await call("POST", "/invitations", { body: { inviterUma } })
  await pay.clock.advance("29 seconds")
  await call("DELETE", `/customers/${customerId}`)
  await call("DELETE", `/customers/${customerId}`)
  await call("DELETE", `/customers/${nobody}`)
  await call("GET", `/customers/${customerId}`)
  await call("GET", "/customers?isIncludingDeleted=true&customerType=INDIVIDUAL&limit=3")
  await call("GET", "/agents/me", { agent: neighbour })
}

/** A platform that is not regulated: its customers have accounts when they accept the terms. */
const unregulated = async ({ pay, prepare }: StepWorld) => {
  const [clientId, clientSecret] = ["client_third", "secret_third"]
  const setUp = {
    clientId,
    clientSecret: Redacted.make(clientSecret),
    name: "Third",
    currencies: sandboxCurrencies.filter((code) => code === "USD" || code === "USDB"),
    isRegulatedFinancialInstitution: false,
  }
  await pay.run(Platforms.use((platforms) => platforms.setUp(setUp)))
  const renewed = {
    ...setUp,
    nextClientSecret: Redacted.make("secret_next"),
    webhookEndpoint: "https://third.example/hooks",
    umaDomain: "third.example.com",
  }
  const set = (platform: typeof renewed) =>
    pay.run(Effect.exit(Platforms.use((platforms) => platforms.setUp(platform))))
  await set(renewed)
  await pay.clock.advance("3 seconds")
  await set(renewed)
  await set({ ...renewed, clientId: "client_fourth" })
  await set({ ...renewed, clientId: "client_fifth" })
  await set({ ...renewed, clientId: "client_sixth", webhookEndpoint: "ftp://third.example" })
  const as = basic(clientId, clientSecret)
  const made = await prepare("POST", "/customers", { ...individual, email: "ida@example.com" }, as)
  const path = `/customers/${idAt(made, "id")}`
  await prepare("PATCH", path, { customerType: "INDIVIDUAL", fullName: "Ida" }, as)
  await prepare("PATCH", path, { customerType: "INDIVIDUAL", ...consentTo("2020-01-01") }, as)
  await pay.clock.advance("31 seconds")
  await prepare("PATCH", path, { customerType: "INDIVIDUAL", ...consentTo("2025-10-13") }, as)
  await prepare("GET", `/customers/internal-accounts?customerId=${idAt(made, "id")}`, undefined, as)
  await prepare("POST", "/customers", { ...individual, ...consentTo("2025-10-13") }, as)
  // A new currency opens accounts of the platform and of its customers, one by one.
  const supportedCurrencies = [
    {
      currencyCode: "USD",
      minAmount: 1,
      maxAmount: 1000,
      requiredCounterpartyFields: [],
      enabledTransactionTypes: ["OUTGOING"],
    },
    {
      currencyCode: "JPY",
      minAmount: 5,
      maxAmount: 70_000,
      requiredCounterpartyFields: [],
      enabledTransactionTypes: ["INCOMING", "OUTGOING"],
    },
  ]
  await prepare("PATCH", "/config", { supportedCurrencies }, as)
  await prepare("GET", "/internal-accounts?currency=JPY", undefined, as)
  await prepare("GET", "/platform/internal-accounts", undefined, as)
}

export const customerChangeSteps = async (it: StepWorld) => {
  await creations(it)
  await lists(it)
  await contacts(it)
  await access(it)
  await deletions(it)
  await unregulated(it)
}
