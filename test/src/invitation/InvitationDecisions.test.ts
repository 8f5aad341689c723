/**
 * What the creation, the claim, the cancellation and the end of an invitation write.
 * Source: wire contract areas 1.4; D-405, D-406.
 */
import { describe, expect, it } from "vitest"
import {
  cancelInvitation,
  claimByResponse,
  claimInvitation,
  createInvitation,
  expireInvitation,
  type InvitationCreation,
  type InvitationCreationAnswers,
  type InvitationCreationLoaded,
  invitationCurrency,
} from "../../../packages/core/src/decision/invitation/InvitationDecision.ts"
import { hash } from "../../../packages/core/src/foundation/crypto/Secrets.ts"
import type { Invitation } from "../../../packages/core/src/model/invitation/Invitation.ts"
import { type Caller, tenant } from "../../../packages/core/src/store/Caller.ts"
import type { Stored } from "../../../packages/core/src/store/ChangeSet.ts"
import { contextOf, now, owner } from "../card/StoredCards.ts"
import { partsOf, partsWritten } from "../operation/WrittenParts.ts"
import { creation, customerOf } from "../quote/CreationFacts.ts"

const iso = (millis: number) => new Date(millis).toISOString().replace(".000Z", "Z")
const inviterUma = "$ada@example.com"
const inviteeUma = "$bob@other.example"
const code = "c0de"
const digest = hash(code)
const minute = 60_000
const invited: Invitation = { status: "PENDING", codeHash: digest, urlBase: "https://pay.example", inviterUma }
const invitationOf = (data: Partial<Invitation> = {}): Stored<"Invitation"> => ({
  ...owner,
  kind: "Invitation",
  id: "UmaInvitation:1",
  version: 4,
  createdAt: now - minute,
  updatedAt: now - minute,
  data: { ...invited, ...data },
})
const shown = {
  code,
  createdAt: iso(now - minute),
  url: "https://pay.example/i/c0de",
  inviterUma,
}
const token: Caller = { ...tenant(owner.platformId), tokenId: "ApiToken:1" }
const other: Caller = { ...tenant("PlatformConfig:2"), tokenId: "ApiToken:2" }
const auditOf = (
  operation: string,
  id: string,
  target: string,
  actor: object = { type: "PLATFORM", id: "ApiToken:1" },
) => ({
  ...owner,
  kind: "AuditRecord",
  id,
  data: { actor, operation, target, outcome: "DONE", requestId: "Request:1", details: { codeDigest: digest } },
})

