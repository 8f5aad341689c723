/** Actions on cards: issuing, freezing and closing them, and messages of their network: purchases, clearings, returns. */
import type { Body } from "./Answers.ts"
import { anyOf, bodyOf, type Client, type ClientAction, type ClientActions, isDone } from "./ClientRequests.ts"

const cardOf = ({ answers, random, pay }: Client): string =>
  random.once(2) ? pay.cardId : (anyOf(random, answers.cards.values()) ?? pay.cardId)

/**
 * A purchase comes from outside and has no key: if its response is lost, its outcome is unknown. Returns why it was declined, if it was, and
 * `undefined` without a decision.
 */
export const authorize = async (
  { answers, once, random }: Client,
  [cardId, kind, currency]: readonly [cardId: string, kind: string, currency: string],
): Promise<{ readonly declineReason: unknown } | undefined> => {
  const suffix = random.pick(["000", "000", "000", "002", "005", "006"])
  const amount = 1 + random.below(1500)
  const body = { amount, currency, merchant: { descriptor: `Shop ${suffix}`, mcc: "5411", country: "US" } }
  const reply = await once("POST", `/sandbox/cards/${cardId}/simulate/${kind}`, { body })
  if (reply === undefined) answers.unknown.authorizations += 1
  const { declineReason, issuerTransactionToken: token } = reply === undefined ? {} : bodyOf(reply)
  if (typeof token !== "string") return undefined
  const list = declineReason === undefined ? answers.approved : answers.declined
  list.add(token)
  return { declineReason }
}

const authorization = (kind: string, weight: number): ClientAction => ({
  weight,
  run: async (client) => {
    const decision = await authorize(client, [cardOf(client), kind, "USD"])
    return decision !== undefined && decision.declineReason === undefined
  },
})

interface Message {
  /** The states in which the message is valid; now and then it is sent in another one. */
  readonly of: ReadonlyArray<string>
  readonly more?: (client: Client, transaction: Body) => object
}

const amountOf = (transaction: Body, name: string): number =>
  Number((transaction[name] as Body | undefined)?.["amount"] ?? 0)

/** A message of the network about one of the card transactions. */
const message = (kind: string, weight: number, { more = () => ({}), of }: Message): ClientAction => ({
  weight,
  run: async (client) => {
    const { insist, random, once } = client
    const known = bodyOf(await insist("GET", "/transactions?type=CARD&limit=20"))["data"] as ReadonlyArray<Body>
    const fitting = random.once(8) ? known : known.filter(({ status }) => of.includes(String(status)))
    const transaction = anyOf(random, fitting)
    if (transaction === undefined) return undefined
    const body = { cardTransactionId: transaction["id"], ...more(client, transaction) }
    const reply = await once("POST", `/sandbox/cards/${String(transaction["cardId"])}/simulate/${kind}`, { body })
    return reply !== undefined && isDone(reply)
  },
})

/** Sometimes the target is a card in another state, or one that other clients use. */
const state = (wanted: string, weight: number, cardIn: (client: Client) => string | undefined): ClientAction => ({
  weight,
  run: async (client) => {
    const { answers, insist, random } = client
    const cardId = random.once(6) ? cardOf(client) : cardIn(client)
    if (cardId === undefined) return undefined
    const isMoved = isDone(await insist("PATCH", `/cards/${cardId}`, { body: { state: wanted } }))
    if (isMoved && wanted === "FROZEN") answers.frozen.add(cardId)
    else answers.frozen.delete(cardId)
    return isMoved
  },
})

const open = ["AUTHORIZED", "PARTIALLY_SETTLED"]

export const cardActions: ClientActions = {
  card: {
    weight: 2,
    run: async ({ answers, insist, random, name, pay }) => {
      const platformCardId = `${name()}-${random.pick(["000", "000", "001", "002", "005"])}`
      const body = { cardholderId: pay.customerId, form: "VIRTUAL", fundingSources: [pay.accountId], platformCardId }
      const reply = await insist("POST", "/cards", { body })
      // After a lost response, the repetition reports an existing card.
      const found = isDone(reply)
        ? reply
        : { body: (bodyOf(await insist("GET", `/cards?platformCardId=${platformCardId}`))["data"] as [unknown])[0] }
      const { id } = found.body as { readonly id: string }
      answers.cards.set(platformCardId, id)
      return true
    },
  },
  "card frozen": state("FROZEN", 2, cardOf),
  "card unfrozen": state("ACTIVE", 3, ({ answers, random }) => anyOf(random, answers.frozen)),
  "card closed": state("CLOSED", 2, ({ answers, random }) => anyOf(random, answers.cards.values())),
  "card limited": {
    weight: 1,
    run: async (client) => {
      const body = { maxSpendPerTransaction: client.random.pick([null, 700]) }
      return isDone(await client.insist("PATCH", `/cards/${cardOf(client)}`, { body }))
    },
  },
  purchase: authorization("authorization", 5),
  "purchase that clears at once": authorization("financial_authorization", 3),
  credit: authorization("credit_authorization", 1),
  clearing: message("clearing", 5, {
    of: open,
    more: ({ random }, transaction) => ({
      amount: random.pick([0, random.below(1600), amountOf(transaction, "authorizedAmount"), 1 + random.below(99)]),
    }),
  }),
  return: message("return", 9, {
    of: ["SETTLED"],
    more: ({ random }, transaction) => ({
      amount: random.once(3) ? 1 + random.below(900) : Math.max(1, amountOf(transaction, "settledAmount")),
    }),
  }),
  "return taken back": message("return_reversal", 30, { of: ["REFUNDED"] }),
  advice: message("authorization_advice", 2, { of: open, more: ({ random }) => ({ amount: 1 + random.below(1600) }) }),
}
