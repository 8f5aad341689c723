/** The mutants that survive, and why: none changes what a caller, a store or a reader could tell. */
import type { Explanation } from "./Report.ts"

export const explained: ReadonlyArray<Explanation> = [
  {
    why: `**For the compiler's sake.** The condition narrows a type. Without it the same comes out, since a comparison with \`undefined\` is false, a list
of nothing is empty, and a member that is not there is \`undefined\`.`,
    mutants: [
      "agent/AgentPolicyEvaluation.ts: threshold === undefined => false",
      "agent/AgentPolicyEvaluation.ts: approvalThresholds?.currency => approvalThresholds.currency",
      "agent/PolicyRules.ts: value === undefined => false",
      'quote/QuoteRules.ts: source.sourceType === "ACCOUNT" => false',
      'quote/QuoteRules.ts: "ACCOUNT" => ""',
      'quote/QuoteRules.ts: wanted.destinationType !== "ACCOUNT" => false',
      "quote/QuoteRules.ts: sendingCurrency === undefined => false",
      "receiver/WithdrawalFeeRules.ts: AccountTypes.find(found[0])?.fields => AccountTypes.find(found[0]).fields",
      "sca/LockoutRules.ts: lockedUntil !== undefined => true",
    ],
  },
  {
    why: `**A case that the tables do not have.** A path of nothing to fill in, a way of reaching an account that needs nothing and yet has rules of its own,
a second thing that a business must have told of itself: no row has them, and the types allow for them.`,
    mutants: [
      "account/AccountAdmissionRules.ts: key === undefined => false",
      'account/AccountInfoRules.ts: "" => "Stryker was here!"',
      'transaction/TransferOutRules.ts: ", " => ""',
    ],
  },
  {
    why: `**Said twice.** A function without an answer answers \`undefined\` as well; an arrow without events emits none, written as an empty list or left out;
any rounding but up is down; the library reads the first 17 digits itself.`,
    mutants: [
      "account/StrictCheckRules.ts: { return undefined } => {}",
      "account/StrictCheckRules.ts: value.slice(0, 17) => value",
      'agent/AgentPolicyEvaluation.ts: "down" => ""',
      'agent/PolicyUpdate.ts: "down" => ""',
      "customer/CheckMachine.ts: { pending: [], approved: [], rejected: [] } => {}",
    ],
  },
  {
    why: `**What cannot come about in the service.** An agent that calls was found when it was let in, and is never deleted for good. Asked beforehand, a decision
is not committed, so that it meets no obstacle; it never rejects; and whatever it does not approve it explains.`,
    mutants: [
      'agent/AgentGates.ts: "agent" => ""',
      "agent/AgentGates.ts: agent === undefined => false",
      'agent/PolicyEvaluations.ts: "REFUSED" => ""',
      "agent/PolicyEvaluations.ts: details !== undefined => true",
      'agent/PolicyEvaluations.ts: status === "REJECTED" => false',
      'agent/PolicyEvaluations.ts: "REJECTED" => ""',
      'agent/PolicyEvaluations.ts: [] => ["Stryker was here"]',
    ],
  },
]