describe("a new invitation", () => {
  const loaded = { platform: creation.platform, customer: customerOf(), response: undefined }
  const created = (
    request: Partial<InvitationCreation["request"]> = {},
    more: Partial<InvitationCreationLoaded & InvitationCreationAnswers> = {},
    baseUrl: string | undefined = "https://pay.example",
  ) =>
    createInvitation({ code, baseUrl, request: { inviterUma, ...request } })(
      { ...loaded, ...more },
      contextOf({ caller: token }),
    )

  it("stores the digest of its code, guards the inviter and never expires by itself", () => {
    const decision = created()
    const id = "Invitation:new1"
    expect(decision).toMatchObject({
      status: 201,
      body: { code, createdAt: iso(now), url: "https://pay.example/i/c0de", inviterUma, status: "PENDING" },
    })
    expect(partsWritten(decision)).toMatchObject({
      inserts: [
        { ...owner, kind: "Invitation", id, data: invited },
        auditOf("INVITATION_CREATE", "AuditRecord:new2", id),
      ],
      guards: [{ kind: "Customer", id: "Customer:1", version: 1 }],
    })
    expect(Object.keys(partsWritten(decision)).sort()).toEqual([
      "claims",
      "counters",
      "guards",
      "inserts",
      "transitions",
    ])
    expect(decision.changes?.inserts?.[0]?.data).toEqual(invited)
    expect(decision.changes?.claims).toEqual([
      { scope: "global", key: `invitation:${digest}`, record: { kind: "Invitation", id } },
    ])
  })

  it("stores what the request names, its base without the slashes at its end, and plans its end", () => {
    const decision = created(
      { firstName: "Bob", amountToSend: 500, expiresAt: now + 1 },
      {},
      "https://pay.example/base//",
    )
    expect(decision.changes?.inserts?.[0]?.data).toEqual({
      ...invited,
      urlBase: "https://pay.example/base",
      firstName: "Bob",
      amountToSend: { amount: 500, currency: "USD" },
      expiresAt: now + 1,
    })
    expect(decision).toMatchObject({
      body: { url: "https://pay.example/base/i/c0de", firstName: "Bob", amountToSend: { amount: 500 } },
    })
    expect(decision.changes?.jobs).toEqual([
      {
        id: "Job:new2",
        queue: "work",
        kind: "invitation.end",
        customerId: "Customer:1",
        dueAt: now + 1,
        lane: "invitation.end:Invitation:new1",
        payload: { invitationId: "Invitation:new1" },
      },
    ])
  })

  it("is claimed by a job after the time of a response that claims", () => {
    const decision = created({}, { response: { _tag: "Claims", afterMillis: 700, inviteeUma } })
    expect(decision.changes?.inserts?.[0]?.data).toEqual(invited)
    expect(decision.changes?.jobs).toEqual([
      {
        id: "Job:new2",
        queue: "work",
        kind: "invitation.claim",
        customerId: "Customer:1",
        dueAt: now + 700,
        lane: "invitation.claim:Invitation:new1",
        payload: { invitationId: "Invitation:new1", code, inviteeUma },
      },
    ])
  })

  it("ends after the time of a response that expires, whatever expiry was requested", () => {
    for (const request of [{}, { expiresAt: now + minute }]) {
      const decision = created(request, { response: { _tag: "Expires", afterMillis: 700 } })
      expect(decision.changes?.inserts?.[0]?.data).toEqual({ ...invited, ...request, endsAt: now + 700 })
      expect(decision.changes?.jobs).toMatchObject([{ kind: "invitation.end", dueAt: now + 700 }])
    }
  })

  it("has both jobs where it expires and a response claims", () => {
    const decision = created({ expiresAt: now + 5 }, { response: { _tag: "Claims", afterMillis: 3, inviteeUma } })
    expect(decision.changes?.jobs?.map(({ dueAt, kind }) => [kind, dueAt - now])).toEqual([
      ["invitation.end", 5],
      ["invitation.claim", 3],
    ])
  })

  const { platform } = creation
  const withoutCurrency = {
    customer: { ...customerOf(), data: { ...customerOf().data, currencies: [] } },
    platform: { ...platform, data: { ...platform.data, supportedCurrencies: [] } },
  }

  it("announces an amount in the first currency of the customer, otherwise of the platform", () => {
    const [supported] = platform.data.supportedCurrencies
    const euros = supported === undefined ? [] : [{ ...supported, currencyCode: "EUR" as const }, supported]
    const inEuros = { ...platform, data: { ...platform.data, supportedCurrencies: euros } }
    const two = { ...customerOf(), data: { ...customerOf().data, currencies: ["GBP", "USD"] as const } }
    expect(invitationCurrency({ customer: two, platform: inEuros })).toBe("GBP")
    expect(invitationCurrency({ customer: withoutCurrency.customer, platform: inEuros })).toBe("EUR")
    expect(invitationCurrency({ customer: undefined, platform: inEuros })).toBe("EUR")
    expect(invitationCurrency(withoutCurrency)).toBeUndefined()
    expect(created({}, withoutCurrency)).toMatchObject({ status: 201 })
  })

  it.each<[string, ReturnType<typeof created>, object]>([
    ["of an address that is not valid", created({ inviterUma: "ada" }), { code: "INVALID_UMA_ADDRESS" }],
    [
      "that expires now",
      created({ expiresAt: now }),
      { code: "INVALID_INPUT", details: { errors: [{ field: "expiresAt" }] } },
    ],
    ["of an unknown customer", created({}, { customer: undefined }), { details: { reason: "INVITER_UNKNOWN" } }],
    ["of an amount in no currency", created({ amountToSend: 1 }, withoutCurrency), { code: "INVALID_INPUT" }],
  ])("%s is refused, and writes nothing", (_, decision, refusal) => {
    expect(decision).toMatchObject({ _tag: "Refuse", refusal })
    expect(decision.changes).toEqual({})
  })

  it("is refused by a deployment without a base address", () => {
    const request = { inviterUma }
    const decision = createInvitation({ code, baseUrl: undefined, request })(loaded, contextOf())
    expect(decision).toMatchObject({ refusal: { code: "INVITATIONS_NOT_CONFIGURED" }, changes: {} })
  })
})

