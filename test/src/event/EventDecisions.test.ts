/**
 * What events show of their deliveries, how the result of a delivery is judged and recorded, and how an event is sent again.
 * Source: wire contract 6.1, 6.2 and 11 (37, 38); D-450 to D-452.
 */
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { recordAttempt } from "../../../packages/core/src/decision/event/AttemptDecision.ts"
import { decideDelivery, failureOf } from "../../../packages/core/src/decision/event/DeliveryDecision.ts"
import { decideResend, decideSend } from "../../../packages/core/src/decision/event/EventResendDecision.ts"
import { toEvent, toEventDetail } from "../../../packages/core/src/decision/event/EventView.ts"
import { newEvent } from "../../../packages/core/src/decision/event/NewEvent.ts"
import { auditTest, testDeliveryOf } from "../../../packages/core/src/decision/event/WebhookTestDecision.ts"
import { DeliveryAttempt } from "../../../packages/core/src/model/event/DeliveryAttempt.ts"
import { disabled, type WebhookEndpoint } from "../../../packages/core/src/model/event/WebhookEndpoint.ts"
import type { DeliveredEvent } from "../../../packages/core/src/store/Store.ts"
import { changesOf, contextOf, now, owner, writtenTo } from "../card/StoredCards.ts"
import { active, loadedOf, pending, url } from "./StoredEndpoints.ts"

const platformId = owner.platformId

const auditsOf = (decision: Parameters<typeof changesOf>[0]) => writtenTo(changesOf(decision), "AuditRecord")

const answered = (status: number, body = "") => ({ _tag: "Answered", status, body }) as const
const unreachable = { _tag: "Unreachable", reason: "no connection" } as const

