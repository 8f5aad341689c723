/**
 * Random histories of quotes: created concurrently, executed twice, expired, funded by payers with a right or wrong amount,
 * pulled, cancelled, failed, returned and refunded. `QuoteModel` predicts every response, balance and state. The ledger is
 * checked after every step, and the final state is compared with the records and the webhooks.
 */
import fc from "fast-check"
import { search } from "../arbitraries/Search.ts"
import { quoteHarness } from "../harness/QuoteHarness.ts"
import type { HistoryOptions } from "./HistoryOptions.ts"
import { QuoteAuditor } from "./QuoteAuditor.ts"
import { command, run } from "./QuoteCommands.ts"

/** Returns the smallest history, with its seed, in which the service differs from the model; an empty list if none exists. */
export const quoteHistories = ({ world: own, ...options }: HistoryOptions = {}) =>
  search(
    fc.tuple(fc.array(command, { minLength: 5, maxLength: 18, size: "max" }), fc.integer()),
    async ([commands, seed]) => {
      await using pay = await quoteHarness({ ...own, seed, interleave: seed })
      const auditor = await QuoteAuditor.make(pay)
      for (const step of commands) {
        await run(step, pay, auditor)
        await auditor.check()
      }
      await pay.clock.advance("20 minutes")
      auditor.advanced(1_200_000)
      await auditor.checkEnd()
    },
    options,
  )
