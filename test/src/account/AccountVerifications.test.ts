/**
 * Verifiers that take their time: the account waits, is asked for again, or is reported, once or several times.
 * Source: wire contract 2.7 and 11 (18); D-050, D-054.
 */
import { AccountVerifications } from "@countersign/core"
import { type BeneficiaryAnswer, type BeneficiaryResult, Verifier } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Clock, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/index.ts"
import { added, evm, platformPath, textAt, usd } from "./ExternalAccountRequests.ts"

interface Asked {
  readonly accountId: string | undefined
  readonly at: number
}

/** A verifier that answers these, one after another, and then the last one. */
const verifying = async (...answers: ReadonlyArray<BeneficiaryResult | { readonly afterSeconds: number }>) => {
  const asked: Array<Asked> = []
  const verifier = Layer.effect(
    Verifier,
    Effect.map(Verifier, (inner) => ({
      ...inner,
      verifyBeneficiary: ({ accountId }: { readonly accountId?: string }) =>
        Effect.map(Clock.currentTimeMillis, (now): BeneficiaryResult => {
          const answer = answers[Math.min(asked.length, answers.length - 1)]
          asked.push({ accountId, at: now })
          if (answer === undefined) throw new Error("no answer")
          return "_tag" in answer ? answer : { _tag: "Later", at: now + answer.afterSeconds * 1000 }
        }),
    })),
  )
  const pay = await harness({ ports: Layer.provideMerge(verifier, Sandbox.layer) })
  return { pay, asked }
}

const matched = { _tag: "Result", status: "MATCHED" } as const
const statusOf = async (pay: Harness, id: string) => textAt(await pay.send("GET", `${platformPath}/${id}`), "status")
const told = async (pay: Harness) => {
  await pay.settle()
  return pay.inbox.ofType("EXTERNAL_ACCOUNT.STATUS_UPDATED").map(({ data }) => data["status"])
}
const report = (pay: Harness, id: string, answer: BeneficiaryAnswer) =>
  pay.run(AccountVerifications.use((all) => all.report(id, answer)))

describe("an answer at once", () => {
  // Proves: STATE-OTHER-07
  it.each([
    ["ACTIVE", matched],
    ["ACTIVE", { ...matched, account: "ACTIVE" }],
    ["UNDER_REVIEW", { ...matched, account: "UNDER_REVIEW" }],
    ["INACTIVE", { ...matched, account: "INACTIVE" }],
  ] as const)("makes it %s", async (status, answer) => {
    const { asked, pay } = await verifying(answer)
    await using _ = pay
    expect(await statusOf(pay, await added(pay, usd()))).toBe(status)
    expect(await told(pay)).toEqual([])
    expect(asked).toEqual([{ accountId: undefined, at: expect.any(Number) }])
  })

  it("may know the holder", async () => {
    const { pay } = await verifying({ ...matched, verifiedData: { fullName: "A. Lovelace" } })
    await using _ = pay
    expect((await pay.send("POST", platformPath, { body: usd() })).body).toMatchObject({
      beneficiaryVerifiedData: { fullName: "A. Lovelace" },
    })
  })
})

describe("an answer later", () => {
  // Proves: STATE-OTHER-02, STATE-OTHER-07
  it("is asked for when it is due, by the account's id, until it is there", async () => {
    const { asked, pay } = await verifying({ afterSeconds: 60 }, { afterSeconds: 600 }, matched)
    await using _ = pay
    const created = await pay.send("POST", platformPath, { body: usd() })
    expect(created.body).toMatchObject({ status: "PENDING", beneficiaryVerificationStatus: "PENDING" })
    const id = textAt(created, "id")
    await pay.settle()
    expect(asked).toHaveLength(1)
    await pay.clock.advance("60 seconds")
    expect([asked.length, await statusOf(pay, id)]).toEqual([2, "PENDING"])
    await pay.clock.advance("600 seconds")
    expect((await pay.send("GET", `${platformPath}/${id}`)).body).toMatchObject({
      status: "ACTIVE",
      beneficiaryVerificationStatus: "MATCHED",
    })
    expect(asked.map(({ accountId }) => accountId)).toEqual([undefined, id, id])
    await pay.clock.advance("1 day")
    expect(asked).toHaveLength(3)
    expect(await told(pay)).toEqual(["ACTIVE"])
  })

  it.each([
    ["INACTIVE", { _tag: "Invalid" }],
    ["UNDER_REVIEW", { ...matched, account: "UNDER_REVIEW" }],
    ["INACTIVE", { ...matched, account: "INACTIVE" }],
  ] as const)("may make it %s", async (status, answer) => {
    const { pay } = await verifying({ afterSeconds: 60 }, answer)
    await using _ = pay
    const id = await added(pay, usd())
    await pay.clock.advance("60 seconds")
    expect(await statusOf(pay, id)).toBe(status)
    expect(await told(pay)).toEqual([status])
  })

  it("is asked for again while the verifier cannot be reached", async () => {
    const { asked, pay } = await verifying(
      { _tag: "Unknown", cause: "away" },
      { _tag: "Unknown", cause: "away" },
      matched,
    )
    await using _ = pay
    const id = await added(pay, usd())
    await pay.settle()
    expect([asked.length, await statusOf(pay, id)]).toEqual([2, "PENDING"])
    await pay.clock.advance("10 seconds")
    expect([asked.length, await statusOf(pay, id)]).toEqual([3, "ACTIVE"])
  })

  it("is not asked for when the account was decided otherwise, or deleted", async () => {
    const { asked, pay } = await verifying({ afterSeconds: 60 })
    await using _ = pay
    const [reported, deleted] = [await added(pay, usd("1111000")), await added(pay, usd("2222000"))]
    await report(pay, reported, matched)
    await pay.send("DELETE", `${platformPath}/${deleted}`)
    await pay.clock.advance("1 day")
    expect(asked).toHaveLength(2)
    expect(await statusOf(pay, reported)).toBe("ACTIVE")
  })

  it("of a wallet is not waited for", async () => {
    const { pay } = await verifying({ afterSeconds: 60 })
    await using _ = pay
    expect(await statusOf(pay, await added(pay, evm()))).toBe("ACTIVE")
  })
})

describe("a report", () => {
  it("counts once, and later ones by the arrows that there are", async () => {
    const { pay } = await verifying({ afterSeconds: 60 })
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
    expect(await told(pay)).toEqual(["UNDER_REVIEW", "ACTIVE", "INACTIVE"])
  })

  it("of an account that is deleted changes nothing, and of an unknown one is refused", async () => {
    const { pay } = await verifying({ afterSeconds: 60 })
    await using _ = pay
    const id = await added(pay, usd())
    await pay.send("DELETE", `${platformPath}/${id}`)
    await report(pay, id, matched)
    expect(await told(pay)).toEqual([])
    await expect(report(pay, "ExternalAccount:00000000-0000-7000-8000-000000000009", matched)).rejects.toThrow()
  })
})
