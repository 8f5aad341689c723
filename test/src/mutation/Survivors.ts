/** The mutants that survive, and why: none changes what a caller, a store or a reader could tell. */
import type { Explanation } from "./Report.ts"

export const explained: ReadonlyArray<Explanation> = [
  {
    why: `**For the compiler's sake.** The condition narrows a type. Without it the same comes out, since a comparison with \`undefined\` is false, a list
of nothing is empty, and a member that is not there is \`undefined\`.`,
    mutants: [
      "decision/agent/AgentPolicyEvaluation.ts: threshold === undefined => false",
      "decision/agent/AgentPolicyEvaluation.ts: approvalThresholds?.currency => approvalThresholds.currency",
      "model/agent/PolicyRules.ts: value === undefined => false",
      'model/quote/QuoteRules.ts: source.sourceType === "ACCOUNT" => false',
      'model/quote/QuoteRules.ts: "ACCOUNT" => ""',
      'model/quote/QuoteRules.ts: requested.destinationType !== "ACCOUNT" => false',
      "model/quote/QuoteRules.ts: sendingCurrency === undefined => false",
      "model/receiver/WithdrawalFeeRules.ts: AccountTypes.find(found[0])?.fields => AccountTypes.find(found[0]).fields",
      "model/sca/LockoutRules.ts: lockedUntil !== undefined => true",
    ],
  },
  {
    why: `**A case that the tables do not have.** A path of nothing to fill in, a way of reaching an account that needs nothing and yet has rules of its own,
a second thing that a business must have told of itself: no row has them, and the types allow for them.`,
    mutants: [
      "model/account/AccountValidationRules.ts: key === undefined => false",
      'model/account/AccountInfoRules.ts: "" => "Stryker was here!"',
      'model/transaction/TransferOutRules.ts: ", " => ""',
    ],
  },
  {
    why: `**Said twice.** A function without an answer answers \`undefined\` as well; an arrow without events emits none, written as an empty list or left out;
any rounding but up is down; the library reads the first 17 digits itself.`,
    mutants: [
      "model/account/StrictCheckRules.ts: { return undefined } => {}",
      "model/account/StrictCheckRules.ts: value.slice(0, 17) => value",
      'decision/agent/AgentPolicyEvaluation.ts: "down" => ""',
      'decision/agent/PolicyUpdate.ts: "down" => ""',
      "model/customer/CheckMachine.ts: { pending: [], approved: [], rejected: [] } => {}",
    ],
  },
  {
    why: `**What cannot come about in the service.** An agent that calls was found when it was let in, and is never deleted for good. Asked beforehand, a decision
is not committed, so that it meets no obstacle; it never rejects; and whatever it does not approve it explains.`,
    mutants: [
      'service/agent/AgentLoads.ts: "agent" => ""',
      'decision/approval/PolicyEvaluationDecision.ts: "REFUSED" => ""',
      "decision/approval/PolicyEvaluationDecision.ts: details !== undefined => true",
      'decision/approval/PolicyEvaluationDecision.ts: status === "REJECTED" => false',
      'decision/approval/PolicyEvaluationDecision.ts: "REJECTED" => ""',
      'service/approval/PolicyEvaluations.ts: [] => ["Stryker was here"]',
    ],
  },
]
