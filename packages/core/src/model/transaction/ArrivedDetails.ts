/**
 * What a rail or bank tells about money that arrives: its amount, and the sender's side, in values that answers can show.
 * Source: wire contract areas 2.8; D-428.
 */
import type { FieldProblem } from "../../foundation/errors/FieldProblems.ts"
import { isId } from "../../foundation/ids/IdTypes.ts"
import type { IncomingTransaction } from "./Transaction.ts"

type ArrivedDetails = Pick<IncomingTransaction, "amount" | "sent" | "exchangeRate" | "fees" | "quoteId">

const isAtLeast = (minimum: number, value: number): boolean => Number.isSafeInteger(value) && value >= minimum

/** Returns the problems of the details; an amount that is no exact integer is one. */
export const arrivedProblems = ({
  amount,
  exchangeRate,
  fees,
  quoteId,
  sent,
}: ArrivedDetails): ReadonlyArray<FieldProblem> => {
  const positive = "must be a positive integer in the smallest unit"
  const problem = (isWrong: boolean, field: string, message: string) => (isWrong ? [{ field, message }] : [])
  return [
    ...problem(!isAtLeast(1, amount), "amount", positive),
    ...problem(sent !== undefined && !isAtLeast(1, sent.amount), "sent.amount", positive),
    ...problem(
      exchangeRate !== undefined && !(Number.isFinite(exchangeRate) && exchangeRate > 0),
      "exchangeRate",
      "must be a number above 0",
    ),
    ...problem(fees !== undefined && !isAtLeast(0, fees), "fees", "must be an integer of at least 0"),
    ...problem(quoteId !== undefined && !isId("Quote", quoteId), "quoteId", "must be the id of a quote"),
  ]
}
