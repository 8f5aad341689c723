/**
 * What the console shows of the votes on a held action, and what a vote and the passkey's challenge before it write.
 * Source: D-532.
 */
import { describe, expect, it } from "vitest"
import {
  castVote,
  isCast,
  requiringAction,
  type Vote,
} from "../../../packages/core/src/decision/approval/ActionVote.ts"
import type { ProofResult } from "../../../packages/core/src/decision/approval/ConsoleSessionDecision.ts"
import {
  answerStepUp,
  beginVote,
  openStepUp,
  type VoterRecords,
  type VotingRecords,
  votesOf,
} from "../../../packages/core/src/decision/approval/StepUpDecision.ts"
import type { ApprovalRequirement } from "../../../packages/core/src/model/approval/ApprovalRequirement.ts"
import type { Approver } from "../../../packages/core/src/model/approval/Approver.ts"
import type { ConsoleSession, StepUp } from "../../../packages/core/src/model/approval/ConsoleSession.ts"
import type { Stored } from "../../../packages/core/src/store/ChangeSet.ts"
import { partsWritten } from "../operation/WrittenParts.ts"
import { passkey } from "../wallet/StoredCredentials.ts"
import {
  actionOf,
  approvals,
  approverOf,
  contextOf,
  digest,
  execution,
  now,
  programContext,
  requirement,
  voteOf,
} from "./HeldActions.ts"

const recordsOf = (more: Partial<ApprovalRequirement> = {}): VotingRecords => ({
  action: actionOf({ requirement: { ...requirement, ...more } }),
  execution,
  approvals,
})
const assertion = { credentialId: "c", clientDataJson: "j", authenticatorData: "a", signature: "s" }
const seconds = 1000
const reasonOf = (decision: { readonly _tag: string }) => Object(decision).refusal?.details?.reason

describe("the votes that the console shows", () => {
  it("say what is shown, who has approved it as it is, and who still may", () => {
    const other = voteOf("Grace Hopper", { digest: "other", isSigned: true })
    const shown = votesOf(recordsOf({ votes: [voteOf("alan turing"), other] }), contextOf())
    expect(shown).toEqual({
      shown: requiringAction(actionOf(), execution)?.shown,
      digest,
      needed: 2,
      needsStepUp: false,
      votes: [
        { approver: "alan turing", at: now - 1, isSigned: false, counts: true },
        { approver: "Grace Hopper", at: now - 1, isSigned: true, counts: false },
      ],
      awaited: ["Ada Lovelace", "Grace Hopper"],
      expiresAt: now + 20 * seconds,
      escalatesAt: now + 10 * seconds,
    })
  })

  it("name the further group from its time on, and then no time of it", () => {
    const before = votesOf(recordsOf(), contextOf(undefined, now + 10 * seconds - 1))
    expect(before).toMatchObject({
      escalatesAt: now + 10 * seconds,
      awaited: ["Ada Lovelace", "Grace Hopper", "Alan Turing"],
    })
    const after = votesOf(recordsOf(), contextOf(undefined, now + 10 * seconds))
    expect(after?.awaited).toEqual(["Ada Lovelace", "Grace Hopper", "Alan Turing", "Emmy Noether"])
    expect(after).not.toHaveProperty("escalatesAt")
    const { escalation: _escalation, expiresAt: _expiresAt, ...timeless } = requirement
    const shown = votesOf({ ...recordsOf(), action: actionOf({ requirement: timeless }) }, contextOf())
    expect(Object.keys(shown ?? {})).not.toEqual(expect.arrayContaining(["expiresAt"]))
    expect(shown).not.toHaveProperty("escalatesAt")
  })

  it("say why the reader may not approve", () => {
    const refusalOf = (...of: Parameters<typeof contextOf>) => votesOf(recordsOf(), contextOf(...of))?.refusal
    expect(votesOf(recordsOf(), programContext)?.refusal).toEqual({
      reason: "NAMED_APPROVER_NEEDED",
      message: "Only named approvers on the console can approve this action.",
    })
    expect(refusalOf(approverOf("Emmy Noether"))).toMatchObject({ reason: "NOT_AN_APPROVER" })
    expect(refusalOf(approverOf("Alan Turing"))).toMatchObject({ reason: "ASKED_BY_APPROVER" })
    expect(refusalOf(approverOf("Ada Lovelace", { proof: "SECRET" }))).toMatchObject({
      reason: "PASSKEY_SIGN_IN_NEEDED",
    })
    expect(refusalOf(undefined, now + 20 * seconds)).toMatchObject({ reason: "APPROVAL_EXPIRED" })
    expect(refusalOf()).toBeUndefined()
  })

  it("are not shown of an action that is decided, or that one approval is enough for", () => {
    expect(votesOf({ ...recordsOf(), execution: undefined }, contextOf())).toBeUndefined()
    expect(votesOf({ ...recordsOf(), action: actionOf({}) }, contextOf())).toBeUndefined()
  })
})

