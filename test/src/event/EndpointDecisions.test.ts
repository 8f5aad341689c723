/**
 * What the decisions about webhook endpoints store: their circuits, their proofs, and being disabled and enabled.
 * Source: wire contract 6.2; D-332, D-333.
 */
import { describe, expect, it } from "vitest"
import {
  beginProbe,
  isNewsOfSuccess,
  recordFailure,
  recordSuccess,
} from "../../../packages/core/src/decision/event/CircuitDecision.ts"
import * as Endpoints from "../../../packages/core/src/decision/event/EndpointDecision.ts"
import {
  type Circuit,
  closedCircuit,
  failed,
  permitOf,
  probing,
  succeeded,
} from "../../../packages/core/src/model/event/Circuit.ts"
import {
  challenged,
  disabled,
  enabled,
  proven,
  unsetEndpoint,
  type WebhookEndpoint,
  withUrl,
} from "../../../packages/core/src/model/event/WebhookEndpoint.ts"
import { toWebhookEndpoint } from "../../../packages/core/src/model/event/WebhookEndpointResource.ts"
import { changesOf, contextOf, fence, now, owner, writtenTo } from "../card/StoredCards.ts"
import { active, loadedOf, minute, pending, url } from "./StoredEndpoints.ts"

const hour = 60 * minute
const platformId = owner.platformId
const open: Circuit = { state: "OPEN", failures: 5, openings: 1, until: now + 30_000 }
const halfOpen: Circuit = { ...open, state: "HALF_OPEN", until: now + 35_000 }

const endpointsOf = (decision: Parameters<typeof changesOf>[0]) => writtenTo(changesOf(decision), "WebhookEndpoint")
const auditsOf = (decision: Parameters<typeof changesOf>[0]) => writtenTo(changesOf(decision), "AuditRecord")

describe("the circuit of an endpoint", () => {
  it("opens after five failures in a row, and waits twice as long after each failed probe", () => {
    const failures = (count: number): Circuit =>
      Array.from({ length: count }).reduce<Circuit>((circuit) => failed(circuit, now), closedCircuit)
    expect(failures(4)).toEqual({ ...closedCircuit, failures: 4 })
    expect(failures(5)).toEqual(open)
    expect(failed(open, now)).toBe(open)
    const waits = [1, 2, 5, 6, 40].map((openings) => (failed({ ...halfOpen, openings }, now).until ?? 0) - now)
    expect(waits).toEqual([minute, 2 * minute, 15 * minute, 15 * minute, 15 * minute])
    expect(failed(halfOpen, now)).toEqual({ state: "OPEN", failures: 6, openings: 2, until: now + minute })
    expect([succeeded(open), succeeded(halfOpen), succeeded({ ...closedCircuit, failures: 4 })]).toEqual([
      closedCircuit,
      closedCircuit,
      closedCircuit,
    ])
    expect(probing(open, now)).toEqual(halfOpen)
    expect(probing(halfOpen, now + 1)).toEqual({ ...halfOpen, until: now + 35_001 })
  })

  it("permits a probe at its time, and lets others ask again while it runs", () => {
    expect(permitOf(closedCircuit, now)).toEqual({ _tag: "Send" })
    expect(permitOf(open, now + 29_999)).toEqual({ _tag: "Wait", notBefore: now + 30_000 })
    for (const [circuit, at] of [
      [open, now + 30_000],
      [halfOpen, now + 35_000],
      [{ ...open, until: undefined }, now],
    ] as const) {
      const { until, ...rest } = circuit
      expect(permitOf(until === undefined ? rest : { ...rest, until }, at)).toEqual({ _tag: "Probe" })
    }
    const asked = [0, 500, 4000, 20_000].map((elapsed) => permitOf(halfOpen, now + elapsed))
    expect(asked.map((permit) => ("notBefore" in permit ? permit.notBefore - now : permit._tag))).toEqual([
      1000, 1500, 8000, 35_000,
    ])
  })

  it("takes one probe, which an urgent event need not wait for", () => {
    const begun = (circuit: Circuit, isUrgent = false) =>
      beginProbe(now, isUrgent)(loadedOf({ ...active, circuit }), contextOf())
    expect(begun(open)).toMatchObject({ status: 200, body: { _tag: "Wait", notBefore: now + 30_000 } })
    expect(endpointsOf(begun(open))).toEqual([])
    expect(begun(open, true)).toMatchObject({ body: { _tag: "Probe" } })
    expect(endpointsOf(begun(open, true))).toEqual([{ ...active, circuit: halfOpen }])
    expect(begun(halfOpen, true)).toMatchObject({ body: { _tag: "Wait" } })
    expect(endpointsOf(begun({ ...open, until: now }))).toEqual([{ ...active, circuit: halfOpen }])
    expect(begun(closedCircuit, true)).toMatchObject({ body: { _tag: "Send" } })
    expect(beginProbe(now, true)(loadedOf(), contextOf())).toMatchObject({ body: { _tag: "Send" } })
  })

  it("counts a failure of its URL with its reason", () => {
    const counted = (data: WebhookEndpoint | undefined, at = url) =>
      recordFailure(at, "no answer", now, fence)(loadedOf(data), contextOf())
    expect(endpointsOf(counted(active))).toEqual([
      { ...active, circuit: { ...closedCircuit, failures: 1 }, lastFailure: { at: now, reason: "no answer" } },
    ])
    for (const decision of [
      counted(active),
      counted(active, "https://b.example/"),
      counted(undefined),
      counted({ ...active, circuit: open }),
    ])
      expect([decision._tag, changesOf(decision).finishes]).toEqual(["Answer", fence.finishes])
    for (const decision of [
      counted(active, "https://b.example/"),
      counted(undefined),
      counted({ ...active, circuit: open }),
    ])
      expect(endpointsOf(decision)).toEqual([])
  })

  it("is closed by a success of its URL, which is stored once a minute", () => {
    const healthy = { ...active, lastSuccessAt: now - minute + 1 }
    expect(isNewsOfSuccess(healthy, now)).toBe(false)
    for (const news of [
      active,
      { ...healthy, lastSuccessAt: now - minute },
      { ...healthy, circuit: { ...open, failures: 0 } },
      { ...healthy, circuit: { ...closedCircuit, failures: 1 } },
    ])
      expect(isNewsOfSuccess(news, now)).toBe(true)
    const stored = (data: WebhookEndpoint | undefined, at = url) =>
      recordSuccess(at, now, fence)(loadedOf(data), contextOf())
    expect(endpointsOf(stored({ ...healthy, circuit: halfOpen }))).toEqual([{ ...active, lastSuccessAt: now }])
    for (const decision of [stored(healthy), stored(undefined), stored(active, "https://b.example/")])
      expect(endpointsOf(decision)).toEqual([])
    for (const decision of [stored(active), stored(healthy), stored(undefined)])
      expect(changesOf(decision).finishes).toEqual(fence.finishes)
  })
})

