/**
 * How the keys of a platform's webhooks are created, rotated and replaced, and when each of them signs.
 * Source: wire contract 6.2; D-328, D-330.
 */
import type { Stored } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import {
  createKeys,
  insertRing,
  replaceLostKeys,
  rotateKeys,
  showSecret,
} from "../../../packages/core/src/decision/event/WebhookKeyDecision.ts"
import {
  keyState,
  newRing,
  rotated,
  signingKeys,
  type WebhookKey,
} from "../../../packages/core/src/model/event/WebhookKeyRing.ts"
import { changesOf, contextOf, now, owner, writtenTo } from "../card/StoredCards.ts"

const { platformId } = owner
const day = 24 * 60 * 60
const keyOf = (number: number, more: Partial<WebhookKey> = {}): WebhookKey => ({
  number,
  rootId: "root",
  createdAt: 1,
  ...more,
})
const ringOf = (...keys: ReadonlyArray<WebhookKey>): Stored<"WebhookKeyRing"> => ({
  kind: "WebhookKeyRing",
  id: platformId,
  platformId,
  customerId: null,
  version: 3,
  createdAt: 1,
  updatedAt: 1,
  data: { keys },
})
const first = { number: 1, rootId: "new", createdAt: now }
const ringsOf = (decision: Parameters<typeof changesOf>[0]) => writtenTo(changesOf(decision), "WebhookKeyRing")
const auditsOf = (decision: Parameters<typeof changesOf>[0]) => writtenTo(changesOf(decision), "AuditRecord")

describe("a webhook key", () => {
  it("signs until it retires", () => {
    const states = [keyOf(1), keyOf(1, { retiresAt: now + 1 }), keyOf(1, { retiresAt: now })].map((key) =>
      keyState(key, now),
    )
    expect(states).toEqual(["ACTIVE", "RETIRING", "RETIRED"])
    const ring = { keys: [keyOf(3), keyOf(2, { retiresAt: now + 1 }), keyOf(1, { retiresAt: now })] }
    expect(signingKeys(ring, now).map(({ number }) => number)).toEqual([3, 2])
  })

  it("that is new has the next number, and the others retire at the earlier time", () => {
    expect(newRing("new", now)).toEqual({ keys: [first] })
    expect(rotated({ keys: [] }, "new", now, 5)).toEqual({ keys: [first] })
    expect(rotated({ keys: [keyOf(2), keyOf(4, { retiresAt: now + 1 })] }, "new", now, 5)).toEqual({
      keys: [{ ...first, number: 5 }, keyOf(2, { retiresAt: now + 5 }), keyOf(4, { retiresAt: now + 1 })],
    })
    const many = Array.from({ length: 10 }, (_, index) => keyOf(index + 1))
    expect(rotated({ keys: many }, "new", now, 5).keys.map(({ number }) => number)).toEqual([
      11, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    ])
  })
})

describe("the ring of a platform", () => {
  it("is inserted once", () => {
    expect(insertRing(owner, "new", now).inserts).toEqual([
      { kind: "WebhookKeyRing", id: platformId, platformId, customerId: null, data: { keys: [first] } },
    ])
    const created = createKeys("new")({ ring: undefined }, contextOf())
    expect(created).toMatchObject({ status: 200, body: { keys: [first] } })
    expect(changesOf(created).inserts).toEqual(insertRing(owner, "new", now).inserts)
    const known = createKeys("new")({ ring: ringOf(keyOf(1)) }, contextOf())
    expect(known).toMatchObject({ status: 200, body: { keys: [keyOf(1)] }, changes: {} })
    expect(changesOf(known)).toEqual({})
  })

  it("is rotated with an audit, and during an overlap only without another", () => {
    const decided = (ring: Stored<"WebhookKeyRing"> | undefined, overlapSeconds: number) =>
      rotateKeys("new", overlapSeconds)({ ring }, contextOf())
    expect(decided(ringOf(keyOf(1)), day)).toMatchObject({
      status: 201,
      body: { keys: [{ ...first, number: 2 }, keyOf(1, { retiresAt: now + day * 1000 })] },
    })
    expect(changesOf(decided(ringOf(keyOf(1)), day)).updates).toMatchObject([{ id: platformId, version: 3 }])
    expect(auditsOf(decided(ringOf(keyOf(1)), day))).toMatchObject([
      { operation: "WEBHOOK_KEY_ROTATE", target: platformId, details: { overlapSeconds: day } },
    ])
    expect(ringsOf(decided(undefined, day))).toEqual([{ keys: [first] }])
    const retiring = ringOf(keyOf(3), keyOf(2, { retiresAt: now + 1000 }), keyOf(1, { retiresAt: now + 5000 }))
    expect(decided(retiring, 1)).toEqual({
      _tag: "Refuse",
      refusal: {
        code: "CONFLICT",
        message:
          "A rotation is in progress until 2026-03-02T08:00:05Z; with `overlapSeconds` 0 the previous keys retire at once.",
        details: { reason: "ROTATION_IN_PROGRESS", retiresAt: "2026-03-02T08:00:05Z" },
      },
      changes: {},
    })
    expect(decided(retiring, 0)).toMatchObject({ status: 201 })
    expect(decided(ringOf(keyOf(2), keyOf(1, { retiresAt: now })), 1)).toMatchObject({ status: 201 })
  })

  it("is replaced when no process has its root", () => {
    const decided = (ring: Stored<"WebhookKeyRing"> | undefined) =>
      replaceLostKeys("new", "lost")({ ring }, contextOf())
    const lost = ringOf(keyOf(1, { rootId: "lost" }))
    expect(ringsOf(decided(lost))).toEqual([
      { keys: [{ ...first, number: 2 }, keyOf(1, { rootId: "lost", retiresAt: now })] },
    ])
    expect(auditsOf(decided(lost))).toMatchObject([
      { operation: "WEBHOOK_KEY_ROTATE", target: platformId, details: { reason: "ROOT_LOST" } },
    ])
    expect(ringsOf(decided(undefined))).toEqual([{ keys: [first] }])
    const part = ringOf(keyOf(2), keyOf(1, { rootId: "lost" }))
    expect(decided(part)).toMatchObject({ status: 200, body: part.data, changes: {} })
    expect(changesOf(decided(part))).toEqual({})
    expect(ringsOf(decided(ringOf(keyOf(2, { rootId: "lost" }), keyOf(1, { retiresAt: now }))))).toHaveLength(1)
  })

  it("shows a secret with an audit", () => {
    expect(showSecret(keyOf(4))(undefined, contextOf())).toMatchObject({ status: 200, body: null })
    expect(auditsOf(showSecret(keyOf(4))(undefined, contextOf()))).toMatchObject([
      { operation: "WEBHOOK_SECRET_REVEAL", target: platformId, details: { number: 4 } },
    ])
  })
})