const dated = { platformId: "PlatformConfig:1", customerId: null, createdAt: 1, updatedAt: 1 }
const sessionOf = (data: Partial<ConsoleSession> = {}): Stored<"ConsoleSession"> => ({
  ...dated,
  kind: "ConsoleSession",
  id: "ConsoleSession:1",
  version: 6,
  data: {
    status: "ACTIVE",
    tokenId: "ApiToken:console",
    clientId: "client",
    approverName: "Ada Lovelace",
    proof: "PASSKEY",
    origin: "https://console.example",
    expiresAt: now + 1,
    activeAt: now,
    ...data,
  },
})
const registered: Approver = { name: "Ada Lovelace", passkey: passkey.passkey }
const approverRecord = (data: Approver = registered): Stored<"Approver"> => ({
  ...dated,
  kind: "Approver",
  id: "Approver:ada",
  version: 2,
  data,
})
const voter: VoterRecords = { session: sessionOf(), approver: approverRecord() }
const stepUp: StepUp = { actionId: "AgentAction:1", digest, challenge: `nonce${digest}`, expiresAt: now + 1 }
const sessionUpdate = (data: Partial<ConsoleSession>) => ({
  kind: "ConsoleSession",
  id: "ConsoleSession:1",
  version: 6,
  data: sessionOf(data).data,
})

describe("the challenge of a vote", () => {
  const begun = (
    records: VotingRecords = recordsOf({ needsStepUp: true }),
    more: Partial<VoterRecords> = {},
    seen = digest,
    context = contextOf(),
  ) => beginVote(seen, "nonce")({ ...records, ...voter, ...more }, context)

  it("ends with the digest, and can be answered for five minutes", () => {
    const decision = begun()
    expect(decision).toMatchObject({ status: 202, body: { challenge: `nonce${digest}`, credentialId: "cred" } })
    expect(partsWritten(decision)).toMatchObject({
      updates: [sessionUpdate({ stepUp: { ...stepUp, expiresAt: now + 300 * seconds } })],
    })
  })

  it("is not needed where the row needs no passkey", () => {
    const without = [recordsOf(), { ...recordsOf({ needsStepUp: true }), execution: undefined }]
    for (const records of [...without, { ...recordsOf(), action: actionOf({}) }]) {
      const decision = begun(records, { session: undefined }, "other", programContext)
      expect(decision).toMatchObject({ status: 200, body: null })
      expect(partsWritten(decision)).toEqual({})
    }
  })

  it.each<[string, ReturnType<typeof begun>, string]>([
    ["a program", begun(undefined, {}, digest, programContext), "NAMED_APPROVER_NEEDED"],
    [
      "a person who votes again",
      begun(recordsOf({ needsStepUp: true, votes: [voteOf("Ada Lovelace")] })),
      "APPROVED_ALREADY",
    ],
    ["a person who saw something else", begun(undefined, {}, "other"), "SHOWN_DIGEST_DIFFERS"],
    [
      "a session that has ended",
      begun(undefined, { session: undefined, approver: undefined }),
      "Console session expired or ended",
    ],
    ["a person without a record", begun(undefined, { approver: undefined }), "PASSKEY_NOT_REGISTERED"],
    [
      "a person without a passkey",
      begun(undefined, { approver: approverRecord({ name: "Ada Lovelace" }) }),
      "PASSKEY_NOT_REGISTERED",
    ],
  ])("is refused to %s", (_, decision, reason) => {
    expect(reasonOf(decision)).toBe(reason)
    expect(partsWritten(decision)).toEqual({})
  })

  it("is open for its action, its digest and its time", () => {
    const found = (data: Partial<StepUp>, at = now) =>
      openStepUp({ session: sessionOf({ stepUp: { ...stepUp, ...data } }) }, { actionId: "AgentAction:1", digest }, at)
    expect(found({})).toEqual(stepUp)
    expect(found({}, now + 1)).toBeUndefined()
    expect(found({ actionId: "AgentAction:2" })).toBeUndefined()
    expect(found({ digest: "other" })).toBeUndefined()
    const vote = { actionId: "AgentAction:1", digest }
    expect([openStepUp({ session: sessionOf() }, vote, now), openStepUp({ session: undefined }, vote, now)]).toEqual([
      undefined,
      undefined,
    ])
  })
})

