/**
 * Votes that the approver's passkey signs: when a vote needs a challenge, what the challenge is bound to, and which answers count.
 * Source: D-532.
 */
import { ActionVotes } from "@countersign/core"
import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import { type AgentWorld, agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import type { PasskeyDevice } from "../../../packages/test/src/harness/PasskeyDevice.ts"
import { action, approve, held, submit } from "../agent/AgentSteps.ts"
import { deviceOf, newHolder, origin, reasonOf, recordsOf, register, signIn } from "./ConsoleSteps.ts"
import { type Row, twoOfFinance, withRows } from "./Policies.ts"
import { auditedVotes, shown, vote } from "./Votes.ts"

const spent = "Passkey challenge expired or already used"
const signing: Row = { ...twoOfFinance, stepUp: true }

type Person = Awaited<ReturnType<typeof register>>

/** A world with a held action and an approver who is signed in with a passkey. */
const voting = async (row = signing) => {
  const pay = await agentWorld(held, { ports: withRows(row) })
  const holder = await newHolder(pay)
  const ada = await register(pay, holder, "Ada Lovelace")
  const { id: actionId } = await submit(pay, 900)
  const { digest } = row === signing ? await shown(pay, actionId) : { digest: "" }
  const voteOf = (person: Person) => ({ sessionId: person.sessionId, agentId: pay.agentId, actionId, digest })
  const begin = (person: Person, more: object = {}) =>
    pay.run(Effect.result(ActionVotes.use((votes) => votes.begin({ ...voteOf(person), ...more }))), person.caller)
  const challengeOf = async (person: Person, more: object = {}) => {
    const asked = Result.getOrThrow(await begin(person, more))
    if (asked === null) throw new Error("the vote needs no passkey")
    return asked
  }
  const cast = (person: Person, signed?: ReturnType<PasskeyDevice["assert"]>, more: object = {}, page = origin) =>
    pay.run(
      Effect.result(ActionVotes.use((votes) => votes.cast({ ...voteOf(person), ...more }, page, signed))),
      person.caller,
    )
  const sessionOf = async ({ sessionId }: Person) =>
    (await recordsOf(pay, "ConsoleSession")).find(({ id }) => id === sessionId)?.data
  const dispose = () => pay[Symbol.asyncDispose]()
  return { pay, holder, ada, actionId, digest, begin, challengeOf, cast, sessionOf, [Symbol.asyncDispose]: dispose }
}

const counterOf = async (pay: AgentWorld, name: string) =>
  (await recordsOf(pay, "Approver")).find(({ data }) => data.name === name)?.data.passkey?.signatureCount ?? 0

describe("the challenge of a vote", () => {
  it("ends with the digest of what was shown, and is kept for five minutes in the session", async () => {
    await using all = await voting()
    const { actionId, ada, challengeOf, digest, pay, sessionOf } = all
    const { challenge, credentialId } = await challengeOf(ada)
    expect(credentialId).toBe(deviceOf("Ada Lovelace").credentialId)
    expect(challenge).toMatch(/^[0-9a-f]{128}$/u)
    expect(challenge.slice(64)).toBe(digest)
    expect((await sessionOf(ada))?.stepUp).toEqual({
      actionId,
      digest,
      challenge,
      expiresAt: (await pay.clock.now()) + 300_000,
    })
  })

  it("is not needed where the row asks for no passkey", async () => {
    await using all = await voting(twoOfFinance)
    const { actionId, ada, begin, cast, pay, sessionOf } = all
    const { digest, needsStepUp } = await shown(pay, actionId)
    expect(needsStepUp).toBe(false)
    expect(Result.getOrThrow(await begin(ada, { digest }))).toBeNull()
    expect(await sessionOf(ada)).not.toHaveProperty("stepUp")
    expect(reasonOf(await cast(ada, undefined, { digest }))).toBe("done")
    expect((await shown(pay, actionId)).votes).toMatchObject([{ approver: "Ada Lovelace", isSigned: false }])
  })

  it("is not needed for an action that is decided, or that one approval executes", async () => {
    await using all = await voting({ ...signing, from: { currency: "USD", amount: 901 } })
    const { actionId, ada, begin, pay } = all
    expect(Result.getOrThrow(await begin(ada))).toBeNull()
    await approve(pay, actionId)
    expect(Result.getOrThrow(await begin(ada))).toBeNull()
  })

  it("is not begun for a vote that would be refused", async () => {
    await using all = await voting()
    const { ada, begin, holder, pay, sessionOf } = all
    expect(reasonOf(await begin(ada, { digest: "0".repeat(64) }))).toBe("SHOWN_DIGEST_DIFFERS")
    expect(reasonOf(await begin(await register(pay, holder, "Emmy Noether")))).toBe("NOT_AN_APPROVER")
    expect(await sessionOf(ada)).not.toHaveProperty("stepUp")
  })

  it("is not begun in the session of another person, nor in one that does not exist", async () => {
    await using all = await voting()
    const { ada, begin, holder, pay, sessionOf } = all
    const grace = await register(pay, holder, "Grace Hopper")
    const ended = "Console session expired or ended"
    expect(reasonOf(await begin({ ...ada, sessionId: grace.sessionId }))).toBe(ended)
    expect(reasonOf(await begin({ ...ada, sessionId: "ConsoleSession:00000000-0000-4000-8000-000000000001" }))).toBe(
      ended,
    )
    expect(await sessionOf(grace)).not.toHaveProperty("stepUp")
  })

  it("is not begun for an approver who has no passkey", async () => {
    await using all = await voting({ ...signing })
    const { actionId, begin, holder, pay } = all
    await signIn(pay, holder, "Grace Hopper")
    const session = (await recordsOf(pay, "ConsoleSession")).find(({ data }) => data.approverName === "Grace Hopper")
    // The proof of the sign-in is not what the challenge looks at.
    const approver = { id: session?.data.approverId ?? "", name: "Grace Hopper", proof: "PASSKEY" } as const
    const grace: Person = { sessionId: session?.id ?? "", caller: { ...holder, approver } }
    const { digest } = await shown(pay, actionId)
    const refused = Result.flip(await begin(grace, { digest }))
    expect(Result.getOrThrow(refused)).toMatchObject({
      code: "FORBIDDEN",
      message: "This approval needs your passkey, and you have registered none.",
      details: { reason: "PASSKEY_NOT_REGISTERED" },
    })
  })
})

describe("a signed vote", () => {
  it("counts, moves the passkey's counter, and is kept by the audit with its signature", async () => {
    await using all = await voting()
    const { actionId, ada, cast, challengeOf, digest, holder, pay, sessionOf } = all
    const before = await counterOf(pay, "Ada Lovelace")
    const assertion = deviceOf("Ada Lovelace").assert((await challengeOf(ada)).challenge)
    expect(Result.getOrThrow(await cast(ada, assertion))).toMatchObject({ status: "PENDING_APPROVAL" })
    expect(await counterOf(pay, "Ada Lovelace")).toBe(before + 1)
    expect(await sessionOf(ada)).not.toHaveProperty("stepUp")
    expect((await shown(pay, actionId)).votes).toMatchObject([
      { approver: "Ada Lovelace", isSigned: true, counts: true },
    ])
    const [audited] = await auditedVotes(pay, actionId)
    expect(audited?.details).toMatchObject({ votes: 1, needed: 2, digest, assertion })
    const grace = await register(pay, holder, "Grace Hopper")
    const second = deviceOf("Grace Hopper").assert((await challengeOf(grace)).challenge)
    expect(Result.getOrThrow(await cast(grace, second))).toMatchObject({ status: "APPROVED" })
  })

  it("is needed where the row asks for one", async () => {
    await using all = await voting()
    const { actionId, ada, cast, digest, pay } = all
    await all.challengeOf(ada)
    expect(reasonOf(await cast(ada))).toBe("PASSKEY_NEEDED")
    expect(reasonOf(await vote(pay, actionId, ada.caller, digest))).toBe("PASSKEY_NEEDED")
    expect((await shown(pay, actionId)).votes).toEqual([])
  })

  it("is accepted once", async () => {
    await using all = await voting()
    const { ada, cast, challengeOf } = all
    const assertion = deviceOf("Ada Lovelace").assert((await challengeOf(ada)).challenge)
    expect(reasonOf(await cast(ada, assertion))).toBe("done")
    expect(reasonOf(await cast(ada, assertion))).toBe(spent)
  })

  it.each([
    ["299999 millis", "done"],
    ["5 minutes", spent],
  ] as const)("answers its challenge within five minutes: after %s", async (passed, answered) => {
    await using all = await voting()
    const { ada, cast, challengeOf, pay } = all
    const assertion = deviceOf("Ada Lovelace").assert((await challengeOf(ada)).challenge)
    await pay.clock.advance(passed)
    expect(reasonOf(await cast(ada, assertion))).toBe(answered)
  })

  it("answers the challenge of its own action and digest, which stays open otherwise", async () => {
    await using all = await voting()
    const { ada, cast, challengeOf, pay } = all
    const { id: other } = await submit(pay, 900)
    const assertion = deviceOf("Ada Lovelace").assert((await challengeOf(ada)).challenge)
    expect(reasonOf(await cast(ada, assertion, { actionId: other }))).toBe(spent)
    expect(reasonOf(await cast(ada, assertion, { digest: "0".repeat(64) }))).toBe(spent)
    expect(reasonOf(await cast(ada, assertion))).toBe("done")
  })

  it("answers the newest challenge of its session", async () => {
    await using all = await voting()
    const { ada, cast, challengeOf } = all
    const assertion = deviceOf("Ada Lovelace").assert((await challengeOf(ada)).challenge)
    await challengeOf(ada)
    expect(reasonOf(await cast(ada, assertion))).toBe("Challenge mismatch")
  })

  it("of another passkey names the failed check, ends the challenge, and counts nothing", async () => {
    await using all = await voting()
    const { actionId, ada, cast, challengeOf, pay, sessionOf } = all
    const { challenge } = await challengeOf(ada)
    const wrong = Result.flip(await cast(ada, deviceOf("Grace Hopper").assert(challenge)))
    const reason = "Credential id mismatch"
    expect(Result.getOrThrow(wrong)).toMatchObject({ code: "UNAUTHORIZED", message: reason, details: { reason } })
    expect(await sessionOf(ada)).not.toHaveProperty("stepUp")
    expect(reasonOf(await cast(ada, deviceOf("Ada Lovelace").assert(challenge)))).toBe(spent)
    expect((await action(pay, actionId)).status).toBe("PENDING_APPROVAL")
  })

  it("comes from the page that asked for the passkey", async () => {
    await using all = await voting()
    const { ada, cast, challengeOf } = all
    const assertion = deviceOf("Ada Lovelace").assert((await challengeOf(ada)).challenge)
    expect(reasonOf(await cast(ada, assertion, {}, "https://other.example.com"))).toBe("Origin mismatch")
  })

  it("is not accepted in the session of another person", async () => {
    await using all = await voting()
    const { ada, cast, challengeOf, holder, pay } = all
    const grace = await register(pay, holder, "Grace Hopper")
    const assertion = deviceOf("Ada Lovelace").assert((await challengeOf(ada)).challenge)
    expect(reasonOf(await cast({ ...grace, sessionId: ada.sessionId }, assertion))).toBe(spent)
  })
})
