/** Every sandbox operation that changes something is recorded in the audit. Source: wire contract 11 (60); D-111, D-262. */
import { Api } from "@countersign/client/api"
import { HttpApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { at } from "../customer/CustomerRequests.ts"
import { type Pay, recordOf } from "./Records.ts"

/** The records that the calls name. */
interface Parts {
  readonly pay: Pay
  readonly cardId: string
  /** The id of an open authorization. */
  readonly open: string
  /** The ids of a settled and of a refunded transaction. */
  readonly settled: string
  readonly refunded: string
  readonly quoteId: string
  readonly eventId: string
  readonly requestId: string
  /** The file of a saved world. */
  readonly file: object
}

interface Call {
  readonly body?: object
  readonly status?: number
  readonly auditRecord: object
}

const merchant = { descriptor: "Shop 000", mcc: "5411", country: "US" }
const purchase = { amount: 10, currency: { code: "USD", name: "Dollar", symbol: "$", decimals: 2 }, merchant }
const webhookTest = ({ pay }: Parts): Call => ({
  auditRecord: { operation: "SANDBOX_WEBHOOK_TEST", target: pay.platformId, details: { status: 200 } },
})
const cardMessage =
  (body: object, details: object) =>
  ({ cardId }: Parts): Call => ({
    body,
    status: 202,
    auditRecord: { operation: "SANDBOX_CARD_MESSAGE", target: cardId, details },
  })
const authorization = (direction: "CREDIT" | "DEBIT", isFinancial: boolean) =>
  cardMessage(purchase, { message: "Authorization", direction, isFinancial, amount: 10, currency: "USD" })
/** A message about one of the transactions. */
const messageAbout =
  (which: "open" | "settled" | "refunded", message: string, amount?: number) =>
  (parts: Parts): Call => {
    const about = { cardTransactionId: parts[which], ...(amount === undefined ? {} : { amount }) }
    return cardMessage(about, { message, ...about })(parts)
  }
const worldCall =
  (operation: string, name: string | undefined, call: Omit<Call, "auditRecord"> = {}) =>
  ({ pay }: Parts): Call => ({
    ...call,
    auditRecord: { operation, target: pay.platformId, details: name === undefined ? {} : { name } },
  })
const inboxCall =
  (operation: string, call: Omit<Call, "auditRecord">) =>
  ({ pay }: Parts): Call => ({ ...call, auditRecord: { operation, target: pay.platformId, details: {} } })
const simulate = (name: string) => `POST /sandbox/cards/:id/simulate/${name}`

/** The body and the expected audit record of each sandbox call. */
const sandboxCalls: { readonly [operation: string]: (parts: Parts) => Call } = {
  "POST /sandbox/internal-accounts/:accountId/fund": ({ pay }) => ({
    body: { amount: 70 },
    auditRecord: { operation: "SANDBOX_FUND", target: pay.accountId, details: { amount: 70, currency: "USD" } },
  }),
  "POST /sandbox/external-accounts/:externalAccountId/status": ({ pay }) => ({
    body: { status: "UNDER_REVIEW" },
    auditRecord: {
      operation: "SANDBOX_EXTERNAL_ACCOUNT_STATUS",
      target: pay.sources["000"],
      details: { from: "ACTIVE", to: "UNDER_REVIEW" },
    },
  }),
  "POST /sandbox/send": ({ quoteId }) => ({
    body: { quoteId, currencyCode: "USD" },
    auditRecord: { operation: "SANDBOX_SEND", target: quoteId, details: { amount: 500, currency: "USD" } },
  }),
  "POST /sandbox/uma/receive": ({ pay }) => ({
    body: {
      senderUmaAddress: "$payer@elsewhere.example",
      customerId: pay.customerId,
      receivingCurrencyCode: "USD",
      receivingCurrencyAmount: 30,
    },
    auditRecord: {
      operation: "SANDBOX_UMA_RECEIVE",
      target: pay.accountId,
      details: { transactionId: expect.stringMatching(/^Transaction:/u), amount: 30, currency: "USD" },
    },
  }),
  "POST /sandbox/clock/advance": ({ pay }) => ({
    body: { seconds: 60 },
    auditRecord: {
      operation: "SANDBOX_CLOCK_ADVANCE",
      target: pay.platformId,
      details: { from: expect.stringMatching(/Z$/u), to: expect.stringMatching(/Z$/u) },
    },
  }),
  "POST /sandbox/events/:eventId/send": ({ eventId }) => ({
    body: { url: "https://receiver.example/hooks" },
    status: 202,
    auditRecord: { operation: "SANDBOX_EVENT_SEND", target: eventId, details: { type: expect.any(String) } },
  }),
  "POST /sandbox/webhooks/test": webhookTest,
  "POST /webhooks/test": webhookTest,
  [simulate("authorization")]: authorization("DEBIT", false),
  [simulate("financial_authorization")]: authorization("DEBIT", true),
  [simulate("credit_authorization")]: authorization("CREDIT", false),
  [simulate("credit_authorization_advice")]: authorization("CREDIT", false),
  [simulate("financial_credit_authorization")]: authorization("CREDIT", true),
  [simulate("balance_inquiry")]: cardMessage({ merchant }, { message: "Authorization", amount: 0 }),
  [simulate("authorization_advice")]: messageAbout("open", "Advice", 15),
  [simulate("clearing")]: messageAbout("open", "Clearing", 4),
  [simulate("return")]: messageAbout("settled", "Return", 4),
  [simulate("return_reversal")]: messageAbout("refunded", "ReturnReversal"),
  "POST /sandbox/inbox": inboxCall("SANDBOX_INBOX_OPEN", { body: { setAsEndpoint: false } }),
  "DELETE /sandbox/inbox/messages": inboxCall("SANDBOX_INBOX_CLEAR", { status: 204 }),
  "POST /sandbox/inbox/answers": inboxCall("SANDBOX_INBOX_ANSWER", { body: { status: 500, count: 1 }, status: 204 }),
  "POST /sandbox/requests/:requestId/send": ({ requestId }) => ({
    body: {},
    auditRecord: { operation: "SANDBOX_REQUEST_SEND", target: requestId, details: { operation: "listTokens" } },
  }),
  "POST /sandbox/worlds": worldCall("SANDBOX_WORLD_SAVE", "saved", { body: { name: "saved" }, status: 201 }),
  "POST /sandbox/worlds/fork": worldCall("SANDBOX_WORLD_FORK", "forked", { body: { name: "forked" }, status: 201 }),
  "POST /sandbox/worlds/import": (made) =>
    worldCall("SANDBOX_WORLD_IMPORT", "imported", { body: made.file, status: 201 })(made),
  "POST /sandbox/worlds/:name/load": worldCall("SANDBOX_WORLD_LOAD", "saved"),
  "DELETE /sandbox/worlds/:name": worldCall("SANDBOX_WORLD_DELETE", "saved", { status: 204 }),
  "POST /sandbox/scenarios/:scenario/run": ({ pay: { platformId } }) => ({
    status: 201,
    auditRecord: {
      operation: "SANDBOX_SCENARIO_RUN",
      target: platformId,
      details: { name: "agent-waiting-for-approval" },
    },
  }),
  "PUT /sandbox/faults": ({ pay: { platformId } }) => ({
    body: { webhooks: { kind: "TIMEOUT" } },
    auditRecord: { operation: "SANDBOX_FAULTS_SET", target: platformId, details: { on: ["webhooks"] } },
  }),
  "DELETE /sandbox/faults": ({ pay: { platformId } }) => ({
    status: 204,
    auditRecord: { operation: "SANDBOX_FAULTS_SET", target: platformId, details: { on: [] } },
  }),
  "POST /sandbox/world/reset": worldCall("SANDBOX_WORLD_RESET", undefined),
}

const idOf = (reply: Parameters<typeof at>[0]) => String(at(reply, "id"))

const parts = async (pay: Pay): Promise<Parts> => {
  await pay.send("POST", `/sandbox/internal-accounts/${pay.accountId}/fund`, { body: { amount: 1000 } })
  const { accountId, customerId } = pay
  const issue = { cardholderId: customerId, form: "VIRTUAL", fundingSources: [accountId] }
  const cardId = idOf(await pay.send("POST", "/cards", { body: issue }))
  await pay.settle()
  const network = (kind: string, body: object) =>
    pay.send("POST", `/sandbox/cards/${cardId}/simulate/${kind}`, { body })
  const bought = async (kind: string) => {
    const token = at(await network(kind, purchase), "issuerTransactionToken")
    await pay.settle()
    const data = at(await pay.send("GET", "/transactions?type=CARD"), "data") as ReadonlyArray<{ readonly id: string }>
    return data.find((each) => at({ body: each }, "issuerTransactionToken") === token)?.id ?? ""
  }
  const refunded = await bought("financial_authorization")
  await network("return", { cardTransactionId: refunded, amount: 10 })
  const quote = {
    source: { sourceType: "REALTIME_FUNDING", currency: "USD", customerId },
    destination: { destinationType: "ACCOUNT", accountId: pay.sources["002"] },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 500,
  }
  await pay.send("POST", "/sandbox/worlds", { body: { name: "imported" } })
  const { body: file } = await pay.send("GET", "/sandbox/worlds/imported/file")
  await pay.send("DELETE", "/sandbox/worlds/imported")
  return {
    pay,
    cardId,
    file: file as object,
    open: await bought("authorization"),
    settled: await bought("financial_authorization"),
    refunded,
    quoteId: idOf(await pay.send("POST", "/quotes", { body: quote })),
    eventId: String(at(await pay.send("GET", "/operator/events?limit=1"), "data", 0, "id")),
    requestId: (await pay.send("GET", "/tokens")).headers.get("x-request-id") ?? "",
  }
}

describe("a call of the sandbox", () => {
  // Proves: SBX-CALL-01
  it("is recorded for every sandbox operation", async () => {
    await using pay = await agentHarness({}, { suffixes: ["000", "002"] })
    const operations: Array<{ readonly method: string; readonly path: string }> = []
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint, group }) => {
        const isSandbox = group.identifier.startsWith("sandbox") || endpoint.path.startsWith("/sandbox/")
        if (isSandbox && endpoint.method !== "GET") operations.push({ method: endpoint.method, path: endpoint.path })
      },
    })
    // A new sandbox call needs an audit record from its decision and a line in the table above.
    expect(operations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
      Object.keys(sandboxCalls).toSorted(),
    )
    const made = await parts(pay)
    const ids: Readonly<Record<string, string | undefined>> = {
      accountId: pay.accountId,
      externalAccountId: pay.sources["000"],
      id: made.cardId,
      eventId: made.eventId,
      requestId: made.requestId,
      name: "saved",
      scenario: "agent-waiting-for-approval",
    }
    for (const { method, path } of operations) {
      const { status = 200, auditRecord, ...sent } = sandboxCalls[`${method} ${path}`]?.(made) ?? { auditRecord: {} }
      const reply = await pay.send(
        method,
        path.replaceAll(/:(\w+)/gu, (_, name: string) => ids[name] ?? ""),
        sent,
      )
      expect([path, reply.status, reply.body]).toEqual([path, status, reply.body])
      expect([path, await recordOf(pay, reply)]).toMatchObject([path, { ...auditRecord, outcome: "DONE" }])
    }
  })

  it("records the reason of a declined authorization without the merchant, and no invalid request", async () => {
    await using pay = await agentHarness()
    const { cardId } = await parts(pay)
    const path = `/sandbox/cards/${cardId}/simulate/authorization`
    const declined = await pay.send("POST", path, { body: { ...purchase, amount: 100_000 } })
    const record = await recordOf(pay, declined)
    expect(record).toMatchObject({
      operation: "SANDBOX_CARD_MESSAGE",
      target: cardId,
      customerId: pay.customerId,
      outcome: "REFUSED",
      details: { declineReason: "INSUFFICIENT_FUNDS", amount: 100_000 },
    })
    expect(JSON.stringify(record)).not.toContain(merchant.descriptor)
    const euros = { ...purchase, currency: { ...purchase.currency, code: "EUR" } }
    const refused = await pay.send("POST", path, { body: euros })
    expect([refused.status, await recordOf(pay, refused)]).toEqual([400, undefined])
  })

  it("records that a test event was not received", async () => {
    await using pay = await agentHarness()
    pay.inbox.answerNext("silence")
    const reply = await pay.send("POST", "/sandbox/webhooks/test")
    expect(reply.status).toBe(400)
    expect(await recordOf(pay, reply)).toMatchObject({ operation: "SANDBOX_WEBHOOK_TEST", outcome: "FAILED" })
  })
})
