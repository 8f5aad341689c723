/**
 * Problems of a policy that involve several fields or stored records, which a schema cannot find.
 * Source: wire contract 1.3 and 11 (15, 17).
 */
import type { FieldProblem } from "../../foundation/errors/FieldProblems.ts"
import { repeatedIndexes } from "../../foundation/kit/Repeated.ts"
import type { AgentPolicy } from "./Policy.ts"

/**
 * Returns all problems of a policy. `ownAccountIds`: the internal accounts of the agent's customer. `prefix`: the path of the
 * policy in the request.
 */
export const policyProblems = (
  policy: AgentPolicy,
  ownAccountIds: ReadonlySet<string>,
  prefix = "",
): ReadonlyArray<FieldProblem> => {
  const { accountRestrictions, approvalThresholds, permissions } = policy
  const rules = accountRestrictions?.accountRules ?? []
  const allowed = accountRestrictions?.allowedAccountIds ?? []
  const foreignAccount = (id: string, field: string): ReadonlyArray<FieldProblem> =>
    ownAccountIds.has(id) ? [] : [{ field, message: "must be an internal account of the agent's customer" }]
  return [
    ...repeatedIndexes(permissions).map((index) => ({
      field: `${prefix}permissions.${index}`,
      message: "must not repeat an earlier permission",
    })),
    ...allowed.flatMap((id, index) => foreignAccount(id, `${prefix}accountRestrictions.allowedAccountIds.${index}`)),
    ...rules.flatMap((rule, index) =>
      foreignAccount(rule.accountId, `${prefix}accountRestrictions.accountRules.${index}.accountId`),
    ),
    ...repeatedIndexes(rules.map(({ accountId }) => accountId)).map((index) => ({
      field: `${prefix}accountRestrictions.accountRules.${index}.accountId`,
      message: "must not have two rules for one account",
    })),
    ...(approvalThresholds?.amount != null && approvalThresholds.currency === undefined
      ? [{ field: `${prefix}approvalThresholds.currency`, message: "is required as soon as amount is set" }]
      : []),
  ]
}
