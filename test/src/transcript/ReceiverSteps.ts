/** Invitations of two platforms, look-ups of receivers, payments to UMA addresses, and the fees of withdrawals. */

import { externalAccountBody, idAt } from "../confinement/Bodies.ts"
import { businessInfo } from "../customer/CustomerRequests.ts"
import type { TranscriptSteps } from "./TranscriptWorld.ts"

const unknown = "01a1fdfa-4600-7000-8000-00000000ffff"
const inviter = "$inviter@first.example.com"
const secondInviter = "$other@first.example.com"
const invitee = "$invitee@second.example.com"

const customerAt = async ({ prepare }: TranscriptSteps, umaAddress: string, more: object, headers?: Headers) => {
  const body = { customerType: "INDIVIDUAL", fullName: "Ada Lovelace", region: "US", umaAddress, ...more }
  return idAt(await prepare("POST", "/customers", body, headers), "id")
}
type Headers = Parameters<TranscriptSteps["prepare"]>[3]

const invitations = async (it: TranscriptSteps) => {
  const { call, callers, pay, prepare } = it
  const headers = callers.other?.headers
  const create = (body: object) => call("POST", "/invitations", { body, isKeyed: true })
  const invite = async (more: object = {}) => idAt(await create({ inviterUma: inviter, ...more }), "code")
  const later = async (millis: number) => new Date((await pay.clock.now()) + millis).toISOString()
  const claim = (code: string, inviteeUma: string, as: Headers = callers.full.headers) =>
    prepare("POST", `/invitations/${code}/claim`, { inviteeUma }, as)
  const cancel = (code: string, as: Headers = callers.full.headers) =>
    prepare("POST", `/invitations/${code}/cancel`, undefined, as)
  const get = (code: string, as: Headers = callers.full.headers) =>
    prepare("GET", `/invitations/${code}`, undefined, as)
  await create({ inviterUma: "inviter" })
  await create({ inviterUma: "$nobody@first.example.com" })
  await create({ inviterUma: inviter, expiresAt: await later(0) })
  const claimed = await invite({ firstName: "Grace", amountToSend: 37, expiresAt: await later(3_600_000) })
  await claim(claimed, "nobody")
  await claim(claimed, inviter.toUpperCase())
  await claim(claimed, "$nobody@second.example.com", headers)
  await cancel(claimed, headers)
  await pay.clock.advance("1 minute")
  await claim(claimed, invitee, headers)
  for (const as of [callers.full.headers, headers]) {
    await claim(claimed, "$somewhere@elsewhere.example", as)
    await cancel(claimed, as)
    await get(claimed, as)
  }
  const cancelled = await invite({ inviterUma: secondInviter, amountToSend: 38 })
  await cancel(cancelled)
  await cancel(cancelled)
  await claim(cancelled, invitee, headers)
  await get(cancelled)
  const ending = await invite({ expiresAt: await later(61_000) })
  await pay.clock.advance("61 seconds")
  await claim(ending, invitee)
  await cancel(ending)
  await get(ending, headers)
  // The sandbox's invitees respond by themselves, unless the invitation has ended.
  const responding = await invite({ firstName: "Mary 001" })
  const dollars = await invite({ inviterUma: secondInviter, firstName: "Mary 001" })
  const answered = await invite({ firstName: "Mary 001" })
  const expiring = await invite({ firstName: "Mary 002", expiresAt: await later(3_600_000) })
  await cancel(answered)
  await pay.clock.advance("4 seconds")
  await get(responding)
  await pay.clock.advance("1 second")
  for (const code of [responding, dollars, answered]) await get(code)
  await pay.clock.advance("25 seconds")
  await get(expiring)
  for (let count = 0; count < 4; count += 1) {
    await get("none")
    await claim("none", invitee)
    await cancel("none")
  }
}

const uma = (address: string, query = "") => `/receiver/uma/${encodeURIComponent(address)}${query}`
const scenario = (name: string) => `$${name}@uma.sandbox.example`

