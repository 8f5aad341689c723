/** A service process of the benchmarks with agents that are ready to transfer, and the measurement of `POST /agents/me/transfer-in` on it. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type Connection, PoolConnection } from "@countersign/adapter-postgres"
import { basic, client } from "../e2e/Client.ts"
import { credentialOptions, credentials, newAgent, newCustomer, newSource, transfer } from "../e2e/Flow.ts"
import { type Child, part, service } from "./Child.ts"
import { clearTables, type DurableServer } from "./DurableServer.ts"
import type { Ask, HttpLoadOptions, HttpLoadResult } from "./HttpLoad.ts"
import { ofProcess, ofServer } from "./ProcessorTime.ts"
import { type Measured, warmingSeconds } from "./Rounds.ts"

const agents = 1000
const atOnce = 16
export const transferPath = "/agents/me/transfer-in"

const spendingLimits = {
  currency: "USD",
  perTransactionLimit: 100_000,
  dailyLimit: 1_000_000_000_000,
  dailyTransactionLimit: 1_000_000_000,
  monthlyLimit: 1_000_000_000_000,
}

/** Creates agents, each of its own customer, over the HTTP interface. */
export const enrolled = async (base: string, count = agents): Promise<ReadonlyArray<Ask>> => {
  const platform = client(base, basic(credentials.clientId, credentials.clientSecret))
  const asks: Array<Ask> = []
  const enrol = async () => {
    while (asks.length < count) {
      const customer = await newCustomer(platform)
      const source = await newSource(platform, customer)
      const { token } = await newAgent(base, platform, customer, { spendingLimits })
      asks.push({ token, body: JSON.stringify(transfer(source, customer, 500)) })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, enrol))
  return asks
}

const load = async (options: HttpLoadOptions): Promise<HttpLoadResult> => {
  await using child = await part("done", "load", options)
  return JSON.parse(child.output) as HttpLoadResult
}

/** Requests to one process of the service or of the echo. */
export interface LoadTarget {
  readonly child: Child
  readonly connection: Connection
  /** The file of the requests. */
  readonly asks: string
  /** Whether every answered transfer must be stored. */
  readonly isStored: boolean
}

/** Measures one round at a number of connections. */
export const transferRound =
  ({ asks, child, connection, isStored }: LoadTarget, folder: string, connections: number, seconds: number) =>
  async (): Promise<Measured> => {
    await clearTables(connection)
    const options = { url: `${child.output}${transferPath}`, connections, asks }
    const warming = await load({ ...options, seconds: warmingSeconds })
    const serverBefore = await ofServer(folder)
    const before = await ofProcess(child.pid)
    const result = await load({ ...options, seconds })
    const callerMillis = (await ofProcess(child.pid)) - before
    const serverMillis = (await ofServer(folder)) - serverBefore
    const [stored] = await connection.query({ text: "select count(*)::text from countersign.agent_action", values: [] })
    const answered = warming.count + result.count
    if (isStored && Number(stored) !== answered) throw new Error(`${answered} answered, ${stored} stored`)
    return { ...result, callerMillis, serverMillis }
  }

export interface TransferServiceOptions {
  /** The database that the service creates its tables in. */
  readonly database: string
  readonly nodeOptions?: ReadonlyArray<string>
  /** The checkout whose service runs; absent: this one. */
  readonly checkout?: string | undefined
}

/** Starts a service with agents on the server, and sends requests until its code is compiled. */
export const transferService = async (
  server: DurableServer,
  { checkout, database, nodeOptions = [] }: TransferServiceOptions,
) => {
  await server.create(database)
  const connection = PoolConnection.make(server.pool(database, 2))
  const options = [...credentialOptions, "--store", server.url(database), "--role", "api"]
  const child = await service(options, nodeOptions, checkout)
  const requests = await enrolled(child.output)
  const asks = join(server.folder, `${database}.json`)
  await writeFile(asks, JSON.stringify(requests))
  await connection.session(({ script }) => script("vacuum analyze"))
  const [first] = requests
  if (first === undefined) throw new Error("no agent was enrolled")
  const { text } = await client(child.output, `Bearer ${first.token}`)("POST", transferPath, {
    body: JSON.parse(first.body),
  })
  await load({ url: `${child.output}${transferPath}`, connections: 32, seconds: 10, asks })
  const target: LoadTarget = { child, connection, asks, isStored: true }
  return { target, exampleAnswer: text, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() }
}
