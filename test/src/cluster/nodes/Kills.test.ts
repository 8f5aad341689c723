/**
 * Nodes of a cluster are killed while processes commit sets that span cells. What was acknowledged is there completely and once, and no
 * transaction stays prepared. COUNTERSIGN_TEST_CLUSTER_KILLS sets how many; 6 by default.
 * Source: D-517.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { open, storm } from "../../faults/CommitStorm.ts"
import * as TestCluster from "../TestCluster.ts"
import { auditCells, processOn } from "./ClusterStorm.ts"

const kills = Number(process.env["COUNTERSIGN_TEST_CLUSTER_KILLS"] ?? 6)

describe("killed nodes", { timeout: 600_000 }, () => {
  let cluster: TestCluster.TestCluster

  beforeAll(async () => {
    cluster = await TestCluster.start()
  }, 60_000)
  afterAll(async () => cluster?.[Symbol.asyncDispose](), 60_000)

  it(`lose nothing and apply nothing twice or half, in ${kills} kills`, async () => {
    const first = await processOn(await cluster.connect(0))
    const second = await processOn(await cluster.connect(1))
    await open(first.store)
    const faults = Array.from({ length: kills }, (_, n) => async () => {
      const number = n % cluster.urls.length
      await cluster.node("kill", number)
      await cluster.node("restart", number)
    })
    const stores = [first.store, second.store]
    const written = await storm({ stores, callers: 8, rounds: 10, faults, setsPerFault: 25, goesOn: true })
    await Promise.all([first, second].map((each) => each[Symbol.asyncDispose]()))
    await auditCells(cluster.pools, written)
    expect(written.acknowledged.length).toBeGreaterThan(25 * kills)
    console.log(
      `${written.acknowledged.length} acknowledged, ${[...written.answers].map(([a, n]) => `${n} ${a}`).join(", ")}`,
    )
  })
})
