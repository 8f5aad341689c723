/** Every signed endpoint with every invalid signature: exact status, code and reason. Wire contract 4.7, 4.12 and 11 (30). */
import { Api } from "@countersign/client/api"
import { SignatureChecks, signatureChecks } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Layer } from "effect"
import { OpenApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import type { Harness, Reply } from "../../../packages/test/src/harness/Harness.ts"
import { recordOf, records } from "../audit/Records.ts"
import { at } from "../customer/CustomerRequests.ts"
import { newKey, newWallet, signIn, signing, stamp, textAt } from "./People.ts"
import { type Asked, signedEndpoints as endpoints, signedWorld as world } from "./SignedEndpoints.ts"

const sender =
  (pay: Harness, { body, method, path }: Asked) =>
  (headers: Record<string, string> = {}, sent = body) =>
    pay.send(method, path, { headers, ...(sent === undefined ? {} : { body: sent }) })

/** Obtains the 202 to sign: that of the first call, or of a later one. */
const challengeOf = ({ challenge }: Asked, send: ReturnType<typeof sender>): Promise<Reply> => challenge?.() ?? send()

const verdict = ({ body, status }: Reply) => [status, at({ body }, "code"), at({ body }, "reason") ?? null]

const spent = [401, "UNAUTHORIZED", "Request id unknown, expired or already used"]
const unsigned = [401, "WALLET_SIGNATURE_INVALID", "Invalid wallet signature"]
const inactive = [401, "WALLET_SIGNATURE_INVALID", "Session not active"]
const signature = "service-wallet-signature"
const unknownRequest = "Request:00000000-0000-4000-8000-000000000009"

// Proves: SIGN-27, SIGN-28, SIGN-29, SIGN-30, SIGN-31, SIGN-32, SIGN-33
it("lists every endpoint that answers with a payload to sign", () => {
  const answersToSign = Object.entries(OpenApi.fromApi(Api).paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      JSON.stringify(at({ body: operation }, "responses", "202") ?? "").includes("SignedRequestChallenge")
        ? [`${method.toUpperCase()} ${path}`]
        : [],
    ),
  )
  expect(answersToSign.toSorted()).toEqual([...new Set(endpoints.map(({ operation }) => operation))].toSorted())
})

