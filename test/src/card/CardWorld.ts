/** Card test harness: a cardholder with money, cards by magic suffix, and messages of the card network. */
import { addCustomer } from "../../../packages/test/src/harness/AgentWorld.ts"
import type { Harness, Reply } from "../../../packages/test/src/harness/Harness.ts"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import type { World, WorldOptions } from "../../../packages/test/src/harness/World.ts"

export type CardHarness = Harness & { readonly customerId: string; readonly accountId: string }

/** Starts a service with one cardholder whose USD account holds `funds`. */
export const cardHarness = async (options: WorldOptions = {}, funds = 100_000): Promise<CardHarness> => {
  const within = await harness(options)
  const { accountId, customerId } = await addCustomer(within)
  if (funds > 0) await fundAccount(within, accountId, funds)
  await within.settle()
  within.inbox.clear()
  return { ...within, customerId, accountId }
}

export const fundAccount = (pay: Harness, accountId: string, amount: number) =>
  pay.send("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount } })

/** Members of a reply's body. */
export const membersOf = ({ body }: Reply): { readonly [name: string]: unknown } =>
  body as { readonly [name: string]: unknown }
export const textOf = (reply: Reply, name: string): string => String(membersOf(reply)[name])

export const issueBody = (pay: CardHarness, more: object = {}) => ({
  cardholderId: pay.customerId,
  form: "VIRTUAL",
  fundingSources: [pay.accountId],
  ...more,
})

export const issueCard = (pay: CardHarness, more: object = {}): Promise<Reply> =>
  pay.send("POST", "/cards", { body: issueBody(pay, more) })

/** Issues a card and waits until it is provisioned. Returns its id. */
export const activeCard = async (pay: CardHarness, more: object = {}): Promise<string> => {
  const issued = await issueCard(pay, more)
  if (issued.status !== 201) throw new Error(`The card was not issued: ${JSON.stringify(issued.body)}`)
  await pay.settle()
  return textOf(issued, "id")
}

export const patchCard = (pay: Harness, cardId: string, body: object) => pay.send("PATCH", `/cards/${cardId}`, { body })
export const getCard = (pay: Harness, cardId: string) => pay.send("GET", `/cards/${cardId}`)

const usd = { code: "USD", name: "United States Dollar", symbol: "$", decimals: 2 }

/** Simulates an authorization. The merchant's name ends in the suffix. */
export const authorizeCard = (
  pay: Harness,
  cardId: string,
  amount: number,
  { kind = "authorization", suffix = "000" }: { readonly kind?: string; readonly suffix?: string } = {},
) =>
  pay.send("POST", `/sandbox/cards/${cardId}/simulate/${kind}`, {
    body: { amount, currency: usd, merchant: { descriptor: `Shop ${suffix}`, mcc: "5411", country: "US" } },
  })

export const simulate = (pay: Harness, cardId: string, kind: string, body: object) =>
  pay.send("POST", `/sandbox/cards/${cardId}/simulate/${kind}`, { body })

/** Returns the card transaction with this token. */
export const transactionOf = async (
  pay: Harness,
  token: string,
): Promise<{ readonly [name: string]: unknown } | undefined> => {
  const page = membersOf(await pay.send("GET", "/transactions?type=CARD&limit=100"))
  const data = page["data"] as ReadonlyArray<{ readonly [name: string]: unknown }>
  return data.find((transaction) => transaction["issuerTransactionToken"] === token)
}

/** Simulates an approved authorization. Returns the id of its transaction. */
export const approved = async (
  pay: Harness,
  cardId: string,
  amount: number,
  options?: Parameters<typeof authorizeCard>[3],
): Promise<string> => {
  const reply = await authorizeCard(pay, cardId, amount, options)
  const found = await transactionOf(pay, textOf(reply, "issuerTransactionToken"))
  if (found === undefined) throw new Error(`The authorization was not approved: ${JSON.stringify(reply.body)}`)
  return String(found["id"])
}

export const transaction = async (pay: Harness, id: string) => membersOf(await pay.send("GET", `/transactions/${id}`))

/** Returns available and total balance. */
export const balancesOf = async (pay: Harness, accountId: string): Promise<readonly [number, number]> => {
  const account = (await pay.send("GET", `/internal-accounts/${accountId}`)).body as {
    readonly balance: { readonly amount: number }
    readonly totalBalance: { readonly amount: number }
  }
  return [account.balance.amount, account.totalBalance.amount]
}

/** Starts a service with one active card, funded by one account that holds `funds`. */
export const readyCard = async (options: WorldOptions = {}, funds = 1000, more: object = {}): Promise<ReadyCard> => {
  const pay = await cardHarness(options, funds)
  const cardId = await activeCard(pay, more)
  pay.inbox.clear()
  return Object.assign(pay, { cardId })
}

export type ReadyCard = CardHarness & { readonly cardId: string }

/** Returns available and total balance of the cardholder's account. */
export const balanceOf = (pay: CardHarness) => balancesOf(pay, pay.accountId)

/** Simulates a clearing and runs the jobs that follow. */
export const clear = async (pay: ReadyCard, id: string, amount: number): Promise<Reply> => {
  const reply = await simulate(pay, pay.cardId, "clearing", { cardTransactionId: id, amount })
  await pay.settle()
  return reply
}

export const simulateReturn = (pay: ReadyCard, id: string, amount: number) =>
  simulate(pay, pay.cardId, "return", { cardTransactionId: id, amount })

/** Types of the events about a record in order of arrival, without repeated deliveries. */
export const eventTypesOf = (pay: World, id: string): ReadonlyArray<string> =>
  [...new Map(pay.inbox.received.map((event) => [event.id, event])).values()]
    .filter((event) => event.data["id"] === id)
    .map(({ type }) => type)

/** Sum of the ledger balances of a role. */
export const booksOfRole = async (pay: World, role: string): Promise<number> =>
  (await pay.books()).filter(({ id }) => id.startsWith(`${role}:`)).reduce((total, { balance }) => total + balance, 0)

/** Ids of a customer's accounts in a currency. */
export const accountsIn = async (pay: Harness, customerId: string, currency: string) => {
  const page = membersOf(
    await pay.send("GET", `/customers/internal-accounts?customerId=${customerId}&currency=${currency}`),
  )
  return (page["data"] as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
}
