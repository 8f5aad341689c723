/**
 * What the issue, the provisioning and the update of a card write, and the life of a delegated key.
 * Spec: 4.4, States: Card; wire contract 3.1 to 3.4, 4.11 and 7.5; D-170, D-177, D-181, D-260, D-261.
 */
import { describe, expect, it } from "vitest"
import {
  decideIssue,
  fundingSourceFacts,
  type NamedSource,
} from "../../../packages/core/src/decision/card/CardIssueDecision.ts"
import {
  decideNotifyLater,
  decideProvisioning,
  decideProvisionLater,
  laterDueAt,
  type Provisioned,
} from "../../../packages/core/src/decision/card/CardProvisioningDecision.ts"
import {
  type CardUpdateAsked,
  type CardUpdateLoaded,
  decideUpdate,
} from "../../../packages/core/src/decision/card/CardUpdateDecision.ts"
import type { CardUpdateRequest } from "../../../packages/core/src/model/card/CardResource.ts"
import { internalOf } from "../quote/CreationFacts.ts"
import { requestOf, sessionOf, signed } from "../wallet/StoredCredentials.ts"
import {
  cardholder,
  cardOf,
  changesOf,
  contextOf,
  effects,
  fence,
  nothing,
  now,
  one,
  owner,
  two,
  writtenTo,
} from "./StoredCards.ts"

const stateChange = "CARD.STATE_CHANGE"
const lane = "card:Card:1"
const stateJob = ["card.state", 0, lane, { cardId: "Card:1" }]
const named = (account: NamedSource["account"], accountId = account?.id ?? "unknown"): NamedSource => ({
  account,
  accountId,
})
const sealedPassword = { encappedPublic: "e", ciphertext: "c" }

describe("a new card", () => {
  const order = {
    cardholderId: "Customer:1",
    cardId: "Card:1",
    form: "VIRTUAL",
    hasPassword: false,
    fundingSources: [one.id, two.id],
  } as const
  const settings = { eligibleCurrencies: ["USD"], takesPassword: false } as const
  const facts = {
    cardholder,
    sources: [named(one), named(two)],
    admittedAccountIds: [one.id, two.id],
    sealedPassword: undefined,
  }
  const issued = (
    more: Partial<typeof order & { platformCardId: string; maxSpendPerTransaction: number }> = {},
    loaded: Partial<Parameters<ReturnType<typeof decideIssue>>[0]> = {},
  ) => decideIssue({ ...order, ...more }, settings)({ ...facts, ...loaded }, contextOf())

  it("is made by a job, with its own id where the request names none", () => {
    const changes = changesOf(issued())
    expect(writtenTo(changes, "Card")).toEqual([
      {
        platformCardId: "Card:1",
        form: "VIRTUAL",
        state: "PROCESSING",
        fundingSources: [
          { id: "CardFundingSource:new1", accountId: one.id },
          { id: "CardFundingSource:new2", accountId: two.id },
        ],
        maxSpendPerTransaction: null,
        currency: "USD",
      },
    ])
    expect(effects(changes)).toEqual({ ...nothing, jobs: [["card.provision", 0, lane, { cardId: "Card:1" }]] })
    expect(changes.guards?.map(({ id }) => id)).toEqual([cardholder.id, one.id, two.id])
    expect(issued()).toMatchObject({
      status: 201,
      body: { id: "Card:1", cardholderId: "Customer:1", state: "PROCESSING" },
    })
    expect(changes.inserts).toMatchObject([owner])
    expect(writtenTo(changesOf(issued({ platformCardId: "own", maxSpendPerTransaction: 5 })), "Card")).toMatchObject([
      { platformCardId: "own", maxSpendPerTransaction: 5 },
    ])
  })

  it("takes the sealed password to the issuer alone", () => {
    const changes = changesOf(issued({}, { sealedPassword }))
    expect(effects(changes).jobs).toMatchObject([["card.provision", 0, lane, { cardId: "Card:1", sealedPassword }]])
    expect(JSON.stringify(changes.inserts)).not.toContain("ciphertext")
  })

  it("is refused for a deleted cardholder and a taken id", () => {
    const deleted = { ...cardholder, data: { ...cardholder.data, isDeleted: true } }
    for (const gone of [deleted, undefined])
      expect(issued({}, { cardholder: gone })).toMatchObject({ refusal: { code: "USER_NOT_FOUND" } })
    const claim = { scope: "platform", key: "card:Card:1" } as const
    const taken = (key: string) =>
      decideIssue(order, settings)(facts, contextOf({ rejections: [{ _tag: "Taken", claim: { ...claim, key } }] }))
    const real = changesOf(issued()).claims?.[0]?.key ?? ""
    expect(taken(real)).toMatchObject({ refusal: { code: "CONFLICT" } })
    expect(taken("other")).toMatchObject({ status: 201 })
  })

  it("has only sources of its cardholder that the issuer admits", () => {
    const ofPlatform = internalOf(null, {}, "InternalAccount:3")
    expect(
      fundingSourceFacts(
        [named(one), named(ofPlatform), named(undefined)],
        { admittedAccountIds: [one.id] },
        "Customer:1",
      ),
    ).toEqual([
      { accountId: one.id, account: one.data, isOwnedByCardholder: true, isAdmitted: true },
      { accountId: ofPlatform.id, account: ofPlatform.data, isOwnedByCardholder: false, isAdmitted: false },
      { accountId: "unknown", account: undefined, isOwnedByCardholder: false, isAdmitted: false },
    ])
    expect(
      fundingSourceFacts([named(one), named(ofPlatform)], { admittedAccountIds: [] }, null).map(
        ({ isOwnedByCardholder }) => isOwnedByCardholder,
      ),
    ).toEqual([false, false])
    expect(fundingSourceFacts([named(one)], { admittedAccountIds: [] }, "Customer:2")).toMatchObject([
      { isOwnedByCardholder: false },
    ])
  })
})