describe("the result of a delivery", () => {
  it("is an acknowledgement by a 2xx or 409, and otherwise a failure", () => {
    expect([200, 204, 299, 409].map((status) => failureOf(answered(status)))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect([199, 300, 408, 410, 500].map((status) => failureOf(answered(status)))).toEqual(
      [199, 300, 408, 410, 500].map((status) => `the endpoint answered ${status}`),
    )
    expect(failureOf(unreachable)).toBe("no connection")
    expect(decideDelivery("TEST", answered(200))).toEqual({ _tag: "Acknowledged" })
    expect(decideDelivery("TEST", unreachable)).toEqual({ _tag: "Abandoned", reason: "no connection" })
    expect(decideDelivery("CARD.STATE_CHANGE", answered(500))).toEqual({
      _tag: "Retry",
      reason: "the endpoint answered 500",
    })
  })

  it("is recorded with what was sent", () => {
    const sent = { eventId: "Webhook:1", at: 1, timestamp: "t", url, headers: { a: "b" }, latencyMillis: 2 }
    const { eventId: _, ...common } = sent
    const recorded = (result: Parameters<typeof failureOf>[0], isResend = false) =>
      recordAttempt({ ...sent, result }, { isResend, showsAnswers: true }).attempts
    expect(recorded(answered(200))).toEqual([
      { eventId: "Webhook:1", attempt: { ...common, isResend: false, status: 200 } },
    ])
    expect(recorded(answered(500, "oops"), true)).toEqual([
      {
        eventId: "Webhook:1",
        attempt: { ...common, isResend: true, status: 500, failure: "the endpoint answered 500", responseBody: "oops" },
      },
    ])
    expect(recorded(unreachable)).toEqual([
      { eventId: "Webhook:1", attempt: { ...common, isResend: false, failure: "no connection" } },
    ])
  })

  it("has its members in a stored attempt", () => {
    const stored = { at: 1, timestamp: "t", url, isResend: false, latencyMillis: 2, headers: {} }
    expect(Schema.is(DeliveryAttempt)(stored)).toBe(true)
    for (const name of Object.keys(stored))
      expect(Schema.is(DeliveryAttempt)({ ...stored, [name]: undefined })).toBe(false)
    for (const name of ["status", "failure", "responseBody"])
      expect(Schema.is(DeliveryAttempt)({ ...stored, [name]: {} })).toBe(false)
  })

  it("of a test is audited, and answered without the body", () => {
    const audited = (result: Parameters<typeof failureOf>[0]) => auditsOf(auditTest(result)(undefined, contextOf()))
    const entry = { operation: "SANDBOX_WEBHOOK_TEST", target: platformId }
    expect(audited(answered(500))).toMatchObject([{ ...entry, outcome: "DONE", details: { status: 500 } }])
    expect(audited(unreachable)).toMatchObject([{ ...entry, outcome: "FAILED", details: {} }])
    expect(testDeliveryOf(url, answered(500, "oops"))).toEqual({ url, response_status: 500, response_body: "" })
    expect(testDeliveryOf(url, unreachable)).toEqual({
      code: "WEBHOOK_DELIVERY_ERROR",
      message: "The webhook endpoint gave no answer.",
      details: { reason: "no connection" },
    })
  })
})

describe("an event", () => {
  const event: DeliveredEvent["event"] = {
    id: "Webhook:1",
    type: "CARD.STATE_CHANGE",
    customerId: "Customer:1",
    subject: "Card:1",
    data: { body: {}, placeholders: [] },
    platformId,
    createdAt: now,
    facts: { balances: {}, counters: {} },
  }
  const attempt = { number: 1, at: now, timestamp: "t", url, isResend: false, latencyMillis: 2, headers: {} }

  it("is delivered by a job in the lane of its record", () => {
    const made = (type: "TEST" | "CARD.STATE_CHANGE", job?: "payment.question") => {
      const data = { body: {}, placeholders: [] }
      const { events, jobs } = newEvent(contextOf().ids, now, {
        type,
        customerId: "Customer:1",
        subject: "Card:1",
        data,
        ...(job === undefined ? {} : { job }),
      })
      expect(events).toEqual([{ id: "Webhook:new1", type, customerId: "Customer:1", subject: "Card:1", data }])
      expect(jobs).toMatchObject([
        {
          id: "Job:new2",
          customerId: "Customer:1",
          dueAt: now,
          lane: "event:Card:1",
          payload: { eventId: "Webhook:new1" },
        },
      ])
      return jobs?.map(({ kind }) => kind)
    }
    expect([made("CARD.STATE_CHANGE"), made("TEST"), made("CARD.STATE_CHANGE", "payment.question")]).toEqual([
      ["webhook.deliver"],
      ["webhook.test"],
      ["payment.question"],
    ])
  })

  it("shows its delivery, with the last attempt or all of them", () => {
    const shown = {
      id: "Webhook:1",
      type: "CARD.STATE_CHANGE",
      customerId: "Customer:1",
      subject: "Card:1",
      createdAt: "2026-03-02T08:00:00Z",
    }
    const { timestamp: _, ...sent } = { ...attempt, at: "2026-03-02T08:00:00Z", isAcknowledged: true }
    expect(toEvent({ event, attempts: [] })).toEqual({ ...shown, delivery: "DONE" })
    expect(toEvent({ event: { ...event, customerId: null }, attempts: [] })).not.toHaveProperty("customerId")
    const failedSent = { ...sent, number: 2, isAcknowledged: false, reason: "no connection" }
    const attempts = [attempt, { ...attempt, number: 2, failure: "no connection" }]
    expect(toEvent({ event, attempts })).toEqual({ ...shown, delivery: "DONE", lastAttempt: failedSent })
    expect(toEventDetail({ event, attempts }, "body")).toEqual({
      ...shown,
      delivery: "DONE",
      body: "body",
      attempts: [sent, failedSent],
    })
  })

  it("that waits, runs or is parked says so, and why", () => {
    const job = {
      id: "Job:1",
      state: "waiting",
      attempt: 1,
      notBefore: now + 1000,
      firstClaimedAt: 1,
      error: "no connection",
    } as const
    const stateOf = (more: Partial<NonNullable<DeliveredEvent["job"]>>) => {
      const { delivery, nextAttemptAt, reason } = toEvent({ event, attempts: [], job: { ...job, ...more } })
      return [delivery, nextAttemptAt, reason]
    }
    expect(stateOf({})).toEqual(["WAITING", "2026-03-02T08:00:01Z", "no connection"])
    expect(stateOf({ notBefore: 0 })).toEqual(["WAITING", undefined, "no connection"])
    expect(stateOf({ state: "running" })).toEqual(["RUNNING", undefined, undefined])
    expect(stateOf({ state: "parked" })).toEqual(["PARKED", undefined, "no connection"])
  })

  it("is sent again to the active endpoint, or to an address", () => {
    const resent = (data?: WebhookEndpoint, found: typeof event | undefined = event) =>
      decideResend({ ...loadedOf(data), event: found }, contextOf())
    expect(resent(active)).toMatchObject({ status: 202, body: { eventId: "Webhook:1", url } })
    expect(changesOf(resent(active)).jobs).toMatchObject([
      {
        kind: "webhook.resend",
        customerId: "Customer:1",
        dueAt: now,
        lane: "event:Card:1",
        payload: { resend: { eventId: "Webhook:1" } },
      },
    ])
    expect(auditsOf(resent(active))).toMatchObject([
      { operation: "EVENT_RESEND", target: "Webhook:1", details: { type: "CARD.STATE_CHANGE" } },
    ])
    const { url: _, ...nowhere } = active
    for (const data of [undefined, pending, disabled(active), nowhere])
      expect(resent(data)).toMatchObject({ refusal: { code: "WEBHOOK_ENDPOINT_NOT_SET" } })
    const sentTo = (refusal?: { readonly reason: string }) =>
      decideSend(url)({ ...loadedOf(), event, refusal }, contextOf())
    expect(sentTo()).toMatchObject({ status: 202, body: { eventId: "Webhook:1", url } })
    expect(changesOf(sentTo()).jobs).toMatchObject([{ payload: { resend: { eventId: "Webhook:1", url } } }])
    expect(auditsOf(sentTo())).toMatchObject([
      { operation: "SANDBOX_EVENT_SEND", details: { type: "CARD.STATE_CHANGE" } },
    ])
    const errors = [{ field: "url", message: "private", constraint: { format: "uri" } }]
    expect(sentTo({ reason: "private" })).toMatchObject({ refusal: { code: "INVALID_INPUT", details: { errors } } })
    const unknown = { ...loadedOf(active), event: undefined }
    for (const decision of [
      decideResend(unknown, contextOf()),
      decideSend(url)({ ...unknown, refusal: { reason: "private" } }, contextOf()),
    ])
      expect(decision).toMatchObject({ refusal: { code: "REFERENCE_NOT_FOUND" } })
  })
})
