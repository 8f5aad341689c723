/**
 * What the operations of one request decided and wrote. A sandbox keeps it with the request; without one there is no trace.
 * Source: D-465.
 */
import { Context } from "effect"
import type { CommitRejection } from "../decision/Decision.ts"
import { type FailedRule, observing } from "../foundation/kit/Rules.ts"
import { currencyOf } from "../foundation/money/Currencies.ts"
import type { RequestCommit, RequestRule } from "../model/request/RequestTraceResource.ts"
import type { Caller } from "../store/Caller.ts"
import type { ChangeSet } from "../store/ChangeSet.ts"
import { shownFacts } from "./ShownFacts.ts"

export interface RequestTrace {
  /** The platform of the first commit, for a request without credentials. */
  platformId: string | undefined
  /** The rules that failed in the latest decision of each operation. */
  rules: ReadonlyArray<RequestRule>
  commits: ReadonlyArray<RequestCommit>
}

export const RequestTrace = Context.Reference<RequestTrace | undefined>("@countersign/core/RequestTrace", {
  defaultValue: () => undefined,
})

/** Returns the trace of a request that has decided nothing yet. */
export const makeRequestTrace = (): RequestTrace => ({ platformId: undefined, rules: [], commits: [] })

const rulesMax = 20
const commitsMax = 20
/** Of one kind, in one commit. */
const writesMax = 50

interface RuleRefusal {
  readonly code: string
  readonly message: string
  readonly details?: { readonly [name: string]: unknown }
}

const isRefusal = (value: unknown): value is RuleRefusal =>
  typeof value === "object" && value !== null && "code" in value && "message" in value

interface Refusing {
  readonly _tag: string
  readonly refusal?: RuleRefusal
}

/** Decisions may add details to the refusal of a rule. */
const isRefusedBy = ({ _tag, refusal }: Refusing, ofRule: unknown): boolean =>
  _tag === "Refuse" && isRefusal(ofRule) && ofRule.code === refusal?.code && ofRule.message === refusal.message

const ruleOf = (
  operation: string,
  { facts, list, position, refusal, rows, rule }: FailedRule,
  decision: Refusing,
): RequestRule => ({
  operation,
  list,
  rule,
  position,
  rows,
  isRefusal: isRefusedBy(decision, refusal),
  facts: shownFacts(facts),
})

/** What a commit holds against the books, the counters and the unique keys: no rule list has these, because only the store knows. */
const checks = { Floor: "BALANCE_FLOOR", Range: "SUM_RANGE", Counter: "COUNTER_MAXIMUM" } as const

const rejectionOf = (operation: string, rejection: CommitRejection, isRefusal: boolean): RequestRule => ({
  operation,
  list: "Commit",
  rule: rejection._tag === "Taken" ? "UNIQUE_KEY" : checks[rejection.bound._tag],
  position: 1,
  rows: 1,
  isRefusal,
  facts: rejection._tag === "Bound" && "account" in rejection.bound ? { ledgerAccount: rejection.bound.account } : {},
})

/** The refusal of a decision that no rule list made. */
const ownRefusal = (operation: string, { code, details = {} }: RuleRefusal): RequestRule => ({
  operation,
  list: "Decision",
  rule: typeof details["reason"] === "string" ? details["reason"] : code,
  position: 1,
  rows: 1,
  isRefusal: true,
  facts: shownFacts(details),
})

/** Decides, and traces the rules that failed in place of those of an earlier attempt of the operation. */
export const decideTraced = <D extends Refusing>(
  trace: RequestTrace | undefined,
  operation: string,
  rejections: ReadonlyArray<CommitRejection>,
  decide: () => D,
): D => {
  if (trace === undefined) return decide()
  const failed: Array<FailedRule> = []
  const decision = observing((rule) => failed.push(rule), decide)
  const others = trace.rules.filter((rule) => rule.operation !== operation)
  const rules = failed.map((rule) => ruleOf(operation, rule, decision))
  const isOwn = decision._tag === "Refuse" && !rules.some(({ isRefusal }) => isRefusal)
  const rejected = rejections.map((rejection) => rejectionOf(operation, rejection, isOwn))
  const own =
    isOwn && rejected.length === 0 && decision.refusal !== undefined ? [ownRefusal(operation, decision.refusal)] : []
  trace.rules = [...others, ...rules, ...rejected, ...own].slice(0, rulesMax)
  return decision
}

const bounded = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> => list.slice(0, writesMax)

/** Traces what a commit wrote. */
export const traceCommit = (
  trace: RequestTrace | undefined,
  operation: string,
  { platformId }: Caller,
  set: ChangeSet,
): void => {
  if (trace === undefined) return
  trace.platformId ??= platformId
  if (trace.commits.length >= commitsMax) return
  const records = [
    ...set.inserts.map(({ id, kind }) => ({ kind, id, change: "INSERTED" as const })),
    ...set.updates.map(({ id, kind }) => ({ kind, id, change: "UPDATED" as const })),
  ]
  const commit: RequestCommit = {
    operation,
    records: bounded(records),
    transfers: bounded(set.transfers).map((transfer) => ({ ...transfer, currency: currencyOf(transfer.currency) })),
    events: bounded(set.events.map(({ id, subject, type }) => ({ id, type, subject }))),
    jobs: bounded(set.jobs.map(({ id, kind }) => ({ id, kind }))),
    omitted: [records, set.transfers, set.events, set.jobs].reduce(
      (omitted, list) => omitted + Math.max(0, list.length - writesMax),
      0,
    ),
  }
  trace.commits = [...trace.commits, commit]
}
