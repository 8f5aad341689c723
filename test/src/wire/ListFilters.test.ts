/**
 * Every filter of a list returns exactly the entries of the whole list that match it: by that member, by no other, and with its bound included.
 * Source: wire contract 0.3; `store/OfferedFilters.test.ts` has the fields that filters select by.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { agentSteps } from "../confinement/AgentSteps.ts"
import { idAt } from "../confinement/Bodies.ts"
import { basic, bearer } from "../confinement/Callers.ts"
import { customerSteps } from "../confinement/CustomerSteps.ts"
import { moneySteps } from "../confinement/MoneySteps.ts"
import { at } from "../customer/CustomerRequests.ts"
import { transcriptWorld, type Written } from "../transcript/TranscriptWorld.ts"

type Entry = Readonly<Record<string, unknown>>
/** The values of an entry that a filter compares. */
type Read = (entry: Entry) => ReadonlyArray<unknown>

interface Filter {
  readonly read: Read
  /** Absent: one value is equal. */
  readonly bound?: "from" | "to"
}

const member =
  (...path: ReadonlyArray<string>): Read =>
  (entry) =>
    [at({ body: entry }, ...path)].flat()

const equal = (...path: ReadonlyArray<string>): Filter => ({ read: member(...path) })
const from = (name: string): Filter => ({ read: member(name), bound: "from" })
const to = (name: string): Filter => ({ read: member(name), bound: "to" })
const created = { createdAfter: from("createdAt"), createdBefore: to("createdAt") }
const updated = { updatedAfter: from("updatedAt"), updatedBefore: to("updatedAt") }
const dates = { startDate: from("createdAt"), endDate: to("createdAt") }
const customerId = equal("customerId")
const status = equal("status")
const type = equal("type")
const account = { currency: equal("balance", "currency", "code"), type }
const [source, destination] = [member("source", "accountId"), member("destination", "accountId")]
const transfers = {
  accountIdentifier: { read: (entry) => [...source(entry), ...destination(entry)] },
  senderAccountIdentifier: { read: source },
  receiverAccountIdentifier: { read: destination },
  status,
  type,
  reference: equal("reconciliationInstructions", "reference"),
  ...dates,
} satisfies Readonly<Record<string, Filter>>

const lists: ReadonlyArray<readonly [path: string, filters: Readonly<Record<string, Filter>>]> = [
  ["/transactions", { customerId, platformCustomerId: equal("platformCustomerId"), ...transfers }],
  ["/agents/me/transactions", transfers],
  ["/agents/me/actions", { status }],
  ["/agents", { customerId, isPaused: equal("isPaused"), isConnected: equal("isConnected"), ...created, ...updated }],
  ["/agents/approvals", { agentId: equal("agentId"), customerId, status, ...dates }],
  [
    "/customers",
    {
      platformCustomerId: equal("platformCustomerId"),
      customerType: equal("customerType"),
      region: equal("region"),
      currency: equal("currencies"),
      umaAddress: equal("umaAddress"),
      ...created,
      ...updated,
    },
  ],
  ["/customers/internal-accounts", { ...account, customerId }],
  ["/internal-accounts", { ...account, customerId }],
  ["/agents/me/internal-accounts", account],
  ["/customers/external-accounts", { currency: equal("currency"), customerId }],
  ["/tokens", { name: equal("name"), ...created, ...updated }],
  [
    "/audit-records",
    {
      actor: equal("actor", "id"),
      operation: equal("operation"),
      target: equal("target"),
      customerId,
      outcome: equal("outcome"),
      ...dates,
    },
  ],
  ["/operator/events", { type, subject: equal("subject"), customerId, ...dates }],
  ["/operator/books/accounts", { role: equal("role"), currency: equal("currency", "code") }],
  ["/operator/records?type=Transaction", { state: equal("state"), ...dates }],
  ["/operator/records?type=Customer", dates],
  ["/cards", { cardholderId: equal("cardholderId"), accountId: equal("fundingSources"), state: equal("state") }],
]

let world: Written
beforeAll(async () => {
  world = await transcriptWorld()
  // Entries of one list have been created, and changed, at different times.
  for (const steps of [moneySteps, agentSteps, customerSteps]) {
    await steps(world)
    await world.pay.clock.advance("1 minute")
  }
  const { accountId, customerId: cardholderId } = world.callers
  const issued = { cardholderId, form: "VIRTUAL", fundingSources: [accountId] }
  await world.pay.send("PATCH", `/cards/${idAt(await world.prepare("POST", "/cards", issued), "id")}`, {
    body: { state: "FROZEN" },
  })
}, 60_000)
afterAll(() => world[Symbol.asyncDispose]())

/** All entries of a list, by its pages. */
const entriesOf = async (path: string): Promise<ReadonlyArray<Entry>> => {
  const { clientId, clientSecret } = world.pay.credentials
  const headers = path.startsWith("/agents/me") ? bearer(world.callers.agent) : basic(clientId, clientSecret)
  const all: Array<Entry> = []
  for (let cursor = ""; ; ) {
    const page = `${path}${path.includes("?") ? "&" : "?"}limit=100${cursor}`
    const reply = await world.pay.send("GET", page, { as: "nobody", headers })
    if (reply.status !== 200) throw new Error(`${page}: ${reply.status} ${JSON.stringify(reply.body)}`)
    const {
      data = [],
      hasMore,
      nextCursor,
    }: { data?: Array<Entry>; hasMore?: boolean; nextCursor?: string } = Object(reply.body)
    all.push(...data)
    if (hasMore !== true) return all
    cursor = `&cursor=${encodeURIComponent(String(nextCursor))}`
  }
}

const nameOf = (entry: Entry): unknown => entry["id"] ?? entry["ledgerAccount"]

/** A card's transaction does not show its account. */
const namesOf = (entries: ReadonlyArray<Entry>, filter: string) =>
  entries.filter((entry) => !filter.endsWith("ccountIdentifier") || entry["cardId"] === undefined).map(nameOf)

const matches =
  ({ bound, read }: Filter, value: unknown) =>
  (entry: Entry): boolean =>
    read(entry).some((own) => {
      if (bound === undefined) return own === value
      return bound === "from" ? String(own) >= String(value) : String(own) <= String(value)
    })

/** Some of the values that entries have, among them the first and the last. */
const valuesOf = ({ read }: Filter, entries: ReadonlyArray<Entry>): ReadonlyArray<unknown> => {
  const all = [...new Set(entries.flatMap(read))].filter((value) => value !== undefined && value !== null)
  const sorted = all.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))
  return sorted.filter((_, index) => index < 3 || index === sorted.length - 1)
}

describe.each(lists)("a filter of %s", (path, filters) => {
  it.each(Object.entries(filters))("returns exactly the entries that match: %s", async (name, filter) => {
    const whole = await entriesOf(path)
    const values = valuesOf(filter, whole)
    expect(values).not.toEqual([])
    for (const value of values) {
      const text = `${path}${path.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(String(value))}`
      const expected = namesOf(whole.filter(matches(filter, value)), name)
      expect([text, namesOf(await entriesOf(text), name)]).toEqual([text, expected])
    }
  })
})
