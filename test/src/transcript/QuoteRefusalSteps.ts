/** Quotes that are refused, by each rule, and the limits and fees of those that are not. */
import { externalAccountBody, idAt, quoteBetween } from "../confinement/Bodies.ts"
import { setStatus } from "./DepositRefundSteps.ts"
import type { Written } from "./TranscriptWorld.ts"

export const mexican = (customerId: string, suffix: string) => ({
  customerId,
  currency: "MXN",
  accountInfo: {
    accountType: "MXN_ACCOUNT",
    clabeNumber: `032180000118359${suffix}`,
    beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Frida Kahlo" },
  },
})

const uma = (umaAddress: string, currency?: string) => ({
  destinationType: "UMA_ADDRESS",
  umaAddress,
  ...(currency === undefined ? {} : { currency }),
})

const euroAddress = "$success.eur@uma.sandbox.example"

/** An id that names nothing. */
const unknown = (kind: string) => `${kind}:01234567-0123-7000-8000-000000000000`

/** Each rule alone. */
const rules = async (it: Written, abroad: string, other: string) => {
  const { accountId, customerId } = it.callers
  const body = quoteBetween(accountId, abroad, 900)
  const ask = (more: object) => it.call("POST", "/quotes", { body: { ...body, ...more } })
  const fee = (currency: string) => ({
    platformFeeOverride: { platformFixedFee: { amount: 1, currency }, platformVariableFeeBps: 1 },
  })
  const source = (more: object) => ({ source: { sourceType: "REALTIME_FUNDING", currency: "USD", ...more } })
  const account = (id: string) => ({ source: { sourceType: "ACCOUNT", accountId: id } })
  const to = (id: string, more: object = {}) => ({
    destination: { destinationType: "ACCOUNT", accountId: id, ...more },
  })
  for (const amount of [0, 1, 9_000_000_000_000_000, 9_000_000_000_000_001]) await ask({ lockedCurrencyAmount: amount })
  await ask({ scaFactor: "TOTP" })
  await ask(fee("EUR"))
  await ask({ ...fee("USD"), ...source({ currency: "USDC", customerId, cryptoNetwork: "BASE" }) })
  await ask(source({ customerId: unknown("Customer") }))
  await ask(account(unknown("InternalAccount")))
  await ask(to(unknown("ExternalAccount")))
  await ask({ destination: uma(euroAddress) })
  await ask({ destination: uma(euroAddress), lookupId: "Lookup:1" })
  const lookup = await it.call("GET", `/receiver/uma/${encodeURIComponent(euroAddress)}?customerId=${customerId}`)
  const lookupId = idAt(lookup, "lookupId")
  await ask({ destination: uma(euroAddress, "MXN"), lookupId })
  await ask({ destination: uma("$success.usd@uma.sandbox.example"), lookupId })
  await ask({ destination: uma("$nobody@uma.sandbox.example"), lookupId })
  await ask(to(accountId))
  await ask(account(other))
  for (const cryptoNetwork of [undefined, "SOLANA", "LIGHTNING"]) {
    await ask(source({ currency: "USDC", customerId, ...(cryptoNetwork === undefined ? {} : { cryptoNetwork }) }))
  }
  await ask(source({ currency: "BTC", customerId }))
  await ask(source({ customerId, cryptoNetwork: "BASE" }))
  await ask({ ...source({ customerId }), immediatelyExecute: true })
  await ask(to(abroad, { paymentRail: "WIRE" }))
  it.answerNext("ExchangeRates.rate", undefined, undefined)
  await ask(source({ currency: "EUR", customerId }))
  await ask(source({ currency: "EUR", customerId }))
  it.answerNext("FundingInstructions.forPayment", [])
  await ask(source({ customerId }))
  await ask({})
  await ask({ immediatelyExecute: true, lockedCurrencyAmount: 70_000_000 })
  await ask({ lockedCurrencySide: "RECEIVING", lockedCurrencyAmount: 1 })
  const found = {
    _tag: "Found",
    receiver: {
      currencies: [{ code: "EUR", minAmount: 500, maxAmount: 700 }],
      requiredPayerData: [
        { name: "FULL_NAME", mandatory: true },
        { name: "NATIONALITY", mandatory: true },
        { name: "BIRTH_DATE", mandatory: false },
      ],
      information: {},
    },
  }
  const receiving = { destination: uma(euroAddress), lookupId, lockedCurrencySide: "RECEIVING" }
  for (const lockedCurrencyAmount of [499, 500, 700, 701]) {
    it.answerNext("UmaNetwork.find", found)
    await ask({ ...receiving, lockedCurrencyAmount, senderCustomerInfo: { NATIONALITY: "GB" } })
  }
  it.answerNext("UmaNetwork.find", found)
  await ask({ ...receiving, lockedCurrencyAmount: 600 })
  await setStatus(it, accountId, "FROZEN")
  await ask({})
  await ask(to(accountId))
  await setStatus(it, accountId, "ACTIVE")
}

