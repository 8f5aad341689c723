/**
 * Random histories of several agents, approvers and policies, at the ends of days and months, in one or several processes.
 * No budget is exceeded, no action is executed or decided twice, and none is lost.
 */
import fc from "fast-check"
import { type SearchOptions, search } from "../arbitraries/Search.ts"
import type { WorldStore } from "../harness/World.ts"
import { ApprovalAuditor } from "./ApprovalAuditor.ts"
import { type Command, command, run } from "./ApprovalCommands.ts"
import { approvalWorld } from "./ApprovalWorld.ts"

/** The options of a search, and the processes among which a history is divided. */
export interface ApprovalHistoryOptions extends SearchOptions {
  /** A store for each process, all on the same database; without stores, one process in memory. */
  readonly stores?: ReadonlyArray<WorldStore>
  /** The maximum number of commands of a history. */
  readonly maxLength?: number
}

/** Returns the smallest history, with its seed, in which budgets, money or actions are wrong; an empty list if none exists. */
export const approvalHistories = ({ maxLength = 30, stores = [], ...options }: ApprovalHistoryOptions = {}) =>
  search(
    fc.tuple(fc.array<Command>(command, { minLength: 6, maxLength, size: "max" }), fc.nat({ max: 1_000_000 })),
    async ([commands, seed]) => {
      await using world = await approvalWorld(seed, stores)
      const auditor = new ApprovalAuditor(world)
      for (const step of commands) {
        await auditor.before()
        await run(step, world, auditor)
        await auditor.check()
      }
      await auditor.before()
      await world.advance(5 * 60_000)
      await auditor.checkEnd()
    },
    options,
  )
