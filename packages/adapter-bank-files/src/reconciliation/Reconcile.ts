/**
 * Compares the lines of a bank with our orders and with the ledger. Pure: each line and each order of the period is in exactly one list of
 * the result, whatever the order of the input.
 * Source: D-530.
 */
import type { LedgerFact } from "@countersign/core/ports"
import type { BankLine } from "../orders/BankFile.ts"
import type { BankOrder } from "../orders/BankOrder.ts"
import { hasAmountOf, isForward, isTotalOf, orderIndex, orderOf, ordersOfTotal } from "../orders/Matching.ts"
import type { LineProblem, OrderProblem, Reconciliation, ReconciliationInput } from "./Finding.ts"

/** The lines of an order that have its amount. */
interface Moves {
  forward: number
  back: number
}

const byKey = (a: BankLine, b: BankLine): number =>
  a.bookedOn === b.bookedOn ? (a.key < b.key ? -1 : 1) : a.bookedOn < b.bookedOn ? -1 : 1

const byReference = (a: BankOrder, b: BankOrder): number => (a.reference < b.reference ? -1 : 1)

/** Whether the bank may have moved the money of an order so often. */
const agrees = ({ state }: BankOrder, { back, forward }: Moves): boolean => {
  switch (state) {
    case "ACCEPTED":
    case "CANCELLED":
      return forward === 0 && back === 0
    case "BATCHED":
      return forward === 0 && back === 0
    case "BOOKED":
      return back === 0
    // What was rejected, or came back: whatever left has returned.
    case "REJECTED":
      return forward === 0 || back > 0
    case "RETURNED":
      return true
  }
}

const ledgerProblem = (order: BankOrder, fact: LedgerFact | undefined): OrderProblem | undefined => {
  if (fact === undefined) return "LEDGER_MISSING"
  if (fact.amount !== order.amount || fact.currency !== order.currency) return "LEDGER_AMOUNT"
  const isExecuted =
    order.state === "BOOKED" ? true : order.state === "ACCEPTED" || order.state === "BATCHED" ? undefined : false
  return fact.isExecuted === isExecuted ? undefined : "LEDGER_STATE"
}

/** What a line is before the states of orders are compared. */
type Verdict =
  | { readonly _tag: "Foreign" }
  | { readonly _tag: "Wrong"; readonly problem: LineProblem; readonly order?: BankOrder }
  | { readonly _tag: "Of"; readonly orders: ReadonlyArray<BankOrder> }

const foreign: Verdict = { _tag: "Foreign" }
const wrong = (problem: LineProblem, order?: BankOrder): Verdict => ({
  _tag: "Wrong",
  problem,
  ...(order === undefined ? {} : { order }),
})

/** Finds the orders of each line. Called in the order of the lines, because the second of two equal lines is the doubled one. */
const classifier = (orders: ReadonlyArray<BankOrder>) => {
  const index = orderIndex(orders)
  const batches = Map.groupBy(orders, ({ batchId = "" }) => batchId)
  const seen = new Set<string>()
  /** Whether the same kind of line has moved the order's money in this direction before. */
  const isRepeated = (line: BankLine, { reference }: BankOrder): boolean => {
    const kind = `${reference} ${line.isCredit} ${line.isMovement}`
    const isKnown = seen.has(kind)
    seen.add(kind)
    return isKnown
  }
  const isStrange = ({ isCredit, isReturn }: BankLine): boolean => isReturn || !isCredit
  const ofBatch = (line: BankLine, ofId: ReadonlyArray<BankOrder> | undefined): Verdict => {
    if (ofId === undefined) return isStrange(line) ? wrong("UNKNOWN_REFERENCE") : foreign
    if (!isTotalOf(line, ofId)) return wrong("AMOUNT_DIFFERS")
    const counted = ordersOfTotal(ofId)
    const repeated = counted.filter((order) => isRepeated(line, order))
    return repeated.length > 0 ? wrong("DOUBLED", repeated[0]) : { _tag: "Of", orders: counted }
  }
  return (line: BankLine): Verdict => {
    if (line.batchId !== undefined) return ofBatch(line, batches.get(line.batchId))
    const order = orderOf(index, line.orderIds)
    if (order === undefined) {
      if (line.orderIds.some((id) => index.has(id))) return wrong("AMBIGUOUS")
      return line.orderIds.length > 0 && isStrange(line) ? wrong("UNKNOWN_REFERENCE") : foreign
    }
    if (!hasAmountOf(line, order)) return wrong("AMOUNT_DIFFERS", order)
    return isRepeated(line, order) ? wrong("DOUBLED", order) : { _tag: "Of", orders: [order] }
  }
}

