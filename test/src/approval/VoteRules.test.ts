/** Whose approval of a held action counts. Source: D-532. */
import { describe, expect, it } from "vitest"
import {
  type ApprovalRequirement,
  countedVotes,
  eligibleMembers,
} from "../../../packages/core/src/model/approval/ApprovalRequirement.ts"
import { type VoteFacts, VoteRules, VoterRules } from "../../../packages/core/src/model/approval/VoteRules.ts"
import { provePrecedence, proveRow } from "../../../packages/test/src/proof/RulesProof.ts"
import { policyOf, twoOfFinance } from "./Policies.ts"

const voteOf = (name: string, digest = "d1") =>
  ({ approverId: `Approver:${name}`, name, at: 5, proof: "SECRET", isSigned: false, digest }) as const

const requirement: ApprovalRequirement = {
  row: "two of finance",
  approvers: "finance",
  needed: 2,
  needsStepUp: true,
  expiresAt: 100,
  askedBy: { tokenIds: ["ApiToken:1"], approverId: "Approver:ada" },
  votes: [voteOf("Ada Lovelace")],
}

const ada = { id: "Approver:ada", name: "ADA Lovelace", proof: "SECRET" } as const
const grace = { id: "Approver:grace", name: "Grace Hopper", proof: "PASSKEY" } as const
const members = new Map([
  ["ada lovelace", "Ada Lovelace"],
  ["grace hopper", "Grace Hopper"],
])

const good: VoteFacts = {
  requirement,
  approver: grace,
  tokenId: "ApiToken:2",
  members,
  acceptsStatedNames: false,
  digest: "d1",
  seenDigest: "d1",
  isSigned: true,
  now: 99,
}

const byProgram: VoteFacts = { ...good, approver: undefined, tokenId: "ApiToken:1", members: new Map(), now: 100 }

provePrecedence(VoterRules, {
  broken: byProgram,
  masked: {
    NOT_ASKED_BY_APPROVER: "a program is no person who could have asked",
    NOT_COUNTED_YET: "a program is no person who could have approved",
  },
  steps: [
    ["NOT_EXPIRED", { now: 99 }, { code: "CONFLICT", details: { reason: "APPROVAL_EXPIRED" } }],
    [
      "APPROVER_NAMED",
      { approver: ada },
      { code: "FORBIDDEN", details: { reason: "NAMED_APPROVER_NEEDED", needed: 2 } },
    ],
    ["APPROVER_IN_GROUP", { members }, { code: "FORBIDDEN", details: { reason: "NOT_AN_APPROVER" } }],
    [
      "APPROVER_PROVEN",
      { acceptsStatedNames: true },
      { code: "FORBIDDEN", details: { reason: "PASSKEY_SIGN_IN_NEEDED" } },
    ],
    [
      "NOT_ASKED_BY_APPROVER",
      { approver: { ...ada, id: "Approver:other" } },
      { code: "FORBIDDEN", details: { reason: "ASKED_BY_APPROVER" } },
    ],
    ["NOT_ASKED_BY_TOKEN", { tokenId: "ApiToken:2" }, { code: "FORBIDDEN", details: { reason: "ASKED_BY_TOKEN" } }],
    ["NOT_COUNTED_YET", { approver: grace }, { code: "CONFLICT", details: { reason: "APPROVED_ALREADY" } }],
  ],
})

provePrecedence(VoteRules, {
  broken: { ...good, seenDigest: "d0", isSigned: false },
  steps: [
    ["SEEN_AS_IT_IS", { seenDigest: "d1" }, { code: "CONFLICT", details: { reason: "SHOWN_DIGEST_DIFFERS" } }],
    ["SIGNED_BY_PASSKEY", { isSigned: true }, { code: "FORBIDDEN", details: { reason: "PASSKEY_NEEDED" } }],
  ],
})

const { expiresAt: _none, ...endless } = requirement

proveRow(VoterRules, "NOT_EXPIRED", [
  ["before the end", good, "holds"],
  ["at the end", { ...good, now: 100 }, "fails"],
  ["without an end", { ...good, now: 1e15, requirement: endless }, "holds"],
])
proveRow(VoterRules, "APPROVER_PROVEN", [
  ["by a passkey", good, "holds"],
  ["by the client secret alone", { ...good, approver: { ...grace, proof: "SECRET" } }, "fails"],
])
proveRow(VoterRules, "NOT_COUNTED_YET", [
  ["another person", good, "holds"],
  ["the same person in another spelling", { ...good, approver: ada }, "fails"],
  ["the same person, over what the action no longer is", { ...good, approver: ada, digest: "d2" }, "holds"],
])
proveRow(VoterRules, "NOT_ASKED_BY_TOKEN", [
  ["without a token", { ...good, tokenId: null }, "holds"],
  ["another token", good, "holds"],
  ["a token that was given the agent's credentials", { ...good, tokenId: "ApiToken:1" }, "fails"],
])
proveRow(VoteRules, "SEEN_AS_IT_IS", [
  ["the same digest", good, "holds"],
  ["no digest", { ...good, seenDigest: undefined }, { answer: { details: { reason: "SHOWN_DIGEST_MISSING" } } }],
])
proveRow(VoteRules, "SIGNED_BY_PASSKEY", [
  ["signed", good, "holds"],
  [
    "not signed where it need not be",
    { ...good, isSigned: false, requirement: { ...requirement, needsStepUp: false } },
    "holds",
  ],
  ["not signed where it must be", { ...good, isSigned: false }, "fails"],
])

describe("the votes of a requirement", () => {
  it("count once per person, and only over what the action is now", () => {
    const votes = [voteOf("Ada Lovelace"), voteOf("ada lovelace"), voteOf("Grace Hopper", "d0"), voteOf("Alan Turing")]
    expect(countedVotes({ ...requirement, votes }, "d1").map(({ name }) => name)).toEqual([
      "ada lovelace",
      "Alan Turing",
    ])
  })

  it("come from the group, and from the further one once the action has escalated", () => {
    const escalating = { ...requirement, escalation: { at: 50, to: "board" } }
    const at = (now: number) => [...eligibleMembers(escalating, policyOf(twoOfFinance), now).values()]
    expect(at(49)).toEqual(["Ada Lovelace", "Grace Hopper", "Alan Turing"])
    expect(at(50)).toEqual(["Ada Lovelace", "Grace Hopper", "Alan Turing", "Emmy Noether"])
  })

  it("come from nobody if the deployment no longer has the group", () => {
    expect(eligibleMembers(requirement, undefined, 0).size).toBe(0)
    expect(eligibleMembers(requirement, { groups: {}, rows: [] }, 0).size).toBe(0)
  })
})