describe("the issuer's answer", () => {
  const made: Provisioned = {
    _tag: "Done",
    brand: "VISA",
    last4: "1234",
    expMonth: 5,
    expYear: 2030,
    processorRef: "p",
    issuerRef: "i",
  }
  const stored = (outcome: Provisioned, card = cardOf({ state: "PROCESSING" })) =>
    changesOf(decideProvisioning(outcome, fence)({ card }, contextOf()))

  it("activates or closes a card, once, without a notice to the issuer", () => {
    const { _tag, ...provisioned } = made
    expect(writtenTo(stored(made), "Card")).toEqual([{ ...cardOf().data, ...provisioned }])
    expect(effects(stored(made))).toEqual({ ...nothing, events: [stateChange] })
    const refused: Provisioned = { _tag: "Refused" }
    expect(writtenTo(stored(refused), "Card")).toEqual([
      { ...cardOf().data, state: "CLOSED", stateReason: "ISSUER_REJECTED" },
    ])
    expect(effects(stored(refused))).toEqual({ ...nothing, events: [stateChange] })
    for (const outcome of [made, refused]) {
      expect(stored(outcome).finishes).toEqual(fence.finishes)
      expect(writtenTo(stored(outcome, cardOf()), "Card")).toEqual([])
      expect(stored(outcome, cardOf()).finishes).toEqual(fence.finishes)
    }
    expect(decideProvisioning(made)({ card: cardOf() }, contextOf())).toMatchObject({ status: 200, body: null })
  })

  it("is asked for again in a second at the earliest", () => {
    const postponed = { card: cardOf(), at: now, fence }
    const later = changesOf(decideProvisionLater(postponed, sealedPassword)(undefined, contextOf()))
    expect(effects(later).jobs).toEqual([["card.provision", 1000, lane, { cardId: "Card:1", sealedPassword }]])
    const notified = changesOf(decideNotifyLater({ ...postponed, at: now + 9000 })(undefined, contextOf()))
    expect(effects(notified).jobs).toEqual([["card.state", 9000, lane, { cardId: "Card:1" }]])
    expect([later.finishes, notified.finishes]).toEqual([fence.finishes, fence.finishes])
    expect([laterDueAt(now + 999, now), laterDueAt(now + 1001, now)]).toEqual([now + 1000, now + 1001])
  })
})

