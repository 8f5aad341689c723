/**
 * Conformance: events are listed with their deliveries, and the attempts of an event are numbered, bounded and deleted with it.
 * Source: ports/Store.ts (events, delivery); ports/ChangeSet.ts (NewDeliveryAttempt); D-450.
 */

import assert from "node:assert/strict"
import {
  type DeliveryAttempt,
  deliveryAttemptsMax,
  type EventFilter,
  eventLane,
  eventRetentionMillis,
  type Page,
} from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet } from "./ChangeSets.ts"
import { agentOf, alphaId, ann, beta, betaId, bob, id, job, newEvent } from "./Examples.ts"
import { claim, commit, committed, delivery, dies, event, eventsPage, type Suite } from "./Suite.ts"

/** The fourth event is of the second customer. */
const eventId = (n: number) => id("Webhook", n, n === 4 ? bob : ann)

const attempt = (at: number, changes: Partial<DeliveryAttempt> = {}): DeliveryAttempt => ({
  at,
  timestamp: "1970-01-01T00:00:01Z",
  url: "https://example.com/hooks",
  isResend: false,
  latencyMillis: 12,
  status: 500,
  failure: "the endpoint answered 500",
  responseBody: 'é "busy"',
  headers: { "webhook-id": eventId(1), "webhook-signature": "v1,c2ln" },
  ...changes,
})

const attempted = (n: number, at: number) => changeSet({ attempts: [{ eventId: eventId(n), attempt: attempt(at) }] })

const numbersOf = (found: { readonly attempts: ReadonlyArray<{ readonly number: number }> } | undefined) =>
  found?.attempts.map(({ number }) => number)

const newest: Page.PageRequest = { limit: 10, order: "desc" }

const idsOf = (filter: EventFilter, page: Page.PageRequest = newest) =>
  Effect.map(eventsPage(filter, page), ({ data }) => data.map((found) => found.event.id))

/** Five events at 1000, 2000, …; the third is of another type, the fourth of another customer, the fifth of none. */
const fiveEvents = Effect.forEach(
  [
    newEvent(1),
    newEvent(2),
    newEvent(3, { type: "CUSTOMER.KYC_APPROVED" }),
    newEvent(4, { customerId: bob, subject: bob }),
  ],
  (one, index) => committed(changeSet({ at: 1000 * (index + 1), events: [one] })),
).pipe(
  Effect.andThen(committed(changeSet({ at: 5000, events: [newEvent(5, { customerId: null, subject: "platform" })] }))),
  Effect.andThen(committed(changeSet({ at: 6000, events: [newEvent(6, { customerId: null })] }), beta)),
)