const claimedAs = { ...shown, claimedAt: iso(now), inviteeUma, status: "CLAIMED" }
const delivery = {
  queue: "webhook",
  kind: "webhook.deliver",
  customerId: "Customer:1",
  dueAt: now,
  payload: { eventId: "Webhook:new1" },
}
const eventOf = (data: object) => ({
  id: "Webhook:new1",
  type: "INVITATION.CLAIMED",
  customerId: "Customer:1",
  subject: "UmaInvitation:1",
  data: { body: data, placeholders: [] },
})
const update = (data: Partial<Invitation>, stored: Partial<Invitation> = {}) => ({
  kind: "Invitation",
  id: "UmaInvitation:1",
  version: 4,
  data: { ...invited, ...stored, ...data },
})

describe("the claim of an invitation", () => {
  const claimed = (
    data: Partial<Invitation> = {},
    { claimant = token, isInviteeKnown = true, uma = inviteeUma, requestId = "Request:1" } = {},
  ) =>
    claimInvitation({ claimant, code, inviteeUma: uma })(
      { invitation: invitationOf(data), isInviteeKnown },
      contextOf({ caller: claimant, requestId }),
    )

  it("stores who claimed it and when, and emits the event with the invitee", () => {
    const decision = claimed()
    expect(decision).toMatchObject({ _tag: "Answer", status: 200, body: claimedAs })
    expect(partsWritten(decision)).toMatchObject({
      inserts: [auditOf("INVITATION_CLAIM", "AuditRecord:new3", "UmaInvitation:1")],
      updates: [update({ status: "CLAIMED", inviteeUma, claimedAt: now })],
      events: [eventOf(claimedAs)],
      jobs: [delivery],
    })
    expect(Object.hasOwn(decision.changes ?? {}, "validUntil")).toBe(false)
  })

  it("is audited without the token of another platform", () => {
    const decision = claimed({}, { claimant: other })
    expect(decision.changes?.inserts).toEqual([
      auditOf("INVITATION_CLAIM", "AuditRecord:new3", "UmaInvitation:1", { type: "PLATFORM" }),
    ])
    expect(decision).toMatchObject({ status: 200, body: claimedAs })
  })

  it("is valid until the invitation ends, the earlier end of the deployment included", () => {
    const expiresAt = now + minute
    expect(claimed({ expiresAt }).changes?.validUntil).toBe(expiresAt)
    expect(claimed({ expiresAt, endsAt: now + 1 }).changes?.validUntil).toBe(now + 1)
  })

  it.each<[string, ReturnType<typeof claimed>, object]>([
    ["at its end", claimed({ expiresAt: now }), { details: { reason: "INVITATION_EXPIRED" } }],
    ["at the end of the deployment", claimed({ endsAt: now }), { details: { reason: "INVITATION_EXPIRED" } }],
    ["after its cancellation", claimed({ status: "CANCELLED" }), { code: "INVITATION_CANCELLED" }],
    [
      "by its owner after a claim",
      claimed({ status: "CLAIMED", inviteeUma }),
      { code: "INVITATION_ALREADY_CLAIMED", details: { status: "CLAIMED", inviteeUma } },
    ],
    ["of the inviter", claimed({}, { uma: inviterUma }), { details: { reason: "SELF_INVITATION" } }],
    ["of an unknown person", claimed({}, { isInviteeKnown: false }), { details: { reason: "INVITEE_UNKNOWN" } }],
  ])("%s is refused", (_, decision, refusal) => {
    expect(decision).toMatchObject({ _tag: "Refuse", refusal, changes: {} })
    expect(decision.changes).toEqual({})
  })

  it("does not show another platform who has claimed it", () => {
    expect(claimed({ status: "CLAIMED", inviteeUma }, { claimant: other })).toEqual({
      _tag: "Refuse",
      changes: {},
      refusal: {
        code: "INVITATION_ALREADY_CLAIMED",
        message: "The invitation has been claimed already.",
        details: { status: "CLAIMED" },
      },
    })
  })
})

