/**
 * A code that a provider accepts once is checked once for each request, although each commit conflicts once and the decision is repeated.
 * Source: D-322; wire contract 5.12.
 */
import { ScaProvider, SecurityCodes } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { harness, type Reply } from "../../../packages/test/src/harness/Harness.ts"
import { between, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"
import type { WorldOptions } from "../../../packages/test/src/harness/World.ts"
import { added, usd } from "../account/ExternalAccountRequests.ts"
import { newPerson } from "../customer/CustomerRequests.ts"
import { signIn, trustPath } from "../sca/TrustRequests.ts"
import { textAt } from "../wallet/People.ts"

/** Answers the first attempt at each change set with a conflict. */
const conflictingOnce = Layer.effect(
  Store,
  Effect.map(Store, (store) => {
    const operations = new Set<string>()
    return Store.of({
      ...store,
      commit: (set) => {
        if (operations.has(set.operationId)) return store.commit(set)
        operations.add(set.operationId)
        return Effect.succeed({ _tag: "Conflict", on: "test" })
      },
    })
  }),
)

/** Providers that accept each right answer once, and the number of checks and challenges. */
const singleUse = () => {
  const counts = { checks: 0, challenges: 0 }
  const used = new Set<string>()
  const once =
    <Q extends object, A extends ReadonlyArray<unknown>>(check: (question: Q, ...rest: A) => Effect.Effect<boolean>) =>
    (question: Q, ...rest: A) =>
      Effect.map(check(question, ...rest), (isRight) => {
        counts.checks += 1
        const name = JSON.stringify(question)
        const isFirst = !used.has(name)
        if (isRight) used.add(name)
        return isRight && isFirst
      })
  const codes = Layer.effect(
    SecurityCodes,
    Effect.map(SecurityCodes, (real) => ({ ...real, check: once(real.check) })),
  )
  const provider = Layer.effect(
    ScaProvider,
    Effect.map(ScaProvider, (real) => ({ ...real, check: once(real.check) })),
  )
  return { counts, ports: Layer.mergeAll(codes, provider).pipe(Layer.provideMerge(Sandbox.layer)) }
}

const european = { region: "EU", email: "ada@example.com", phoneNumber: "+14155550123" }
const code = "123456"

type Request = readonly [name: string, send: (options: WorldOptions) => Promise<() => Promise<Reply>>]
const contact = (name: "email" | "phone"): Request => [
  `the code that confirms the ${name}`,
  async (options) => {
    const pay = await harness(options)
    const id = await newPerson(pay, european)
    return () => pay.send("POST", `/customers/${id}/verify-${name}/confirm`, { body: { code } })
  },
]
const requests: ReadonlyArray<Request> = [
  contact("email"),
  contact("phone"),
  [
    "the code of a strong sign-in",
    async (options) => {
      const pay = await harness(options)
      const id = await newPerson(pay, european)
      const send = (path: string, body: object) => pay.send("POST", `/sca/login/${path}?customerId=${id}`, { body })
      await send("start", { factor: "SMS_OTP" })
      return () => send("complete", { factor: "SMS_OTP", endUserIpAddress: "203.0.113.7", code })
    },
  ],
  [
    "the code that authorizes a quote",
    async (options) => {
      const pay = await quoteHarness(options, european)
      await pay.fund("USD", 10_000)
      const quote = await pay.quote(between(await pay.accountId("USD"), await pay.external("MXN"), 1000))
      await pay.execute(textAt(quote, "id"))
      return () => pay.send("POST", `/quotes/${textAt(quote, "id")}/authorize`, { body: { code } })
    },
  ],
  [
    "the code that confirms the trust in an account",
    async (options) => {
      const pay = await harness(options)
      const customerId = await newPerson(pay, european)
      await signIn(pay, customerId)
      const path = trustPath(await added(pay, { ...usd(), customerId }))
      const challengeId = textAt(await pay.send("POST", path), "scaChallenge", "id")
      return () => pay.send("POST", `${path}/confirm`, { body: { challengeId, code } })
    },
  ],
]

describe("a provider that accepts a right answer once", () => {
  it.each(requests)("is asked once by a request whose commit conflicts: %s", async (_, prepare) => {
    const { counts, ports } = singleUse()
    const send = await prepare({ ports, around: conflictingOnce, scaRegions: ["EU"] })
    const before = counts.checks
    expect((await send()).status).toBe(200)
    expect(counts.checks - before).toBe(1)
  })

  it("is asked again by another request with the same code", async () => {
    const { counts, ports } = singleUse()
    const send = await contact("email")[1]({ ports, around: conflictingOnce, scaRegions: ["EU"] })
    expect((await send()).status).toBe(200)
    expect((await send()).status).not.toBe(200)
    expect(counts.checks).toBeLessThanOrEqual(2)
  })
})
