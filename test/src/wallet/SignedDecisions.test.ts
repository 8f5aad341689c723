/**
 * What a signed operation stores at its first call and at its retry, and which refusals come before its signature.
 * Spec: 4.5 (signed-retry pattern); wire contract 4.7 and 11 (30, 60); D-141, D-142, D-262.
 */

import type { ErrorCode } from "@countersign/core/models"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { answer, type Decision, refuse } from "../../../packages/core/src/decision/Decision.ts"
import {
  decideSessionRefresh,
  decideSessionRevocation,
} from "../../../packages/core/src/decision/wallet/SessionDecision.ts"
import {
  decidePayload,
  decideSigned,
  type SigningFacts,
  signingSession,
} from "../../../packages/core/src/decision/wallet/SignedDecision.ts"
import { decideWalletExport, decideWalletPrivacy } from "../../../packages/core/src/decision/wallet/WalletDecision.ts"
import * as Requests from "../../../packages/core/src/model/wallet/SignedRequest.ts"
import {
  accountId,
  changesOf,
  contextOf,
  internalOf,
  minute,
  now,
  requestOf,
  sessionOf,
  signed,
  signingOf,
  writtenTo,
} from "./StoredCredentials.ts"

const first = { headers: {} }
const done = answer(200, "done", { validUntil: now + 9 * minute })
const decided = (signing: SigningFacts<Requests.TypedOperation> = signingOf(), decision: Decision<unknown> = done) =>
  decideSigned(signing, contextOf(), decision)
const refusal = (code: ErrorCode): Decision<never> => refuse({ code, message: "No." })
const codeOf = (decision: Decision<unknown>) => (decision._tag === "Refuse" ? decision.refusal.code : decision.status)

describe("the first call of a signed operation", () => {
  it("stores the request for five minutes and shows what to sign", () => {
    const decision = decided(signingOf(first))
    expect(decision).toMatchObject({
      status: 202,
      body: {
        type: "EMAIL_OTP",
        payloadToSign: "text to sign",
        requestId: "Request:new",
        expiresAt: "2026-03-02T08:05:00Z",
      },
    })
    const stored = {
      operation: "DELETE /auth/sessions/{id}",
      target: "Session:1",
      bodyMark: "mark",
      expiresAt: now + 5 * minute,
    }
    expect(writtenTo(decision, "SignedRequest")).toEqual([stored])
    expect(writtenTo(decided(signingOf({ ...first, memo: { a: 1 } })), "SignedRequest")).toEqual([
      { ...stored, memo: { a: 1 } },
    ])
  })

  it("shows no type of an operation that has none", () => {
    const { type: _, ...operation } = signingOf(first).operation
    expect(decideSigned({ ...signingOf(), operation }, contextOf(), done)).toMatchObject({
      body: { payloadToSign: "text to sign", requestId: "Request:new", expiresAt: "2026-03-02T08:05:00Z" },
    })
    expect(
      Object.keys(Object(Object(decideSigned({ ...signingOf(), operation }, contextOf(), done)).body)),
    ).not.toContain("type")
  })

  it("is refused for all but a conflict", () => {
    const codes = ["INVALID_INPUT", "UNAUTHORIZED", "FORBIDDEN", "REFERENCE_NOT_FOUND", "RATE_LIMITED"] as const
    for (const code of codes) expect(codeOf(decided(signingOf(first), refusal(code)))).toBe(code)
    expect(codeOf(decided(signingOf(first), refusal("CONFLICT")))).toBe(202)
  })
})

