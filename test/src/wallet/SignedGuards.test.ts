/**
 * What a signed operation was decided on may end while it commits: the session that signed, and the request that was signed. The operation
 * then decides again and is refused, and changes nothing.
 * Source: architecture, "A change set is the only way to write" (guards); Spec: Session; wire contract 4.7.
 */
import type { Duration } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { between } from "../../../packages/test/src/harness/QuoteHarness.ts"
import { atFailPoints } from "../agent/AtFailPoints.ts"
import { fingerprintOf } from "../confinement/Fingerprint.ts"
import { at } from "../customer/CustomerRequests.ts"
import { type SignedIn, signed, signIn, signing, stamp, textAt } from "./People.ts"
import { type Asked, type SignedWorld, signedEndpoints, signedWorld } from "./SignedEndpoints.ts"

/** What ends between the decision and the commit. */
interface Ending {
  readonly what: string
  /** The age of the session when the request begins. */
  readonly after: Duration.Input
  readonly end: (world: SignedWorld, another: SignedIn) => Promise<unknown>
  readonly reason: string
}

const spent = "Request id unknown, expired or already used"
const inactive = "Session not active"

const revoke = async ({ pay, session }: SignedWorld, { key }: SignedIn) => {
  const revoked = await signed(pay, "DELETE", `/auth/sessions/${session.sessionId}`, key)
  expect(revoked.status).toBe(204)
}

/** A session lasts for fifteen minutes, and a request for five. The time alone passes: no job runs meanwhile. */
const endings: ReadonlyArray<Ending> = [
  { what: "its session is revoked", after: "1 minute", end: revoke, reason: inactive },
  {
    what: "its session expires",
    after: "14 minutes",
    end: ({ pay }) => pay.run(TestClock.adjust("1 minute")),
    reason: inactive,
  },
  {
    what: "its request expires",
    after: "1 minute",
    end: ({ pay }) => pay.run(TestClock.adjust("5 minutes")),
    reason: spent,
  },
]

/** A world with two sessions of one wallet: one signs, the other can revoke it. */
const interrupted = async (after: Duration.Input) => {
  const points = atFailPoints()
  const world = await signedWorld({ failPoints: points.failPoints, tape: false })
  await world.pay.clock.advance(after)
  const another = await signIn(world.pay, world.wallet.emailId)
  return { ...points, world, another, [Symbol.asyncDispose]: world[Symbol.asyncDispose] }
}

const bodyOf = ({ body }: Pick<Asked, "body">) => (body === undefined ? {} : { body })

const bySession = signedEndpoints.filter(({ name }) => name !== "sign in by a code")

describe.each(endings)("a signed operation is refused and changes nothing if, before its commit, $what", (ending) => {
  it.each(bySession)("$name", async ({ ask }) => {
    await using it = await interrupted(ending.after)
    const { allRan, another, during, world } = it
    const asked = await ask(world)
    const { method, path } = asked
    const first = (await asked.challenge?.()) ?? (await world.pay.send(method, path, bodyOf(asked)))
    const headers = await signing(first, asked.key)
    let before = ""
    const end = async () => {
      await ending.end(world, another)
      before = await fingerprintOf(world.pay)
    }
    during(["operation.decided", end])
    const reply = await world.pay.send(method, path, { ...bodyOf(asked), headers })
    expect(allRan()).toBe(true)
    expect(await fingerprintOf(world.pay)).toBe(before)
    // A revoked session no longer exists for the operations that name it.
    const isGone = path.includes(world.session.sessionId) && reply.status === 404
    if (!isGone) expect([reply.status, at(reply, "reason")]).toEqual([401, ending.reason])
  })
})

describe("the execution of a quote out of a wallet", () => {
  const executable = endings.filter(({ reason }) => reason === inactive)
  it.each(executable)("is refused and moves nothing if, before its commit, $what", async ({ after, end, reason }) => {
    await using it = await interrupted(after)
    const { allRan, another, during, world } = it
    const { pay, session, wallet } = world
    await pay.send("POST", `/sandbox/internal-accounts/${wallet.accountId}/fund`, { body: { amount: 5_000_000 } })
    const accountInfo = {
      accountType: "USD_ACCOUNT",
      accountNumber: "1234567000",
      routingNumber: "021000021",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace" },
    }
    const account = await pay.send("POST", "/customers/external-accounts", {
      body: { customerId: wallet.customerId, currency: "USD", accountInfo },
    })
    const body = between(wallet.accountId, textAt(account, "id"), 1_000_000)
    const quote = await pay.send("POST", "/quotes", { body })
    const toSign = textAt(quote, "paymentInstructions", 0, "accountOrWalletInfo", "payloadToSign")
    const headers = { "service-wallet-signature": await stamp(session.key, toSign) }
    let before = ""
    during([
      "operation.decided",
      async () => {
        await end(world, another)
        before = await fingerprintOf(pay)
      },
    ])
    const reply = await pay.send("POST", `/quotes/${textAt(quote, "id")}/execute`, { headers })
    expect(allRan()).toBe(true)
    expect([reply.status, at(reply, "reason")]).toEqual([401, reason])
    expect(await fingerprintOf(pay)).toBe(before)
  })
})
