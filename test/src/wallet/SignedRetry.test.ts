/** Every signed endpoint against every way to be wrong, with the exact status, code and reason. Wire contract 4.7, 4.12 and 11 (30). */
import { SignatureChecks, signatureChecks } from "@countersign/core"
import type { KeyPair } from "@countersign/core/crypto"
import { Sandbox } from "@countersign/core/sandbox"
import { Layer } from "effect"
import { describe, expect, it } from "vitest"
import { at } from "../customer/People.ts"
import { type Harness, harness, type Reply } from "../harness/Harness.ts"
import {
  addSms,
  answerCode,
  newKey,
  newWallet,
  type SignedIn,
  signIn,
  signing,
  stamp,
  textAt,
  type WalletOf,
} from "./People.ts"

/** A request that has to be signed, and by whom. */
interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: object
  /** The same request with another body. */
  readonly other?: object
  readonly key: KeyPair
  /** The session whose key it is; absent: the key is admitted by itself. */
  readonly session?: SignedIn
}

interface World {
  readonly pay: Harness
  readonly wallet: WalletOf
  readonly session: SignedIn
}

interface Endpoint {
  readonly name: string
  readonly ask: (world: World) => Promise<Asked>
  /** The status of success. */
  readonly done: number
  /** What a repetition answers; 401 unless the record itself is gone. */
  readonly again?: number
  readonly challenge: ReadonlyArray<string>
}

const plain = ["expiresAt", "payloadToSign", "requestId"]
const withType = [...plain, "type"]
const compressed = async () => (await newKey()).publicKey.compressed
const uncompressed = async () => (await newKey()).publicKey.uncompressed

const endpoints: ReadonlyArray<Endpoint> = [
  {
    name: "add a credential",
    done: 201,
    challenge: withType,
    ask: async ({ session, wallet: { accountId } }) => ({
      method: "POST",
      path: "/auth/credentials",
      body: { type: "SMS_OTP", accountId },
      key: session.key,
      session,
    }),
  },
  {
    name: "revoke a credential",
    done: 204,
    again: 404,
    challenge: withType,
    ask: async ({ pay, session, wallet }) => {
      const sms = textAt(await addSms(pay, wallet, session), "id")
      return { method: "DELETE", path: `/auth/credentials/${sms}`, key: session.key, session }
    },
  },
  {
    name: "revoke a session",
    done: 204,
    again: 404,
    challenge: withType,
    ask: async ({ pay, session, wallet }) => {
      const { sessionId } = await signIn(pay, wallet.emailId)
      return { method: "DELETE", path: `/auth/sessions/${sessionId}`, key: session.key, session }
    },
  },
  {
    name: "refresh a session",
    done: 201,
    challenge: plain,
    ask: async ({ session }) => ({
      method: "POST",
      path: `/auth/sessions/${session.sessionId}/refresh`,
      body: { clientPublicKey: await compressed() },
      other: { clientPublicKey: await compressed() },
      key: session.key,
      session,
    }),
  },
  {
    name: "export a wallet",
    done: 200,
    challenge: plain,
    ask: async ({ session, wallet }) => ({
      method: "POST",
      path: `/internal-accounts/${wallet.accountId}/export`,
      body: { clientPublicKey: await uncompressed() },
      other: { clientPublicKey: await uncompressed() },
      key: session.key,
      session,
    }),
  },
  {
    name: "change a wallet's privacy",
    done: 200,
    challenge: plain,
    ask: async ({ session, wallet }) => ({
      method: "PATCH",
      path: `/internal-accounts/${wallet.accountId}`,
      body: { privateEnabled: true },
      other: { privateEnabled: false },
      key: session.key,
      session,
    }),
  },
  {
    name: "change a customer's e-mail address",
    done: 200,
    // It is the customer's already, so that nothing is left to sign for.
    again: 200,
    challenge: plain,
    ask: async ({ session, wallet }) => ({
      method: "PATCH",
      path: `/customers/${wallet.customerId}`,
      body: { customerType: "INDIVIDUAL", email: "lovelace@example.com" },
      other: { customerType: "INDIVIDUAL", email: "else@example.com" },
      key: session.key,
      session,
    }),
  },
  {
    name: "change a customer's telephone number",
    done: 200,
    again: 200,
    challenge: plain,
    ask: async ({ pay, session, wallet }) => {
      await addSms(pay, wallet, session)
      return {
        method: "PATCH",
        path: `/customers/${wallet.customerId}`,
        body: { customerType: "INDIVIDUAL", phoneNumber: "+14155550199" },
        other: { customerType: "INDIVIDUAL", phoneNumber: "+14155550198" },
        key: session.key,
        session,
      }
    },
  },
  {
    name: "sign in by a code",
    done: 200,
    challenge: withType,
    ask: async ({ pay, wallet }) => {
      const key = await newKey()
      const encryptedOtpBundle = await answerCode(pay, wallet.emailId, key)
      return {
        method: "POST",
        path: `/auth/credentials/${wallet.emailId}/verify`,
        body: { type: "EMAIL_OTP", encryptedOtpBundle },
        other: { type: "EMAIL_OTP", encryptedOtpBundle: `${encryptedOtpBundle} ` },
        key,
      }
    },
  },
]

const world = async (options: Parameters<typeof harness>[0] = {}) => {
  const pay = await harness(options)
  const wallet = await newWallet(pay)
  return { pay, wallet, session: await signIn(pay, wallet.emailId), [Symbol.asyncDispose]: pay[Symbol.asyncDispose] }
}