/** Limits and fees that the platform has configured. */
const configured = async (it: Written, abroad: string, domestic: string) => {
  const { accountId, customerId } = it.callers
  const config = await it.prepare("GET", "/config")
  const { supportedCurrencies = [] }: { readonly supportedCurrencies?: ReadonlyArray<Record<string, unknown>> } =
    Object(config.body)
  const usd = supportedCurrencies.find(({ currencyCode }) => currencyCode === "USD")
  const change = (more: object, rest: object = {}) =>
    it.call("PATCH", "/config", {
      body: {
        supportedCurrencies: supportedCurrencies.map((each) => (each === usd ? { ...usd, ...more } : each)),
        ...rest,
      },
    })
  await change({ minAmount: 300, maxAmount: 400, requiredCounterpartyFields: [{ name: "FULL_NAME", mandatory: true }] })
  for (const amount of [299, 300, 400, 401]) {
    await it.call("POST", "/quotes", { body: quoteBetween(accountId, abroad, amount) })
  }
  const receiving = { ...quoteBetween(accountId, domestic, 401), lockedCurrencySide: "RECEIVING" }
  await it.call("POST", "/quotes", { body: receiving })
  await it.call("POST", "/quotes", { body: { ...receiving, lockedCurrencyAmount: 399 } })
  await change({ enabledTransactionTypes: ["INCOMING"] })
  await it.call("POST", "/quotes", { body: quoteBetween(accountId, abroad, 350) })
  const fees = [
    {
      sourceCurrency: "USD",
      feeType: "CROSS_CURRENCY_TRANSACTION",
      fixedFee: { amount: 17, currency: "USD" },
      variableFeeBps: 230,
    },
  ]
  await change({ minAmount: 1, maxAmount: 10_000_000 }, { feeConfigs: fees })
  for (const side of ["SENDING", "RECEIVING"]) {
    const body = { ...quoteBetween(accountId, abroad, 5000), lockedCurrencySide: side }
    await it.call("POST", "/quotes", { body })
  }
  for (const amount of [17, 18, 25]) {
    await it.call("POST", "/quotes", { body: quoteBetween(accountId, abroad, amount) })
  }
  await it.call("GET", `/exchange-rates?sourceCurrency=USD&destinationCurrency=MXN&sendingAmount=5000`)
  await it.call("GET", "/exchange-rates?sourceCurrency=EUR")
  await it.call("GET", "/exchange-rates?destinationCurrency=EUR&destinationCurrency=BTC")
  await it.prepare("DELETE", `/customers/external-accounts/${abroad}`)
  await it.call("POST", "/quotes", { body: quoteBetween(accountId, abroad, 5000) })
  await it.call("GET", `/quotes/${unknown("Quote")}`)
  await it.call("POST", `/quotes/${unknown("Quote")}/execute`)
  await it.prepare("GET", `/customers/${customerId}`)
}

export const quoteRefusalSteps = async (it: Written) => {
  const { accountId, customerId, neighbour: _ } = it.callers
  await it.prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 100_000 })
  const add = async (body: object) => idAt(await it.prepare("POST", "/customers/external-accounts", body), "id")
  const abroad = await add(mexican(customerId, "000"))
  const domestic = await add(externalAccountBody({ customerId }, "000"))
  const made = {
    customerType: "INDIVIDUAL",
    fullName: "Grace Hopper",
    platformCustomerId: "grace",
    currencies: ["USD"],
  }
  const graceId = idAt(await it.prepare("POST", "/customers", made), "id")
  const accounts = await it.prepare("GET", `/customers/internal-accounts?customerId=${graceId}&currency=USD`)
  await rules(it, abroad, idAt(accounts, "data", 0, "id"))
  await configured(it, abroad, domestic)
}