const lookups = async (it: TranscriptSteps, customerId: string) => {
  const { answerNext, call, callers, prepare } = it
  const find = (address: string, query = "") => call("GET", uma(address, query))
  await find("nobody")
  await find(scenario("nobody"))
  await find("$nobody@first.example.com")
  await find(scenario("success.mxn"))
  await find(inviter)
  await find(inviter, `?customerId=${callers.customerId}`)
  await find(scenario("success.eur"), `?senderUmaAddress=${encodeURIComponent(secondInviter)}`)
  await find(scenario("success.eur"), `?senderUmaAddress=${encodeURIComponent("$nobody@first.example.com")}`)
  await find(scenario("success.eur"), `?senderUmaAddress=${encodeURIComponent(inviter)}&customerId=${customerId}`)
  await find(
    scenario("success.eur"),
    `?customerId=${callers.customerId}&senderUmaAddress=${encodeURIComponent(inviter)}`,
  )
  await find(scenario("success.eur"), `?customerId=Customer:${unknown}`)
  answerNext("UmaNetwork.find", { _tag: "Trouble", code: "SERVICE_UNAVAILABLE", message: "The provider is away." })
  await find(scenario("success.usd"))
  answerNext("ExchangeRates.rate", undefined)
  await find(scenario("success.mxn"), `?customerId=${customerId}`)
  const payee = idAt(await prepare("POST", "/customers/external-accounts", externalAccountBody(callers, "000")), "id")
  const account = (id: string, query = "") => call("GET", `/receiver/external-account/${id}${query}`)
  await account(payee)
  await account(payee, `?customerId=${customerId}`)
  await account(payee, `?customerId=Customer:${unknown}`)
  await account(`ExternalAccount:${unknown}`)
  await prepare("DELETE", `/customers/external-accounts/${payee}`)
  await account(payee)
  for (const query of [
    "?countryCode=DE&limit=1",
    "?currencyCode=MXN",
    "?hasBlockedProviders=false&sortOrder=asc",
    "?countryCode=FR&currencyCode=USD",
  ])
    await call("GET", `/uma-providers${query}`)
  const page = await call("GET", "/uma-providers?limit=1")
  await call("GET", `/uma-providers?limit=1&cursor=${encodeURIComponent(idAt(page, "nextCursor"))}`)
}

const arrivals = async (it: TranscriptSteps, customerId: string) => {
  const { call, pay } = it
  const body = { receivingCurrencyCode: "USD", receivingCurrencyAmount: 71, senderUmaAddress: scenario("success.usd") }
  const arrive = (more: object) => call("POST", "/sandbox/uma/receive", { body: { ...body, ...more } })
  await arrive({ senderUmaAddress: "nobody", customerId })
  await arrive({})
  await arrive({ customerId, receiverUmaAddress: inviter })
  await arrive({ receiverUmaAddress: "nobody" })
  await arrive({ receiverUmaAddress: "$nobody@first.example.com" })
  await arrive({ customerId: `Customer:${unknown}` })
  await arrive({ customerId, senderUmaAddress: inviter.toUpperCase() })
  await arrive({ customerId, receivingCurrencyCode: "MXN" })
  await arrive({ customerId, receivingCurrencyCode: "USDC", receivingCurrencyAmount: 72 })
  await arrive({ receiverUmaAddress: secondInviter, receivingCurrencyAmount: 73 })
  await pay.clock.advance("1 minute")
}

