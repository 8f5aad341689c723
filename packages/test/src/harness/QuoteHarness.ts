/** The harness with a customer and calls that tests make about quotes: create, fund, execute, and read the results. */
import assert from "node:assert/strict"
import { type Harness, harness, type Reply } from "./Harness.ts"
import type { WorldOptions } from "./World.ts"

/** Returns the member at a path of a JSON response body. */
export const at = (reply: Pick<Reply, "body">, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null
        ? (value as Readonly<Record<string, unknown>>)[String(key)]
        : undefined,
    reply.body,
  )

const idOf = (reply: Reply): string => {
  const id = at(reply, "id")
  if (typeof id !== "string") throw new Error(`the response has no id: ${reply.status} ${JSON.stringify(reply.body)}`)
  return id
}

const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace" }
const address = { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" }

/** Account details of external accounts whose main identifier ends in a suffix. */
const externalAccountInfo = {
  MXN: (suffix: string) => ({ accountType: "MXN_ACCOUNT", clabeNumber: `032180000118359${suffix}`, beneficiary }),
  USD: (suffix: string) => ({
    accountType: "USD_ACCOUNT",
    accountNumber: `12345${suffix}`,
    routingNumber: "021000021",
    beneficiary: { ...beneficiary, address },
  }),
  USDC: () => ({ accountType: "BASE_WALLET", address: `0x${"a1".repeat(20)}` }),
}
/** Quotes pull from accounts that their holder has declared. */
const declared = { ownershipType: "FIRST_PARTY" }
export type ExternalCurrency = keyof typeof externalAccountInfo

export interface QuoteParts {
  readonly customerId: string
  /** The customer's internal account in a currency. */
  readonly accountId: (currency: string, type?: string, customerId?: string) => Promise<string>
  /** The id of an external account; the first call creates it. */
  readonly external: (currency: ExternalCurrency, suffix?: string, customerId?: string) => Promise<string>
  readonly fund: (currency: string, amount: number) => Promise<void>
  /** Creates a quote; `body` is that of the request. */
  readonly quote: (body: object, headers?: { readonly [name: string]: string }) => Promise<Reply>
  readonly execute: (quoteId: string, body?: object) => Promise<Reply>
  readonly getQuote: (quoteId: string) => Promise<Reply>
  /** The transaction of a quote. */
  readonly transaction: (quote: Reply) => Promise<Reply>
  /** Available and total of the customer's account in a currency. */
  readonly balances: (currency: string, customerId?: string) => Promise<readonly [available: unknown, total: unknown]>
  /** The event types of a record in order of arrival, each event once, without the part before the dot. */
  readonly eventNames: (id: unknown) => ReadonlyArray<string>
  /** Asserts that the ledger balances in each currency and that no bounded account is negative. */
  readonly checkBooks: () => Promise<void>
}

export type QuoteHarness = Harness & QuoteParts

/** The body of a quote from one account to another, with the sending amount locked. */
export const between = (source: string, destination: string, amount: number, more: object = {}) => ({
  source: { sourceType: "ACCOUNT", accountId: source },
  destination: { destinationType: "ACCOUNT", accountId: destination },
  lockedCurrencySide: "SENDING",
  lockedCurrencyAmount: amount,
  ...more,
})

export const quoteHarness = async (options: WorldOptions = {}, customer: object = {}): Promise<QuoteHarness> => {
  const pay = await harness(options)
  const body = { customerType: "INDIVIDUAL", fullName: "Ada Lovelace", ...customer }
  const customerId = idOf(await pay.send("POST", "/customers", { body }))
  const accountsOf = (currency: string, owner: string) =>
    pay.send("GET", `/customers/internal-accounts?customerId=${owner}&currency=${currency}`)
  const internal = new Map<string, Promise<string>>()
  const findAccount = async (currency: string, type: string | undefined, owner: string) => {
    const found = at(await accountsOf(currency, owner), "data") as ReadonlyArray<{
      readonly id: string
      readonly type: string
    }>
    const account = found.find((one) => (type === undefined ? one.type !== "EMBEDDED_WALLET" : one.type === type))
    if (account === undefined) throw new Error(`the customer has no ${currency} account`)
    return account.id
  }
  const accounts = new Map<string, Promise<string>>()
  const addAccount = async (currency: ExternalCurrency, suffix: string, owner: string) =>
    idOf(
      await pay.send("POST", "/customers/external-accounts", {
        body: {
          customerId: owner,
          currency,
          accountInfo: externalAccountInfo[currency](suffix),
          ...(currency === "USD" ? declared : {}),
        },
      }),
    )
  const parts: QuoteParts = {
    customerId,
    accountId: (currency, type, owner = customerId) => {
      const name = `${currency} ${type} ${owner}`
      const found = internal.get(name) ?? findAccount(currency, type, owner)
      internal.set(name, found)
      return found
    },
    external: (currency, suffix = "000", owner = customerId) => {
      const name = `${currency} ${suffix} ${owner}`
      const account = accounts.get(name) ?? addAccount(currency, suffix, owner)
      accounts.set(name, account)
      return account
    },
    fund: async (currency, amount) => {
      const accountId = await parts.accountId(currency)
      const reply = await pay.send("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount } })
      assert.equal(reply.status, 200)
      await pay.settle()
      pay.inbox.clear()
    },
    quote: (request, headers = {}) => pay.send("POST", "/quotes", { body: request, headers }),
    execute: (quoteId, request) =>
      pay.send("POST", `/quotes/${quoteId}/execute`, request === undefined ? {} : { body: request }),
    getQuote: (quoteId) => pay.send("GET", `/quotes/${quoteId}`),
    transaction: (quote) => pay.send("GET", `/transactions/${at(quote, "transactionId")}`),
    balances: async (currency, owner = customerId) => {
      const reply = await accountsOf(currency, owner)
      return [at(reply, "data", 0, "balance", "amount"), at(reply, "data", 0, "totalBalance", "amount")]
    },
    eventNames: (id) =>
      [...new Map(pay.inbox.received.map((event) => [event.id, event])).values()]
        .filter((event) => event.data["id"] === id)
        .map((event) => event.type.slice(event.type.indexOf(".") + 1)),
    checkBooks: async () => {
      const books = await pay.books()
      for (const [currency, accounts] of Map.groupBy(books, (book) => book.currency)) {
        const total = accounts.reduce((sum, { balance }) => sum + balance, 0)
        assert.deepEqual({ currency, total }, { currency, total: 0 })
      }
      for (const { balance, floor, id } of books)
        assert.ok(floor !== 0 || balance >= 0, `${id} has the balance ${balance}`)
    },
  }
  await pay.settle()
  pay.inbox.clear()
  return { ...pay, ...parts }
}
