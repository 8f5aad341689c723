/** The surviving mutants, and why: none changes anything that a caller, a store or a reader can observe. */
import type { Explanation } from "./Report.ts"

export const explained: ReadonlyArray<Explanation> = [
  {
    why: `**For the compiler only.** The condition narrows a type. Without it the result is the same, because a comparison with \`undefined\` is false, an
empty list stays empty, and a missing member is \`undefined\`.`,
    mutants: [
      "model/agent/ApprovalRules.ts: value === undefined => false",
      "model/agent/ApprovalRules.ts: approvalThresholds?.currency => approvalThresholds.currency",
      "model/agent/PolicyRules.ts: value === undefined => false",
      "model/approval/ApprovalRowRules.ts: destination.id !== undefined => true",
      "model/approval/VoteRules.ts: tokenId !== null => true",
      'model/quote/QuoteRules.ts: source.sourceType === "ACCOUNT" => false',
      'model/quote/QuoteRules.ts: "ACCOUNT" => ""',
      'model/quote/QuoteRules.ts: requested.destinationType !== "ACCOUNT" => false',
      "model/quote/QuoteRules.ts: sendingCurrency === undefined => false",
      "model/receiver/WithdrawalFeeRules.ts: AccountTypes.find(type[0])?.fields => AccountTypes.find(type[0]).fields",
      "model/sca/LockoutRules.ts: lockedUntil !== undefined => true",
      "model/sca/ScaFactorRules.ts: region !== undefined => true",
    ],
  },
  {
    why: `**A case that the tables do not contain.** The types allow an empty path, a payment route without required fields but with rules of its own, a
second required field, and a second type of fee. No row of the tables has them; the second field would be one of a business.`,
    mutants: [
      "model/account/AccountValidationRules.ts: key === undefined => false",
      "model/platform/PlatformConfigRules.ts: other.feeType === feeType => true",
      'model/account/AccountInfoRules.ts: "" => "Stryker was here!"',
      'model/transaction/TransferOutRules.ts: ", " => ""',
    ],
  },
  {
    why: `**Redundant.** A function without a result returns \`undefined\`. A transition without events emits none, whether the list is empty or absent.
Every rounding but up is down. An element without members breaks no rule. The library reads the first 17 digits itself.`,
    mutants: [
      "model/account/StrictCheckRules.ts: { return undefined } => {}",
      "model/account/StrictCheckRules.ts: value.slice(0, 17) => value",
      'decision/agent/AgentPolicyEvaluation.ts: "down" => ""',
      'decision/agent/PolicyUpdate.ts: "down" => ""',
      'model/platform/PlatformConfigRules.ts: [] => ["Stryker was here"]',
      "model/customer/CheckMachine.ts: { pending: [], approved: [], rejected: [] } => {}",
    ],
  },
  {
    why: `**Unreachable in the service.** The authentication has found the calling agent, and agents are never removed. An evaluated decision is not committed,
so no commit rejects it; it never rejects an action; and it explains everything that it does not approve. An action that is not decided was loaded with its execution, and nobody sees the id of a challenge
that is not committed.`,
    mutants: [
      'service/agent/AgentLoads.ts: "agent" => ""',
      'decision/approval/PolicyEvaluationDecision.ts: "REFUSED" => ""',
      "decision/approval/PolicyEvaluationDecision.ts: details !== undefined => true",
      'decision/approval/PolicyEvaluationDecision.ts: status === "REJECTED" => false',
      'decision/approval/PolicyEvaluationDecision.ts: "REJECTED" => ""',
      'service/approval/PolicyEvaluations.ts: [] => ["Stryker was here"]',
      "service/approval/PolicyEvaluations.ts: { return yield* Effect.die(new Error(`$" +
        "{actionId} was loaded without its execution`)) } => {}",
      "service/approval/PolicyEvaluations.ts: `$" + "{actionId} was loaded without its execution` => ``",
      "service/approval/PolicyEvaluations.ts: { challengeId: yield* drawChallengeId } => {}",
      "service/approval/PolicyEvaluations.ts: execution === undefined || facts === undefined => false",
      "service/approval/PolicyEvaluations.ts: execution === undefined || facts === undefined => execution === undefined && facts === undefined",
      "service/approval/PolicyEvaluations.ts: execution === undefined => false",
      "service/approval/PolicyEvaluations.ts: facts === undefined => false",
    ],
  },
  {
    why: `**For speed only.** The last date is kept, because nearly all requests of a process are of one day. Any other key of that memory, or none, computes the
same date.`,
    mutants: [
      'model/agent/Usage.ts: { day: Number.NaN, date: "" } => {}',
      'model/agent/Usage.ts: "" => "Stryker was here!"',
      "model/agent/Usage.ts: millis / dayMillis => millis * dayMillis",
      "model/agent/Usage.ts: day !== lastDate.day => true",
    ],
  },
]