/** What a receiver wants to know of its payer is taken from the request, else from the customer's record. */
const payers = async (it: TranscriptSteps) => {
  const { answerNext, call, pay, prepare } = it
  const address = { line1: "1 Main St", city: "Boston", state: "MA", postalCode: "02101", country: "US" }
  const person = {
    birthDate: "1985-12-10",
    nationality: "GB",
    phoneNumber: "+14155550123",
    email: "payer@example.com",
    address,
  }
  const one = await customerAt(it, "$person@first.example.com", person)
  const business = { customerType: "BUSINESS", platformCustomerId: "engines-9", region: "US", businessInfo, address }
  const two = idAt(await prepare("POST", "/customers", business), "id")
  const names = [
    "FULL_NAME",
    "BIRTH_DATE",
    "NATIONALITY",
    "PHONE_NUMBER",
    "EMAIL",
    "POSTAL_ADDRESS",
    "REGISTRATION_NUMBER",
    "USER_TYPE",
    "COUNTRY_OF_RESIDENCE",
    "ACCOUNT_IDENTIFIER",
    "COMPANY_LEGAL_NAME",
    "OCCUPATION",
  ]
  const receiver = {
    currencies: [{ code: "EUR", minAmount: 1, maxAmount: 1_000_000 }],
    requiredPayerData: names.map((name) => ({ name, mandatory: name === "OCCUPATION" || name === "NATIONALITY" })),
    information: { FULL_NAME: "Receiver" },
  }
  for (const customerId of [one, two]) {
    const page = await prepare("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USD`)
    const accountId = idAt(page, "data", 0, "id")
    await prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 900 })
    const to = scenario("success.eur")
    const lookup = await call("GET", uma(to, `?customerId=${customerId}`))
    const body = {
      source: { sourceType: "ACCOUNT", accountId },
      destination: { destinationType: "UMA_ADDRESS", umaAddress: to, currency: "EUR" },
      lookupId: idAt(lookup, "lookupId"),
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 300,
    }
    for (const senderCustomerInfo of [
      {},
      { OCCUPATION: "Poet", EMAIL: "" },
      { OCCUPATION: "Poet", NATIONALITY: "FR" },
    ]) {
      answerNext("UmaNetwork.find", { _tag: "Found", receiver })
      const quote = await call("POST", "/quotes", { body: { ...body, senderCustomerInfo } })
      if (quote.status === 201) await call("POST", `/quotes/${idAt(quote, "id")}/execute`)
    }
    answerNext("UmaNetwork.find")
    await pay.clock.advance("7 seconds")
  }
}

const fees = async (it: TranscriptSteps) => {
  const { answerNext, call, callers, prepare } = it
  const page = await prepare("GET", `/customers/internal-accounts?customerId=${callers.customerId}&currency=USDC`)
  const usdc = idAt(page, "data", 0, "id")
  const body = {
    internalAccountId: usdc,
    currency: "USDC",
    cryptoNetwork: "BASE",
    amount: 5_000_001,
    destinationAddress: `0x${"a1".repeat(20)}`,
  }
  const estimate = (more: object) => call("POST", "/crypto/estimate-withdrawal-fee", { body: { ...body, ...more } })
  await estimate({ internalAccountId: `InternalAccount:${unknown}` })
  await estimate({ internalAccountId: callers.accountId })
  await estimate({ cryptoNetwork: "BITCOIN" })
  await estimate({ destinationAddress: "nowhere" })
  await estimate({ amount: 1 })
  for (const cryptoNetwork of ["SOLANA", "ETHEREUM"]) await estimate({ cryptoNetwork })
  answerNext("NetworkFees.estimate", undefined)
  await estimate({})
}

export const receiverSteps = async (it: TranscriptSteps) => {
  const { callers, prepare } = it
  await prepare("PATCH", "/config", { umaDomain: "first.example.com" })
  await prepare("PATCH", "/config", { umaDomain: "second.example.com" }, callers.other?.headers)
  const customerId = await customerAt(it, inviter, { currencies: ["USDC", "USD"] })
  await customerAt(it, secondInviter, {})
  await customerAt(it, invitee, {}, callers.other?.headers)
  const stranger = { customerType: "INDIVIDUAL", fullName: "Ada Lovelace", region: "US" }
  await prepare("POST", "/customers", { ...stranger, umaAddress: "$ada@third.example.com" })
  await invitations(it)
  await lookups(it, customerId)
  await arrivals(it, customerId)
  await payers(it)
  await fees(it)
}
