/** Processes on a cluster, over HTTP and on the command line: each enters by another node. Source: D-517. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { keyName, placedIn, schemaOf } from "../../../../packages/adapter-postgres/src/cells/Cells.ts"
import { clientClaim } from "../../../../packages/core/src/store/Claims.ts"
import { bearer, client, type Reply } from "../../e2e/Client.ts"
import { eventually } from "../../e2e/Deadline.ts"
import {
  type Agent,
  balanceOf,
  type Customer,
  credentialOptions,
  credentials,
  newAgent,
  newCustomer,
  newSource,
  platformAt,
  transfer,
} from "../../e2e/Flow.ts"
import { run, type ServerProcess, startServer } from "../../e2e/ServerProcess.ts"
import * as TestCluster from "../TestCluster.ts"
import { nonePrepared } from "./ClusterStorm.ts"

const cells = 6
const customerCount = 12

interface CellList {
  readonly cells: ReadonlyArray<{
    readonly cell: number
    readonly node: string
    readonly bytes: number
    readonly customers: number
  }>
  readonly nodes: ReadonlyArray<{
    readonly name: string
    readonly isCoordinator: boolean
    readonly takesCells: boolean
  }>
}

/** A customer with all that its transfers need. */
interface Payer {
  readonly customer: Customer
  readonly agent: Agent
  readonly source: string
  readonly cell: number
}

/** The cell of an identifier: the 14 bits of its slot. */
const cellOf = (id: string): number => (Number.parseInt(id.split("-")[3] ?? "", 16) & 0x3fff) % cells

