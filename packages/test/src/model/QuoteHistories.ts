/**
 * Random histories of quotes: made at once, executed twice, expired, funded by their payers with the right or a wrong amount,
 * pulled, cancelled, failing, returned and refunded. Every answer, balance and state is predicted by `QuoteModel`; the books are
 * checked after every step, and the end against the records and the webhooks.
 */
import fc from "fast-check"
import { search } from "../arbitraries/Search.ts"
import { quoteHarness } from "../harness/QuoteHarness.ts"
import type { HistoryOptions } from "./HistoryOptions.ts"
import { QuoteAuditor } from "./QuoteAuditor.ts"
import { command, run } from "./QuoteCommands.ts"

/** The smallest history of quotes in which the service is not where the model is, with its seed; none: none was found. */
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
