/**
 * The part of the auditor for the ends of quotes: each ends as the magic values of its accounts say, and a rail pulls its money once.
 * Source: wire contract 7.3, 7.4; wire contract areas 3.1 to 3.3; D-128, D-401.
 */
import type { Answers, Body } from "./Answers.ts"
import type { Pay } from "./World.ts"

/** An end: its status, that of the refund, and why it failed. */
type End = readonly [status: string, refund: string, reason: string]

const shown = (end: End): string => end.filter((each) => each !== "").join(" ")

const completed: End = ["COMPLETED", "", ""]
const failedPull: End = ["FAILED", "", "QUOTE_EXECUTION_FAILED"]
const wrongAmount: End = ["FAILED", "COMPLETED", "FUNDING_AMOUNT_MISMATCH"]

/** The ends by the suffix of a pesos account; any other destination is credited. */
const ends: { readonly [suffix: string]: End } = {
  "002": ["FAILED", "COMPLETED", "QUOTE_EXECUTION_FAILED"],
  "004": ["FAILED", "COMPLETED", "COUNTERPARTY_POST_TX_FAILED"],
  "005": ["FAILED", "COMPLETED", "PAYOUT_RETURNED"],
  "006": ["COMPLETED", "COMPLETED", ""],
  "007": ["FAILED", "FAILED", "QUOTE_EXECUTION_FAILED"],
}

const suffixOf = (ids: { readonly [suffix: string]: string }, id: unknown): string | undefined =>
  Object.entries(ids).find(([, each]) => each === id)?.[0]

export interface EndedTransfer {
  readonly status: string
  readonly failureReason?: string
  readonly refund?: { readonly status: string }
}

/** `given`: the quote of the first response. */
export const quoteEndProblems = (
  pay: Pay,
  answers: Answers,
  given: Body,
  transaction: EndedTransfer | undefined,
): ReadonlyArray<string> => {
  const id = String(given["id"])
  const { destination, source } = given as { readonly [side: string]: Body | undefined }
  const pullSuffix = suffixOf(pay.declared, source?.["accountId"])
  const isBegun = transaction !== undefined && transaction.status !== "EXPIRED"
  const pulls = pay.outside.instructions().filter(({ kind, reference }) => kind === "pull" && reference === id)
  const due = isBegun && pullSuffix !== undefined ? 1 : 0
  const isCancelled = answers.cancelled.has(String(given["transactionId"]))
  // A cancellation may precede the pull.
  const hasPulls = pulls.length === due || (isCancelled && pulls.length < due)
  const problems = [
    ...(hasPulls && pulls.every(({ amount }) => amount === given["totalSendingAmount"])
      ? []
      : [`${id} is ${transaction?.status} and was pulled: ${pulls.map(({ amount }) => amount).join(" ") || "never"}`]),
    ...(isBegun || !answers.executedQuotes.has(id) ? [] : [`${id} was executed and is ${transaction?.status}`]),
  ]
  if (!isBegun || isCancelled) return problems
  const end: End = [transaction.status, transaction.refund?.status ?? "", transaction.failureReason ?? ""]
  const suffix =
    suffixOf(pay.pesos, destination?.["accountId"]) ?? suffixOf(pay.wallet.banks, destination?.["accountId"])
  const byMagic = pullSuffix !== undefined && pullSuffix !== "000" ? failedPull : (ends[suffix ?? ""] ?? completed)
  const allowed = [byMagic, ...(answers.mispaidQuotes.has(id) ? [wrongAmount] : [])].map(shown)
  return allowed.includes(shown(end))
    ? problems
    : [...problems, `${id} ended as ${shown(end)}, whatever its magic values say: ${allowed.join(", ")}`]
}
