/**
 * Verifiers that answer later: the account stays pending until a job asks again or the verifier reports, even repeatedly.
 * Source: wire contract 2.7 and 11 (18); D-050, D-054.
 */
import { AccountVerifications } from "@countersign/core"
import { type BeneficiaryAnswer, type BeneficiaryResult, Verifier } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Clock, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/index.ts"
import { added, evm, platformPath, textAt, usd } from "./ExternalAccountRequests.ts"

interface RecordedCheck {
  readonly accountId: string | undefined
  readonly at: number
}

/** Starts a service whose verifier gives these answers in order, and repeats the last one. */
const harnessWithVerifier = async (
  ...answers: ReadonlyArray<BeneficiaryResult | { readonly afterSeconds: number }>
) => {
  const checks: Array<RecordedCheck> = []
  const verifier = Layer.effect(
    Verifier,
    Effect.map(Verifier, (inner) => ({
      ...inner,
      verifyBeneficiary: ({ accountId }: { readonly accountId?: string }) =>
        Effect.map(Clock.currentTimeMillis, (now): BeneficiaryResult => {
          const answer = answers[Math.min(checks.length, answers.length - 1)]
          checks.push({ accountId, at: now })
          if (answer === undefined) throw new Error("no answer")
          return "_tag" in answer ? answer : { _tag: "Later", at: now + answer.afterSeconds * 1000 }
        }),
    })),
  )
  const pay = await harness({ ports: Layer.provideMerge(verifier, Sandbox.layer) })
  return { pay, checks }
}

const matched = { _tag: "Result", status: "MATCHED" } as const
const statusOf = async (pay: Harness, id: string) => textAt(await pay.send("GET", `${platformPath}/${id}`), "status")
const reportedStatuses = async (pay: Harness) => {
  await pay.settle()
  return pay.inbox.ofType("EXTERNAL_ACCOUNT.STATUS_UPDATED").map(({ data }) => data["status"])
}
const report = (pay: Harness, id: string, answer: BeneficiaryAnswer) =>
  pay.run(AccountVerifications.use((all) => all.report(id, answer)))

describe("an immediate answer of the verifier", () => {
  // Proves: STATE-OTHER-07
  it.each([
    ["ACTIVE", matched],
    ["ACTIVE", { ...matched, account: "ACTIVE" }],
    ["UNDER_REVIEW", { ...matched, account: "UNDER_REVIEW" }],
    ["INACTIVE", { ...matched, account: "INACTIVE" }],
  ] as const)("makes the new account %s", async (status, answer) => {
    const { checks, pay } = await harnessWithVerifier(answer)
    await using _ = pay
    expect(await statusOf(pay, await added(pay, usd()))).toBe(status)
    expect(await reportedStatuses(pay)).toEqual([])
    expect(checks).toEqual([{ accountId: undefined, at: expect.any(Number) }])
  })

  it("adds the verified name of the holder", async () => {
    const { pay } = await harnessWithVerifier({ ...matched, verifiedData: { fullName: "A. Lovelace" } })
    await using _ = pay
    expect((await pay.send("POST", platformPath, { body: usd() })).body).toMatchObject({
      beneficiaryVerifiedData: { fullName: "A. Lovelace" },
    })
  })
})

describe("an answer with a text that no store keeps", () => {
  it("is cleaned, whether the port returns it or the provider reports it", async () => {
    const dirty = { ...matched, verifiedData: { fullName: "A.\u0000 Lovelace\ud800" } } as const
    const { pay } = await harnessWithVerifier(dirty, { afterSeconds: 60 })
    await using _ = pay
    const verified = { beneficiaryVerifiedData: { fullName: "A.\uFFFD Lovelace\uFFFD" } }
    expect((await pay.send("POST", platformPath, { body: usd() })).body).toMatchObject(verified)
    const waiting = await added(pay, usd("1234200"))
    await report(pay, waiting, dirty)
    expect((await pay.send("GET", `${platformPath}/${waiting}`)).body).toMatchObject(verified)
  })
})

