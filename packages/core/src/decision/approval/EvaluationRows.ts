/**
 * The rows of a policy evaluation: the rule lists of the decision in its order, each row with its result and what it compared.
 * Source: wire contract 1.4; D-475.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { TracedRow } from "../../foundation/kit/Rules.ts"
import { ApprovalRules, comparedThreshold } from "../../model/agent/ApprovalRules.ts"
import type { ComparedLimit, EvaluationRow } from "../../model/agent/EvaluationRow.ts"
import { AccessRules, type SpendingFacts, SpendingRules } from "../../model/agent/PolicyRules.ts"
import { remainingLimits } from "../../model/agent/RemainingLimits.ts"
import type { Explanation } from "../agent/AgentPolicyEvaluation.ts"
import type { ActionLoaded } from "./ActionLoaded.ts"
import { isPlan, planOf, shortageOf, stateRefusal } from "./ActionPlan.ts"
import { accessFactsOf, spendingFactsOf } from "./ActionRecord.ts"

type Rows = ReadonlyArray<EvaluationRow>

/** A part of the decision: the names of its rows, and the rows when it is reached. */
interface Stage {
  readonly rules: ReadonlyArray<string>
  readonly rows: () => Rows
}

/** The rule whose row compares a limit. */
const ruleOfLimit: Readonly<Record<ComparedLimit["limit"], string>> = {
  perTransactionLimit: "PER_TRANSACTION_LIMIT",
  dailyLimit: "DAILY_LIMIT",
  monthlyLimit: "MONTHLY_LIMIT",
  dailyTransactionLimit: "DAILY_TRANSACTION_LIMIT",
  approvalThreshold: "APPROVAL_THRESHOLD",
}

/** Returns every limit and threshold that the rules compare with the action. */
const comparedLimits = (facts: SpendingFacts): ReadonlyArray<ComparedLimit> => {
  const limits = remainingLimits(facts)
  const threshold = limits.length === 0 ? undefined : comparedThreshold(facts)
  if (threshold === undefined) return limits
  const { amount, value } = threshold
  return [...limits, { limit: "approvalThreshold", used: 0, remaining: value - amount, ...threshold }]
}

const rowsOf = (
  traced: ReadonlyArray<TracedRow<{ readonly message?: unknown }>>,
  compared: ReadonlyArray<ComparedLimit> = [],
): Rows =>
  traced.map((row) => {
    const { result, rule } = row
    const own = result === "NOT_REACHED" ? [] : compared.filter(({ limit }) => ruleOfLimit[limit] === rule)
    const message = row.result === "DECIDED" ? row.refusal.message : undefined
    return {
      rule,
      result,
      ...(typeof message === "string" ? { message } : {}),
      ...(own.length === 0 ? {} : { compared: own }),
    }
  })

const single = (rule: string, decided: () => { readonly message?: unknown } | undefined): Stage => ({
  rules: [rule],
  rows: () => {
    const refusal = decided()
    return rowsOf([refusal === undefined ? { rule, result: "PASSED" } : { rule, result: "DECIDED", refusal }])
  },
})

/** What an execution lacks. The row has the name of what is missing, as the action's details have it. */
const shortage = (missing: () => Explanation | undefined): Stage => ({
  rules: ["FUNDS"],
  rows: () => {
    const found = missing()
    return single(String(found?.["rule"] ?? "FUNDS"), () => found).rows()
  },
})

const namesOf = ({ rows }: { readonly rows: ReadonlyArray<{ readonly name: string }> }) => rows.map(({ name }) => name)

const reach = (stages: ReadonlyArray<Stage>): Rows => {
  const rows: Array<EvaluationRow> = []
  for (const stage of stages) {
    const isDecided = rows.some(({ result }) => result === "DECIDED")
    rows.push(...(isDecided ? stage.rules.map((rule) => ({ rule, result: "NOT_REACHED" as const })) : stage.rows()))
  }
  return rows
}

const access = (facts: Pick<SpendingFacts, "agent" | "permission">): Stage => ({
  rules: namesOf(AccessRules),
  rows: () => rowsOf(AccessRules.trace(facts)),
})

/** The facts of the spending and approval rules, which exist once the action is known to be possible. */
const spending = (facts: () => SpendingFacts): Stage => ({
  rules: namesOf(SpendingRules),
  rows: () => rowsOf(SpendingRules.trace(facts()), comparedLimits(facts())),
})

const approval = (facts: () => SpendingFacts): Stage => ({
  rules: namesOf(ApprovalRules),
  rows: () => rowsOf(ApprovalRules.trace(facts()), comparedLimits(facts())),
})

/** Returns the rows of the policy's own rules. */
export const policyRows = (facts: SpendingFacts): Rows =>
  reach([access(facts), spending(() => facts), approval(() => facts)])

/** Returns the rows of a submission, or of an approval, which asks for no other approval. */
export const actionRows = (loaded: ActionLoaded, now: number, isApproval: boolean): Rows => {
  const plan = planOf(loaded)
  const planned = () => {
    if (!isPlan(plan)) throw new Error("the rules of an impossible action are not reached")
    return plan
  }
  const facts = () => spendingFactsOf(loaded, planned())
  const impossible = (): Refusal | undefined => (isPlan(plan) ? undefined : plan)
  return reach([
    access(accessFactsOf(loaded)),
    single("ACTION_POSSIBLE", impossible),
    spending(facts),
    single("ACTION_EXECUTABLE", () => stateRefusal(planned(), now)),
    ...(isApproval ? [] : [approval(facts)]),
    shortage(() => shortageOf(planned(), now)),
  ])
}