// Proves: EP-WALLET-02, EP-WALLET-03, EP-WALLET-04, EP-WALLET-09, EP-WALLET-18, EP-WALLET-19, EP-WALLET-26, EP-WALLET-31
// Proves: EP-WALLET-32, EP-WALLET-33, EP-WALLET-34, EP-WALLET-35, EP-WALLET-36, EP-WALLET-38, EP-WALLET-39, EP-CARD-19
// Proves: STATE-SESSION-11
describe.each(endpoints)("signed request to $name", ({ again = 401, ask, challenge, done }) => {
  // Proves: RES-CRED-10, RES-CRED-11, SIGN-09, SIGN-10, SIGN-22, SIGN-26, SIGN-27, SIGN-28, SIGN-29, SIGN-30, SIGN-31
  // Proves: SIGN-32, SIGN-33, SBXAUTH-21, SBXAUTH-22, ERR-WALLET_SIGNATURE_MISSING, ERR-WALLET_SIGNATURE_MALFORMED
  // Proves: ERR-WALLET_SIGNATURE_BODY_MISMATCH, ERR-WALLET_SIGNATURE_INVALID, ERR-REQUEST_ID_MISSING
  it("refuses each invalid signature without consuming the request, then executes it once", async () => {
    await using it = await world()
    const asked = await ask(it)
    const send = sender(it.pay, asked)
    const first = await challengeOf(asked, send)
    expect(first.status).toBe(202)
    expect(Object.keys(first.body as object).toSorted()).toEqual(challenge)
    const headers = await signing(first, asked.key)
    const stranger = await signIn(it.pay, (await newWallet(it.pay, { email: "stranger@example.com" })).emailId)
    const elsewhere = await it.pay.send("DELETE", `/auth/sessions/${stranger.sessionId}`)
    const foreign = asked.session === undefined ? unsigned : inactive
    const wrong: ReadonlyArray<readonly [string, Record<string, string>, ReadonlyArray<unknown>]> = [
      ["no request id", { [signature]: headers[signature] ?? "" }, [401, "REQUEST_ID_MISSING", null]],
      ["no signature", { "request-id": textAt(first, "requestId") }, [401, "WALLET_SIGNATURE_MISSING", null]],
      ["an empty signature", { ...headers, [signature]: "" }, [401, "WALLET_SIGNATURE_MISSING", null]],
      ["no base64", { ...headers, [signature]: "!" }, [401, "WALLET_SIGNATURE_MALFORMED", null]],
      ["no JSON", { ...headers, [signature]: btoa("x") }, [401, "WALLET_SIGNATURE_MALFORMED", null]],
      ["no members", { ...headers, [signature]: btoa("{}") }, [401, "WALLET_SIGNATURE_MALFORMED", null]],
      ["a malformed request id", { ...headers, "request-id": "x" }, spent],
      ["an unknown request id", { ...headers, "request-id": unknownRequest }, spent],
      [
        "the request of another operation",
        { ...headers, "request-id": textAt(elsewhere, "requestId") },
        [401, "WALLET_SIGNATURE_BODY_MISMATCH", null],
      ],
      [
        "a signature of something else",
        { ...headers, [signature]: await stamp(asked.key, "something else") },
        unsigned,
      ],
      ["an unknown key", await signing(first, await newKey()), foreign],
      ["the session of another wallet", await signing(first, stranger.key), foreign],
    ]
    for (const [what, invalidHeaders, expected] of wrong)
      expect([what, ...verdict(await send(invalidHeaders))]).toEqual([what, ...expected])
    if (asked.other !== undefined) {
      expect(verdict(await send(headers, asked.other))).toEqual([401, "WALLET_SIGNATURE_BODY_MISMATCH", null])
    }
    const succeeded = await send(headers)
    expect(succeeded.status).toBe(done)
    const repeated = await send(headers)
    if (again === 401) expect(verdict(repeated)).toEqual(spent)
    else expect(repeated.status).toBe(again)
    // The executed request is audited with its signer and its caller.
    expect(await recordOf(it.pay, succeeded)).toMatchObject({
      operation: "SIGNED_ACTION",
      actor: { type: "PLATFORM" },
      customerId: it.wallet.customerId,
      outcome: "DONE",
      details: {
        signedRequestId: textAt(first, "requestId"),
        ...(asked.session === undefined ? {} : { sessionId: asked.session.sessionId }),
      },
    })
    const auditRecords = await records(it.pay, "operation=SIGNED_ACTION&limit=100")
    expect(
      auditRecords.filter(({ details }) => details["signedRequestId"] === textAt(first, "requestId")),
    ).toHaveLength(1)
  })

  it("refuses the signature five minutes after the first call", async () => {
    await using it = await world()
    const asked = await ask(it)
    const send = sender(it.pay, asked)
    const headers = await signing(await challengeOf(asked, send), asked.key)
    await it.pay.clock.advance("5 minutes")
    expect(verdict(await send(headers))).toEqual(spent)
    const late = await signing(await challengeOf(asked, send), asked.key).catch(() => undefined)
    await it.pay.clock.advance("299999 millis")
    if (late !== undefined) expect((await send(late)).status).toBe(done)
  })

  it("keeps an earlier pending request valid after another first call", async () => {
    await using it = await world()
    const asked = await ask(it)
    if (asked.session === undefined) return
    const send = sender(it.pay, asked)
    const earlier = await signing(await challengeOf(asked, send), asked.key)
    expect((await challengeOf(asked, send)).status).toBe(202)
    expect((await send(earlier)).status).toBe(done)
  })

  // Proves: SBXAUTH-23, VER-04
  it("accepts the legacy value for the signature only, and in the sandbox only", async () => {
    await using it = await world()
    const asked = await ask(it)
    const send = sender(it.pay, asked)
    const legacy = { [signature]: "sandbox-valid-signature" }
    const first = await challengeOf(asked, send)
    const headers = { ...legacy, "request-id": textAt(first, "requestId") }
    expect(verdict(await send(legacy))).toEqual([401, "REQUEST_ID_MISSING", null])
    expect(verdict(await send({ ...legacy, "request-id": unknownRequest }))).toEqual(spent)
    if (asked.other !== undefined) {
      expect(verdict(await send(headers, asked.other))).toEqual([401, "WALLET_SIGNATURE_BODY_MISMATCH", null])
    }
    expect((await send(headers)).status).toBe(done)

    const live = Layer.merge(Sandbox.layer, Layer.succeed(SignatureChecks, signatureChecks))
    await using its = await world({ ports: live })
    const liveAsked = await ask(its)
    const liveSend = sender(its.pay, liveAsked)
    const liveHeaders = { ...legacy, "request-id": textAt(await challengeOf(liveAsked, liveSend), "requestId") }
    expect(verdict(await liveSend(liveHeaders))).toEqual([401, "WALLET_SIGNATURE_MALFORMED", null])
  })
})

