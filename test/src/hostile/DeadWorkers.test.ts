/**
 * Workers that die in different ways while they run jobs: another process takes the jobs over within seconds, whatever the lease.
 * Source: D-323, D-324.
 */
import { generateKeyPairSync } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import type pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { basic, client, type Send } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import {
  type Agent,
  credentialOptions,
  credentials,
  held,
  newAgent,
  newCustomer,
  newSource,
  transfer,
} from "../e2e/Flow.ts"
import { newFolder } from "../e2e/Folder.ts"
import { type Receiver, receiver } from "../e2e/Receiver.ts"
import { type ServerProcess, startServer } from "../e2e/ServerProcess.ts"
import { type FaultDatabase, type FaultServer, faultServer } from "../faults/FaultServer.ts"
import { networkTo } from "../faults/Network.ts"

const jobCount = 8
/** The promise is two seconds. The rest is for machines that are busy with other tests. */
const takeOverSecondsMax = 5

const env = {
  COUNTERSIGN_WEBHOOK_KEY: generateKeyPairSync("ec", { namedCurve: "P-256" })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString(),
}

/** Records claims and the ends of jobs by the clock of the database. */
const jobLog = `create table public.job_log (id text, attempt int, at timestamptz not null default clock_timestamp());
  create function public.log_job() returns trigger language plpgsql as
    $$ begin insert into public.job_log (id, attempt) values (old.id, new.attempt); return null; end $$;
  create trigger log_job after update of attempt or delete on countersign.job for each row execute function public.log_job()`

/** Submits transfers that wait for approval: each has an event, and none has other work. */
const submit = async (base: string, platform: Send): Promise<() => Promise<void>> => {
  const customer = await newCustomer(platform)
  const source = await newSource(platform, customer)
  const agent: Agent = await newAgent(base, platform, customer, { defaultExecutionMode: "APPROVAL_REQUIRED" })
  return async () => {
    for (let n = 0; n < jobCount; n++) await held(agent, transfer(source, customer, 100))
  }
}

/** Answers to the next deliveries, kept back until they are given. */
const keptBack = (hooks: Receiver): (() => void) => {
  const gate = Promise.withResolvers<number>()
  hooks.answerNext(...Array.from({ length: jobCount }, () => gate.promise))
  return () => gate.resolve(200)
}

