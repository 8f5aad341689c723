/** A foreign client at a harness: plain HTTP over a socket, with nothing of ours but the address and the credentials. */
import assert from "node:assert/strict"
import { type Harness, type HarnessOptions, harness } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../e2e/Client.ts"

export interface Answer {
  readonly status: number
  readonly body: unknown
}

type Headers = { readonly [name: string]: string }

export interface Foreign extends AsyncDisposable {
  readonly pay: Harness
  /** The header with the signature of a wallet, and a member with the service's name, as this service spells them. */
  readonly signatureHeader: string
  readonly member: (rest: `Api${string}`) => string
  readonly get: (path: string) => Promise<Answer>
  readonly post: (path: string, body?: object, headers?: Headers) => Promise<Answer>
  readonly send: (method: string, path: string, body?: object, headers?: Headers) => Promise<Answer>
  /** The events that the platform's endpoint has received for a record or with this type, in order, each once. */
  readonly events: (subject: unknown) => Promise<ReadonlyArray<string>>
}

/** Starts a service on a socket. */
export const foreignClient = async (options: HarnessOptions = {}): Promise<Foreign> => {
  const pay = await harness(options)
  const { serviceName = "Service" } = options
  const { baseUrl, ...serving } = await pay.serve()
  const { clientId, clientSecret } = pay.credentials
  const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`
  const ask = async (method: string, path: string, body?: object, headers: Headers = {}): Promise<Answer> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) }
  }
  return {
    pay,
    signatureHeader: `${serviceName}-Wallet-Signature`,
    member: (rest) => `${serviceName.toLowerCase()}${rest}`,
    get: (path) => ask("GET", path),
    post: (path, body, headers) => ask("POST", path, body, headers),
    send: ask,
    events: async (subject) => {
      await pay.settle()
      const received = new Map(pay.inbox.received.map((event) => [event.id, event]))
      return [...received.values()].filter(({ data }) => data["id"] === subject).map(({ type }) => type)
    },
    [Symbol.asyncDispose]: async () => {
      await serving[Symbol.asyncDispose]()
      await pay[Symbol.asyncDispose]()
    },
  }
}

/** Returns a text of an answer. */
export const textAt = (answer: Answer, ...path: ReadonlyArray<string | number>): string => {
  const found = at(answer.body, ...path)
  assert.equal(typeof found, "string", `no text at ${path.join(".")} of ${JSON.stringify(answer)}`)
  return String(found)
}

/** An individual customer with an embedded wallet. */
export const newCustomer = async ({ get, post }: Pick<Foreign, "get" | "post">, fullName = "Ada Lovelace") => {
  const body = { customerType: "INDIVIDUAL", fullName, email: "ada@example.com", platformCustomerId: fullName }
  const customerId = textAt(await post("/customers", body), "id")
  const wallets = await get(`/customers/internal-accounts?customerId=${customerId}&type=EMBEDDED_WALLET`)
  return { customerId, walletId: textAt(wallets, "data", 0, "id") }
}

const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace" }
const address = { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" }

/** Registers a US bank account of a customer; `more` is added to the request. */
export const newBankAccount = async (
  { post }: Pick<Foreign, "post">,
  customerId: string,
  suffix: string,
  more: object = {},
) => {
  const accountNumber = `1234567${suffix}`
  const answer = await post("/customers/external-accounts", {
    customerId,
    currency: "USD",
    accountInfo: {
      accountType: "USD_ACCOUNT",
      accountNumber,
      routingNumber: "021000021",
      beneficiary: { ...beneficiary, address },
    },
    ...more,
  })
  assert.deepEqual([answer.status, at(answer.body, "status")], [201, "ACTIVE"])
  return textAt(answer, "id")
}

/** The body of a quote into a wallet, as a wallet client sends it. */
export const intoWallet = (source: object, walletId: string, more: object = {}) => ({
  source,
  destination: { destinationType: "ACCOUNT", accountId: walletId, currency: "USDB" },
  lockedCurrencySide: "SENDING",
  lockedCurrencyAmount: 2500,
  ...more,
})
