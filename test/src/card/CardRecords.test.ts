/**
 * What a card shows, when it expires, who sees its number, and what its closing by the service tells the issuer.
 * Spec: Card; wire contract 3.2, 3.4 and 11 (22); D-178.
 */
import { describe, expect, it } from "vitest"
import { stateChangeEffects } from "../../../packages/core/src/decision/card/CardChanges.ts"
import { decideReveal } from "../../../packages/core/src/decision/card/CardRevealDecision.ts"
import { closedByService, isExpired } from "../../../packages/core/src/model/card/Card.ts"
import { toCard } from "../../../packages/core/src/model/card/CardResource.ts"
import { cardOf, changesOf, contextOf, effects, one, writtenTo } from "./StoredCards.ts"

const stateChange = "CARD.STATE_CHANGE"
const lane = "card:Card:1"
const nothing = { events: [], postings: [], jobs: [] }
const stateJob = ["card.state", 0, lane, { cardId: "Card:1" }]

describe("a card", () => {
  it("that the service closes tells its issuer, although it was never made", () => {
    const before = cardOf({ state: "PROCESSING" }).data
    const closed = closedByService(before)
    expect(closed).toEqual({ ...before, state: "CLOSED", stateReason: "CLOSED_BY_SERVICE" })
    expect(closedByService(cardOf({ state: "CLOSED" }).data)).toBeUndefined()
    if (closed === undefined) throw new Error("the card is open")
    expect(effects(stateChangeEffects(contextOf(), before, { ...cardOf(), data: closed }))).toEqual({
      ...nothing,
      events: [stateChange],
      jobs: [stateJob],
    })
  })

  it("expires with the end of its month", () => {
    const [end, expiry] = [Date.UTC(2030, 5, 1), { expMonth: 5, expYear: 2030 }]
    expect([
      isExpired(expiry, end - 1),
      isExpired(expiry, end),
      isExpired({ expMonth: 5 }, end),
      isExpired({ expYear: 2000 }, end),
    ]).toEqual([false, true, false, false])
  })

  it("shows only what it has", () => {
    const shown = {
      id: "Card:1",
      cardholderId: "Customer:1",
      platformCardId: "own",
      state: "ACTIVE",
      form: "VIRTUAL",
      fundingSources: [one.id],
      maxSpendPerTransaction: null,
      currency: "USD",
      createdAt: "2026-03-02T07:59:55Z",
      updatedAt: "2026-03-02T07:59:56Z",
    }
    expect(toCard(cardOf())).toEqual(shown)
    const more = {
      stateReason: "ISSUER_REJECTED",
      brand: "VISA",
      last4: "1234",
      expMonth: 5,
      expYear: 2030,
      processorRef: "p",
      issuerRef: "i",
    } as const
    expect(toCard(cardOf(more))).toEqual({ ...shown, ...more })
  })

  it("is revealed to a caller with a token, with an audit", () => {
    const { caller } = contextOf()
    if (caller._tag !== "Platform") throw new Error("a tenant is a platform")
    const revealed = (tokenId: string | null, card = cardOf()) =>
      decideReveal({ card }, contextOf({ caller: { ...caller, tokenId } }))
    expect(revealed("ApiToken:1")).toMatchObject({ status: 200, body: cardOf() })
    expect(writtenTo(changesOf(revealed("ApiToken:1")), "AuditRecord")).toMatchObject([
      { operation: "CARD_REVEAL", target: "Card:1" },
    ])
    expect(changesOf(revealed("ApiToken:1")).guards).toEqual([{ kind: "Card", id: "Card:1", version: 3 }])
    expect(revealed(null)).toMatchObject({
      refusal: { code: "FORBIDDEN", details: { reason: "CALLER_NOT_ATTRIBUTED" } },
    })
    expect(revealed("ApiToken:1", cardOf({ state: "CLOSED" }))).toMatchObject({ refusal: { code: "CARD_NOT_MUTABLE" } })
  })
})