const unmoved: Moves = { forward: 0, back: 0 }

const addMove = (moves: Map<string, Moves>, line: BankLine, order: BankOrder): void => {
  const { back, forward } = moves.get(order.reference) ?? unmoved
  const isBack = !isForward(line, order)
  const isCounted = !isBack && line.isMovement
  moves.set(order.reference, { forward: forward + (isCounted ? 1 : 0), back: back + (isBack ? 1 : 0) })
}

export const reconcile = ({
  confirms,
  from,
  ledger,
  ledgerAfterMillis = 0,
  missingAfterMillis,
  now,
  ...input
}: ReconciliationInput): Reconciliation => {
  const lines = [...new Map(input.lines.map((line) => [line.key, line])).values()].toSorted(byKey)
  const orders = [...new Map(input.orders.map((order) => [order.reference, order])).values()].toSorted(byReference)
  const facts = ledger && new Map(ledger.map((fact) => [fact.reference, fact]))
  const classify = classifier(orders)
  const verdicts = lines.map((line) => ({ line, verdict: classify(line) }))

  const moves = new Map<string, Moves>()
  for (const { line, verdict } of verdicts) {
    if (verdict._tag === "Of") for (const order of verdict.orders) addMove(moves, line, order)
  }
  const movesOf = ({ reference }: BankOrder): Moves => moves.get(reference) ?? unmoved

  const matched: Array<Reconciliation["matched"][number]> = []
  const unmatched: Array<BankLine> = []
  const suspicious: Array<Reconciliation["suspicious"][number]> = []
  const problems = new Map<string, LineProblem>()
  const suspect = (line: BankLine, problem: LineProblem, order?: BankOrder): void => {
    suspicious.push({ line, problem, ...(order === undefined ? {} : { reference: order.reference }) })
    if (order !== undefined) problems.set(order.reference, problem)
  }
  for (const { line, verdict } of verdicts) {
    if (verdict._tag === "Foreign") unmatched.push(line)
    else if (verdict._tag === "Wrong") suspect(line, verdict.problem, verdict.order)
    else {
      const contradicted = verdict.orders.find((order) => !agrees(order, movesOf(order)))
      if (contradicted !== undefined) suspect(line, "CONTRADICTION", contradicted)
      else matched.push({ line, references: verdict.orders.map(({ reference }) => reference) })
    }
  }

  const isUnbooked = (order: BankOrder): boolean => confirms && movesOf(order).forward === 0
  /** Whether the outcome of the order may be on its way to the ledger. */
  const isRecent = ({ changedAt }: BankOrder): boolean => now - changedAt < ledgerAfterMillis
  const problemOf = (order: BankOrder): LineProblem | OrderProblem | undefined => {
    const { reference, state } = order
    const problem = problems.get(reference)
    if (problem !== undefined) return problem
    if (!agrees(order, movesOf(order))) return "CONTRADICTION"
    if (state === "RETURNED" && movesOf(order).back === 0) return "NOT_RETURNED"
    const isDue = state === "BATCHED" || state === "BOOKED" || state === "RETURNED"
    if (isDue && isUnbooked(order) && now - order.changedAt >= missingAfterMillis) return "MISSING"
    const ofLedger = facts && ledgerProblem(order, facts.get(reference))
    return ofLedger === "LEDGER_STATE" && isRecent(order) ? undefined : ofLedger
  }
  const isOpen = (order: BankOrder): boolean => {
    const { state } = order
    if (facts !== undefined && isRecent(order) && ledgerProblem(order, facts.get(order.reference))) return true
    if (state === "ACCEPTED" || state === "BATCHED") return true
    return (state === "BOOKED" || state === "RETURNED") && isUnbooked(order)
  }

  const agreed: Array<string> = []
  const open: Array<string> = []
  const doubtful: Array<Reconciliation["orders"]["suspicious"][number]> = []
  for (const order of orders) {
    if (order.acceptedAt < from) continue
    const problem = problemOf(order)
    if (problem !== undefined) doubtful.push({ reference: order.reference, problem })
    else if (isOpen(order)) open.push(order.reference)
    else agreed.push(order.reference)
  }
  return { matched, unmatched, suspicious, orders: { agreed, open, suspicious: doubtful } }
}