describe.each(endpoints.filter(({ name }) => name !== "sign in by a code"))(
  "session that signs to $name",
  ({ ask, name, only = false }) => {
    // Proves: SBXAUTH-22
    // Proves: STATE-SESSION-05, STATE-SESSION-08
    it("refuses the signature of a revoked session", async () => {
      await using it = await world()
      const asked = await ask(it)
      const send = sender(it.pay, asked)
      const first = await challengeOf(asked, send)
      const headers = await signing(first, asked.key)
      const path = `/auth/sessions/${it.session.sessionId}`
      const end = await it.pay.send("DELETE", path)
      expect((await it.pay.send("DELETE", path, { headers: await signing(end, it.session.key) })).status).toBe(204)
      expect(verdict(await send(headers))).toEqual(inactive)
      if (name === "revoke a session") return
      const legacy = { [signature]: "sandbox-valid-signature", "request-id": textAt(first, "requestId") }
      expect(verdict(await send(legacy))).toEqual(inactive)
    })

    // Proves: SBXAUTH-22
    // Proves: STATE-SESSION-03, STATE-SESSION-13
    it("accepts a session until its last millisecond and refuses it afterwards", async () => {
      for (const [millis, expired] of [
        [14 * 60_000 + 59_999, false],
        [15 * 60_000, true],
      ] as const) {
        await using it = await world()
        const asked = await ask(it)
        const send = sender(it.pay, asked)
        await it.pay.clock.advance("12 minutes")
        const headers = await signing(await challengeOf(asked, send), asked.key)
        await it.pay.clock.advance(`${millis - 12 * 60_000} millis`)
        const reply = await send(headers)
        // The session to be revoked has expired, too.
        if (expired && name === "revoke a session") expect(reply.status).toBe(404)
        else if (expired) expect(verdict(reply)).toEqual(inactive)
        else expect(reply.status).toBeLessThan(300)
      }
    })

    // Proves: STATE-SESSION-09
    it("accepts any session of the wallet, unless only one may sign", async () => {
      await using it = await world()
      const asked = await ask(it)
      const send = sender(it.pay, asked)
      const another = await signIn(it.pay, it.wallet.emailId)
      const reply = await send(await signing(await challengeOf(asked, send), another.key))
      if (only) expect(verdict(reply)).toEqual([401, "WALLET_SIGNATURE_INVALID", "Session not admitted"])
      else expect(reply.status).toBeLessThan(300)
    })
  },
)
