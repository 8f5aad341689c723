/** Transfers of agents and platforms, what approvers say of them, and policies that change meanwhile. */
import { anyOf, bodyOf, type Client, type ClientActions, isDone } from "./ClientRequests.ts"

const suffixes = ["000", "000", "002", "004", "005"] as const

/** An account outside: one that was there from the beginning, or one that was added. */
const outside = ({ answers, random, pay }: Client): string => {
  const added = random.once(4)
    ? anyOf(
        random,
        [...answers.outside.values()].filter((id) => id !== null),
      )
    : undefined
  return added ?? pay.sources[random.pick(suffixes)] ?? ""
}

const money = ({ random }: Client) => random.below(2500)

const pulled = (client: Client) => ({
  source: { accountId: outside(client) },
  destination: { accountId: client.pay.accountId },
  amount: money(client),
})

/** What a transfer in or out made is remembered in a list. */
const remembered = (list: Set<string>, id: unknown): boolean => {
  if (typeof id === "string") list.add(id)
  return typeof id === "string"
}

export const transferActions: ClientActions = {
  "agent's transfer in": {
    weight: 6,
    run: async (client) => {
      const { answers, keyed, pay } = client
      const made = await keyed("/agents/me/transfer-in", { as: { token: pay.accessToken }, body: pulled(client) })
      return remembered(answers.actions, made?.["id"])
    },
  },
  "transfer in": {
    weight: 4,
    run: async (client) => {
      const made = await client.keyed("/transfer-in", { body: pulled(client) })
      return remembered(client.answers.transactions, made?.["id"])
    },
  },
  "transfer out": {
    weight: 5,
    run: async (client) => {
      const { answers, keyed, random, pay } = client
      const body = {
        source: { accountId: pay.accountId },
        destination: { accountId: outside(client) },
        ...(random.once(12) ? {} : { amount: money(client) }),
        paymentRail: random.pick(["ACH", "WIRE", "RTP"]),
      }
      return remembered(answers.transactions, (await keyed("/transfer-out", { body }))?.["id"])
    },
  },
  verdict: {
    weight: 5,
    run: async ({ answers, insist, random, pay }) => {
      const actionId = anyOf(random, answers.actions)
      if (actionId === undefined) return undefined
      const verdict = random.once(3) ? "reject" : "approve"
      return isDone(await insist("POST", `/agents/${pay.agentId}/actions/${actionId}/${verdict}`, { body: {} }))
    },
  },
  cancel: {
    weight: 3,
    run: async ({ answers, insist, random }) => {
      const transactionId = anyOf(random, answers.transactions)
      if (transactionId === undefined) return undefined
      answers.cancelled.add(transactionId)
      return isDone(await insist("POST", `/transactions/${transactionId}/cancel`, { body: {} }))
    },
  },
  // The answer was lost on the client's side: it asks again much later.
  "asked again": {
    weight: 4,
    run: async ({ again }) => ((await again()) === undefined ? undefined : true),
  },
  policy: {
    weight: 1,
    run: async ({ insist, random, pay }) => {
      const spendingLimits = { dailyLimit: 2000 + random.below(6000), perTransactionLimit: 2500 }
      return isDone(await insist("PATCH", `/agents/${pay.agentId}/policy`, { body: { spendingLimits } }))
    },
  },
  pause: {
    weight: 1,
    run: async ({ insist, random, pay }) =>
      isDone(await insist("PATCH", `/agents/${pay.agentId}`, { body: { isPaused: random.once(3) } })),
  },
  // The sender has no key: if the response is lost, the outcome is unknown.
  "payment to an address": {
    weight: 3,
    run: async ({ answers, random, once, pay }) => {
      const body = {
        senderUmaAddress: "$success.usd@uma.sandbox.example",
        customerId: pay.customerId,
        receivingCurrencyCode: random.pick(["USD", "EUR"]),
        receivingCurrencyAmount: 1 + random.below(900),
      }
      const reply = await once("POST", "/sandbox/uma/receive", { body })
      if (reply === undefined) answers.unknown.arrivals += 1
      const id = reply && bodyOf(reply)["id"]
      remembered(answers.arrivals, id)
      return remembered(answers.transactions, id)
    },
  },
  "payment decided": {
    weight: 12,
    run: async ({ answers, insist, random }) => {
      const transactionId = anyOf(random, answers.arrivals)
      if (transactionId === undefined) return undefined
      const verdict = random.once(3) ? "reject" : "approve"
      const body = verdict === "approve" ? { receiverCustomerInfo: { FULL_NAME: "Ada Lovelace" } } : {}
      return isDone(await insist("POST", `/transactions/${transactionId}/${verdict}`, { body }))
    },
  },
}
