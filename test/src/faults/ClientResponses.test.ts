/**
 * What a client receives while the database fails: the right response, or 503 with a retry delay, never a wrong response. A request that
 * is repeated under its key is executed once.
 * Source: wire contract 0.4 and 8.1.
 */
import { type Connection, PoolConnection, PostgresStore } from "@countersign/adapter-postgres"
import { Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import type { AgentParts } from "../../../packages/test/src/harness/AgentWorld.ts"
import type { Harness, Reply } from "../../../packages/test/src/harness/Harness.ts"
import { eventually } from "../e2e/Deadline.ts"
import { booksOf } from "./Books.ts"
import { type FaultServer, faultServer, worldStoreOn } from "./FaultServer.ts"
import { faultyConnection } from "./FaultyConnection.ts"

let server: FaultServer
beforeAll(async () => {
  server = await faultServer()
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

type Service = Harness & AgentParts

/** A service on a connection whose failures the test controls. */
const faultyService = async () => {
  const database = await server.create()
  const aside = database.pool({ max: 2 })
  const faulty = faultyConnection(PoolConnection.make(database.pool()))
  const sound: Connection = PoolConnection.make(aside)
  const store = {
    layer: Layer.orDie(PostgresStore.layer({ connection: faulty.connection })),
    books: () => booksOf(sound),
  }
  const pay = await agentHarness({ approvalThresholds: { currency: "USD", amount: 5000 } }, { store })
  return { ...faulty, pay, aside }
}

const transferIn = (pay: Service, amount: number, key: string): Promise<Reply> =>
  pay.send("POST", "/agents/me/transfer-in", {
    as: { token: pay.accessToken },
    body: { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount },
    headers: { "Idempotency-Key": key },
  })

const readiness = async (pay: Service): Promise<readonly [number, string | null]> => {
  const { headers, status } = await pay.fetch(new Request("http://countersign.test/readyz"))
  return [status, headers.get("retry-after")]
}

const isBusy = ({ body, headers, status }: Reply): boolean => {
  if (status !== 503) return false
  expect(body).toMatchObject({ status: 503, code: "SERVICE_UNAVAILABLE" })
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
  return true
}

const actionsOf = async (pay: Service): Promise<unknown> =>
  (await pay.send("GET", "/agents/me/actions", { as: { token: pay.accessToken } })).body

/** The customer's books after all work is done. */
const received = async (pay: Service): Promise<number | undefined> => {
  await eventually(
    "all work",
    () => pay.settle().catch(() => -1),
    (ran) => ran === 0,
  )
  const books = await pay.books()
  expect(books.reduce((total, { balance }) => total + balance, 0)).toBe(0)
  return books.find(({ id }) => id === `available:${pay.accountId}`)?.balance
}

describe("a client", { timeout: 120_000 }, () => {
  it.each([
    ["a full disk", "53100"],
    ["too many connections", "53300"],
    ["exhausted memory", "53200"],
    ["a lock timeout", "55P03"],
    ["a statement timeout", "57014"],
    ["a starting server", "57P03"],
    ["a read-only server", "25006"],
    ["a disk failure", "58030"],
    ["a shutdown", "57P01"],
    ["a crash", "57P02"],
    ["a lost connection", "08006"],
  ])("receives 503 during %s (%s) and is served afterwards", async (_name, code) => {
    const { failAll, pay } = await faultyService()
    await using _pay = pay
    failAll({ code })
    expect(isBusy(await transferIn(pay, 100, "key"))).toBe(true)
    expect(isBusy(await pay.send("GET", "/config"))).toBe(true)
    expect(await readiness(pay)).toEqual([503, "1"])
    failAll(undefined)
    expect(await readiness(pay)).toEqual([200, null])
    expect(await transferIn(pay, 100, "key")).toMatchObject({ status: 201, body: { status: "APPROVED" } })
    expect(await actionsOf(pay)).toMatchObject({ totalCount: 1 })
    expect(await received(pay)).toBe(100)
  })

  it.each([
    ["serialization failures", "40001"],
    ["deadlocks", "40P01"],
    ["lost races for a key", "23505"],
  ])("does not notice %s (%s)", async (_name, code) => {
    const { failCommits, pay } = await faultyService()
    await using _pay = pay
    failCommits({ code }, { code }, { code })
    expect(await transferIn(pay, 100, "key")).toMatchObject({ status: 201, body: { status: "APPROVED" } })
    expect(await received(pay)).toBe(100)
  })

  it("does not notice a lost answer of the database, and is not served twice", async () => {
    const { failCommits, pay } = await faultyService()
    await using _pay = pay
    failCommits("answer lost", "answer lost")
    expect(await transferIn(pay, 100, "one")).toMatchObject({ status: 201, body: { status: "APPROVED" } })
    const held = await transferIn(pay, 6000, "two")
    expect(held.body).toMatchObject({ status: "PENDING_APPROVAL" })
    const { id } = held.body as { readonly id: string }
    failCommits("answer lost", "answer lost", "answer lost")
    const approved = await pay.send("POST", `/agents/${pay.agentId}/actions/${id}/approve`)
    expect(approved).toMatchObject({ status: 200, body: { status: "APPROVED" } })
    expect(await actionsOf(pay)).toMatchObject({ totalCount: 2 })
    expect(await received(pay)).toBe(6100)
  })

  it("receives 503 if every answer of the database is lost, and the same key replays the response later", async () => {
    const { failAll, pay } = await faultyService()
    await using _pay = pay
    const first = await transferIn(pay, 100, "key")
    failAll("answer lost")
    expect(isBusy(await transferIn(pay, 100, "key"))).toBe(true)
    failAll(undefined)
    const again = await transferIn(pay, 100, "key")
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect(await actionsOf(pay)).toMatchObject({ totalCount: 1 })
    expect(await received(pay)).toBe(100)
  })

  it("gets its own response if the common answer of a batch is lost", async () => {
    const { failCommits, pay } = await faultyService()
    await using _pay = pay
    const amounts = Array.from({ length: 24 }, (_, n) => n + 1)
    failCommits("answer lost", { code: "40001" }, "answer lost", { code: "XX000", ofMany: true }, "answer lost")
    const replies = await Promise.all(amounts.map((amount) => transferIn(pay, amount, `key ${amount}`)))
    expect(replies.map(({ body }) => body)).toMatchObject(amounts.map((amount) => ({ transferDetails: { amount } })))
    expect(await received(pay)).toBe(amounts.reduce((total, amount) => total + amount))
  })
})

it("clients that retry are each served once while connections are dropped and the server crashes", async () => {
  const database = await server.create()
  const outside = database.pool({ max: 1 })
  await using pay = await agentHarness({}, { store: worldStoreOn(database, database.pool()) })
  const strikes: ReadonlyArray<() => Promise<unknown>> = [
    () => outside.query("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"),
    () => server.restart("immediate", async () => expect(await readiness(pay)).toEqual([503, "1"])),
    () => outside.query("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"),
    () => server.restart("fast"),
  ]
  let answered = 0
  let striking: Promise<unknown> = Promise.resolve()
  const counts = { served: 0, busy: 0 }
  const client = async (number: number) => {
    for (let round = 0; round < 12; round++) {
      const attempt = () => transferIn(pay, number + 1, `${number} ${round}`)
      const reply = await eventually("an answer", attempt, (found) => {
        if (!isBusy(found)) return true
        counts.busy += 1
        return false
      })
      expect(reply).toMatchObject({ status: 201, body: { transferDetails: { amount: number + 1 } } })
      counts.served += 1
      answered += 1
      const strike = answered % 40 === 0 ? strikes[answered / 40 - 1] : undefined
      if (strike !== undefined) striking = striking.then(strike)
    }
  }
  await Promise.all(Array.from({ length: 16 }, (_, number) => client(number)))
  await striking
  expect(counts.served).toBe(192)
  expect(counts.busy).toBeGreaterThan(0)
  expect(await readiness(pay)).toEqual([200, null])
  expect(await actionsOf(pay)).toMatchObject({ totalCount: 192 })
  expect(await received(pay)).toBe((12 * (16 * 17)) / 2)
}, 60_000)
