/** The cards of a soak run: purchases that are authorized, cleared, and in part returned. */
import { setTimeout as pause } from "node:timers/promises"
import { type Body, textAt } from "../e2e/Client.ts"
import { newCustomer, platformAt } from "../e2e/Flow.ts"
import type { SoakRequests } from "./SoakRequests.ts"

/** No transfer of an agent has this amount, so that the audit tells them apart. */
const amount = 30_000_000
const deposit = 100_000_000_000
const currency = { code: "USD", name: "United States Dollar", symbol: "$", decimals: 2 }
/** Number of later purchases before a purchase is returned. */
const returnDelay = 20

/** Issues a card to a new customer. Returns its step. */
export const cardTraffic = async (
  base: string,
  { send }: SoakRequests,
  randomInt: (below: number) => number,
): Promise<() => Promise<void>> => {
  const { accountId, customerId } = await newCustomer(platformAt(base))
  let funds = 0
  const fund = async () => {
    const request = { operation: "deposit", expected: [200], body: { amount: deposit } }
    await send("POST", `/sandbox/internal-accounts/${accountId}/fund`, request)
    funds += deposit
  }
  await fund()
  const body = { cardholderId: customerId, form: "VIRTUAL", fundingSources: [accountId] }
  const card = textAt(await send("POST", "/cards", { operation: "card", expected: [201], body }), "id")
  for (;;) {
    const { body: found } = await send("GET", `/cards/${card}`, { operation: "read a card", expected: [200] })
    if (found["state"] === "ACTIVE") break
    await pause(100)
  }

  const cleared: Array<string> = []
  const simulate = (kind: string, expected: ReadonlyArray<number>, sent: object) =>
    send("POST", `/sandbox/cards/${card}/simulate/${kind}`, { operation: `card ${kind}`, expected, body: sent })
  const purchase = async () => {
    if (funds < 10 * amount) await fund()
    funds -= amount
    const merchant = { descriptor: "Shop 000", mcc: "5411", country: "US" }
    const authorized = await simulate("authorization", [202], { amount, currency, merchant })
    const list = `/transactions?type=CARD&customerId=${customerId}&limit=20&sortOrder=desc`
    const page = await send("GET", list, { operation: "transactions of a customer", expected: [200] })
    const token = textAt(authorized, "issuerTransactionToken")
    const found = (page.body["data"] as ReadonlyArray<Body>).find((one) => one["issuerTransactionToken"] === token)
    if (found === undefined) throw new Error(`the purchase ${token} is not listed: ${page.text}`)
    const cardTransactionId = String(found["id"])
    await simulate("clearing", [202], { cardTransactionId, amount })
    cleared.push(cardTransactionId)
  }
  const giveBack = async () => {
    const cardTransactionId = cleared.length > returnDelay ? cleared.shift() : undefined
    if (cardTransactionId === undefined) return purchase()
    // Of a purchase that no worker has settled yet nothing can be returned.
    const reply = await simulate("return", [202, 400, 409], { cardTransactionId, amount })
    if (reply.status === 202) funds += amount
  }
  return () => (randomInt(3) === 0 ? giveBack() : purchase())
}