describe("the retry of a signed operation", () => {
  const use = { at: now, actor: null, sessionId: "Session:1" }

  it("consumes the request, guards the session and audits who signed", () => {
    const decision = decided()
    expect(decision).toMatchObject({ status: 200, body: "done" })
    expect(writtenTo(decision, "SignedRequest")).toEqual([{ ...requestOf().data, use }])
    expect(changesOf(decision).guards).toEqual([{ kind: "Session", id: "Session:1", version: 3 }])
    expect(changesOf(decision).validUntil).toBe(now + minute)
    expect(writtenTo(decision, "AuditRecord")).toMatchObject([
      {
        operation: "SIGNED_ACTION",
        target: "Session:1",
        details: { action: "DELETE /auth/sessions/{id}", signedRequestId: "Request:1", sessionId: "Session:1" },
      },
    ])
  })

  it("by the key itself needs no session", () => {
    const signature = { ...signed, allowedSigner: Requests.keyInBundle("02aa"), sessions: [] }
    const decision = decided(signingOf({}, { signature }))
    expect(writtenTo(decision, "SignedRequest")).toEqual([{ ...requestOf().data, use: { at: now, actor: null } }])
    expect(changesOf(decision).guards).toEqual([])
    expect(writtenTo(decision, "AuditRecord")).toMatchObject([
      { details: { action: "DELETE /auth/sessions/{id}", signedRequestId: "Request:1" } },
    ])
    expect(JSON.stringify(writtenTo(decision, "AuditRecord"))).not.toContain("sessionId")
  })

  it("names the agent or the token that called", () => {
    const actorOf = (caller: ReturnType<typeof contextOf>["caller"]) =>
      writtenTo(decideSigned(signingOf(), contextOf({ caller }), done), "SignedRequest").map((data) =>
        "use" in data ? data.use?.actor : undefined,
      )
    const { caller } = contextOf()
    if (caller._tag !== "Platform") throw new Error("a tenant is a platform")
    expect(actorOf({ ...caller, tokenId: "ApiToken:1" })).toEqual(["ApiToken:1"])
  })

  it.each<readonly [string, Parameters<typeof signingOf>, string]>([
    ["no header of the request", [{ headers: { signature: "stamp" } }], "REQUEST_ID_MISSING"],
    ["no signature", [{}, { signature: { ...signed, hasSignature: false } }], "WALLET_SIGNATURE_MISSING"],
    [
      "a signature that is not readable",
      [{}, { signature: { ...signed, isReadable: false } }],
      "WALLET_SIGNATURE_MALFORMED",
    ],
    ["no pending request", [{}, { request: undefined }], "UNAUTHORIZED"],
    ["a request at its end", [{}, { request: requestOf({ expiresAt: now }) }], "UNAUTHORIZED"],
    ["a used request", [{}, { request: requestOf({ use: { at: 1, actor: null } }) }], "UNAUTHORIZED"],
    ["another operation", [{}, { request: requestOf({ operation: "other" }) }], "WALLET_SIGNATURE_BODY_MISMATCH"],
    ["another target", [{}, { request: requestOf({ target: "Session:2" }) }], "WALLET_SIGNATURE_BODY_MISMATCH"],
    ["another body", [{}, { bodyMark: "other" }], "WALLET_SIGNATURE_BODY_MISMATCH"],
    ["a wrong signature", [{}, { signature: { ...signed, isSigned: false } }], "WALLET_SIGNATURE_INVALID"],
    ["no session", [{}, { signature: { ...signed, sessions: [] } }], "WALLET_SIGNATURE_INVALID"],
    [
      "a session at its end",
      [{}, { signature: { ...signed, sessions: [sessionOf({ expiresAt: now })] } }],
      "WALLET_SIGNATURE_INVALID",
    ],
    [
      "a revoked session",
      [{}, { signature: { ...signed, sessions: [sessionOf({ status: "REVOKED" })] } }],
      "WALLET_SIGNATURE_INVALID",
    ],
    [
      "a session of another wallet",
      [{}, { signature: { ...signed, sessions: [sessionOf({ accountId: "other" })] } }],
      "WALLET_SIGNATURE_INVALID",
    ],
  ])("is refused for %s", (_, of, code) => {
    expect(codeOf(decided(signingOf(...of)))).toBe(code)
    expect(changesOf(decided(signingOf(...of)))).toEqual({})
  })

  it("is refused before its signature for permissions, existence and limits alone", () => {
    const unsigned = signingOf({}, { request: undefined })
    for (const code of ["FORBIDDEN", "REFERENCE_NOT_FOUND", "RATE_LIMITED"] as const)
      expect(codeOf(decided(unsigned, refusal(code)))).toBe(code)
    for (const code of ["INVALID_INPUT", "CONFLICT"] as const) {
      expect(codeOf(decided(unsigned, refusal(code)))).toBe("UNAUTHORIZED")
      expect(codeOf(decided(signingOf(), refusal(code)))).toBe(code)
    }
  })
})

describe("the session that signs", () => {
  const signer = (allowedSigner: Requests.AllowedSigner, ...sessions: ReadonlyArray<ReturnType<typeof sessionOf>>) =>
    signingSession({ ...signed, allowedSigner, sessions }, now)?.id

  it("is the first active one that may", () => {
    const [own, other] = [sessionOf(), sessionOf({ authMethodId: "AuthMethod:2" }, "Session:2")]
    expect(signer(Requests.anySessionOf("x", accountId), own, other)).toBe("Session:1")
    expect(signer(Requests.anySessionOf("x"), own)).toBeUndefined()
    expect(signer(Requests.sessionOfAnotherCredential(accountId, "AuthMethod:1"), own, other)).toBe("Session:2")
    expect(signer(Requests.onlySession(accountId, "Session:2"), own, other)).toBe("Session:2")
    expect(signer(Requests.onlySession(accountId, "Session:3"), own, other)).toBeUndefined()
    expect(signer(Requests.keyInBundle("02aa"), own)).toBeUndefined()
    expect(signer(Requests.anySessionOf(accountId), sessionOf({ status: "EXPIRED" }), other)).toBe("Session:2")
  })

  it("is asked for at a retry, which has both headers", () => {
    const headers = [{}, { requestId: "r" }, { signature: "s" }, { requestId: "r", signature: "s" }]
    expect(headers.map(Requests.isFirstCall)).toEqual([true, false, false, false])
    expect(headers.map(Requests.isRetry)).toEqual([false, false, false, true])
  })
})

