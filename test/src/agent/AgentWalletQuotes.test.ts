/** An agent's payment out of an embedded wallet: signed at submission, executed at approval. Wire contract 1.1 and 11 (13); D-242. */

import { describe, expect, it } from "vitest"
import { at } from "../../../packages/test/src/harness/QuoteHarness.ts"
import type { WorldOptions } from "../../../packages/test/src/harness/World.ts"
import { payloadOf, signs, walletHarness } from "../quote/Wallets.ts"
import { newKey, newWallet, signed, signIn, stamp } from "../wallet/People.ts"
import { idOf, withQuotingAgent } from "./AgentQuoteSteps.ts"

const held = { defaultExecutionMode: "APPROVAL_REQUIRED" } as const
const spendingLimits = { currency: "USD", perTransactionLimit: 100_000 } as const
const header = "service-wallet-signature"

const open = async (rules: object = {}, options: WorldOptions = {}) =>
  withQuotingAgent(await walletHarness(options), { spendingLimits, ...rules })

const verdict = (reply: { readonly status: number; readonly body: unknown }) => [
  reply.status,
  at(reply, "code"),
  at(reply, "reason") ?? null,
]
const inactive = [401, "WALLET_SIGNATURE_INVALID", "Session not active"]
const unsigned = [401, "WALLET_SIGNATURE_INVALID", "Invalid wallet signature"]
const missing = [401, "WALLET_SIGNATURE_MISSING", null]
const malformed = [401, "WALLET_SIGNATURE_MALFORMED", null]

describe.each([
  ["executed by itself", {}, "APPROVED"],
  ["held", held, "PENDING_APPROVAL"],
])("a wallet's quote that is %s", (_, rules, status) => {
  it("refuses every wrong signature without an action, then accepts the right one", async () => {
    await using pay = await open(rules)
    const quote = await pay.ask(await pay.quoteRequest())
    const stranger = await signIn(pay, (await newWallet(pay, { email: "stranger@example.com" })).emailId)
    const wrong: ReadonlyArray<readonly [string, { readonly [name: string]: string }, ReadonlyArray<unknown>]> = [
      ["no signature", {}, missing],
      ["an unreadable one", { [header]: "!" }, malformed],
      ["one of something else", { [header]: await stamp(pay.session.key, "something else") }, unsigned],
      ["one by an unknown key", await signs(quote, await newKey()), inactive],
      ["one by another wallet's session", await signs(quote, stranger.key), inactive],
    ]
    for (const [what, headers, expected] of wrong) {
      expect([what, ...verdict(await pay.perform(idOf(quote), headers))]).toEqual([what, ...expected])
    }
    expect(at(await pay.send("GET", "/agents/me/actions", { as: pay.as }), "data")).toEqual([])
    const taken = await pay.perform(idOf(quote), await signs(quote, pay.session.key))
    expect(taken).toMatchObject({ status: 200, body: { status, quote: { id: idOf(quote) } } })
    expect(payloadOf({ body: at(taken, "quote") })).toBe(payloadOf(quote))
    expect(JSON.stringify(taken.body)).not.toContain("walletSignature")
  })

  it("answers 404 and 403 before it checks the signature, and 409 after it", async () => {
    await using pay = await open(rules)
    const quote = await pay.ask(await pay.quoteRequest())
    expect(verdict(await pay.perform("Quote:x"))).toEqual([404, "QUOTE_NOT_FOUND", null])
    await pay.setPolicy({ spendingLimits: { perTransactionLimit: 1 } })
    expect(await pay.perform(idOf(quote))).toMatchObject({ status: 403, body: { details: { amount: 1000 } } })
    await pay.setPolicy({ spendingLimits })
    await pay.clock.advance("5 minutes")
    expect(verdict(await pay.perform(idOf(quote)))).toEqual(missing)
    const signedLate = await pay.perform(idOf(quote), await signs(quote, pay.session.key))
    expect(signedLate).toMatchObject({ status: 409, body: { details: { reason: "QUOTE_EXPIRED" } } })
  })
})

describe("a held payment out of a wallet", () => {
  it("executes although the session that signed it has ended since", async () => {
    await using pay = await open(held)
    const quote = await pay.ask(await pay.quoteRequest())
    const { body } = await pay.perform(idOf(quote), await signs(quote, pay.session.key))
    await signed(pay, "DELETE", `/auth/sessions/${pay.session.sessionId}`, pay.session.key)
    expect(await pay.approve(idOf({ body }))).toMatchObject({
      status: 200,
      body: { status: "APPROVED", quote: { status: "PROCESSING" }, transaction: { agentId: pay.agentId } },
    })
    await pay.settle()
    expect(await pay.action(idOf({ body }))).toMatchObject({ body: { transaction: { status: "COMPLETED" } } })
    await pay.checkBooks()
  })

  it("is not held if the session ends during the submission", async () => {
    for (const interleave of [1, 2, 3]) {
      await using pay = await open(held, { interleave })
      const quote = await pay.ask(await pay.quoteRequest())
      const headers = await signs(quote, pay.session.key)
      const [submitted, revoked] = await Promise.all([
        pay.perform(idOf(quote), headers),
        signed(pay, "DELETE", `/auth/sessions/${pay.session.sessionId}`, pay.session.key),
      ])
      expect(revoked.status).toBe(204)
      expect([[200, undefined, null], inactive]).toContainEqual(verdict(submitted))
    }
  })

  it("fails at approval if the wallet is empty, and is evaluated without a signature", async () => {
    await using pay = await open(held)
    const quote = await pay.ask(await pay.quoteRequest(40_000_000))
    const other = await pay.quote(await pay.quoteRequest(40_000_000))
    expect(await pay.evaluate(idOf(quote))).toMatchObject({ outcome: "PENDING_APPROVAL" })
    const { body } = await pay.perform(idOf(quote), await signs(quote, pay.session.key))
    const spent = await pay.send("POST", `/quotes/${idOf(other)}/execute`, {
      headers: await signs(other, pay.session.key),
    })
    expect(spent.status).toBe(200)
    expect(await pay.approve(idOf({ body }))).toMatchObject({
      status: 200,
      body: { status: "FAILED", details: { rule: "FUNDS", currency: "USDB" } },
    })
  })

  it("is refused with immediatelyExecute", async () => {
    await using pay = await open()
    expect(await pay.ask(await pay.quoteRequest(1_000_000, { immediatelyExecute: true }))).toMatchObject({
      status: 400,
    })
  })
})
