/**
 * Actions as they are shown: with the transaction and the quote of each, which one further trip reads for all.
 * Spec: AgentAction; wire contract 1.6.
 */
import { Clock, Effect } from "effect"
import { toAgentAction } from "../../model/agent/AgentActionResource.ts"
import { toQuote } from "../../model/quote/QuoteResource.ts"
import type { Read } from "../../operation/Operation.ts"
import { asOf } from "../../store/AsOf.ts"
import type { RecordRef, Stored } from "../../store/ChangeSet.ts"

const refsOf = ({ data: { quoteId, transactionId } }: Stored<"AgentAction">): ReadonlyArray<RecordRef> => [
  ...(transactionId === undefined ? [] : [{ kind: "Transaction" as const, id: transactionId }]),
  ...(quoteId === undefined ? [] : [{ kind: "Quote" as const, id: quoteId }]),
]

export const present = Effect.fnUntraced(function* <E>(read: Read<E>, actions: ReadonlyArray<Stored<"AgentAction">>) {
  const records = actions.flatMap(refsOf)
  const found = records.length === 0 ? undefined : yield* read({ records })
  const now = yield* Clock.currentTimeMillis
  return actions.map((action) => {
    const { quoteId, transactionId } = action.data
    const quote = quoteId === undefined ? undefined : found?.record("Quote", quoteId)
    return toAgentAction(action, {
      transaction: transactionId === undefined ? undefined : found?.record("Transaction", transactionId),
      quote: quote && toQuote(asOf(quote, now)),
    })
  })
})
