/**
 * Measures how many webhooks one process of workers delivers to slow endpoints: of one platform, and of two that share it. Two bounds are
 * beside it: the slots of the workers, and the rate with an endpoint that answers at once, where the processor is the limit.
 */
import { setTimeout as pause } from "node:timers/promises"
import type pg from "pg"
import { basic, client } from "../e2e/Client.ts"
import { credentialOptions, credentials, held, newAgent, newCustomer, newSource, transfer } from "../e2e/Flow.ts"
import { part, service } from "./Child.ts"
import type { DurableServer } from "./DurableServer.ts"
import { ofProcess, ofServer } from "./ProcessorTime.ts"
import { median, type Settings } from "./Rounds.ts"
import type { Counts } from "./SlowReceiver.ts"

const slots = 128
const backlog = 12_000
const warmingMillis = 3000
const second = { clientId: "second", clientSecret: "second-secret-that-is-long-enough" }

/** Multiplies the waiting delivery of a platform; each copy has an event and a lane of its own. */
const multiply = async (pool: pg.Pool, count: number) => {
  const columns = async (table: string) => {
    const { rows } = await pool.query<{ readonly names: string }>(
      `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
        where table_schema = 'countersign' and table_name = $1 and is_identity = 'NO'`,
      [table],
    )
    return rows[0]?.names ?? ""
  }
  const copy = async (table: string, changes: string) => {
    const names = await columns(table)
    await pool.query(
      `insert into countersign.${table} (${names})
        select ${names.replaceAll(/\b(\w+)\b/gu, "(copy).$1")} from (
          select jsonb_populate_record(t, ${changes}) as copy
          from countersign.${table} t, generate_series(1, ${count}) n
        ) as made`,
    )
  }
  await copy("event", "jsonb_build_object('id', t.id || '-' || n)")
  await copy(
    "job",
    `jsonb_build_object('id', t.id || '-' || n, 'lane', t.lane || '-' || n, 'open', true, 'attempt', 0, 'due_at', 0, 'not_before', 0,
      'state', 'waiting', 'holds', true, 'holds_until', null, 'payload', jsonb_build_object('eventId', t.payload->>'eventId' || '-' || n))`,
  )
  await pool.query("vacuum analyze countersign.job, countersign.event")
}

interface Rate {
  /** Deliveries per second, of each path. */
  readonly perSecond: Readonly<Record<string, number>>
  readonly nodeMicros: number
  readonly serverMicros: number
}

const measured = async (
  server: DurableServer,
  database: string,
  answerMillis: number,
  platforms: ReadonlyArray<typeof credentials>,
  seconds: number,
): Promise<Rate> => {
  await server.create(database)
  await using hooks = await part("ready", "receiver", { answerMillis })
  const store = ["--store", server.url(database)]
  const pool = server.pool(database, 1)
  {
    const more = ["--platform", `${second.clientId}:${second.clientSecret}`]
    await using api = await service([...credentialOptions, ...more, ...store, "--role", "api"])
    const submits: Array<() => Promise<unknown>> = []
    for (const { clientId, clientSecret } of platforms) {
      const platform = client(api.output, basic(clientId, clientSecret))
      const body = { webhookEndpoint: `${hooks.output}/${clientId}` }
      const { status, text } = await platform("PATCH", "/config", { body })
      if (status !== 200) throw new Error(text)
      const customer = await newCustomer(platform)
      const source = await newSource(platform, customer)
      const agent = await newAgent(api.output, platform, customer, { defaultExecutionMode: "APPROVAL_REQUIRED" })
      submits.push(() => held(agent, transfer(source, customer, 100)))
    }
    // What remains is one delivery of each platform.
    await pool.query("delete from countersign.job; delete from countersign.event")
    for (const submit of submits) await submit()
  }
  await multiply(pool, backlog)
  await using worker = await service([...store, "--role", "worker"])
  const counts = async () => (await (await fetch(`${hooks.output}/counts`)).json()) as Counts
  await pause(warmingMillis)
  const [before, start] = [await counts(), performance.now()]
  const [nodeBefore, serverBefore] = [await ofProcess(worker.pid), await ofServer(server.folder)]
  await pause(seconds * 1000)
  const [after, end] = [await counts(), performance.now()]
  const total = Object.values(after).reduce((sum, count) => sum + count, 0)
  const made = total - Object.values(before).reduce((sum, count) => sum + count, 0)
  const nodeMicros = (((await ofProcess(worker.pid)) - nodeBefore) * 1000) / made
  const serverMicros = (((await ofServer(server.folder)) - serverBefore) * 1000) / made
  const perSecond = Object.fromEntries(
    Object.entries(after).map(([path, count]) => [path, ((count - (before[path] ?? 0)) * 1000) / (end - start)]),
  )
  return { perSecond, nodeMicros, serverMicros }
}

export const deliveriesBench = async (
  server: DurableServer,
  { rounds, seconds }: Settings,
  write: (text: string) => void,
): Promise<void> => {
  const cases = [
    { name: "one platform, at once", answerMillis: 0, platforms: [credentials] },
    { name: "one platform, 100 ms", answerMillis: 100, platforms: [credentials] },
    { name: "two platforms, 100 ms", answerMillis: 100, platforms: [credentials, second] },
    { name: "one platform, 1 s", answerMillis: 1000, platforms: [credentials] },
    { name: "two platforms, 1 s", answerMillis: 1000, platforms: [credentials, second] },
  ]
  write("\n## Deliveries\n")
  write(
    `One process of workers, ${slots} slots. "By slots" is their number divided by the time of an answer. "Of the possible" compares with the smaller of it and the rate at once.\n`,
  )
  write(
    "| case | per second | by slots | of the possible | by platform | Node µs | server µs |\n|---|---:|---:|---:|---|---:|---:|",
  )
  const rates = new Map<string, number>()
  let atOnce = Number.POSITIVE_INFINITY
  for (const [index, { answerMillis, name, platforms }] of cases.entries()) {
    const all: Array<Rate> = []
    for (let round = 0; round < rounds; round++) {
      all.push(await measured(server, `deliveries_${index}_${round}`, answerMillis, platforms, seconds))
    }
    const middle = (value: (rate: Rate) => number) => median(all.map(value))
    const rate = middle(({ perSecond }) => Object.values(perSecond).reduce((sum, each) => sum + each, 0))
    const paths = Object.keys(all[0]?.perSecond ?? {})
    const each = paths.map((path) => `${path} ${Math.round(middle(({ perSecond }) => perSecond[path] ?? 0))}`)
    rates.set(name, rate)
    if (answerMillis === 0) atOnce = rate
    const bySlots = (slots * 1000) / answerMillis
    const share = answerMillis === 0 ? ["", ""] : [bySlots, (rate / Math.min(bySlots, atOnce)).toFixed(2)]
    const times = [middle(({ nodeMicros }) => nodeMicros), middle(({ serverMicros }) => serverMicros)].map(Math.round)
    write(`| ${[name, Math.round(rate), ...share, each.join(", "), ...times].join(" | ")} |`)
  }
  for (const time of ["100 ms", "1 s"]) {
    const ratio = (rates.get(`one platform, ${time}`) ?? 0) / (rates.get(`two platforms, ${time}`) ?? 0)
    write(`\nOne platform with ${time} reaches ${ratio.toFixed(2)} of what the workers deliver for two.`)
  }
}
