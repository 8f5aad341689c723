/**
 * Lists, reads by id and transfers of a platform that has grown, over HTTP, beside the same of one with twenty customers: the requests to
 * both alternate, one at a time. Another checkout has two databases of its own, filled alike.
 */
import { PoolConnection } from "@countersign/adapter-postgres"
import { Page } from "@countersign/core/store"
import { basic, bearer, client, type Send, textAt } from "../e2e/Client.ts"
import { type Agent, credentialOptions, credentials, newAgent, newCustomer, newSource, transfer } from "../e2e/Flow.ts"
import { service } from "./Child.ts"
import type { DurableServer } from "./DurableServer.ts"
import { fillGrown } from "./GrowthFill.ts"
import { ofProcess, ofServer } from "./ProcessorTime.ts"
import { percentiles } from "./Rounds.ts"

const customers = 20
const spendingLimits = {
  currency: "USD",
  perTransactionLimit: 100_000,
  dailyLimit: 1_000_000_000_000,
  dailyTransactionLimit: 1_000_000_000,
  monthlyLimit: 1_000_000_000_000,
}

interface Grown extends AsyncDisposable {
  /** Of the service. */
  readonly pid: number
  readonly platform: Send
  readonly agent: Agent
  readonly customerId: string
  readonly platformCustomerId: string
  readonly accountId: string
  readonly transactionId: string
  readonly submit: () => Promise<unknown>
}

