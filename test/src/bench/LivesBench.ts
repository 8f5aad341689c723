/**
 * Measures whole lives of transfers: submitted by an agent, settled by a job, and all three webhooks delivered to a local endpoint. A bounded
 * number of lives is on its way at any time, of one platform, with the default options of the service.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { basic, client } from "../e2e/Client.ts"
import { credentialOptions, credentials } from "../e2e/Flow.ts"
import { type Child, service } from "./Child.ts"
import type { DurableServer } from "./DurableServer.ts"
import { sendRequests } from "./HttpLoad.ts"
import { ofProcess, ofServer } from "./ProcessorTime.ts"
import { median, type Settings } from "./Rounds.ts"
import { enrolled, transferPath } from "./TransferService.ts"

const eventsPerLife = 3
const livesAtOnce = 256
const connections = 64
const agents = 200
const warmingMillis = 6000

interface Receiver extends AsyncDisposable {
  readonly url: string
  /** The number of different events that were delivered, and of deliveries. */
  readonly counts: () => { readonly events: number; readonly deliveries: number }
  /** Completes when fewer than the maximum of lives are on their way. */
  readonly turn: () => Promise<void>
}

/** A webhook endpoint that acknowledges at once. A life ends with each third event. */
const startReceiver = async (): Promise<Receiver> => {
  const known = new Set<string>()
  const waiting: Array<() => void> = []
  let deliveries = 0
  let begun = 0
  let base = 0
  const isFree = () => begun - (known.size - base) / eventsPerLife < livesAtOnce
  const server = createServer((request, response) => {
    const id = String(request.headers["webhook-id"])
    request.resume()
    request.on("end", () => {
      deliveries += 1
      known.add(id)
      response.end()
      while (waiting.length > 0 && isFree()) {
        begun += 1
        waiting.shift()?.()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    counts: () => ({ events: known.size, deliveries }),
    turn: () =>
      new Promise((resolve) => {
        if (begun === 0) base = known.size
        if (isFree()) {
          begun += 1
          resolve()
        } else waiting.push(resolve)
      }),
    [Symbol.asyncDispose]: async () => {
      for (const resume of waiting.splice(0)) resume()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Usage {
  readonly nodeMillis: number
  readonly serverMillis: number
  /** Transactions of the database, and change sets, of which one transaction may carry many. */
  readonly commits: number
  readonly changeSets: number
  readonly logBytes: number
}

interface Lives {
  readonly perSecond: number
  readonly nodeMicros: number
  readonly serverMicros: number
  readonly commits: number
  readonly changeSets: number
  readonly logKilobytes: number
}

export interface LivesOptions {
  readonly seconds: number
  /** Whether one process answers requests and another one runs jobs. */
  readonly isSplit: boolean
  /** The checkout whose service runs; absent: this one. */
  readonly checkout?: string | undefined
}

const measured = async (
  server: DurableServer,
  database: string,
  { checkout, isSplit, seconds }: LivesOptions,
): Promise<Lives> => {
  await server.create(database)
  const pool = server.pool(database, 1)
  const started = (role: string) =>
    service([...credentialOptions, "--store", server.url(database), "--role", role], [], checkout)
  await using receiver = await startReceiver()
  await using api = await started(isSplit ? "api" : "all")
  const asks = await enrolled(api.output, agents)
  const platform = client(api.output, basic(credentials.clientId, credentials.clientSecret))
  const { status, text } = await platform("PATCH", "/config", { body: { webhookEndpoint: receiver.url } })
  if (status !== 200) throw new Error(text)
  await using worker = isSplit ? await started("worker") : undefined
  const children: ReadonlyArray<Child> = worker === undefined ? [api] : [api, worker]
  const jobs = async () =>
    Number((await pool.query("select count(*)::int as count from countersign.job")).rows[0].count)
  for (let left = 60; left > 0 && (await jobs()) > 0; left--) await pause(500)

  const usage = async (): Promise<Usage> => {
    const { rows } = await pool.query<{ commits: string; sets: string; log: string }>(
      `select (select xact_commit from pg_stat_database where datname = current_database()) as commits,
        (select count(*) from countersign.operation) + (select count(*) from countersign.replay) as sets,
        pg_current_wal_insert_lsn() - '0/0' as log`,
    )
    const nodeMillis = await Promise.all(children.map(({ pid }) => ofProcess(pid)))
    return {
      nodeMillis: nodeMillis.reduce((sum, each) => sum + each, 0),
      serverMillis: await ofServer(server.folder),
      commits: Number(rows[0]?.commits),
      changeSets: Number(rows[0]?.sets),
      logBytes: Number(rows[0]?.log),
    }
  }

  let isOver = false
  const next = async () => {
    if (!isOver) await receiver.turn()
    return !isOver
  }
  const url = `${api.output}${transferPath}`
  const running = sendRequests({ url, connections, asks, next, onAnswer: () => undefined })
  const measure = async (): Promise<Lives> => {
    await pause(warmingMillis)
    const [before, eventsBefore, start] = [await usage(), receiver.counts().events, performance.now()]
    await pause(seconds * 1000)
    const [after, eventsAfter, end] = [await usage(), receiver.counts().events, performance.now()]
    const lives = (eventsAfter - eventsBefore) / eventsPerLife
    const each = (value: (used: Usage) => number) => (value(after) - value(before)) / lives
    return {
      perSecond: (lives * 1000) / (end - start),
      nodeMicros: 1000 * each(({ nodeMillis }) => nodeMillis),
      serverMicros: 1000 * each(({ serverMillis }) => serverMillis),
      commits: each(({ commits }) => commits),
      changeSets: each(({ changeSets }) => changeSets),
      logKilobytes: each(({ logBytes }) => logBytes) / 1000,
    }
  }
  const [lives] = await Promise.all([
    measure().finally(() => {
      isOver = true
      return receiver[Symbol.asyncDispose]()
    }),
    running,
  ])
  return lives
}

export interface MeasuredCheckout {
  readonly name: string
  /** Absent: this checkout. */
  readonly folder?: string
}

export const livesBench = async (
  server: DurableServer,
  { rounds, seconds }: Settings,
  checkouts: ReadonlyArray<MeasuredCheckout>,
  write: (text: string) => void,
): Promise<void> => {
  const cases = [
    { name: "one process", isSplit: false },
    { name: "one API process and one worker process", isSplit: true },
  ].flatMap((each) => checkouts.map((checkout) => ({ ...each, checkout })))
  const found = cases.map((): Array<Lives> => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, { checkout, isSplit, name }] of cases.entries()) {
      const lives = await measured(server, `lives_${round}_${index}`, { seconds, isSplit, checkout: checkout.folder })
      found[index]?.push(lives)
      process.stderr.write(`  round ${round + 1}  ${name}, ${checkout.name}  ${JSON.stringify(lives)}\n`)
    }
  }
  write("\n## Lives of transfers\n")
  write(`At most ${livesAtOnce} on their way, ${agents} agents of one platform, ${connections} connections.\n`)
  write(
    "| case | per second | Node µs | server µs | commits | change sets | log kB |\n|---|---:|---:|---:|---:|---:|---:|",
  )
  for (const [index, { checkout, name }] of cases.entries()) {
    const middle = (value: (lives: Lives) => number, digits = 0) =>
      median((found[index] ?? []).map(value)).toFixed(digits)
    const cells = [
      checkouts.length > 1 ? `${name}, ${checkout.name}` : name,
      middle(({ perSecond }) => perSecond),
      middle(({ nodeMicros }) => nodeMicros),
      middle(({ serverMicros }) => serverMicros),
      middle(({ commits }) => commits, 1),
      middle(({ changeSets }) => changeSets, 1),
      middle(({ logKilobytes }) => logKilobytes, 1),
    ]
    write(`| ${cells.join(" | ")} |`)
  }
}
