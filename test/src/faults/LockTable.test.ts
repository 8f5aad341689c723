/**
 * The lock table of the server: how many locks a commit takes, as docs/scale.md calculates, and what happens when the table is full.
 * Source: docs/scale.md, "Locks"; PostgreSQL manual, max_locks_per_transaction.
 */
import { readFileSync } from "node:fs"
import { AgentActions } from "@countersign/core"
import { Store } from "@countersign/core/store"
import { Effect, ManagedRuntime } from "effect"
import { describe, expect, it } from "vitest"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { job } from "../../../packages/test/src/conformance/Examples.ts"
import { agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { eventually } from "../e2e/Deadline.ts"
import { isReady, open, resultOf, setOn } from "./CommitStorm.ts"
import { faultServer, liveStoreOn, worldStoreOn } from "./FaultServer.ts"

const page = readFileSync(new URL("../../../docs/scale.md", import.meta.url), "utf8")
/** The maximum number of locks per change set on the page. */
const perSet = Number(/at most (\d+) advisory locks/u.exec(page)?.[1])

describe("the lock table", { timeout: 120_000 }, () => {
  it("holds at most the locks per change set that the page calculates", async () => {
    await using server = await faultServer()
    const database = await server.create()
    const outside = database.pool({ max: 2 })
    await using pay = await agentWorld(
      { approvalThresholds: { currency: "USD", amount: 1000 } },
      { store: worldStoreOn(database, database.pool()), suffixes: ["000"] },
    )
    const submit = (key: string, amount: number) => {
      const request = { sourceAccountId: pay.sources["000"] ?? "", destinationAccountId: pay.accountId, amount }
      const keyed = { key, method: "POST", path: "/agents/me/transfer-in", body: request }
      return pay.run(
        AgentActions.use((actions) => actions.submitTransferIn(request, keyed)),
        pay.agent,
      )
    }
    await submit("first", 100)
    await pay.settle()

    /** The largest number of locks of one commit, among all commits that a locked table blocks. */
    const heldBy = async (table: string, work: () => Promise<unknown>): Promise<number> => {
      const holder = await outside.connect()
      await holder.query(`begin; lock table countersign.${table} in exclusive mode`)
      const working = work()
      const blockedCommits = async () =>
        (
          await outside.query<{ readonly n: number }>(
            `select count(*)::int as n from pg_locks l where locktype = 'advisory' and granted and exists (
               select from pg_locks w where w.pid = l.pid and not w.granted and w.relation = 'countersign.${table}'::regclass)
             group by l.pid order by n desc`,
          )
        ).rows
      const [most] = await eventually("a commit that waits", blockedCommits, (found) => found.length > 0)
      await holder.query("commit")
      holder.release()
      await working
      return most?.n ?? 0
    }
    const found = [
      await heldBy("counter", () => submit("second", 200)),
      await heldBy("ledger_entry", () => pay.settle()),
      await heldBy("agent_action", () => submit("third", 2000)),
    ]
    expect(Math.min(...found)).toBeGreaterThan(0)
    expect(Math.max(...found)).toBeLessThanOrEqual(perSet)
  })

  it("when full, refuses a commit completely if its locks do not fit, and serves those that fit", async () => {
    await using server = await faultServer(["max_locks_per_transaction=10", "max_connections=10"])
    const database = await server.create()
    const runtime = ManagedRuntime.make(liveStoreOn(database.pool()))
    const store = await runtime.runPromise(Effect.map(Store, (found) => found))
    await open(store)
    const lanes = changeSet({ jobs: Array.from({ length: 5000 }, (_, n) => job(n, { lane: `lane ${n}` })) })
    expect(await resultOf(store, lanes)).toBe("unavailable")
    expect(await isReady(store)).toBe(true)
    const { rows } = await database.pool({ max: 1 }).query("select count(*)::int as n from countersign.job")
    expect(rows).toEqual([{ n: 0 }])
    expect(await resultOf(store, setOn(0))).toBe("Committed")
    await runtime.dispose()
  })
})
