/**
 * Random histories of cards: authorizations, clearings, returns, advices, freezes, closes, other funding sources (signed, where
 * the cardholder can sign), debts and what pays them, at once and over
 * weeks; the books are checked after every step, and the end against the records and the webhooks.
 */
import fc from "fast-check"
import { search } from "../arbitraries/Search.ts"
import { CardAuditor } from "./CardAuditor.ts"
import { cardModelWorld, command, run } from "./CardCommands.ts"
import type { HistoryOptions } from "./HistoryOptions.ts"

/** The smallest history of cards in which money, states or events are not in order, with its seed; none: none was found. */
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