describe("workers that die", { timeout: 120_000 }, () => {
  let server: FaultServer
  let database: FaultDatabase
  let pool: pg.Pool
  let hooks: Receiver
  let api: ServerProcess
  let survivor: ServerProcess
  let events: () => Promise<void>

  const worker = (url = database.url) =>
    startServer({ options: ["--store", url, "--role", "worker", "--metrics"], env })

  beforeAll(async () => {
    server = await faultServer()
    database = await server.create()
    pool = database.pool({ max: 2 })
    hooks = await receiver()
    const options = [...credentialOptions, "--store", database.url, "--role", "api", "--webhook-url", hooks.url]
    api = await startServer({ options, env })
    await pool.query(jobLog)
    survivor = await worker()
    events = await submit(api.base, client(api.base, basic(credentials.clientId, credentials.clientSecret)))
    await noneLeft()
  })
  afterAll(async () => {
    for (const each of [survivor, api]) await each[Symbol.asyncDispose]()
    await hooks[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  const rows = async <A extends pg.QueryResultRow>(text: string, values: ReadonlyArray<unknown> = []) =>
    (await pool.query<A>(text, [...values])).rows
  const running = (attempt: number) =>
    rows<{ readonly id: string }>("select id from countersign.job where state = 'running' and attempt = $1", [attempt])
  const noneLeft = () =>
    eventually(
      "no job left",
      () => rows("select id, state, attempt from countersign.job"),
      ({ length }) => length === 0,
    )
  const databaseTime = async () => (await rows<{ readonly at: Date }>("select clock_timestamp() as at"))[0]?.at

  /** The victim alone claims the jobs of new events; afterwards the survivor is up again. */
  const claimedByVictim = async () => {
    process.kill(survivor.pid, "SIGSTOP")
    const before = hooks.received.length
    await events()
    await eventually(
      "the claims",
      () => running(1),
      ({ length }) => length === jobCount,
    )
    await eventually(
      "the deliveries",
      () => hooks.received.length - before,
      (count) => count === jobCount,
    )
    process.kill(survivor.pid, "SIGCONT")
    await pause(1500)
  }
  /** Seconds from a time until each job was claimed again or had ended. */
  const takenOver = async (since: Date | undefined) => {
    await eventually(
      "the other worker's claims",
      () =>
        rows(
          "select id from countersign.job j where not exists (select from public.job_log l where l.id = j.id and l.at > $1)",
          [since],
        ),
      ({ length }) => length === 0,
      20_000,
    )
    const [found] = await rows<{ readonly seconds: number }>(
      `select extract(epoch from max(first) - $1)::float as seconds
        from (select min(at) as first from public.job_log where at > $1 group by id) as taken`,
      [since],
    )
    return found?.seconds ?? Number.NaN
  }
  const expectPrompt = (what: string, seconds: number) => {
    console.log(`${what}: taken over after ${seconds.toFixed(2)} s`)
    expect(seconds).toBeLessThan(takeOverSecondsMax)
  }

  it("a killed process loses its jobs to another one within seconds", async () => {
    await using victim = await worker()
    const answer = keptBack(hooks)
    await claimedByVictim()
    const since = await databaseTime()
    victim.kill()
    expectPrompt("killed", await takenOver(since))
    answer()
    await noneLeft()
  })

  it("a frozen process loses its jobs, finds its fences gone when it wakes, and works again", async () => {
    await using victim = await worker()
    const answer = keptBack(hooks)
    await claimedByVictim()
    const answerAgain = keptBack(hooks)
    const since = await databaseTime()
    process.kill(victim.pid, "SIGSTOP")
    expectPrompt("frozen", await takenOver(since))
    // The endpoint has answered the frozen process, which learns it when it wakes.
    answer()
    process.kill(victim.pid, "SIGCONT")
    const lost = async () => {
      const { text } = await client(victim.origin)("GET", "/metrics")
      return /countersign_jobs_total\{kind="webhook.deliver",outcome="lost"\} (\d+)/u.exec(text)?.[1]
    }
    await eventually("lost jobs", lost, (count) => count === String(jobCount))
    expect(await running(2)).toHaveLength(jobCount)
    answerAgain()
    await noneLeft()
    const answerLast = keptBack(hooks)
    await claimedByVictim()
    answerLast()
    await noneLeft()
  })

  it("a process without a network loses its jobs although its connections stay open", async () => {
    await using network = await networkTo(server.folder)
    const cut = new URL(database.url)
    cut.searchParams.set("host", network.folder)
    await using _victim = await worker(cut.href)
    const answer = keptBack(hooks)
    await claimedByVictim()
    const since = await databaseTime()
    network.cut()
    expectPrompt("without a network", await takenOver(since))
    answer()
    await noneLeft()
  })

  it("a process that stalls for less than a second keeps its jobs", async () => {
    await using victim = await worker()
    const answer = keptBack(hooks)
    await claimedByVictim()
    for (let n = 0; n < 2; n++) {
      process.kill(victim.pid, "SIGSTOP")
      await pause(700)
      process.kill(victim.pid, "SIGCONT")
      await pause(700)
    }
    expect(await running(1)).toHaveLength(jobCount)
    answer()
    await noneLeft()
  })

  it("jobs whose handlers end during a restart of the database end within seconds of it", async () => {
    await using _victim = await worker()
    const answer = keptBack(hooks)
    await claimedByVictim()
    await server.restart("immediate", async () => {
      answer()
      await pause(500)
    })
    const [start] = await rows<{ readonly at: Date }>("select pg_postmaster_start_time() as at")
    expectPrompt("after a restart of the database", await takenOver(start?.at))
    await noneLeft()
  })
})

it("an embedded store that was killed continues its jobs when it starts again", { timeout: 120_000 }, async () => {
  await using folder = await newFolder()
  await using hooks = await receiver()
  const start = () =>
    startServer({ cwd: folder.path, options: [...credentialOptions, "--webhook-url", hooks.url], env })
  await using before = await start()
  const events = await submit(before.base, client(before.base, basic(credentials.clientId, credentials.clientSecret)))
  const isHeld = ({ event }: { readonly event: { readonly type: string } }) =>
    event.type === "AGENT_ACTION.PENDING_APPROVAL"
  await pause(500)
  const answer = keptBack(hooks)
  await events()
  const deliveries = () => hooks.received.filter(isHeld).length
  await eventually("the deliveries", deliveries, (count) => count === jobCount)
  before.kill()
  await before.exited
  await using _after = await start()
  await eventually("the deliveries again", deliveries, (count) => count === 2 * jobCount, takeOverSecondsMax * 1000)
  answer()
})
