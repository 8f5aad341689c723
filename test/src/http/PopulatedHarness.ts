/** A harness that contains a record of every kind; each use forks it, so that every run starts from the same state. */

import { MemoryStore } from "@countersign/adapter-memory"
import { Scenarios } from "@countersign/client/scenarios"
import { type Caller, tenant } from "@countersign/core"
import { TokenPermissions } from "@countersign/core/models"
import type { RequestSender, RequestTarget } from "../../../packages/test/src/arbitraries/EveryAnswer.ts"
import { type KnownValues, knownIdsIn } from "../../../packages/test/src/arbitraries/Overrides.ts"
import type { GeneratedRequest } from "../../../packages/test/src/arbitraries/Requests.ts"
import { policy } from "../../../packages/test/src/harness/AgentWorld.ts"
import { type Harness, harness, type Reply } from "../../../packages/test/src/harness/Harness.ts"
import { seededWallet } from "../../../packages/test/src/harness/SeededWallet.ts"
import { bookProblems } from "../../../packages/test/src/model/Books.ts"
import { at } from "../e2e/Client.ts"
import { settle } from "./IsolatedTenant.ts"

const scenarioContextOf = (pay: Harness) => ({
  client: pay.client,
  clientOf: pay.clientOf,
  wallet: seededWallet("held"),
  until: async <A>(read: () => Promise<A>, fits: (found: A) => boolean) => {
    await pay.settle()
    const found = await read()
    if (!fits(found)) throw new Error(`the state does not settle: ${JSON.stringify(found)}`)
    return found
  },
})

const address = { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" }
const payee = "$success.usd@uma.sandbox.example"

const tokensIn = (body: unknown): ReadonlyArray<string> =>
  [...JSON.stringify(body).matchAll(/"issuerTransactionToken":"([^"]+)"/gu)].map(([, token = ""]) => token)

/** The state without uploaded files and what their commits count: an upload is stored before its texts are known, and swept if refused. */
const stateOf = async (fork: Harness) => {
  const {
    jobs,
    operations: _,
    queues: __,
    records,
    ...rest
  } = await fork.run(MemoryStore.useSync(({ snapshot }) => snapshot()))
  return JSON.stringify({
    ...rest,
    jobs: jobs.filter(({ kind }) => !kind.startsWith("file.")),
    records: records.flat().filter(({ kind }) => kind !== "StoredFile"),
  })
}

/** The callers of requests: the platform, an agent with its token, and none. */
const senders = (
  agentToken: string,
): { readonly [asker in RequestSender]: "platform" | "nobody" | { readonly token: string } } => ({
  platform: "platform",
  nobody: "nobody",
  agent: { token: agentToken },
})

export interface PopulatedHarness {
  readonly known: KnownValues
  readonly open: () => Promise<RequestTarget>
}

/** Creates further records over HTTP, some with work in progress. The responses contain their identifiers. */
const addRecords = async (
  pay: Harness,
  { accountId, customerId }: { readonly accountId: string; readonly customerId: string },
) => {
  const answers: Array<unknown> = []
  const ask = async (method: string, path: string, body?: object): Promise<Reply> => {
    const reply = await pay.send(method, path, body === undefined ? {} : { body })
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    answers.push(reply.body)
    return reply
  }
  const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace", address }
  const accountInfo = { accountType: "USD_ACCOUNT", accountNumber: "7777005", routingNumber: "021000021", beneficiary }
  await ask("POST", "/platform/external-accounts", { currency: "USD", accountInfo })
  const slow = await ask("POST", "/customers/external-accounts", { customerId, currency: "USD", accountInfo })
  const out = { source: { accountId }, destination: { accountId: at(slow.body, "id") }, amount: 100 }
  await ask("POST", "/transfer-out", out)
  await ask("POST", "/customers", {
    customerType: "INDIVIDUAL",
    fullName: "Emmy Noether",
    region: "EU",
    phoneNumber: "+491701234567",
  })
  await ask("GET", `/receiver/uma/${encodeURIComponent(payee)}?customerId=${customerId}`)
  await ask("POST", "/quotes", {
    source: { sourceType: "REALTIME_FUNDING", customerId, currency: "USD" },
    destination: { destinationType: "ACCOUNT", accountId },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 1000,
  })
  const { body } = await ask("POST", "/agents", { name: "New", customerId, policy: policy() })
  return { answers, code: String(at(body, "deviceCode", "code")) }
}

/** One customer with records of every kind, one with a wallet and a session, and one with an active card and a hold. */
export const populatedHarness = async (): Promise<PopulatedHarness> => {
  const pay = await harness({ tape: false, scaRegions: ["EU"] })
  const { clientId, clientSecret } = pay.credentials
  const platform = { ...tenant(pay.platformId), permissions: [...TokenPermissions] } as Caller
  const held = await settle(pay, platform, `Basic ${btoa(`${clientId}:${clientSecret}`)}`, "Held")
  const wallet = await Scenarios["funded-wallet-with-session"](scenarioContextOf(pay))
  const card = await Scenarios["active-card"](scenarioContextOf(pay))
  const { accountId = "", customerId = "" } = held.ids
  const { answers, code } = await addRecords(pay, { accountId, customerId })
  const merchant = { descriptor: "Shop", mcc: "5411", country: "US" }
  const path = `/sandbox/cards/${card.cardId}/simulate/authorization`
  const hold = await pay.send("POST", path, { body: { amount: 1200, currency: "USD", merchant } })
  if (at(hold.body, "declineReason") !== undefined) throw new Error(`declined: ${JSON.stringify(hold.body)}`)
  const { records } = await pay.run(MemoryStore.useSync(({ snapshot }) => snapshot()))
  const spent = records.flat().filter(({ kind }) => kind === "CardTransaction")
  const { privateKey: _, ...ofWallet } = wallet
  const found = knownIdsIn([held.ids, held.marks, ofWallet, card, spent, answers])
  const known: KnownValues = {
    ...found,
    // Identifiers that belong together are the most frequent.
    Customer: [...(found["Customer"] ?? []), ...Array.from({ length: 6 }, () => customerId)],
    InternalAccount: [...(found["InternalAccount"] ?? []), ...Array.from({ length: 6 }, () => accountId)],
    code: [code],
    CurrencyCode: ["USD", "USD", "USD", "EUR", "USDB"],
    receiverUmaAddress: [payee],
    senderUmaAddress: [payee],
    umaAddress: [payee],
    issuerTransactionToken: tokensIn(spent),
    Card: [card.cardId],
  }
  const as = senders(held.agentToken)
  const open = async (): Promise<RequestTarget> => {
    const world = await pay.fork()
    return {
      send: ({ body, form, headers, method, path: to }: GeneratedRequest, asker) =>
        world.send(method, to, { as: as[asker], headers, body, ...(form && { form }) }),
      state: () => stateOf(world),
      problems: async () => {
        await world.settle()
        return bookProblems(await world.books())
      },
      [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
    }
  }
  return { known, open }
}
