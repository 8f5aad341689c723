/**
 * Measures `POST /agents/me/transfer-in` over HTTP with durable commits in PostgreSQL, beside its layers: the base, `Store.commit` alone, and
 * an echo without storage.
 */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { PoolConnection } from "@countersign/adapter-postgres"
import { basic, client } from "../e2e/Client.ts"
import { credentialOptions, credentials, newAgent, newCustomer, newSource, transfer } from "../e2e/Flow.ts"
import { type Child, part, service } from "./Child.ts"
import { prepared } from "./CommitBench.ts"
import { clearTables, type DurableServer } from "./DurableServer.ts"
import type { Ask, HttpLoadOptions, HttpLoadResult } from "./HttpLoad.ts"
import { ofProcess, ofServer } from "./ProcessorTime.ts"
import { type Case, compare, type Measured, type Settings, warmingSeconds } from "./Rounds.ts"

const agents = 1000
const atOnce = 16
const path = "/agents/me/transfer-in"

const spendingLimits = {
  currency: "USD",
  perTransactionLimit: 100_000,
  dailyLimit: 1_000_000_000_000,
  dailyTransactionLimit: 1_000_000_000,
  monthlyLimit: 1_000_000_000_000,
}

/** Creates agents, each of its own customer, over the HTTP interface. */
const enrolled = async (base: string): Promise<ReadonlyArray<Ask>> => {
  const platform = client(base, basic(credentials.clientId, credentials.clientSecret))
  const asks: Array<Ask> = []
  const enrol = async () => {
    while (asks.length < agents) {
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

export interface EndToEndOptions {
  /** The folder for the profile of the service. */
  readonly profile?: string | undefined
}

export const endToEndBench = async (
  server: DurableServer,
  settings: Settings,
  { profile }: EndToEndOptions,
  write: (text: string) => void,
): Promise<void> => {
  const { seconds } = settings
  const database = "service"
  await server.create(database)
  const connection = PoolConnection.make(server.pool(database, 2))
  const options = [...credentialOptions, "--store", server.url(database), "--role", "api"]
  const nodeOptions = profile === undefined ? [] : ["--cpu-prof", "--cpu-prof-dir", profile]
  await using running = await service(options, nodeOptions)
  const asks = await enrolled(running.output)
  const file = join(server.folder, "asks.json")
  await writeFile(file, JSON.stringify(asks))
  await connection.session(({ script }) => script("vacuum analyze"))

  const [first] = asks
  if (first === undefined) throw new Error("nobody was enrolled")
  const { text } = await client(running.output, `Bearer ${first.token}`)("POST", path, { body: JSON.parse(first.body) })
  await using echoing = await part("ready", "echo", { answer: text })

  const asked = (to: Child, connections: number, isKept: boolean) => async (): Promise<Measured> => {
    await clearTables(connection)
    const options = { url: `${to.output}${path}`, connections, asks: file }
    const warming = await load({ ...options, seconds: warmingSeconds })
    const serverBefore = await ofServer(server.folder)
    const before = await ofProcess(to.pid)
    const result = await load({ ...options, seconds })
    const callerMillis = (await ofProcess(to.pid)) - before
    const serverMillis = (await ofServer(server.folder)) - serverBefore
    const [kept] = await connection.query({ text: "select count(*)::text from countersign.agent_action", values: [] })
    const answered = warming.count + result.count
    if (isKept && Number(kept) !== answered) throw new Error(`${answered} answered, ${kept} kept`)
    return { ...result, callerMillis, serverMillis }
  }

  const { close, commits, sameCalls } = await prepared(server, "layers", seconds)
  // The first requests run before the code is compiled.
  await load({ url: `${running.output}${path}`, connections: 32, seconds: 10, asks: file })
  const base = "pgbench"
  const at = (connections: number): ReadonlyArray<Case> => [
    { name: `node:http echo, ${connections} connections`, bases: [base], run: asked(echoing, connections, false) },
    {
      name: `Store.commit, ${connections} callers`,
      bases: [base],
      run: commits({ size: "transferIn", isHot: false, callers: connections }),
    },
    {
      name: `POST ${path}, ${connections} connections`,
      bases: [base, `node:http echo, ${connections} connections`, `Store.commit, ${connections} callers`],
      run: asked(running, connections, true),
    },
  ]
  const cases: ReadonlyArray<Case> = [{ name: base, run: sameCalls("transferIn", false) }, ...at(32), ...at(128)]
  await compare("End to end", cases, settings, write)
  await close()
}
