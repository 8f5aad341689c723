/**
 * The approval policy of a deployment. By default it is absent: one call of a platform approves. A platform cannot change it, because whose
 * credentials could remove the second approver would need none.
 * Source: D-532.
 */
import { Context } from "effect"
import type { ApprovalPolicy } from "../model/approval/ApprovalPolicy.ts"
import { problemsOfApprovalPolicy } from "../model/approval/ApprovalPolicyShape.ts"

export interface ApprovalPolicies {
  /** For every platform that has none of its own. */
  readonly policy?: ApprovalPolicy | undefined
  /** The policies of single platforms, by id, in place of the general one. */
  readonly platforms?: { readonly [platformId: string]: ApprovalPolicy } | undefined
}

export const ApprovalPolicies = Context.Reference<ApprovalPolicies>("@countersign/core/ApprovalPolicies", {
  defaultValue: () => ({}),
})

/** Returns the policy of a platform, or `undefined`. */
export const approvalPolicyOf = (
  { platforms, policy }: ApprovalPolicies,
  platformId: string,
): ApprovalPolicy | undefined =>
  platforms !== undefined && Object.hasOwn(platforms, platformId) ? platforms[platformId] : policy

/** Throws if a policy is not valid, since the service must not hold actions that nobody can approve. */
export const requireValidPolicies = ({ platforms = {}, policy }: ApprovalPolicies): void => {
  const all = [...(policy === undefined ? [] : [policy]), ...Object.values(platforms)]
  const problems = all.flatMap(problemsOfApprovalPolicy)
  if (problems.length > 0) throw new TypeError(`ApprovalPolicies: ${problems.join("; ")}`)
}
