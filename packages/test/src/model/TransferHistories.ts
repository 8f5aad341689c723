/**
 * Random histories of transfers: customers that are created and deleted, concurrent transfers in two currencies that fail,
 * are cancelled, returned, refunded or reported twice, and accounts that are blocked meanwhile. A model predicts every
 * response and state. The ledger is checked after every step, and each webhook at the end.
 */
import fc from "fast-check"
import { search } from "../arbitraries/Search.ts"
import { world } from "../harness/World.ts"
import type { HistoryOptions } from "./HistoryOptions.ts"
import { TransferAuditor } from "./TransferAuditor.ts"
import { command, run } from "./TransferCommands.ts"

/** Returns the smallest history, with its seed, in which the service differs from the model; an empty list if none exists. */
export const transferHistories = ({ world: own, ...options }: HistoryOptions = {}) =>
  search(
    fc.tuple(fc.array(command, { minLength: 5, maxLength: 40, size: "max" }), fc.integer()),
    async ([commands, seed]) => {
      await using pay = await world({ ...own, seed, interleave: seed })
      const auditor = await TransferAuditor.make(pay)
      for (const step of commands) {
        await run(step, pay, auditor)
        await auditor.check()
      }
      await run({ _tag: "Advance", millis: 300_000 }, pay, auditor)
      await auditor.checkEnd()
    },
    options,
  )