const sender =
  (pay: Harness, { body, method, path }: Asked) =>
  (headers: Record<string, string> = {}, sent = body) =>
    pay.send(method, path, { headers, ...(sent === undefined ? {} : { body: sent }) })

const verdict = ({ body, status }: Reply) => [status, at({ body }, "code"), at({ body }, "reason") ?? null]

const spent = [401, "UNAUTHORIZED", "Request id unknown, expired or already used"]
const unsigned = [401, "WALLET_SIGNATURE_INVALID", "Invalid wallet signature"]
const inactive = [401, "WALLET_SIGNATURE_INVALID", "Session not active"]
const signature = "service-wallet-signature"
const unknownRequest = "Request:00000000-0000-4000-8000-000000000009"

describe.each(endpoints)("to $name", ({ again = 401, ask, challenge, done }) => {
  it("is refused for each thing that is wrong, which uses nothing up; then done; then not done again", async () => {
    await using it = await world()
    const asked = await ask(it)
    const send = sender(it.pay, asked)
    const first = await send()
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
      ["a request id of no form", { ...headers, "request-id": "x" }, spent],
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
      ["a key that nobody knows", await signing(first, await newKey()), foreign],
      ["the session of another wallet", await signing(first, stranger.key), foreign],
    ]
    for (const [what, given, expected] of wrong)
      expect([what, ...verdict(await send(given))]).toEqual([what, ...expected])
    if (asked.other !== undefined) {
      expect(verdict(await send(headers, asked.other))).toEqual([401, "WALLET_SIGNATURE_BODY_MISMATCH", null])
    }
    expect((await send(headers)).status).toBe(done)
    const repeated = await send(headers)
    if (again === 401) expect(verdict(repeated)).toEqual(spent)
    else expect(repeated.status).toBe(again)
  })

  it("is refused five minutes after it was asked for", async () => {
    await using it = await world()
    const asked = await ask(it)
    const send = sender(it.pay, asked)
    const headers = await signing(await send(), asked.key)
    await it.pay.clock.advance("5 minutes")
    expect(verdict(await send(headers))).toEqual(spent)
    const late = await signing(await send(), asked.key).catch(() => undefined)
    await it.pay.clock.advance("299999 millis")
    if (late !== undefined) expect((await send(late)).status).toBe(done)
  })

  it("may be asked for again: the earlier request stays valid, and each serves once", async () => {
    await using it = await world()
    const asked = await ask(it)
    if (asked.session === undefined) return
    const send = sender(it.pay, asked)
    const earlier = await signing(await send(), asked.key)
    expect((await send()).status).toBe(202)
    expect((await send(earlier)).status).toBe(done)
  })

  it("takes the legacy value for the signature alone, in the sandbox only", async () => {
    await using it = await world()
    const asked = await ask(it)
    const send = sender(it.pay, asked)
    const legacy = { [signature]: "sandbox-valid-signature" }
    const first = await send()
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
    const liveHeaders = { ...legacy, "request-id": textAt(await liveSend(), "requestId") }
    expect(verdict(await liveSend(liveHeaders))).toEqual([401, "WALLET_SIGNATURE_MALFORMED", null])
  })
})

describe.each(endpoints.filter(({ name }) => name !== "sign in by a code"))(
  "the session that may $name",
  ({ ask, name }) => {
    const refreshed = name === "refresh a session"

    it("must not have been revoked", async () => {
      await using it = await world()
      const asked = await ask(it)
      const send = sender(it.pay, asked)
      const first = await send()
      const headers = await signing(first, asked.key)
      const path = `/auth/sessions/${it.session.sessionId}`
      const end = await it.pay.send("DELETE", path)
      expect((await it.pay.send("DELETE", path, { headers: await signing(end, it.session.key) })).status).toBe(204)
      expect(verdict(await send(headers))).toEqual(inactive)
      if (name === "revoke a session") return
      const legacy = { [signature]: "sandbox-valid-signature", "request-id": textAt(first, "requestId") }
      expect(verdict(await send(legacy))).toEqual(inactive)
    })

    it("must not have expired: its last millisecond counts, the next one does not", async () => {
      for (const [millis, expired] of [
        [14 * 60_000 + 59_999, false],
        [15 * 60_000, true],
      ] as const) {
        await using it = await world()
        const asked = await ask(it)
        const send = sender(it.pay, asked)
        await it.pay.clock.advance("12 minutes")
        const headers = await signing(await send(), asked.key)
        await it.pay.clock.advance(`${millis - 12 * 60_000} millis`)
        const reply = await send(headers)
        // The session that is revoked has expired as well: it is not there any more.
        if (expired && name === "revoke a session") expect(reply.status).toBe(404)
        else if (expired) expect(verdict(reply)).toEqual(inactive)
        else expect(reply.status).toBeLessThan(300)
      }
    })

    it("is any of the wallet, but for a refresh", async () => {
      await using it = await world()
      const asked = await ask(it)
      const send = sender(it.pay, asked)
      const another = await signIn(it.pay, it.wallet.emailId)
      const reply = await send(await signing(await send(), another.key))
      if (refreshed) expect(verdict(reply)).toEqual([401, "WALLET_SIGNATURE_INVALID", "Session not admitted"])
      else expect(reply.status).toBeLessThan(300)
    })
  },
)
