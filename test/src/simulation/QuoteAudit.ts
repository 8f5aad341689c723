/**
 * The part of the auditor for quotes: each keeps the values of its first response and agrees with its transaction.
 * Source: wire contract 5.5; D-120.
 */
import type { Body } from "./Answers.ts"

interface Paid {
  readonly status: string
  readonly sentAmount?: { readonly amount: number }
  readonly receivedAmount?: { readonly amount: number }
  readonly quoteId?: string
}

/** `now`: the quote at the end; `given`: the quote of the first response. */
export const quoteProblems = (given: Body, now: Body, transaction: Paid | undefined): ReadonlyArray<string> => {
  const id = String(given["id"])
  const terms = (quote: Body) => JSON.stringify({ ...quote, status: "" })
  return [
    ...(terms(given) === terms(now) ? [] : [`${id} was given as ${terms(given)}, and is ${terms(now)}`]),
    ...(transaction?.status === now["status"]
      ? []
      : [`${id} is ${now["status"]}, its transaction ${transaction?.status}`]),
    ...(transaction?.quoteId === id &&
    transaction.sentAmount?.amount === given["totalSendingAmount"] &&
    transaction.receivedAmount?.amount === given["totalReceivingAmount"]
      ? []
      : [`${id} has other amounts than its transaction`]),
    ...(["PENDING", "PROCESSING"].includes(String(now["status"])) ? [`${id} is still ${now["status"]}`] : []),
  ]
}