describe("the cancellation of an invitation", () => {
  const cancelled = (data: Partial<Invitation> = {}, caller = token) =>
    cancelInvitation(code, caller)({ invitation: invitationOf(data) }, contextOf({ caller }))

  it("stores the new state and is audited", () => {
    const decision = cancelled({ expiresAt: now + 1 })
    expect(decision).toMatchObject({
      status: 200,
      body: { ...shown, expiresAt: iso(now + 1), status: "CANCELLED" },
    })
    expect(partsWritten(decision)).toMatchObject({
      inserts: [auditOf("INVITATION_CANCEL", "AuditRecord:new1", "UmaInvitation:1")],
      updates: [update({ status: "CANCELLED" }, { expiresAt: now + 1 })],
      transitions: [{}],
    })
    expect(decision.changes?.events).toEqual([])
  })

  it("is refused to another platform, and after its end", () => {
    const refused = [cancelled({}, other), cancelled({ expiresAt: now }), cancelled({ status: "CLAIMED" })]
    expect(refused.map((decision) => [decision._tag === "Refuse" && decision.refusal.code, decision.changes])).toEqual([
      ["FORBIDDEN", {}],
      ["INVALID_INPUT", {}],
      ["INVITATION_ALREADY_CLAIMED", {}],
    ])
  })
})

describe("the end of an invitation by its job", () => {
  it("is stored from its time on, and only while it is pending", () => {
    expect(expireInvitation(invitationOf({ expiresAt: now }), now)?.updates).toEqual([
      update({ status: "EXPIRED" }, { expiresAt: now }),
    ])
    for (const data of [{}, { expiresAt: now + 1 }, { status: "CLAIMED" as const, expiresAt: now }])
      expect(expireInvitation(invitationOf(data), now)).toBeUndefined()
  })

  it("is a claim where the response claims, audited as the caller's", () => {
    const context = contextOf()
    const changes = partsOf(claimByResponse(invitationOf({ expiresAt: now + 1 }), { code, inviteeUma }, context))
    expect(changes).toMatchObject({
      updates: [update({ status: "CLAIMED", inviteeUma, claimedAt: now }, { expiresAt: now + 1 })],
      events: [eventOf({ ...claimedAs, expiresAt: iso(now + 1) })],
      jobs: [delivery],
      validUntil: now + 1,
    })
    expect(changes.inserts).toEqual([
      auditOf("INVITATION_CLAIM", "AuditRecord:new3", "UmaInvitation:1", { type: "SERVICE" }),
    ])
    for (const data of [{ expiresAt: now }, { status: "CANCELLED" as const }, { status: "CLAIMED" as const }])
      expect(claimByResponse(invitationOf(data), { code, inviteeUma }, contextOf())).toBeUndefined()
  })
})
