/**
 * Random histories of cards: authorizations, clearings, returns, advices, freezes, closures, changes of funding sources
 * (signed if the cardholder can sign), debts and their repayment, concurrently and over weeks. The ledger is checked after
 * every step, and the final state is compared with the records and the webhooks.
 */
import fc from "fast-check"
import { search } from "../arbitraries/Search.ts"
import { CardAuditor } from "./CardAuditor.ts"
import { cardModelWorld, command, run } from "./CardCommands.ts"
import type { HistoryOptions } from "./HistoryOptions.ts"

/** Returns the smallest history, with its seed, in which money, states or events are wrong; an empty list if none exists. */
export const cardHistories = ({ world: own, ...options }: HistoryOptions = {}) =>
  search(
    fc.tuple(fc.array(command, { minLength: 8, maxLength: 40, size: "max" }), fc.integer(), fc.boolean()),
    async ([commands, seed, signs]) => {
      await using pay = await cardModelWorld({ ...own, seed, interleave: seed }, { signs })
      const auditor = new CardAuditor(pay)
      for (const step of commands) {
        await run(step, pay, auditor)
        await auditor.check()
      }
      await pay.clock.advance("8 days")
      await auditor.checkEnd()
    },
    options,
  )
