/**
 * What a commit costs in cells on the nodes of a cluster, in processor time of all its nodes, beside a plain store on one of them. Needs
 * COUNTERSIGN_TEST_CLUSTER.
 * Source: D-517.
 */
import { CellMigrations } from "@countersign/adapter-postgres"
import { tenant } from "@countersign/core"
import { Effect } from "effect"
import { placedIn } from "../../../packages/adapter-postgres/src/cells/Cells.ts"
import { onlyCell, split } from "../../../packages/adapter-postgres/src/cells/SplitChangeSet.ts"
import * as EncodedChangeSet from "../../../packages/adapter-postgres/src/commit/EncodedChangeSet.ts"
import { serialChangeSet } from "../../../packages/adapter-postgres/src/commit/SerialChangeSet.ts"
import { functions } from "../../../packages/adapter-postgres/src/functions/Functions.ts"
import * as TestCluster from "../cluster/TestCluster.ts"
import { type Kind, load, measured, platformId, setOf, storeOn } from "./CellsBench.ts"
import { ofDataFolder } from "./ProcessorTime.ts"
import { type Case, compare, type Settings } from "./Rounds.ts"

const cells = 4

export const clusterBench = async (settings: Settings, write: (text: string) => void): Promise<void> => {
  await using cluster = await TestCluster.start()
  const serverMillis = async () =>
    (await Promise.all(cluster.folders.map(ofDataFolder))).reduce((sum, millis) => sum + millis, 0)
  const [worker = ""] = cluster.urls.slice(1)
  const first = await cluster.connect(1)
  await first.query({ text: "set citus.enable_create_database_propagation = off", values: [] })
  await first.query({ text: "create database plain", values: [] })
  const plain = await storeOn(await cluster.connectTo(worker.replace(/\/postgres$/u, "/plain")), 1)
  const connection = await cluster.connect(0)
  const placed = await storeOn(connection, cells)
  const places = await Effect.runPromise(CellMigrations.places(connection))
  const caller = tenant(platformId)
  const cellOf = placedIn(cells)

  /** A set in one cell as a transaction of another node, which sends it to the node that holds the cell. */
  const throughAnother = async (n: number): Promise<void> => {
    const set = setOf("one customer", n)
    const cell = onlyCell(split(set, caller, cellOf)) ?? 0
    const encoded = EncodedChangeSet.make(set, caller, Date.now())
    await places.transact([(cell + 1) % cells, cell], (sessionOf) =>
      sessionOf(cell).query({
        text: `select ${functions.commitSerial}($1::jsonb, 1000)`,
        values: [JSON.stringify([serialChangeSet(encoded, false)])],
      }),
    )
  }
  const runThrough = async (seconds: number) => {
    const latencies: Array<number> = []
    const start = performance.now()
    for (let n = 0, at = start; at < start + seconds * 1000; n += 17) {
      await throughAnother(n)
      const done = performance.now()
      latencies.push(done - at)
      at = done
    }
    return { latencies, elapsedMillis: performance.now() - start }
  }

  const name = (where: string, kind: Kind, count: number) => `${where}, ${kind}, ${count} callers`
  const caseOf = (where: "plain" | "cluster" | "one cell", kind: Kind, count: number): Case => ({
    name: name(where, kind, count),
    bases: where === "plain" ? [] : [name("plain", kind, count)],
    run: () => {
      const store = where === "plain" ? plain : placed
      const step = where === "one cell" ? 4 * cells : undefined
      return measured(serverMillis, (seconds) => load(store, kind, count, seconds, step), settings.seconds)
    },
  })
  const kinds: ReadonlyArray<Kind> = ["one customer", "between every other customer", "between two customers"]
  await compare(
    `Commits in ${cells} cells on two nodes of a cluster; every other customer is on the same node`,
    [
      ...[1, 16].flatMap((count) =>
        kinds.flatMap((kind) => (["plain", "cluster"] as const).map((where) => caseOf(where, kind, count))),
      ),
      caseOf("one cell", "one customer", 1),
      {
        name: "cluster, one customer, through another node, 1 callers",
        bases: [name("plain", "one customer", 1)],
        run: () => measured(serverMillis, runThrough, settings.seconds),
      },
    ],
    settings,
    write,
  )
  await Promise.all([plain, placed].map((store) => store.dispose()))
}