const started = async (
  server: DurableServer,
  database: string,
  rows: number,
  folder: string | undefined,
): Promise<Grown> => {
  await server.create(database)
  const child = await service([...credentialOptions, "--store", server.url(database), "--role", "api"], [], folder)
  const platform = client(child.output, basic(credentials.clientId, credentials.clientSecret))
  const made = []
  for (let n = 0; n < customers; n++) {
    const customer = await newCustomer(platform)
    const source = await newSource(platform, customer)
    const agent = await newAgent(child.output, platform, customer, { spendingLimits })
    const body = transfer(source, customer, 500)
    const submit = () =>
      client(child.output, bearer(agent.token))("POST", "/agents/me/transfer-in", {
        body,
        headers: { "idempotency-key": crypto.randomUUID() },
      })
    await submit()
    made.push({ customer, agent, submit })
  }
  const [first] = made
  if (first === undefined) throw new Error("no customer was created")
  const transactionId = textAt(await platform("GET", "/transactions?limit=1"), "data", 0, "id")
  const connection = PoolConnection.make(server.pool(database, 1))
  if (rows > 0) await connection.session((session) => fillGrown(session, rows))
  else await connection.session(({ script }) => script("vacuum analyze"))
  return {
    pid: child.pid,
    platform,
    agent: first.agent,
    customerId: first.customer.customerId,
    platformCustomerId: first.customer.platformCustomerId,
    accountId: first.customer.accountId,
    transactionId,
    submit: first.submit,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}

type Filters = (on: Grown) => Readonly<Record<string, string>>

interface Case {
  readonly name: string
  readonly ask: (on: Grown) => Promise<unknown>
}

const get = (name: string, path: (on: Grown) => string): Case => ({
  name,
  ask: async (on) => {
    const reply = await on.platform("GET", path(on))
    if (reply.status !== 200) throw new Error(`${name}: ${reply.status} ${reply.text}`)
  },
})

const list = (path: string, what = "", filters: Filters = () => ({})): Case =>
  get(`${path}${what === "" ? "" : ` (${what})`}`, (on) => {
    const query = Object.entries(filters(on)).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
    return `${path}?limit=20${query.join("")}`
  })

/** What the list of no record costs: the same request, of a time that has none. */
const empty = list("/transactions", "none", () => ({ startDate: "2100-01-01T00:00:00.000Z" }))

/** A page in the middle of what was copied: an eleventh of an hour per million before the newest. */
const deep = (rows: number): Filters => {
  const createdAt = Date.now() - rows / 2
  const cursor = Page.encodeCursor(
    { createdAt, id: "Transaction:" },
    { kind: "Transaction", filters: {}, order: "desc" },
  )
  return () => ({ cursor })
}

const casesFor = (rows: number): ReadonlyArray<Case> => [
  list("/transactions"),
  list("/transactions", "deep page", deep(rows)),
  list("/transactions", "oldest first", () => ({ sortOrder: "asc" })),
  list("/transactions", "status COMPLETED", () => ({ status: "COMPLETED" })),
  list("/transactions", "status FAILED, none", () => ({ status: "FAILED" })),
  list("/transactions", "type", () => ({ type: "INCOMING" })),
  list("/transactions", "status, type, dates", () => ({
    status: "COMPLETED",
    type: "INCOMING",
    endDate: new Date(Date.now() - rows / 2).toISOString(),
  })),
  list("/transactions", "customer", ({ customerId }) => ({ customerId })),
  list("/transactions", "customer, status", ({ customerId }) => ({ customerId, status: "PENDING" })),
  list("/transactions", "platformCustomerId", ({ platformCustomerId }) => ({ platformCustomerId })),
  list("/transactions", "account", ({ accountId }) => ({ accountIdentifier: accountId })),
  list("/transactions", "reference, none", () => ({ reference: "unknown" })),
  list("/agents/approvals"),
  list("/agents/approvals", "customer", ({ customerId }) => ({ customerId })),
  list("/agents/approvals", "agent", ({ agent }) => ({ agentId: agent.agentId })),
  { name: "/agents/me/actions", ask: ({ agent }) => agent.send("GET", "/agents/me/actions?limit=20") },
  { name: "/agents/me/transactions", ask: ({ agent }) => agent.send("GET", "/agents/me/transactions?limit=20") },
  list("/customers"),
  list("/customers", "type", () => ({ customerType: "BUSINESS" })),
  list("/customers", "region, none", () => ({ region: "BR" })),
  list("/customers", "updated", () => ({ updatedAfter: new Date(Date.now() - 60_000).toISOString() })),
  list("/agents"),
  list("/agents", "paused, none", () => ({ isPaused: "true" })),
  list("/customers/internal-accounts", "currency", () => ({ currency: "USD" })),
  list("/customers/external-accounts"),
  list("/operator/events"),
  list("/operator/events", "type", () => ({ type: "INCOMING_PAYMENT.COMPLETED" })),
  list("/operator/events", "customer", ({ customerId }) => ({ customerId })),
  list("/operator/events", "customer, type", ({ customerId }) => ({ customerId, type: "INCOMING_PAYMENT.FAILED" })),
  list("/audit-records"),
  list("/audit-records", "operation", () => ({ operation: "AGENT_CREATE" })),
  list("/operator/records", "Transaction", () => ({ type: "Transaction", state: "PROCESSING" })),
  get("one transaction", ({ transactionId }) => `/transactions/${transactionId}`),
  get("one customer", ({ customerId }) => `/customers/${customerId}`),
  get("one agent", ({ agent }) => `/agents/${agent.agentId}`),
  { name: "transfer-in", ask: ({ submit }) => submit() },
]

interface Timed {
  readonly millis: Array<number>
  /** Processor time of the database server and of the service. */
  processorMillis: number
}

export interface GrowthOptions {
  /** Transactions in the database that has grown. */
  readonly rows: number
  /** Blocks of requests of each case to each database. */
  readonly rounds: number
  /** Another checkout. */
  readonly other?: { readonly name: string; readonly folder: string } | undefined
}

const warming = 3

/** Alternating blocks: the processor time of one request is too short for the kernel's unit. */
const blockSize = 10

const ratioOf = (above = Number.NaN, below = Number.NaN): string => (above / below).toFixed(2)

const besides = (of: Timed, beside: Timed): string => {
  const [a, b] = [percentiles(of.millis), percentiles(beside.millis)]
  return [
    ratioOf(of.processorMillis, beside.processorMillis),
    ratioOf(a.p50Millis, b.p50Millis),
    ratioOf(a.p99Millis, b.p99Millis),
  ].join(" / ")
}

const cells = (all: ReadonlyArray<string>): string => `| ${all.join(" | ")} |`

const measure = async (
  server: DurableServer,
  name: string,
  folder: string | undefined,
  { rounds, rows }: GrowthOptions,
  write: (text: string) => void,
): Promise<void> => {
  await using small = await started(server, `small_${name}`, 0, folder)
  await using grown = await started(server, `grown_${name}`, rows, folder)
  write(`\n## ${rows.toLocaleString("en-US")} transactions, ${name}\n`)
  const head = ["request", "p50 ms", "p99 ms", "processor µs", "beside the small one", "beside the empty list"]
  write(cells(head))
  write(cells(head.map((_, index) => (index === 0 ? "---" : "---:"))))
  const block = async (timings: Timed, on: Grown, { ask }: Case) => {
    const processor = async () => (await ofServer(server.folder)) + (await ofProcess(on.pid))
    const before = await processor()
    for (let n = 0; n < blockSize; n++) {
      const start = performance.now()
      await ask(on)
      timings.millis.push(performance.now() - start)
    }
    timings.processorMillis += (await processor()) - before
  }
  for (const each of casesFor(rows)) {
    const ofGrown: Timed = { millis: [], processorMillis: 0 }
    const ofSmall: Timed = { millis: [], processorMillis: 0 }
    const ofEmpty: Timed = { millis: [], processorMillis: 0 }
    for (let n = 0; n < warming; n++) for (const on of [grown, small]) await each.ask(on)
    for (let blocks = 0; blocks < rounds; blocks++) {
      await block(ofGrown, grown, each)
      await block(ofSmall, small, each)
      await block(ofEmpty, small, empty)
    }
    const { p50Millis = 0, p99Millis = 0 } = percentiles(ofGrown.millis)
    write(
      cells([
        `\`${each.name}\``,
        p50Millis.toFixed(1),
        p99Millis.toFixed(1),
        Math.round((ofGrown.processorMillis * 1000) / ofGrown.millis.length).toLocaleString("en-US"),
        besides(ofGrown, ofSmall),
        besides(ofGrown, ofEmpty),
      ]),
    )
  }
}

export const growthBench = async (
  server: DurableServer,
  options: GrowthOptions,
  write: (text: string) => void,
): Promise<void> => {
  if (options.other !== undefined) await measure(server, options.other.name, options.other.folder, options, write)
  await measure(server, "now", undefined, options, write)
}
