/**
 * A store in cells on the nodes of a cluster is a `Store`, whichever node a process enters by. COUNTERSIGN_TEST_CLUSTER_CELLS says how many cells;
 * 4 by default.
 * Source: D-517.
 */
import { type Connection, PostgresStore } from "@countersign/adapter-postgres"
import { WallTime } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe } from "vitest"
import { storeConformance } from "../../../../packages/test/src/conformance/index.ts"
import * as TestCluster from "../TestCluster.ts"

const cells = Number(process.env["COUNTERSIGN_TEST_CLUSTER_CELLS"] ?? 4)

describe("a cluster", () => {
  let cluster: TestCluster.TestCluster
  let entries: ReadonlyArray<Connection>
  let entered = 0

  beforeAll(async () => {
    cluster = await TestCluster.start()
    entries = await Promise.all(cluster.urls.map((_, number) => cluster.connect(number)))
  }, 60_000)
  afterAll(async () => cluster?.[Symbol.asyncDispose](), 60_000)

  const store = (isFirst: boolean) =>
    Layer.unwrap(
      Effect.promise(async () => {
        // Each time by another node.
        const connection = entries[entered++ % entries.length]
        if (connection === undefined) throw new Error("the cluster has no node")
        if (!isFirst) await TestCluster.empty(cluster, cells)
        return Layer.orDie(PostgresStore.layer({ connection, cells })).pipe(Layer.provide(WallTime.layerClock))
      }),
    )

  storeConformance(`PostgreSQL in ${cells} cells on a cluster`, Layer.unwrap(Effect.sync(() => store(entered === 0))), {
    timeoutMillis: 120_000,
  })
})
