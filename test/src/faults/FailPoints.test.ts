/**
 * Every fail point with a crash, an error and a delay, in memory and on PostgreSQL: whatever happens between two commits, the work is done
 * once in the end, the books balance, and each event is delivered.
 */
import { AgentActions, type CardMessage, Cards, CardTransactions, Transactions } from "@countersign/core"
import { type FailPoint, FailPoints } from "@countersign/core/verify"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { type AgentWorld, agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { fund } from "../../../packages/test/src/harness/TransferCalls.ts"
import type { WorldStore } from "../../../packages/test/src/harness/World.ts"
import { AgentAuditor } from "../../../packages/test/src/model/AgentAuditor.ts"
import { CardAuditor } from "../../../packages/test/src/model/CardAuditor.ts"
import { cardModelWorld } from "../../../packages/test/src/model/CardCommands.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import * as DocumentHistory from "./DocumentHistory.ts"
import * as PlatformHistory from "./PlatformHistory.ts"
import * as StablecoinHistory from "./StablecoinHistory.ts"

const database = TestDatabase.create(4)
afterAll(async () => (await database).close())

const onPostgres = TestDatabase.emptyWorld(database)

interface Place {
  readonly name: string
  readonly store?: WorldStore
  readonly vault: () => DocumentHistory.ListedVault
  /** The passages of a point at which the fault occurs, each in its own history. */
  readonly passages: ReadonlyArray<ReadonlyArray<number>>
}

const places: ReadonlyArray<Place> = [
  { name: "in memory", vault: DocumentHistory.memoryVault, passages: [[1], [2, 3], [4, 6]] },
  {
    name: "on PostgreSQL",
    store: onPostgres,
    vault: () => DocumentHistory.postgresVault(database),
    passages: [[1, 2, 4]],
  },
]

type Fault = "crash" | "error" | "delay"

/** The effect of a fault on the fiber that passes the point. */
const faultEffects: { readonly [fault in Fault]: Effect.Effect<void> } = {
  crash: Effect.interrupt,
  error: Effect.die(new Error("a fault of the test")),
  delay: Effect.repeat(Effect.yieldNow, { times: 100 }),
}

const hits = new Map<string, number>()

const countHit = (name: string) => void hits.set(name, (hits.get(name) ?? 0) + 1)

/** Injects the fault at some passages of one point while it is enabled. */
const switchboard = (name: string, point: FailPoint, fault: Fault, passages: ReadonlyArray<number>) => {
  let seen = 0
  const board = {
    isOn: false,
    at: (at: FailPoint): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (!board.isOn || at !== point) return Effect.void
        seen += 1
        if (!passages.includes(seen)) return Effect.void
        countHit(`${point} ${fault} ${name}`)
        return faultEffects[fault]
      }),
  }
  return board
}

/** Repeats a request until it is answered, as a client does whose connection broke. */
const retry = async <A>(attempt: () => Promise<A>): Promise<A> => {
  for (let left = 10; ; left--) {
    try {
      return await attempt()
    } catch (cause) {
      if (left === 0) throw cause
    }
  }
}

const transferIn = (pay: AgentWorld, auditor: AgentAuditor, key: string, suffix: string, amount: number) => {
  const request = { sourceAccountId: pay.sources[suffix] ?? "", destinationAccountId: pay.accountId, amount }
  const keyed = { key, method: "POST", path: "/agents/me/transfer-in", body: request }
  return retry(async () => {
    const submit = Effect.result(AgentActions.use((actions) => actions.submitTransferIn(request, keyed)))
    auditor.submitted(undefined, await pay.run(submit, pay.agent))
  })
}

const approve = (pay: AgentWorld, auditor: AgentAuditor, index: number) => {
  const actionId = auditor.actionAt(index) ?? ""
  return retry(async () =>
    auditor.decided(
      actionId,
      await pay.run(Effect.result(AgentActions.use((actions) => actions.approve(pay.agentId, actionId)))),
    ),
  )
}

/** A worker that may die; the next worker continues when its leases have expired. */
const work = (pay: Pick<AgentWorld, "settle">) => pay.settle().catch(() => 0)