describe("an update of a card", () => {
  const facts: CardUpdateLoaded & CardUpdateAsked = {
    card: cardOf(),
    sources: [],
    dependents: undefined,
    signing: undefined,
    admittedAccountIds: [one.id, two.id],
  }
  const updated = (request: CardUpdateRequest, more: Partial<typeof facts> = {}) =>
    decideUpdate(request, ["USD"])({ ...facts, ...more }, contextOf())
  const cards = (...of: Parameters<typeof updated>) => writtenTo(changesOf(updated(...of)), "Card")

  it.each<readonly [string, CardUpdateRequest, Parameters<typeof cardOf>[0], object, unknown]>([
    [
      "freezes it",
      { state: "FROZEN" },
      {},
      { state: "FROZEN" },
      { ...nothing, events: [stateChange], jobs: [stateJob] },
    ],
    [
      "unfreezes it",
      { state: "ACTIVE" },
      { state: "FROZEN" },
      { state: "ACTIVE" },
      { ...nothing, events: [stateChange], jobs: [stateJob] },
    ],
    [
      "closes it",
      { state: "CLOSED" },
      {},
      { state: "CLOSED", stateReason: "CLOSED_BY_PLATFORM" },
      { ...nothing, events: [stateChange], jobs: [stateJob] },
    ],
    ["limits it", { maxSpendPerTransaction: 5 }, {}, { maxSpendPerTransaction: 5 }, nothing],
    [
      "limits it no more",
      { maxSpendPerTransaction: null },
      { maxSpendPerTransaction: 5 },
      { maxSpendPerTransaction: null },
      nothing,
    ],
  ])("%s", (_, request, before, after, changes) => {
    const card = cardOf(before)
    expect(cards(request, { card })).toEqual([{ ...card.data, ...after }])
    expect(effects(changesOf(updated(request, { card })))).toEqual(changes)
    expect(updated(request, { card })).toMatchObject({
      status: 200,
      body: { ...after, updatedAt: "2026-03-02T08:00:00Z" },
    })
  })

  it("replaces its sources, and keeps the binding of one that it has", () => {
    const request = { fundingSources: [two.id, one.id] }
    const sources = [named(two), named(one)]
    const bound = [
      { id: "CardFundingSource:new1", accountId: two.id },
      { id: "CardFundingSource:1", accountId: one.id },
    ]
    expect(cards(request, { sources })).toEqual([{ ...cardOf().data, fundingSources: bound }])
    expect(effects(changesOf(updated(request, { sources })))).toEqual({
      ...nothing,
      events: ["CARD.FUNDING_SOURCE_CHANGE"],
    })
    expect(changesOf(updated(request, { sources })).guards?.map(({ id }) => id)).toEqual([two.id, one.id])
    const both = { ...request, state: "FROZEN" } as const
    expect(effects(changesOf(updated(both, { sources }))).events).toEqual(["CARD.FUNDING_SOURCE_CHANGE", stateChange])
  })

  it("without a signature asserts that no credential was added", () => {
    const request = { fundingSources: [one.id] }
    const asserted = (more: Partial<typeof facts>) =>
      (changesOf(updated(request, { sources: [named(one)], ...more })).counters ?? []).map(({ expected }) => expected)
    expect(asserted({ dependents: 4 })).toEqual([4])
    expect(asserted({})).toEqual([])
  })

  it("that changes nothing writes nothing", () => {
    for (const request of [{ fundingSources: [one.id] }, { maxSpendPerTransaction: null }] as const) {
      expect(cards(request, { sources: "fundingSources" in request ? [named(one)] : [] })).toEqual([])
      expect(updated(request, { sources: "fundingSources" in request ? [named(one)] : [] })).toMatchObject({
        status: 200,
        body: { updatedAt: "2026-03-02T07:59:56Z" },
      })
    }
  })

  it("is refused by its rules, and needs a signature where one was asked for", () => {
    expect(updated({ state: "FROZEN" }, { card: cardOf({ state: "CLOSED" }) })).toMatchObject({
      refusal: { code: "CARD_NOT_MUTABLE" },
    })
    const operation = {
      operation: "PATCH /cards/{id}",
      target: cardOf(),
      headers: {},
      allowedSigner: signed.allowedSigner,
      payload: { _tag: "Text", text: "t" },
    } as const
    const signing = { operation, bodyMark: "m", signature: signed, request: undefined }
    expect(updated({ fundingSources: [one.id] }, { sources: [named(one)], signing, dependents: 4 })).toMatchObject({
      status: 202,
    })
    const retry = {
      ...signing,
      operation: { ...operation, headers: { requestId: "Request:1", signature: "s" } },
      request: requestOf({ operation: "PATCH /cards/{id}", target: "Card:1", bodyMark: "m" }),
    }
    const admitted = { ...retry, signature: { ...signed, sessions: [sessionOf()] } }
    const decision = updated({ fundingSources: [one.id] }, { sources: [named(one)], signing: admitted, dependents: 4 })
    expect([
      decision._tag,
      (changesOf(decision).counters ?? []).filter(({ expected }) => expected !== undefined),
    ]).toEqual(["Answer", []])
  })
})