describe("an endpoint", () => {
  const next = { ...active.proof, number: 3 }
  const proofJob = [{ kind: "webhook.prove", customerId: null, dueAt: now, payload: { number: 3 } }]

  it("of another URL is asked for its proof, or taken at its word", () => {
    const circuit = { ...active, circuit: open, lastSuccessAt: 5, lastFailure: { at: 5, reason: "r" } }
    const fresh = { url: "https://b.example/", circuit: closedCircuit }
    expect(withUrl(circuit, fresh.url, "PROOF")).toEqual({ ...fresh, state: "PENDING", proof: next })
    expect(withUrl(circuit, fresh.url, "WORD")).toEqual({ ...fresh, state: "ACTIVE", proof: next })
    expect(withUrl(disabled(circuit), fresh.url, "PROOF")).toEqual({ ...fresh, state: "DISABLED", proof: active.proof })
    expect(withUrl(circuit, undefined, "PROOF")).toEqual({ ...unsetEndpoint, proof: active.proof })
    expect(withUrl(unsetEndpoint, undefined, "PROOF")).toBe(unsetEndpoint)
    expect(enabled({ ...disabled(circuit), circuit: open }, "PROOF")).toEqual({
      ...circuit,
      state: "PENDING",
      circuit: closedCircuit,
      proof: next,
    })
    expect(proven(pending).state).toBe("ACTIVE")
  })

  it("changes with the URL of its platform", () => {
    const changed = (data: WebhookEndpoint | undefined, to: string | undefined, trust: "PROOF" | "WORD" = "PROOF") =>
      Endpoints.changeUrl(loadedOf(data), to, trust, contextOf())
    expect(changed(active, url)).toEqual({})
    expect(changed(undefined, undefined)).toEqual({})
    expect(changed(undefined, url).inserts).toMatchObject([
      { id: platformId, platformId, customerId: null, data: { url, state: "PENDING", proof: { number: 1 } } },
    ])
    expect(changed(active, "https://b.example/")).toMatchObject({ updates: [{ version: 3 }], jobs: proofJob })
    expect(changed(active, "https://b.example/", "WORD").jobs).toEqual([])
    expect(changed(active, undefined).jobs).toEqual([])
  })

  it("is disabled and enabled with an audit, once it is set", () => {
    const notSet = {
      refusal: {
        code: "WEBHOOK_ENDPOINT_NOT_SET",
        message: "No webhookEndpoint is configured; set one with PATCH /config.",
      },
    }
    const entry = { target: platformId, outcome: "DONE" }
    const off = (data?: WebhookEndpoint) => Endpoints.disableEndpoint(loadedOf(data), contextOf())
    const on = (data?: WebhookEndpoint, trust: "PROOF" | "WORD" = "PROOF") =>
      Endpoints.enableEndpoint(trust)(loadedOf(data), contextOf())
    expect([endpointsOf(off(active)), auditsOf(off(active))]).toMatchObject([
      [{ ...active, state: "DISABLED" }],
      [{ ...entry, operation: "WEBHOOK_ENDPOINT_DISABLE" }],
    ])
    expect(off(disabled(active))).toMatchObject({ status: 200, body: null, changes: {} })
    expect(changesOf(off(disabled(active)))).toEqual({})
    expect([endpointsOf(on(disabled(active))), auditsOf(on(active))]).toMatchObject([
      [{ ...pending, proof: next }],
      [{ ...entry, operation: "WEBHOOK_ENDPOINT_ENABLE" }],
    ])
    expect([changesOf(on(active)).jobs, changesOf(on(active, "WORD")).jobs]).toMatchObject([proofJob, []])
    for (const decision of [off(), off(unsetEndpoint), on(), on(unsetEndpoint)]) expect(decision).toMatchObject(notSet)
  })

  it("gets ten challenges an hour, each counted before it is sent", () => {
    const proof = { number: 2, windowStart: now - hour + 1, sent: 9 }
    expect(challenged({ ...pending, proof }, now)).toEqual({ ...pending, proof: { ...proof, sent: 10 } })
    expect(challenged({ ...pending, proof: { ...proof, sent: 10 } }, now)).toEqual({ notBefore: now + 1 })
    expect(challenged({ ...pending, proof: { ...proof, sent: 10 } }, now + 1)).toEqual({
      ...pending,
      proof: { number: 2, windowStart: now + 1, sent: 1 },
    })
    const permitted = (data: WebhookEndpoint | undefined, number = 2) =>
      Endpoints.countChallenge(number, now)(loadedOf(data), contextOf())
    expect(permitted(pending)).toMatchObject({ status: 200, body: { _tag: "Send", url } })
    expect(endpointsOf(permitted(pending))).toEqual([{ ...pending, proof: { ...pending.proof, sent: 4 } }])
    const full = { ...pending, proof: { ...proof, sent: 10 } }
    expect(permitted(full)).toMatchObject({ body: { _tag: "Wait", notBefore: now + 1 } })
    const { url: _, ...nowhere } = pending
    for (const decision of [permitted(pending, 1), permitted(active), permitted(undefined), permitted(nowhere)])
      expect(decision).toMatchObject({ body: { _tag: "Stale" } })
    for (const decision of [permitted(full), permitted(active)]) expect(endpointsOf(decision)).toEqual([])
  })

  it("is active once it has answered the proof that is asked for", () => {
    const answered = (data: WebhookEndpoint | undefined, number = 2) =>
      Endpoints.proveEndpoint(number, fence)(loadedOf(data), contextOf())
    expect([endpointsOf(answered(pending)), auditsOf(answered(pending))]).toMatchObject([
      [active],
      [{ operation: "WEBHOOK_ENDPOINT_PROVE" }],
    ])
    for (const decision of [answered(pending, 1), answered(active), answered(undefined)])
      expect([endpointsOf(decision), auditsOf(decision)]).toEqual([[], []])
    for (const decision of [answered(pending), answered(active)])
      expect(changesOf(decision).finishes).toEqual(fence.finishes)
  })

  it("shows what is known of it", () => {
    const shown = { url, state: "ACTIVE", circuit: "CLOSED", consecutiveFailures: 0, waitingEvents: 4 }
    expect(toWebhookEndpoint(active, 4)).toEqual(shown)
    const { url: _, ...unset } = { ...shown, state: "UNSET", waitingEvents: 0 }
    expect(toWebhookEndpoint(unsetEndpoint, 0)).toEqual(unset)
    const troubled = { ...active, circuit: open, lastSuccessAt: now, lastFailure: { at: now, reason: "no answer" } }
    expect(toWebhookEndpoint(troubled, 4)).toEqual({
      ...shown,
      circuit: "OPEN",
      consecutiveFailures: 5,
      nextAttemptAt: "2026-03-02T08:00:30Z",
      lastSuccessAt: "2026-03-02T08:00:00Z",
      lastFailure: { at: "2026-03-02T08:00:00Z", reason: "no answer" },
    })
    expect(toWebhookEndpoint({ ...troubled, circuit: halfOpen }, 4)).not.toHaveProperty("nextAttemptAt")
  })
})
