/**
 * Actions on quotes of platforms and agents with every kind of funding: prefunded, pulled from a declared account, or sent by a payer, with
 * or without an account.
 * Source: wire contract areas 3.1 to 3.3.
 */
import type { Body } from "./Answers.ts"
import { anyOf, type Client, type ClientActions, isDone } from "./ClientRequests.ts"
import { isOfWallet } from "./WalletQuotes.ts"

const pulls = ["000", "000", "000", "002", "003", "004", "005"] as const
const pushes = ["000", "002", "005"] as const
const payouts = ["000", "000", "002", "003", "004", "005", "006", "007"] as const

const destination = ({ random, pay }: Client) => ({
  destinationType: "ACCOUNT",
  accountId: random.once(3) ? pay.eurosId : (pay.pesos[random.pick(payouts)] ?? ""),
})

const terms = (client: Client) => ({
  destination: destination(client),
  lockedCurrencySide: client.random.once(4) ? "RECEIVING" : "SENDING",
  lockedCurrencyAmount: 1 + client.random.below(3000),
})

const pulled = ({ random, pay }: Client) => ({
  sourceType: "ACCOUNT",
  accountId: pay.declared[random.pick(pulls)] ?? "",
})

const prefunded = ({ pay }: Client) => ({ sourceType: "ACCOUNT", accountId: pay.accountId })

const sources: readonly [(client: Client) => object, ...ReadonlyArray<(client: Client) => object>] = [
  prefunded,
  prefunded,
  pulled,
  pulled,
  ({ random, pay }) => ({ sourceType: "ACCOUNT", accountId: pay.sources[random.pick(pushes)] ?? "" }),
  ({ random, pay }) => ({
    sourceType: "REALTIME_FUNDING",
    currency: random.pick(["USD", "BTC"]),
    customerId: pay.customerId,
  }),
]

export const remembered = ({ answers }: Client, quote: Body | undefined): boolean => {
  if (quote === undefined) return false
  const { id, transactionId } = quote
  const before = answers.quotes.get(String(id))
  if (before === undefined) answers.quotes.set(String(id), quote)
  answers.transactions.add(String(transactionId))
  return true
}

/** Whether its payer sends the money. */
const isPaid = (pay: Client["pay"], quote: Body) =>
  quote["paymentInstructions"] !== undefined && !isOfWallet(pay, quote)

export const quoteActions: ClientActions = {
  quote: {
    weight: 5,
    run: async (client) => {
      const source = client.random.pick(sources)(client)
      const isAtOnce = "accountId" in source && client.random.once(2)
      const body = { ...terms(client), source, ...(isAtOnce ? { immediatelyExecute: true } : {}) }
      const made = await client.keyed("/quotes", { body })
      if (isAtOnce && made !== undefined) client.answers.executedQuotes.add(String(made["id"]))
      return remembered(client, made)
    },
  },
  "quote executed": {
    weight: 4,
    run: async ({ answers, keyed, random, pay }) => {
      const quoteId = anyOf(random, answers.quotes.keys())
      if (quoteId === undefined) return undefined
      const executed = await keyed(`/quotes/${quoteId}/execute`, {})
      if (executed !== undefined) answers.executedQuotes.add(quoteId)
      if (executed !== undefined && isOfWallet(pay, answers.quotes.get(quoteId) ?? {}))
        answers.problems.push(`${quoteId} was executed without the signature of its wallet`)
      return executed !== undefined
    },
  },
  "quote paid": {
    weight: 6,
    run: async ({ answers, insist, random, pay }) => {
      const quote = anyOf(
        random,
        [...answers.quotes.values()].filter((each) => isPaid(pay, each)),
      )
      if (quote === undefined) return undefined
      const currencyCode = (quote["sendingCurrency"] as Body)["code"]
      const more = random.once(4) ? 1 : 0
      const quoteId = String(quote["id"])
      const body = { quoteId, currencyCode, currencyAmount: Number(quote["totalSendingAmount"]) + more }
      if (more > 0) answers.mispaidQuotes.add(quoteId)
      const isSent = isDone(await insist("POST", "/sandbox/send", { body }))
      if (isSent) answers.executedQuotes.add(quoteId)
      return isSent
    },
  },
  "agent's quote": {
    weight: 4,
    run: async (client) => {
      const as = { token: client.pay.accessToken }
      const body = { ...terms(client), source: prefunded(client) }
      const made = await client.keyed("/agents/me/quotes", { as, body })
      if (made !== undefined) client.answers.agentQuotes.add(String(made["id"]))
      return remembered(client, made)
    },
  },
  "agent's quote executed": {
    weight: 4,
    run: async ({ answers, keyed, random, pay }) => {
      const quoteId = anyOf(random, answers.agentQuotes)
      if (quoteId === undefined) return undefined
      const made = await keyed(`/agents/me/quotes/${quoteId}/execute`, { as: { token: pay.accessToken } })
      if (typeof made?.["id"] === "string") answers.actions.add(made["id"])
      return made !== undefined
    },
  },
}
