/** Transfers of agents and platforms, what approvers say of them, and policies that change meanwhile. */
import { anyOf, bodyOf, type Client, type Deeds, isDone } from "./Asking.ts"

const suffixes = ["000", "000", "002", "004", "005"] as const

/** An account outside: one that was there from the beginning, or one that was added. */
const outside = ({ answers, luck, pay }: Client): string => {
  const added = luck.once(4)
    ? anyOf(
        luck,
        [...answers.outside.values()].filter((id) => id !== null),
      )
    : undefined
  return added ?? pay.sources[luck.pick(suffixes)] ?? ""
}

const money = ({ luck }: Client) => luck.below(2500)

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

export const transferDeeds: Deeds = {
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
      const { answers, keyed, luck, pay } = client
      const body = {
        source: { accountId: pay.accountId },
        destination: { accountId: outside(client) },
        ...(luck.once(12) ? {} : { amount: money(client) }),
        paymentRail: luck.pick(["ACH", "WIRE", "RTP"]),
      }
      return remembered(answers.transactions, (await keyed("/transfer-out", { body }))?.["id"])
    },
  },
  verdict: {
    weight: 5,
    run: async ({ answers, insist, luck, pay }) => {
      const actionId = anyOf(luck, answers.actions)
      if (actionId === undefined) return undefined
      const verdict = luck.once(3) ? "reject" : "approve"
      return isDone(await insist("POST", `/agents/${pay.agentId}/actions/${actionId}/${verdict}`, { body: {} }))
    },
  },
  cancel: {
    weight: 3,
    run: async ({ answers, insist, luck }) => {
      const transactionId = anyOf(luck, answers.transactions)
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
    run: async ({ insist, luck, pay }) => {
      const spendingLimits = { dailyLimit: 2000 + luck.below(6000), perTransactionLimit: 2500 }
      return isDone(await insist("PATCH", `/agents/${pay.agentId}/policy`, { body: { spendingLimits } }))
    },
  },
  pause: {
    weight: 1,
    run: async ({ insist, luck, pay }) =>
      isDone(await insist("PATCH", `/agents/${pay.agentId}`, { body: { isPaused: luck.once(3) } })),
  },
  // Whoever sends has no key: where the answer is lost, nobody knows whether it arrived.
  "payment to an address": {
    weight: 3,
    run: async ({ answers, luck, once, pay }) => {
      const body = {
        senderUmaAddress: "$success.usd@uma.sandbox.example",
        customerId: pay.customerId,
        receivingCurrencyCode: luck.pick(["USD", "EUR"]),
        receivingCurrencyAmount: 1 + luck.below(900),
      }
      const reply = await once("POST", "/sandbox/uma/receive", { body })
      if (reply === undefined) answers.unknown.arrivals += 1
      const id = reply && bodyOf(reply)["id"]
      remembered(answers.arrivals, id)
      return remembered(answers.transactions, id)
    },
  },
  "payment decided": {
    weight: 5,
    run: async ({ answers, insist, luck }) => {
      const transactionId = anyOf(luck, answers.arrivals)
      if (transactionId === undefined) return undefined
      const verdict = luck.once(3) ? "reject" : "approve"
      const body = verdict === "approve" ? { receiverCustomerInfo: { FULL_NAME: "Ada Lovelace" } } : {}
      return isDone(await insist("POST", `/transactions/${transactionId}/${verdict}`, { body }))
    },
  },
}