describe("a payload that was shown earlier", () => {
  const action = { operation: "POST /quotes/{id}/execute", target: requestOf() }
  const paid = (signature = signed, decision: Decision<unknown> = done) =>
    decidePayload(signature, contextOf(), action, decision)

  it("needs the signature alone", () => {
    expect(paid()).toMatchObject({ status: 200, body: "done" })
    expect(changesOf(paid())).toMatchObject({ guards: [{ id: "Session:1" }], validUntil: now + minute, updates: [] })
    expect(writtenTo(paid(), "AuditRecord")).toMatchObject([
      { target: "Request:1", details: { action: "POST /quotes/{id}/execute", sessionId: "Session:1" } },
    ])
    expect(JSON.stringify(writtenTo(paid(), "AuditRecord"))).not.toContain("signedRequestId")
    expect(codeOf(paid({ ...signed, isSigned: false }))).toBe("WALLET_SIGNATURE_INVALID")
    expect(codeOf(paid({ ...signed, isSigned: false }, refusal("REFERENCE_NOT_FOUND")))).toBe("REFERENCE_NOT_FOUND")
    expect(codeOf(paid({ ...signed, isSigned: false }, refusal("INVALID_INPUT")))).toBe("WALLET_SIGNATURE_INVALID")
    expect(paid(signed, refusal("INVALID_INPUT"))).toEqual(refusal("INVALID_INPUT"))
  })
})

describe("a session", () => {
  it("is revoked while it is active", () => {
    const revoked = (data: Parameters<typeof sessionOf>[0] = {}) =>
      decideSessionRevocation({ session: sessionOf(data), signing: signingOf() }, contextOf())
    expect(revoked()).toMatchObject({ status: 204, body: null })
    expect(writtenTo(revoked(), "Session")).toEqual([{ ...sessionOf().data, status: "REVOKED" }])
    expect(codeOf(revoked({ expiresAt: now }))).toBe("REFERENCE_NOT_FOUND")
  })

  it("is refreshed with another key and end", () => {
    const refreshOf = signingOf(
      { operation: "POST /auth/sessions/{id}/refresh" },
      { request: requestOf({ operation: "POST /auth/sessions/{id}/refresh" }) },
    )
    const key = { publicKey: "02bb", sealed: "sealed" }
    const refreshed = (data: Parameters<typeof sessionOf>[0] = {}) =>
      decideSessionRefresh(7 * minute)(
        { session: sessionOf(data), key: Result.succeed(key), signing: refreshOf },
        contextOf(),
      )
    expect(refreshed()).toMatchObject({
      status: 201,
      body: {
        id: "Session:1",
        expiresAt: "2026-03-02T08:07:00Z",
        updatedAt: "2026-03-02T08:00:00Z",
        encryptedSessionSigningKey: "sealed",
      },
    })
    expect(writtenTo(refreshed(), "Session")).toEqual([
      { ...sessionOf().data, publicKey: "02bb", expiresAt: now + 7 * minute },
    ])
    expect(refreshed({ status: "REVOKED" })).toMatchObject({
      refusal: { code: "UNAUTHORIZED", details: { reason: "Session not active" } },
    })
    const failed = {
      session: sessionOf(),
      key: Result.fail({ code: "INVALID_INPUT", message: "No." } as const),
      signing: undefined,
    }
    expect(codeOf(decideSessionRefresh(1)(failed, contextOf()))).toBe("INVALID_INPUT")
    expect(() => decideSessionRefresh(1)({ ...failed, key: Result.succeed(key) }, contextOf())).toThrow(
      "The signature of an acceptable refresh was not checked.",
    )
  })
})

describe("a wallet", () => {
  const { type: _, ...operation } = signingOf().operation
  const signing = { ...signingOf(), operation }

  it("exports its words to a client whose key is valid", () => {
    const exported = (facts: Omit<Parameters<typeof decideWalletExport>[0], "account">) =>
      decideWalletExport({ account: internalOf(), ...facts }, contextOf())
    const decision = exported({ sealedWords: Result.succeed("sealed"), signing })
    expect(decision).toMatchObject({ status: 200, body: { id: accountId, encryptedWalletCredentials: "sealed" } })
    expect(changesOf(decision).guards).toContainEqual({ kind: "InternalAccount", id: accountId, version: 3 })
    expect(codeOf(exported({ sealedWords: Result.fail({ code: "INVALID_INPUT", message: "No." }), signing }))).toBe(
      "INVALID_INPUT",
    )
    expect(() => exported({ sealedWords: Result.succeed(""), signing: undefined })).toThrow(
      "The signature of an acceptable export was not checked.",
    )
  })

  it("changes its privacy, and shows its balance at the commit", () => {
    const decision = decideWalletPrivacy(true)({ account: internalOf(), instructions: [], signing }, contextOf())
    expect(decision).toMatchObject({
      status: 200,
      body: { id: accountId, privateEnabled: true, updatedAt: "2026-03-02T08:00:00Z" },
    })
    expect(writtenTo(decision, "InternalAccount")).toEqual([{ ...internalOf().data, privateEnabled: true }])
    expect(changesOf(decision).observes).toEqual([`available:${accountId}`, `held:${accountId}`])
    expect(decision).toMatchObject({
      placeholders: [{ path: ["balance", "amount"] }, { path: ["totalBalance", "amount"] }],
    })
  })
})