describe("the answer to the challenge of a vote", () => {
  const answered = (proof: ProofResult | undefined, more: Partial<VoterRecords> = {}) =>
    answerStepUp({ session: sessionOf({ stepUp }), approver: approverRecord(), proof, ...more })
  const used = { ...passkey.passkey, signatureCount: 2 }

  it("spends it, and stores the counter of the passkey", () => {
    const decision = answered({ _tag: "Proven", passkey: used })
    expect(decision).toMatchObject({ status: 200, body: null })
    expect(decision.changes?.updates).toEqual([
      sessionUpdate({}),
      { kind: "Approver", id: "Approver:ada", version: 2, data: { ...registered, passkey: used } },
    ])
  })

  it("spends it where it is wrong as well", () => {
    const decision = answered({ _tag: "Refused", reason: "Signature invalid" })
    expect(decision).toMatchObject({
      refusal: { code: "UNAUTHORIZED", message: "Signature invalid", details: { reason: "Signature invalid" } },
    })
    expect(decision.changes?.updates).toEqual([sessionUpdate({})])
  })

  it("is refused where no challenge is open, or the approver is gone", () => {
    const proven: ProofResult = { _tag: "Proven", passkey: used }
    for (const decision of [answered(undefined), answered(proven, { session: undefined })]) {
      expect(reasonOf(decision)).toBe("Passkey challenge expired or already used")
      expect(decision.changes).toEqual({})
    }
    const gone = answered(proven, { approver: undefined })
    expect(gone).toMatchObject({ refusal: { code: "REFERENCE_NOT_FOUND" }, changes: {} })
  })
})

describe("a vote", () => {
  const cast = (
    requires: Partial<ApprovalRequirement> = {},
    vote: Vote | undefined = { digest },
    context = contextOf(),
  ) => {
    const requiring = requiringAction(actionOf({ requirement: { ...requirement, ...requires } }), execution)
    if (requiring === undefined) throw new Error("the action requires no votes")
    return castVote(requiring, approvals, vote, context)
  }
  const own = voteOf("Ada Lovelace", { at: now })

  it("is stored behind the others, and audited without the name of the beneficiary", () => {
    const found = cast()
    if (!isCast(found)) throw new Error("the vote was refused")
    expect(found.held).toEqual(actionOf({ requirement: { ...requirement, votes: [own] } }))
    expect(found.isDecided).toBe(false)
    expect(found.changes.validUntil).toBe(now + 20 * seconds)
    expect(found.changes.inserts).toMatchObject([
      {
        kind: "AuditRecord",
        data: {
          operation: "AGENT_ACTION_VOTE",
          target: "AgentAction:1",
          details: { row: "two of finance", votes: 1, needed: 2, digest, shown: { actionId: "AgentAction:1" } },
        },
      },
    ])
    const { details } = Object(found.changes.inserts?.[0]?.data)
    expect(details).not.toHaveProperty("assertion")
    expect(details.shown.destination).toEqual({ id: "ExternalAccount:1", version: 3 })
    expect(requiringAction(actionOf(), execution)?.shown.destination).toMatchObject({ name: "Eve" })
  })

  it("decides once the needed votes count, of each person one and over what the action is", () => {
    const decidedWith = (...votes: ApprovalRequirement["votes"]) => Object(cast({ votes })).isDecided
    expect(decidedWith(voteOf("Grace Hopper"))).toBe(true)
    expect(decidedWith(voteOf("Grace Hopper", { digest: "other" }))).toBe(false)
    expect(decidedWith(voteOf("Ada Lovelace", { digest: "other" }))).toBe(false)
  })

  it("by passkey is stored as signed, with its assertion in the audit", () => {
    const found = cast({ needsStepUp: true }, { digest, assertion })
    expect(found).toMatchObject({ held: { data: { requirement: { votes: [{ ...own, isSigned: true }] } } } })
    expect(Object(found).changes.inserts[0].data.details.assertion).toEqual(assertion)
  })

  it("is refused without the digest, without the passkey, and first of all by a person who may not approve", () => {
    const reason = (...of: Parameters<typeof cast>) => Object(cast(...of)).details?.reason
    const nothingSeen = requiringAction(actionOf(), execution)
    if (nothingSeen === undefined) throw new Error("the action requires no votes")
    expect(Object(castVote(nothingSeen, approvals, undefined, contextOf())).details.reason).toBe("SHOWN_DIGEST_MISSING")
    expect(reason({ needsStepUp: true })).toBe("PASSKEY_NEEDED")
    expect(reason({ needsStepUp: true }, { digest: "other" }, contextOf(approverOf("Emmy Noether")))).toBe(
      "NOT_AN_APPROVER",
    )
  })

  it("is not needed for an action whose row needs one approval", () => {
    expect(requiringAction(actionOf({}), execution)).toBeUndefined()
  })
})
