/**
 * Random histories of transfers: customers that join and go, in and out in two currencies, at once, failing, cancelled, returned,
 * refunded, reported twice, their accounts blocked meanwhile. A model predicts every answer and every state; the books are checked
 * after every step, and at the end each webhook.
 */
import fc from "fast-check"
import { search } from "../arbitraries/Search.ts"
import { world } from "../harness/World.ts"
import type { HistoryOptions } from "./HistoryOptions.ts"
import { TransferAuditor } from "./TransferAuditor.ts"
import { command, run } from "./TransferCommands.ts"

/** The smallest history of transfers in which the service is not where the model is, with its seed; none: none was found. */
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