describe("processes on a cluster", { timeout: 180_000 }, () => {
  let cluster: TestCluster.TestCluster
  let servers: ReadonlyArray<ServerProcess>
  let payers: ReadonlyArray<Payer>
  let refusedAfter = 0

  const address = (node: number) => cluster.urls[node] ?? ""
  const platformOf = (index: number) => platformAt(servers[index]?.base ?? "")
  const command = async (...words: ReadonlyArray<string>) => {
    const [name, ...options] = words
    if (name !== "cells" && name !== "ledger") throw new Error(`unknown command ${name}`)
    await using running = run({ command: name, options: [...options, "--store", address(0)] })
    const { code } = await running.exited
    return { code, stdout: running.stdout(), stderr: running.stderr() }
  }
  const cellList = async () => JSON.parse((await command("cells", "list", "--json")).stdout) as CellList
  const pay = ({ agent, customer, source }: Payer, amount: number, key: string) =>
    agent.send("POST", "/agents/me/transfer-in", {
      body: transfer(source, customer, amount),
      headers: { "idempotency-key": key },
    })

  beforeAll(async () => {
    cluster = await TestCluster.start()
    const serve = (node: number, ...options: ReadonlyArray<string>) =>
      startServer({ options: [...credentialOptions, "--store", address(node), ...options] })
    const first = await serve(0, "--cells", String(cells))
    servers = [first, ...(await Promise.all([serve(1), serve(2, "--role", "worker")]))]
    const made: Array<Payer> = []
    for (let n = 0; n < customerCount; n++) {
      const platform = platformOf(n % 2)
      const customer = await newCustomer(platform)
      const source = await newSource(platform, customer)
      const policy = { spendingLimits: { currency: "USD", perTransactionLimit: 50_000 } }
      const agent = await newAgent(servers[n % 2]?.base ?? "", platform, customer, policy)
      made.push({ customer, source, agent, cell: cellOf(customer.customerId) })
    }
    payers = made
  }, 240_000)
  afterAll(async () => {
    await Promise.all((servers ?? []).map((server) => server[Symbol.asyncDispose]()))
    await cluster?.[Symbol.asyncDispose]()
    if (refusedAfter > 0) console.log(`a frozen node's requests were refused after ${refusedAfter} ms`)
  }, 60_000)

  it("are ready, with the cells on the workers and the customers in the cells", async () => {
    for (const { origin } of servers) expect((await fetch(`${origin}/readyz`)).status).toBe(200)
    const found = await cellList()
    expect(found.cells.map(({ cell }) => cell)).toEqual([0, 1, 2, 3, 4, 5])
    const taking = found.nodes.filter(({ takesCells }) => takesCells).map(({ name }) => name)
    expect(taking).toHaveLength(2)
    for (const name of taking) expect(found.cells.filter(({ node }) => node === name)).toHaveLength(cells / 2)
    for (const { bytes, cell, customers } of found.cells) {
      expect(customers).toBe(payers.filter((payer) => payer.cell === cell).length)
      // A table and its indexes, empty or not, and 50 tables.
      expect(bytes).toBeGreaterThan(1_000_000)
    }
    expect(new Set(payers.map(({ cell }) => cell)).size).toBeGreaterThan(1)
    expect(await command("cells", "check")).toMatchObject({ code: 0 })
  })

  it("execute transfers once, and have balanced books", async () => {
    const replies = await Promise.all(
      payers.map(async (payer, n): Promise<ReadonlyArray<Reply>> => {
        const platform = platformOf(n % 2)
        const byPlatform = { body: transfer(payer.source, payer.customer, 70), headers: { "idempotency-key": `p${n}` } }
        return [
          await pay(payer, 500, `a${n}`),
          await pay(payer, 500, `a${n}`),
          await platform("POST", "/transfer-in", byPlatform),
          await platformOf((n + 1) % 2)("POST", "/transfer-in", byPlatform),
        ]
      }),
    )
    for (const [first, second, third, fourth] of replies) {
      expect([first, second, third, fourth].map((reply) => reply?.status)).toEqual([201, 201, 201, 201])
      expect(second?.body["id"]).toBe(first?.body["id"])
      expect(fourth?.text).toBe(third?.text)
    }
    for (const [n, { customer }] of payers.entries()) {
      await eventually(
        "the money",
        () => balanceOf(platformOf(n % 2), customer),
        (balance) => balance === 570,
      )
    }
    const page = await platformOf(1)("GET", "/customers?limit=5")
    expect(page.body).toMatchObject({ totalCount: customerCount, hasMore: true })
    const ledger = await command("ledger")
    expect(ledger).toMatchObject({ code: 0, stdout: expect.stringContaining("the books balance") })
  })

  it("move business time in all cells", async () => {
    const advanced = await platformOf(1)("POST", "/sandbox/clock/advance", { body: { by: "P1D" } })
    expect(advanced).toMatchObject({ status: 200, body: { isComplete: true } })
    const ahead = async (index: number) => (await platformOf(index)("GET", "/sandbox/clock")).body["aheadMillis"]
    expect(await ahead(0)).toBe(await ahead(1))
  })

  it("notice nothing of a cell that moves under load", async () => {
    const [moved] = payers
    if (moved === undefined) throw new Error("there is no customer")
    const before = await cellList()
    const from = before.cells[moved.cell]?.node
    const to = before.nodes.find(({ name, takesCells }) => takesCells && name !== from)?.name ?? ""
    let isMoving = true
    const statuses: Array<number> = []
    const load = async (payer: Payer, lane: number) => {
      for (let n = 0; isMoving || n < 3; n++) {
        statuses.push((await pay(payer, 10, `m${lane}-${n}`)).status)
        statuses.push((await platformOf(n % 2)("GET", `/customers/${payer.customer.customerId}`)).status)
      }
    }
    const loads = Promise.all([moved, moved, ...payers.slice(1, 5)].map(load))
    const answer = await command("cells", "move", String(moved.cell), to)
    isMoving = false
    await loads
    expect(answer).toMatchObject({ code: 0, stdout: `cell ${moved.cell} is on ${to}\n` })
    expect((await cellList()).cells[moved.cell]?.node).toBe(to)
    expect(new Map(statuses.map((status) => [status, statuses.filter((each) => each === status).length]))).toEqual(
      new Map([
        [201, statuses.length / 2],
        [200, statuses.length / 2],
      ]),
    )
    const ledger = await command("ledger")
    expect(ledger).toMatchObject({ code: 0, stdout: expect.stringContaining("the books balance") })
  })

  it("serve the other cells while a node is gone, refuse its own within seconds, and go on when it is back", async () => {
    const { cells: before, nodes } = await cellList()
    const [coordinator] = cluster.pools
    if (coordinator === undefined) throw new Error("the cluster has no node")
    const column = async (cell: number, text: string) => {
      const { rows } = await coordinator.query<{ readonly v: string }>(text.replaceAll("SCHEMA", schemaOf(cell, cells)))
      return rows.map(({ v }) => v)
    }
    const holders = await Promise.all(
      before.map(async ({ cell }) => column(cell, "select id as v from SCHEMA.platform")),
    )
    const home = before[holders.findIndex((ids) => ids.length > 0)]?.node ?? ""
    // A process that starts reads its platform, and the key of its credentials, which may be anywhere.
    const keyCell = placedIn(cells)(keyName(clientClaim(credentials.clientId).key, ""))
    if (before[keyCell]?.node !== home) {
      expect(await command("cells", "move", String(keyCell), home)).toMatchObject({ code: 0 })
    }
    const { cells: placed } = await cellList()
    // Every request needs its platform, and the key of its token.
    const lost = nodes.find(({ name, takesCells }) => takesCells && name !== home)?.name ?? ""
    const keysThere = await Promise.all(
      placed.map(({ cell, node }) =>
        node === lost ? column(cell, "select id as v from SCHEMA.unique_key where kind = 'Agent'") : [],
      ),
    )
    const isThere = ({ agent, cell }: Payer) => placed[cell]?.node === lost || keysThere.flat().includes(agent.agentId)
    const mine = payers.find(({ cell }) => placed[cell]?.node === lost)
    const others = payers.filter((payer) => !isThere(payer))
    const [other] = others
    if (mine === undefined || other === undefined) throw new Error("all customers are on one node")
    const number = cluster.urls.findIndex((url) => url.includes(lost))
    const status = async (payer: Payer, key: string) => (await pay(payer, 10, key)).status

    /** A node of a machine that does too much may answer its probe too late, and is asked again at once. */
    const serves = (key: string) =>
      eventually(
        "the other node",
        () => status(other, key),
        (found) => found === 201,
      )

    await cluster.node("kill", number)
    for (let n = 0; n < 5; n++) {
      await serves(`k${n}`)
      expect(await status(mine, `k${n}`)).toBe(503)
    }
    for (const { origin } of servers) expect((await fetch(`${origin}/readyz`)).status).toBe(200)
    {
      await using another = await startServer({ options: [...credentialOptions, "--store", address(0)] })
      // Of an agent, because the key of the platform's credentials may be on the lost node.
      const send = client(another.base, bearer(other.agent.token))
      const body = transfer(other.source, other.customer, 10)
      const sent = () => send("POST", "/agents/me/transfer-in", { body, headers: { "idempotency-key": "another" } })
      await eventually(
        "the new process",
        async () => (await sent()).status,
        (found) => found === 201,
      )
    }
    expect((await command("cells", "list")).stdout).toContain(`${lost} (does not answer)`)
    expect(await command("cells", "rebalance", "--dry-run")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${lost} does not answer: its cells cannot be weighed`),
    })
    await cluster.node("restart", number)
    const isBack = (key: string) =>
      eventually(
        "the node",
        () => status(mine, key),
        (found) => found === 201,
      )
    for (let n = 0; n < 5; n++) await isBack(`k${n}`)

    await cluster.node("freeze", number)
    const begun = Date.now()
    expect(await status(mine, "f")).toBe(503)
    refusedAfter = Date.now() - begun
    await serves("f")
    expect(await status(mine, "f")).toBe(503)
    await cluster.node("restart", number)
    await isBack("f")
  })

  it("commit through the workers while the coordinator is gone", async () => {
    await cluster.node("kill", 0)
    for (const [n, payer] of payers.slice(0, 4).entries()) {
      await eventually(
        "a transfer",
        async () => (await pay(payer, 10, `c${n}`)).status,
        (status) => status === 201,
      )
    }
    await cluster.node("restart", 0)
    await nonePrepared(cluster.pools)
    const ledger = await command("ledger")
    expect(ledger).toMatchObject({ code: 0, stdout: expect.stringContaining("the books balance") })
  })
})
