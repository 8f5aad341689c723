/**
 * What makes a policy itself unsound: problems of its fields that a schema of single fields cannot see.
 * Source: wire contract 1.3 and 11 (15, 17).
 */
import type { FieldProblem } from "../../foundation/errors/ServiceError.ts"
import type { AgentPolicy } from "./Policy.ts"

/** Every problem of a policy at once. `known`: the internal accounts of the agent's customer; `at`: where the policy stands. */
export const policyProblems = (
  policy: AgentPolicy,
  known: ReadonlySet<string>,
  at = "",
): ReadonlyArray<FieldProblem> => {
  const { accountRestrictions, approvalThresholds, permissions } = policy
  const rules = accountRestrictions?.accountRules ?? []
  const allowed = accountRestrictions?.allowedAccountIds ?? []
  const unknown = (id: string, field: string): ReadonlyArray<FieldProblem> =>
    known.has(id) ? [] : [{ field, message: "must be an internal account of the agent's customer" }]
  const repeated = <A>(list: ReadonlyArray<A>, item: A, index: number) => list.indexOf(item) < index
  return [
    ...permissions.flatMap((permission, index) =>
      repeated(permissions, permission, index)
        ? [{ field: `${at}permissions.${index}`, message: "must not repeat an earlier permission" }]
        : [],
    ),
    ...allowed.flatMap((id, index) => unknown(id, `${at}accountRestrictions.allowedAccountIds.${index}`)),
    ...rules.flatMap((rule, index) =>
      unknown(rule.accountId, `${at}accountRestrictions.accountRules.${index}.accountId`),
    ),
    ...rules.flatMap((rule, index) =>
      rules.findIndex((other) => other.accountId === rule.accountId) < index
        ? [
            {
              field: `${at}accountRestrictions.accountRules.${index}.accountId`,
              message: "must not have two rules for one account",
            },
          ]
        : [],
    ),
    ...(approvalThresholds?.amount != null && approvalThresholds.currency === undefined
      ? [{ field: `${at}approvalThresholds.currency`, message: "is required as soon as amount is set" }]
      : []),
  ]
}
