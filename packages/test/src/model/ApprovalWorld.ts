/**
 * Several agents of two customers, and the processes that serve them. Each process has its own services, clock and random
 * generator; all share one store. In memory there is one process.
 */
import type { Caller } from "@countersign/core"
import { TestClock } from "effect/testing"
import { addAgent, addCustomer, addSource, policy } from "../harness/AgentWorld.ts"
import { type World, type WorldStore, world } from "../harness/World.ts"

export interface ModelCustomer {
  readonly customerId: string
  readonly accountId: string
  readonly sources: { readonly [suffix: string]: string }
}

export interface ModelAgent {
  readonly agentId: string
  readonly caller: Caller
  readonly customer: ModelCustomer
}

export interface ApprovalWorld extends AsyncDisposable {
  readonly processes: readonly [World, ...ReadonlyArray<World>]
  readonly customers: ReadonlyArray<ModelCustomer>
  readonly agents: ReadonlyArray<ModelAgent>
  /** Returns the process with this index, modulo their number. */
  readonly process: (index: number) => World
  /** Sets all clocks to the latest of them. */
  readonly synchronizeClocks: () => Promise<void>
  /** Advances all clocks and runs the jobs that become due. */
  readonly advance: (millis: number) => Promise<void>
}

export const suffixes = ["000", "002", "004"] as const

const limits = { currency: "USD", perTransactionLimit: 2000, dailyLimit: 2500, monthlyLimit: 6000 } as const

const customerOf = async (within: World): Promise<ModelCustomer> => {
  const { accountId, customerId } = await addCustomer(within)
  const sources: Record<string, string> = {}
  for (const suffix of suffixes) sources[suffix] = await addSource(within, customerId, suffix)
  return { customerId, accountId, sources }
}

/** Creates the world. `stores` has a store for each process, all on the same database; without stores it is in memory. */
export const approvalWorld = async (seed: number, stores: ReadonlyArray<WorldStore>): Promise<ApprovalWorld> => {
  // Ten seconds before the end of a month.
  const startsAt = "2026-11-30T23:59:50Z"
  const first = await world({ seed, interleave: seed, startsAt, ...(stores[0] && { store: stores[0] }) })
  const others: Array<World> = []
  for (const [index, store] of stores.slice(1).entries()) {
    const own = seed + 7919 * (index + 1)
    others.push(await world({ seed: own, interleave: own, startsAt, store }))
  }
  const customers = [await customerOf(first), await customerOf(first)] as const
  const agents: Array<ModelAgent> = []
  for (const customer of [customers[0], customers[0], customers[1]]) {
    const rules = policy({ spendingLimits: limits, approvalThresholds: { currency: "USD", amount: 1200 } })
    const { agent, agentId } = await addAgent(first, customer.customerId, rules)
    agents.push({ agentId, caller: agent, customer })
  }
  const processes: ApprovalWorld["processes"] = [first, ...others]
  const setAll = (time: number) => Promise.all(processes.map((each) => each.run(TestClock.setTime(time))))
  const latest = async () => Math.max(...(await Promise.all(processes.map((each) => each.clock.now()))))
  const synchronizeClocks = async () => {
    await setAll(await latest())
  }
  return {
    processes,
    customers,
    agents,
    process: (index) => processes[index % processes.length] ?? first,
    synchronizeClocks,
    advance: async (millis) => {
      await first.clock.advance(`${millis} millis`)
      await synchronizeClocks()
    },
    [Symbol.asyncDispose]: async () => {
      for (const each of processes.toReversed()) await each[Symbol.asyncDispose]()
    },
  }
}
