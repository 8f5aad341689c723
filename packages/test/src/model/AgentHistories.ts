/**
 * Random histories of an agent: submissions, decisions, pauses, changed limits, time, replays and races. The ledger and the
 * budgets are checked after every step.
 */
import type { AgentPolicy } from "@countersign/core/models"
import fc from "fast-check"
import { search } from "../arbitraries/Search.ts"
import { agentWorld } from "../harness/AgentWorld.ts"
import { AgentAuditor } from "./AgentAuditor.ts"
import { command, run, suffixes } from "./AgentCommands.ts"
import type { HistoryOptions } from "./HistoryOptions.ts"

/** The options of every history, and the agent's policy. */
export interface AgentHistoryOptions extends HistoryOptions {
  /** The agent's initial policy. */
  readonly policy?: Partial<AgentPolicy>
}

const usual: Partial<AgentPolicy> = {
  spendingLimits: { currency: "USD", perTransactionLimit: 2000, dailyLimit: 4000, monthlyLimit: 9000 },
}

/**
 * Returns the smallest history, with its seed, in which the ledger, budgets, states or events are wrong; an empty list if
 * none exists.
 */
export const agentHistories = ({ policy = usual, world: own, ...options }: AgentHistoryOptions = {}) =>
  search(
    fc.tuple(fc.array(command, { maxLength: 40 }), fc.integer()),
    async ([commands, seed]) => {
      await using world = await agentWorld(policy, { ...own, suffixes, seed, interleave: seed })
      const auditor = new AgentAuditor(world)
      for (const step of commands) {
        await run(step, world, auditor)
        await auditor.check()
      }
      await world.clock.advance("2 minutes")
      await auditor.checkEnd()
    },
    options,
  )