export const deliveries = ({ moveTo, test }: Suite): void => {
  test("lists the events of a platform newest first, in pages, with their number", () =>
    Effect.gen(function* () {
      yield* fiveEvents
      const first = yield* eventsPage({}, { limit: 2, order: "desc" })
      assert.deepStrictEqual(
        first.data.map((found) => found.event.id),
        [eventId(5), eventId(4)],
      )
      assert.deepStrictEqual([first.hasMore, first.totalCount], [true, 5])
      const after = { createdAt: 4000, id: eventId(4) }
      const second = yield* eventsPage({}, { limit: 3, order: "desc", after })
      assert.deepStrictEqual(
        second.data.map((found) => found.event.id),
        [eventId(3), eventId(2), eventId(1)],
      )
      assert.deepStrictEqual([second.hasMore, second.totalCount], [false, 5])
      const oldest = { limit: 2, order: "asc", after: { createdAt: 1000, id: eventId(1) } } as const
      assert.deepStrictEqual(yield* idsOf({}, oldest), [eventId(2), eventId(3)])
    }))

  test("lists the events of a type, a record, a customer or a time", () =>
    Effect.gen(function* () {
      yield* fiveEvents
      assert.deepStrictEqual(yield* idsOf({ type: "CUSTOMER.KYC_APPROVED" }), [eventId(3)])
      assert.deepStrictEqual(yield* idsOf({ subject: bob }), [eventId(4)])
      assert.deepStrictEqual(yield* idsOf({ customerId: ann, type: "TEST" }), [eventId(2), eventId(1)])
      assert.deepStrictEqual(yield* idsOf({ from: 2000, to: 4000 }), [eventId(4), eventId(3), eventId(2)])
      // An event without a customer is the platform's own: no customer has the platform's id.
      for (const more of [{}, { type: "TEST" }, { subject: "platform" }] as const)
        assert.deepStrictEqual(yield* idsOf({ customerId: alphaId, ...more }), [])
      assert.deepStrictEqual(yield* eventsPage({ subject: "other" }, newest), {
        data: [],
        hasMore: false,
        totalCount: 0,
      })
    }))

  test("shows no event of another tenant, and no attempt", () =>
    Effect.gen(function* () {
      yield* fiveEvents
      yield* committed(attempted(6, 1))
      yield* committed(attempted(4, 1), agentOf(ann))
      const others = yield* eventsPage({}, newest, beta)
      assert.deepStrictEqual(
        others.data.map((found) => [found.event.id, found.event.platformId, found.attempts]),
        [[eventId(6), betaId, []]],
      )
      assert.strictEqual(yield* delivery(eventId(6)), undefined)
      assert.strictEqual(yield* delivery(eventId(4), agentOf(ann)), undefined)
      assert.deepStrictEqual((yield* delivery(eventId(4)))?.attempts, [])
      const own = yield* eventsPage({}, newest, agentOf(bob))
      assert.deepStrictEqual(
        own.data.map((found) => found.event.id),
        [eventId(4)],
      )
    }))

  test("returns an event as it was stored, with its attempts in order", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ at: 7000, counters: [{ key: "k", delta: 3 }], events: [newEvent(1)] }))
      const accepted = attempt(20, { isResend: true, status: 200 })
      const { failure: _failure, responseBody: _body, ...acknowledged } = accepted
      yield* committed(attempted(1, 10))
      yield* committed(changeSet({ attempts: [{ eventId: eventId(1), attempt: acknowledged }] }))
      assert.deepStrictEqual(yield* delivery(eventId(1)), {
        event: yield* event(eventId(1)),
        attempts: [
          { ...attempt(10), number: 1 },
          { ...acknowledged, number: 2 },
        ],
      })
      const [listed] = (yield* eventsPage({}, newest)).data
      assert.deepStrictEqual(listed, {
        event: yield* event(eventId(1)),
        attempts: [{ ...acknowledged, number: 2 }],
      })
    }))

  test("shows the unfinished job that delivers an event, and not another one of its lane", () =>
    Effect.gen(function* () {
      const lane = eventLane(ann)
      const deliver = (n: number) => job(n, { queue: "webhook", lane, payload: { eventId: eventId(n) } })
      const other = job(3, { queue: "webhook", lane, payload: { resend: { eventId: eventId(1) } } })
      yield* committed(changeSet({ events: [newEvent(1), newEvent(2)], jobs: [other, deliver(1), deliver(2)] }))
      const stateOf = Effect.fnUntraced(function* (n: number) {
        const found = (yield* delivery(eventId(n)))?.job
        return [found?.id, found?.state, found?.attempt, found?.error]
      })
      assert.deepStrictEqual(yield* stateOf(1), [id("Job", 1), "waiting", 0, undefined])
      yield* claim({ queue: "webhook", wallNow: 0 })
      yield* committed(changeSet({ finishes: [{ id: id("Job", 3), attempt: 1 }] }))
      yield* claim({ queue: "webhook", wallNow: 0 })
      assert.deepStrictEqual(yield* stateOf(1), [id("Job", 1), "running", 1, undefined])
      assert.strictEqual((yield* delivery(eventId(1)))?.job?.firstClaimedAt, 0)
      const fence = { id: id("Job", 1), attempt: 1 }
      yield* committed(changeSet({ returns: [{ ...fence, outcome: "retry", notBefore: 60_000, error: "busy" }] }))
      assert.deepStrictEqual(yield* stateOf(1), [id("Job", 1), "waiting", 1, "busy"])
      assert.strictEqual((yield* delivery(eventId(1)))?.job?.notBefore, 60_000)
      yield* claim({ queue: "webhook", wallNow: 60_001 })
      const again = { id: id("Job", 1), attempt: 2 }
      yield* committed(changeSet({ returns: [{ ...again, outcome: "parked", notBefore: 0, error: "spent" }] }))
      assert.deepStrictEqual(yield* stateOf(1), [id("Job", 1), "parked", 2, "spent"])
      assert.deepStrictEqual(yield* stateOf(2), [id("Job", 2), "waiting", 0, undefined])
    }))

  test("keeps the latest attempts of an event, whose numbers go on", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ events: [newEvent(1), newEvent(2)] }))
      const all = Array.from({ length: deliveryAttemptsMax + 3 }, (_, index) => index + 1)
      for (const at of all) yield* committed(attempted(1, at))
      yield* committed(attempted(2, 1))
      const found = yield* delivery(eventId(1))
      assert.deepStrictEqual(numbersOf(found), all.slice(3))
      assert.deepStrictEqual(
        found?.attempts.map(({ at }) => at),
        all.slice(3),
      )
      assert.deepStrictEqual(numbersOf(yield* delivery(eventId(2))), [1])
    }))

  test("numbers attempts that are committed at once", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ events: [newEvent(1), newEvent(2)] }))
      const sets = Array.from({ length: 12 }, (_, index) => attempted((index % 2) + 1, index))
      yield* Effect.forEach(sets, (set) => committed(set), { concurrency: "unbounded" })
      for (const n of [1, 2]) assert.deepStrictEqual(numbersOf(yield* delivery(eventId(n))), [1, 2, 3, 4, 5, 6])
    }))

  test("writes no attempt with a set that is not committed, and rejects two of one event in a set", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ events: [newEvent(1)] }))
      const set = attempted(1, 1)
      assert.strictEqual((yield* commit({ ...set, finishes: [{ id: id("Job", 9), attempt: 1 }] }))._tag, "Conflict")
      yield* dies(commit({ ...set, attempts: [...set.attempts, ...set.attempts] }))
      assert.deepStrictEqual((yield* delivery(eventId(1)))?.attempts, [])
    }))

  test("adds an attempt once if its set is sent again", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ events: [newEvent(1)] }))
      const set = attempted(1, 1)
      yield* committed(set)
      yield* committed(set)
      assert.deepStrictEqual(numbersOf(yield* delivery(eventId(1))), [1])
    }))

  test("ignores an attempt of an event that does not exist any more", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ at: 0, events: [newEvent(1)] }))
      yield* committed(attempted(1, 1))
      yield* moveTo(eventRetentionMillis + 1)
      for (let round = 0; round < 60 && (yield* event(eventId(1))) !== undefined; round++) {
        const sets = Array.from({ length: 50 }, () => changeSet({ counters: [{ key: "sweep", delta: 1 }] }))
        yield* Effect.forEach(sets, (set) => committed(set), { concurrency: "unbounded", discard: true })
      }
      yield* committed(attempted(1, 2))
      assert.deepStrictEqual(yield* eventsPage({}, newest), { data: [], hasMore: false, totalCount: 0 })
      // The attempts ended with the event: one of the same id begins anew.
      yield* committed(changeSet({ at: eventRetentionMillis + 2, events: [newEvent(1)] }))
      assert.deepStrictEqual((yield* delivery(eventId(1)))?.attempts, [])
    }))
}