/** Workers that may die, until leases and waits before a retry have passed several times. */
const workOn = async (pay: Pick<AgentWorld, "settle" | "clock">): Promise<void> => {
  for (let round = 0; round < 4; round++) {
    await work(pay)
    await pay.clock.advance("3 minutes").catch(() => undefined)
  }
}

const history = async (
  { name, store }: Place,
  point: FailPoint,
  fault: Fault,
  passages: ReadonlyArray<number>,
): Promise<void> => {
  const board = switchboard(name, point, fault, passages)
  await using pay = await agentWorld(
    { approvalThresholds: { currency: "USD", amount: 1000 } },
    { suffixes: ["000", "002"], failPoints: board.at, interleave: 5, ...(store && { store }) },
  )
  const auditor = new AgentAuditor(pay)
  board.isOn = true
  await transferIn(pay, auditor, "automatic", "000", 100)
  await transferIn(pay, auditor, "held", "000", 2000)
  await transferIn(pay, auditor, "refused by the bank", "002", 300)
  // An endpoint that is unavailable at first makes the workers return jobs.
  pay.inbox.answerNext(500, 500)
  await work(pay)
  await approve(pay, auditor, 1)
  await workOn(pay)
  board.isOn = false
  await pay.clock.advance("30 minutes")
  await auditor.checkEnd()
  expect(
    await pay.run(
      AgentActions.use((actions) => actions.mine({})),
      pay.agent,
    ),
  ).toMatchObject({ totalCount: 3 })
  for (const type of ["INCOMING_PAYMENT.COMPLETED", "INTERNAL_ACCOUNT.BALANCE_UPDATED"] as const) {
    expect(new Set(pay.inbox.ofType(type).map(({ id }) => id)).size).toBe(2)
  }
  expect(new Set(pay.inbox.ofType("INCOMING_PAYMENT.FAILED").map(({ id }) => id)).size).toBe(1)
}

/** The same for the platform's own transfers. */
const platformHistory = async (
  { name, store }: Place,
  point: FailPoint,
  fault: Fault,
  passages: ReadonlyArray<number>,
): Promise<void> => {
  const board = switchboard(name, point, fault, passages)
  await using pay = await agentWorld(
    {},
    {
      suffixes: ["000", "002", "005"],
      quotePull: "BANK_RAILS",
      failPoints: board.at,
      interleave: 5,
      ...(store && { store }),
    },
  )
  await PlatformHistory.prepare(pay)
  board.isOn = true
  const started = await PlatformHistory.begin(pay, retry)
  await work(pay)
  await PlatformHistory.cancel(pay, started, retry)
  await workOn(pay)
  board.isOn = false
  await pay.clock.advance("30 minutes")
  await PlatformHistory.checkEnd(pay, started)
}

/** A card that is issued, captures more than its authorization, and receives a partial refund. */
const cardHistory = async (
  { name, store }: Place,
  point: FailPoint,
  fault: Fault,
  passages: ReadonlyArray<number>,
): Promise<void> => {
  const board = switchboard(name, point, fault, passages)
  await using pay = await cardModelWorld({ failPoints: board.at, interleave: 5, ...(store && { store }) })
  const auditor = new CardAuditor(pay)
  await fund({ ...pay, accountId: pay.accounts[0], sources: {} }, 1000)
  auditor.funded(1000)
  board.isOn = true
  const { customerId } = pay
  const issued = await retry(() =>
    pay.run(
      Cards.use((cards) =>
        cards.issue({ cardholderId: customerId, form: "VIRTUAL", fundingSources: [pay.accounts[0]] }),
      ),
    ),
  )
  await work(pay)
  const authorization = {
    cardId: pay.cards[0],
    issuerTransactionToken: "txn_one",
    direction: "DEBIT" as const,
    amount: 300,
    currency: "USDB" as const,
    merchant: { descriptor: "Shop" },
    isFinancial: false,
  }
  const authorized = await retry(() => pay.run(CardTransactions.use((network) => network.authorize(authorization))))
  if (authorized._tag === "Declined") throw new Error(`declined: ${authorized.reason}`)
  auditor.authorized(authorized.transaction)
  const cardTransactionId = authorized.transaction.id
  const deliver = (messageId: string, message: CardMessage) =>
    retry(() =>
      pay.run(
        CardTransactions.use((network) =>
          network.receive({ cardId: pay.cards[0], cardTransactionId, messageId, message }),
        ),
      ),
    )
  await deliver("clearing", { _tag: "Clearing", amount: 350 })
  await workOn(pay)
  board.isOn = false
  await pay.clock.advance("10 minutes")
  await deliver("return", { _tag: "Return", amount: 50 })
  await pay.clock.advance("8 days")
  await auditor.checkEnd()
  expect(await pay.run(Cards.use((cards) => cards.get(issued.body.id)))).toMatchObject({ state: "ACTIVE" })
  expect(await pay.run(Transactions.use((all) => all.get(cardTransactionId)))).toMatchObject({
    status: "SETTLED",
    settledAmount: { amount: 350 },
    refundedAmount: { amount: 50 },
  })
}

