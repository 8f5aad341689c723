/**
 * How long a move of a cell takes under load, and how long its longest commit waits: cells of several sizes, filled with events. And what commits
 * notice of a node that is gone. Needs COUNTERSIGN_TEST_CLUSTER.
 * Source: D-517.
 */
import { CellOperations, type Connection } from "@countersign/adapter-postgres"
import { Store } from "@countersign/core/store"
import { Effect } from "effect"
import pg from "pg"
import { schemaOf } from "../../../packages/adapter-postgres/src/cells/Cells.ts"
import * as TestCluster from "../cluster/TestCluster.ts"
import type { BenchStore } from "./BenchStore.ts"
import { platformId, setOf, storeOn } from "./CellsBench.ts"
import { percentiles } from "./Rounds.ts"

const cells = 4
const callers = 8
const rowsAtOnce = 20_000
const rowBytes = 2_000

/** Adds events until the cell has this number of bytes. */
const fill = async (pool: pg.Pool, cell: number, bytes: number): Promise<void> => {
  for (let rows = 0; rows < bytes / rowBytes; rows += rowsAtOnce) {
    await pool.query(`insert into ${schemaOf(cell, cells)}.event
        (owner_id, platform_id, id, type, subject, data, created_at, expires_at)
      select '${platformId}', '${platformId}', 'Webhook:fill-' || ${rows} + n, 'TEST', 'fill',
        json_build_object('text', (select string_agg(md5(n::text || m), '') from generate_series(1, 50) as m)), 0, 9e15::bigint
      from generate_series(1, ${rowsAtOnce}) as n`)
  }
}

/** Commits in one cell until `isOver`, and returns how long each commit took. */
const commits = (store: BenchStore, cell: number, isOver: () => boolean) =>
  store.runPromise(
    Effect.gen(function* () {
      const { commit } = yield* Store
      const latencies: Array<number> = []
      let failures = 0
      const caller = (first: number) =>
        Effect.gen(function* () {
          for (let n = first; !isOver(); n += callers * cells) {
            const begun = performance.now()
            const outcome = yield* Effect.option(commit(setOf("one customer", n)))
            latencies.push(performance.now() - begun)
            if (outcome._tag === "None" || outcome.value._tag !== "Committed") {
              failures += 1
              // A client that is refused waits before it sends again.
              yield* Effect.sleep(50)
            }
          }
        })
      const firsts = Array.from({ length: callers }, (_, n) => n * cells + cell)
      yield* Effect.forEach(firsts, caller, { concurrency: "unbounded" })
      return { latencies, failures }
    }),
  )

const lossSeconds = 6

/** The commits of the cells of one node while another is killed or frozen, and theirs of the other. */
const lostNode = async (
  cluster: TestCluster.TestCluster,
  store: BenchStore,
  connection: Connection,
  write: (text: string) => void,
): Promise<void> => {
  const { cells: rows } = await Effect.runPromise(CellOperations.list(connection))
  const [kept, lost] = [rows[0], rows.find(({ node }) => node !== rows[0]?.node)]
  if (kept === undefined || lost?.node === undefined) throw new Error("all cells are on one node")
  const { node = "" } = lost
  const number = cluster.urls.findIndex((url) => url.includes(node))
  write(`\n## A node that is gone, for ${callers} callers of another one and ${callers} of its own`)
  write("| state | others, commits | p50 ms | p99 ms | its own, refused | longest ms |\n|---|---|---|---|---|---|")
  const during = async (state: string) => {
    const end = performance.now() + lossSeconds * 1000
    const isOver = () => performance.now() > end
    const [others, own] = await Promise.all([kept, lost].map(({ cell }) => commits(store, cell, isOver)))
    if (others === undefined || own === undefined) return
    const { p50Millis = 0, p99Millis = 0 } = percentiles(others.latencies)
    const longest = own.latencies.reduce((most, millis) => Math.max(most, millis), 0)
    const counts = [others.latencies.length, p50Millis.toFixed(1), p99Millis.toFixed(1)]
    write(`| ${[state, ...counts, `${own.failures} of ${own.latencies.length}`, longest.toFixed(0)].join(" | ")} |`)
  }
  await during("all answer")
  for (const action of ["kill", "freeze"] as const) {
    const acting = cluster.node(action, number)
    await during(`${action === "kill" ? "killed" : "frozen"} at the beginning`)
    await acting
    await during(action === "kill" ? "dead" : "still frozen")
    await cluster.node("restart", number)
  }
}

export const movesBench = async (write: (text: string) => void, sizes = [0, 100, 1000]): Promise<void> => {
  await using cluster = await TestCluster.start()
  const connection = await cluster.connect(0)
  const store = await storeOn(connection, cells)
  const pool = new pg.Pool({ connectionString: cluster.urls[0], max: 2 })
  write(`\n## Moves of a cell under ${callers} callers of its own`)
  write("| MB | move, s | commits | refused | p50 ms | p99 ms | longest ms |\n|---|---|---|---|---|---|---|")
  for (const [cell, megabytes] of sizes.entries()) {
    await fill(pool, cell, megabytes * 1e6)
    const { cells: rows, nodes } = await Effect.runPromise(CellOperations.list(connection))
    const row = rows[cell]
    const to = nodes.find(({ name, takesCells }) => takesCells && name !== row?.node)?.name ?? ""
    let isOver = false
    const running = commits(store, cell, () => isOver)
    const begun = performance.now()
    await Effect.runPromise(CellOperations.move(connection, cell, to))
    const seconds = (performance.now() - begun) / 1000
    isOver = true
    const { failures, latencies } = await running
    const { p50Millis = 0, p99Millis = 0 } = percentiles(latencies)
    const longest = latencies.reduce((most, millis) => Math.max(most, millis), 0)
    const size = ((row?.bytes ?? 0) / 1e6).toFixed(0)
    const figures = [p50Millis, p99Millis, longest].map((millis) => millis.toFixed(1))
    write(`| ${[size, seconds.toFixed(1), latencies.length, failures, ...figures].join(" | ")} |`)
  }
  await lostNode(cluster, store, connection, write)
  await pool.end()
  await store.dispose()
}