describe("a later answer of the verifier", () => {
  // Proves: STATE-OTHER-02, STATE-OTHER-07
  it("is requested by a job when it is due, with the account id, until the verifier decides", async () => {
    const { checks, pay } = await harnessWithVerifier({ afterSeconds: 60 }, { afterSeconds: 600 }, matched)
    await using _ = pay
    const created = await pay.send("POST", platformPath, { body: usd() })
    expect(created.body).toMatchObject({ status: "PENDING", beneficiaryVerificationStatus: "PENDING" })
    const id = textAt(created, "id")
    await pay.settle()
    expect(checks).toHaveLength(1)
    await pay.clock.advance("60 seconds")
    expect([checks.length, await statusOf(pay, id)]).toEqual([2, "PENDING"])
    await pay.clock.advance("600 seconds")
    expect((await pay.send("GET", `${platformPath}/${id}`)).body).toMatchObject({
      status: "ACTIVE",
      beneficiaryVerificationStatus: "MATCHED",
    })
    expect(checks.map(({ accountId }) => accountId)).toEqual([undefined, id, id])
    await pay.clock.advance("1 day")
    expect(checks).toHaveLength(3)
    expect(await reportedStatuses(pay)).toEqual(["ACTIVE"])
  })

  it.each([
    ["INACTIVE", { _tag: "Invalid" }],
    ["UNDER_REVIEW", { ...matched, account: "UNDER_REVIEW" }],
    ["INACTIVE", { ...matched, account: "INACTIVE" }],
  ] as const)("makes the pending account %s", async (status, answer) => {
    const { pay } = await harnessWithVerifier({ afterSeconds: 60 }, answer)
    await using _ = pay
    const id = await added(pay, usd())
    await pay.clock.advance("60 seconds")
    expect(await statusOf(pay, id)).toBe(status)
    expect(await reportedStatuses(pay)).toEqual([status])
  })

  it("is requested again while the verifier is unreachable", async () => {
    const { checks, pay } = await harnessWithVerifier(
      { _tag: "Unknown", cause: "away" },
      { _tag: "Unknown", cause: "away" },
      matched,
    )
    await using _ = pay
    const id = await added(pay, usd())
    await pay.settle()
    expect([checks.length, await statusOf(pay, id)]).toEqual([2, "PENDING"])
    await pay.clock.advance("10 seconds")
    expect([checks.length, await statusOf(pay, id)]).toEqual([3, "ACTIVE"])
  })

  it("is not requested for an account that was reported or deleted", async () => {
    const { checks, pay } = await harnessWithVerifier({ afterSeconds: 60 })
    await using _ = pay
    const [reported, deleted] = [await added(pay, usd("1111000")), await added(pay, usd("2222000"))]
    await report(pay, reported, matched)
    await pay.send("DELETE", `${platformPath}/${deleted}`)
    await pay.clock.advance("1 day")
    expect(checks).toHaveLength(2)
    expect(await statusOf(pay, reported)).toBe("ACTIVE")
  })

  it("does not delay a wallet", async () => {
    const { pay } = await harnessWithVerifier({ afterSeconds: 60 })
    await using _ = pay
    expect(await statusOf(pay, await added(pay, evm()))).toBe("ACTIVE")
  })
})

describe("a report of the verifier", () => {
  it("is applied once, and a later one only if the state machine allows it", async () => {
    const { pay } = await harnessWithVerifier({ afterSeconds: 60 })
    await using _ = pay
    const id = await added(pay, usd())
    await report(pay, id, { ...matched, account: "UNDER_REVIEW" })
    await report(pay, id, { ...matched, account: "UNDER_REVIEW" })
    await report(pay, id, { ...matched, status: "PARTIAL_MATCH" })
    expect((await pay.send("GET", `${platformPath}/${id}`)).body).toMatchObject({
      status: "UNDER_REVIEW",
      beneficiaryVerificationStatus: "PARTIAL_MATCH",
    })
    await report(pay, id, { ...matched, account: "ACTIVE" })
    await report(pay, id, { _tag: "Invalid" })
    await report(pay, id, { _tag: "Invalid" })
    expect(await reportedStatuses(pay)).toEqual(["UNDER_REVIEW", "ACTIVE", "INACTIVE"])
  })

  it("changes nothing for a deleted account and is rejected for an unknown one", async () => {
    const { pay } = await harnessWithVerifier({ afterSeconds: 60 })
    await using _ = pay
    const id = await added(pay, usd())
    await pay.send("DELETE", `${platformPath}/${id}`)
    await report(pay, id, matched)
    expect(await reportedStatuses(pay)).toEqual([])
    await expect(report(pay, "ExternalAccount:00000000-0000-7000-8000-000000000009", matched)).rejects.toThrow()
  })
})