/** Documents that are uploaded, replaced and deleted. A client that got no answer repeats its request. */
const documentHistory = async (
  { name, store, vault }: Place,
  point: FailPoint,
  fault: Fault,
  passages: ReadonlyArray<number>,
): Promise<void> => {
  const board = switchboard(name, point, fault, passages)
  const files = vault()
  await using pay = await agentWorld(
    {},
    { failPoints: board.at, interleave: 5, ports: files.layer, ...(store && { store }) },
  )
  board.isOn = true
  const kept = await DocumentHistory.begin(pay, retry)
  await workOn(pay)
  board.isOn = false
  // Sweeps what no record keeps, an hour after it was begun.
  await pay.clock.advance("2 hours")
  await DocumentHistory.checkEnd(pay, files, kept)
}

/** A mint and a burn of a stablecoin. */
const stablecoinHistory = async (
  { name, store }: Place,
  point: FailPoint,
  fault: Fault,
  passages: ReadonlyArray<number>,
): Promise<void> => {
  const board = switchboard(name, point, fault, passages)
  const provider = StablecoinHistory.countingProvider()
  await using pay = await agentWorld(
    {},
    { failPoints: board.at, interleave: 5, ports: provider.layer, ...(store && { store }) },
  )
  const prepared = await StablecoinHistory.prepare(pay)
  board.isOn = true
  const operations = await StablecoinHistory.begin(pay, prepared, retry)
  await workOn(pay)
  board.isOn = false
  await pay.clock.advance("30 minutes")
  await StablecoinHistory.checkEnd(pay, provider.begun, operations)
}

/** The points that only a card's history passes. */
const cardsOnly: ReadonlyArray<FailPoint> = ["issuer.asked"]

/** The points that only the history of documents, or that of a stablecoin, passes. */
const documentsOnly: ReadonlyArray<FailPoint> = ["file.begun", "file.stored", "file.erased"]
const stablecoinsOnly: ReadonlyArray<FailPoint> = ["stablecoin.submitted", "stablecoin.asked"]

/** The points that an agent's history does not pass. */
const platformOnly: ReadonlyArray<FailPoint> = [
  "transfer.confirmed",
  "quote.submitted",
  "quote.asked",
  "refund.asked",
  "cancellation.asked",
  "payment.asked",
]

const faults: ReadonlyArray<Fault> = ["crash", "error", "delay"]

describe.each(places)("the histories $name", (place) => {
  describe.each(FailPoints.keys)("with a fault at %s", (point) => {
    it.each(faults)("have the same final state after a %s", { timeout: 120_000 }, async (fault) => {
      if (cardsOnly.includes(point)) return await cardHistory(place, point, fault, [1, 3])
      if (documentsOnly.includes(point)) {
        for (const passages of [[1, 3], [2]]) await documentHistory(place, point, fault, passages)
        return
      }
      if (stablecoinsOnly.includes(point)) {
        for (const passages of [[1, 3], [2]]) await stablecoinHistory(place, point, fault, passages)
        return
      }
      if (!platformOnly.includes(point)) {
        for (const passages of place.passages) await history(place, point, fault, passages)
      }
      await platformHistory(place, point, fault, [1, 4])
    })
  })
})

afterAll(() => {
  const all = places.flatMap(({ name }) =>
    FailPoints.keys.flatMap((point) => faults.map((fault) => `${point} ${fault} ${name}`)),
  )
  expect(all.filter((each) => !hits.has(each))).toEqual([])
})
