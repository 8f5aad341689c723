/**
 * The server's table of locks: how many a commit takes, as docs/scale.md reckons, and what happens when it is full.
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
import { isReady, open, setOn, told } from "./CommitStorm.ts"
import { faultServer, liveStoreOn, worldStoreOn } from "./FaultServer.ts"

const page = readFileSync(new URL("../../../docs/scale.md", import.meta.url), "utf8")
/** What the page says: at the most so many per change set. */
const perSet = Number(/at the most (\d+) advisory locks/u.exec(page)?.[1])

describe("the table of locks", { timeout: 60_000 }, () => {
  it("has what the page reckons per change set", async () => {
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

    /** The most locks that one commit holds, of all that are held up by somebody who has locked a table. */
    const heldBy = async (table: string, work: () => Promise<unknown>): Promise<number> => {
      const holder = await outside.connect()
      await holder.query(`begin; lock table countersign.${table} in exclusive mode`)
      const working = work()
      const ask = async () =>
        (
          await outside.query<{ readonly n: number }>(
            `select count(*)::int as n from pg_locks l where locktype = 'advisory' and granted and exists (
               select from pg_locks w where w.pid = l.pid and not w.granted and w.relation = 'countersign.${table}'::regclass)
             group by l.pid order by n desc`,
          )
        ).rows
      const [most] = await eventually("a commit that waits", ask, (found) => found.length > 0)
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

  it("refuses, when it is full, what does not fit, applies nothing of it, and serves what fits", async () => {
    await using server = await faultServer(["max_locks_per_transaction=10", "max_connections=10"])
    const database = await server.create()
    const runtime = ManagedRuntime.make(liveStoreOn(database.pool()))
    const store = await runtime.runPromise(Effect.map(Store, (found) => found))
    await open(store)
    const lanes = changeSet({ jobs: Array.from({ length: 5000 }, (_, n) => job(n, { lane: `lane ${n}` })) })
    expect(await told(store, lanes)).toBe("unavailable")
    expect(await isReady(store)).toBe(true)
    const { rows } = await database.pool({ max: 1 }).query("select count(*)::int as n from countersign.job")
    expect(rows).toEqual([{ n: 0 }])
    expect(await told(store, setOn(0))).toBe("Committed")
    await runtime.dispose()
  })
})
