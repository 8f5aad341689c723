/**
 * The life of a delegated key: registered, activated and revoked, and the three calls that create it.
 * Source: wire contract 4.7, 4.8 and 4.11; D-177, D-261.
 */
import { describe, expect, it } from "vitest"
import * as Creation from "../../../packages/core/src/decision/card/DelegatedKeyCreationDecision.ts"
import { activateKey, registerKey, revokeKey } from "../../../packages/core/src/decision/card/DelegatedKeyDecision.ts"
import { toDelegatedKey } from "../../../packages/core/src/model/card/DelegatedKey.ts"
import { delegatedKeyClaim } from "../../../packages/core/src/store/Claims.ts"
import { internalOf } from "../quote/CreationFacts.ts"
import { requestOf, sessionOf, signed } from "../wallet/StoredCredentials.ts"
import { cardOf, changesOf, contextOf, keyOf, one, writtenTo } from "./StoredCards.ts"

describe("a delegated key", () => {
  const wallet = internalOf("Customer:1", { type: "EMBEDDED_WALLET" }, one.id)
  const request = { cardId: "Card:1", internalAccountId: one.id, nickname: "Card key" }
  const delegate = { keyId: "DelegatedKey:1", publicKey: "02aa" }
  const facts = { card: cardOf(), account: wallet, hasActiveKey: false }
  const conflict = (reason: string) => ({ refusal: { code: "CONFLICT", details: { reason } } })

  it("is registered for its funding source", () => {
    const decision = registerKey(request, delegate)(facts, contextOf())
    expect(decision).toMatchObject({
      status: 201,
      body: { id: "DelegatedKey:1", status: "PENDING", createdAt: "2026-03-02T08:00:00Z" },
    })
    expect(writtenTo(changesOf(decision), "DelegatedKey")).toEqual([keyOf().data])
    expect(changesOf(decision).guards?.map(({ id }) => id)).toEqual(["Card:1", one.id])
    expect(
      writtenTo(changesOf(registerKey(request, { ...delegate, rootId: "root" })(facts, contextOf())), "DelegatedKey"),
    ).toEqual([{ ...keyOf().data, rootId: "root" }])
    expect(registerKey(request, delegate)({ ...facts, hasActiveKey: true }, contextOf())).toMatchObject(
      conflict("DELEGATED_KEY_EXISTS"),
    )
  })

  it("is activated once, for the funding source that was signed", () => {
    const activated = (key = keyOf(), more: Partial<typeof facts> = {}, taken?: string) =>
      activateKey(
        key,
        { ...facts, ...more },
        contextOf({
          rejections: taken === undefined ? [] : [{ _tag: "Taken", claim: { scope: "platform", key: taken } }],
        }),
      )
    expect(activated()).toMatchObject({ status: 201, body: { status: "ACTIVE", updatedAt: "2026-03-02T08:00:00Z" } })
    expect(writtenTo(changesOf(activated()), "DelegatedKey")).toEqual([{ ...keyOf().data, status: "ACTIVE" }])
    expect(changesOf(activated()).guards?.map(({ id }) => id)).toEqual(["Card:1", one.id])
    expect(activated(keyOf(), { hasActiveKey: true })).toMatchObject(conflict("DELEGATED_KEY_EXISTS"))
    expect(activated(keyOf(), {}, delegatedKeyClaim("CardFundingSource:1").key)).toMatchObject(
      conflict("DELEGATED_KEY_EXISTS"),
    )
    expect(activated(keyOf(), {}, "other")).toMatchObject({ status: 201 })
    expect(activated(keyOf({ status: "REVOKED" }))).toMatchObject({
      refusal: { code: "CONFLICT", message: "The key is not waiting to be activated.", details: { status: "REVOKED" } },
    })
    expect(activated(keyOf({ fundingSourceId: "CardFundingSource:2" }))).toMatchObject(
      conflict("FUNDING_SOURCE_REPLACED"),
    )
  })

  it("is revoked while it is active, and shows no root", () => {
    const decision = revokeKey({ key: keyOf({ status: "ACTIVE" }) }, contextOf())
    expect(decision).toMatchObject({ status: 204, body: null })
    expect(writtenTo(changesOf(decision), "DelegatedKey")).toEqual([{ ...keyOf().data, status: "REVOKED" }])
    expect(revokeKey({ key: keyOf() }, contextOf())).toMatchObject({
      refusal: {
        code: "INVALID_INPUT",
        message: "Only an active key can be revoked.",
        details: { reason: "KEY_NOT_ACTIVE", status: "PENDING" },
      },
    })
    expect(toDelegatedKey(keyOf({ rootId: "root" }))).not.toHaveProperty("rootId")
  })

  it("is created by two signatures of one session", () => {
    const memo = { ...delegate, sessionId: "Session:1" }
    const pendingOf = (data: object) => requestOf({ operation: "POST /auth/delegated-keys", target: one.id, ...data })
    const loaded = (pending: ReturnType<typeof requestOf> | undefined, key?: ReturnType<typeof keyOf>) => ({
      ...facts,
      pending,
      key,
    })
    const [second, third] = [pendingOf({ memo: { ...delegate } }), pendingOf({ memo })]
    expect(Creation.delegationMemo(second)).toEqual({ delegate, sessionId: undefined })
    expect(Creation.delegationMemo(third)).toEqual({ delegate, sessionId: "Session:1" })
    for (const other of [undefined, pendingOf({}), requestOf({ memo })])
      expect(Creation.delegationMemo(other)).toBeUndefined()
    const headers = { requestId: "Request:1", signature: "s" }
    const created = (
      pending: typeof second | undefined,
      key: ReturnType<typeof keyOf> | undefined,
      sent: object = headers,
    ) => {
      const operation = Creation.delegationOperation(loaded(pending, key), delegate, request, sent)
      const signature = {
        ...signed,
        allowedSigner: operation.allowedSigner,
        sessions: [sessionOf({ accountId: one.id })],
      }
      const signing = { operation, bodyMark: "mark", signature, request: pending }
      const creation = { ...loaded(pending, key), delegate, signing }
      return { operation, decision: Creation.decideKeyCreation(request)(creation, contextOf()) }
    }
    const first = created(undefined, undefined, {})
    expect(first.decision).toMatchObject({
      status: 202,
      body: { payloadToSign: expect.stringContaining("CREATE_USERS_V3") },
    })
    expect(first.operation).toMatchObject({
      operation: "POST /auth/delegated-keys",
      memo: delegate,
      allowedSigner: { accountIds: [one.id] },
    })
    expect(first.operation.allowedSigner).not.toHaveProperty("sessionId")
    const registered = created(second, undefined).decision
    expect(registered).toMatchObject({
      status: 202,
      body: { payloadToSign: expect.stringContaining("CREATE_POLICIES") },
    })
    expect(writtenTo(changesOf(registered), "DelegatedKey")).toEqual([keyOf().data])
    expect(writtenTo(changesOf(registered), "SignedRequest")).toMatchObject([
      { memo },
      { use: { sessionId: "Session:1" } },
    ])
    const activated = created(third, keyOf())
    expect(activated.operation).toMatchObject({ allowedSigner: { accountIds: [one.id], sessionId: "Session:1" } })
    expect(activated.decision).toMatchObject({ status: 201, body: { status: "ACTIVE" } })
    expect(created(third, undefined).decision).toMatchObject({ refusal: { code: "UNAUTHORIZED" } })
  })
})
