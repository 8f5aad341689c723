/**
 * Conformance: an event is stored with the facts of its commit.
 * Source: ports/Store.ts (StoredEvent); wire contract 6.
 */

import assert from "node:assert/strict"
import { Placeholders, type Template } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet, replayRecord } from "./ChangeSets.ts"
import { account, alphaId, ann, id, newEvent, transfer } from "./Examples.ts"
import { commit, committed, conflicts, dies, event, replay, type Suite } from "./Suite.ts"

const eventId = id("Webhook", 1)
const data: Template = {
  body: { balance: { amount: 0 }, uses: 0 },
  placeholders: [
    { path: ["balance", "amount"], balances: ["a", "b"] },
    { path: ["uses"], counter: "k" },
  ],
}

export const events = ({ test }: Suite): void => {
  test("returns an event with its tenant, its time and the facts of its commit", () =>
    Effect.gen(function* () {
      const facts = yield* committed(
        changeSet({
          at: 7000,
          ledgerAccounts: [account("outside", { floor: null }), account("a"), account("b")],
          transfers: [transfer("outside", "a", 10)],
          observes: ["b"],
          counters: [{ key: "k", delta: 3 }],
          events: [newEvent(1, { data })],
        }),
      )
      const stored = yield* event(eventId)
      assert.deepStrictEqual(stored, {
        id: eventId,
        type: "TEST",
        platformId: alphaId,
        customerId: ann,
        subject: ann,
        data,
        createdAt: 7000,
        facts,
      })
      assert.deepStrictEqual(stored && Placeholders.fill(stored.data, stored.facts), {
        balance: { amount: 10 },
        uses: 3,
      })
    }))

  test("keeps the data of an event unchanged by later commits", () =>
    Effect.gen(function* () {
      yield* committed(
        changeSet({
          ledgerAccounts: [account("outside", { floor: null }), account("a"), account("b")],
          transfers: [transfer("outside", "a", 10)],
          events: [newEvent(1, { data })],
        }),
      )
      const before = yield* event(eventId)
      yield* committed(changeSet({ transfers: [transfer("outside", "a", 5)], counters: [{ key: "k", delta: 1 }] }))
      assert.deepStrictEqual(yield* event(eventId), before)
    }))

  test("fills the stored answer from the same facts as the event", () =>
    Effect.gen(function* () {
      const set = changeSet({
        counters: [{ key: "k", delta: 4 }],
        events: [newEvent(1, { data })],
        replay: replayRecord("key", { answer: data }),
      })
      yield* committed(set)
      const outcome = yield* commit(changeSet({ replay: replayRecord("key") }))
      assert.deepStrictEqual(outcome._tag === "Replayed" && outcome.stored.facts, (yield* event(eventId))?.facts)
      assert.deepStrictEqual(outcome._tag === "Replayed" && outcome.stored.facts.counters, { k: 4 })
    }))

  test("keeps the placeholders of events and responses when many sets commit at once", () =>
    Effect.gen(function* () {
      const numbers = Array.from({ length: 24 }, (_, index) => index + 1)
      yield* Effect.forEach(
        numbers,
        (number) =>
          committed(
            changeSet({
              counters: [{ key: "k", delta: 1 }],
              events: [newEvent(number, { data })],
              replay: replayRecord(`key ${number}`, { answer: data }),
            }),
          ),
        { concurrency: "unbounded" },
      )
      const uses: Array<number | undefined> = []
      for (const number of numbers) {
        const stored = yield* event(id("Webhook", number))
        assert.deepStrictEqual(stored?.data, data)
        const answer = yield* replay(`key ${number}`)
        assert.deepStrictEqual(answer?.answer, data)
        assert.deepStrictEqual(answer.facts, stored.facts)
        uses.push(stored.facts.counters["k"])
      }
      assert.deepStrictEqual(
        uses.toSorted((one, other) => (one ?? 0) - (other ?? 0)),
        numbers,
      )
    }))

  test("stores no facts for a body without placeholders", () =>
    Effect.gen(function* () {
      const set = changeSet({
        counters: [{ key: "k", delta: 4 }],
        events: [newEvent(1, { data: { body: { a: 1 }, placeholders: [] } })],
        replay: replayRecord("key", { answer: { body: { b: 2 }, placeholders: [] } }),
      })
      const facts = yield* committed(set)
      assert.deepStrictEqual(facts.counters, { k: 4 })
      const none = { balances: {}, counters: {} }
      assert.deepStrictEqual((yield* event(eventId))?.facts, none)
      assert.deepStrictEqual((yield* replay("key"))?.facts, none)
      assert.deepStrictEqual(yield* committed(set), none)
    }))

  test("rejects a second event with the same id", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ events: [newEvent(1)] }))
      yield* conflicts(changeSet({ events: [newEvent(1, { subject: "other" })] }))
      assert.strictEqual((yield* event(eventId))?.subject, ann)
      yield* dies(commit(changeSet({ events: [newEvent(2), newEvent(2)] })))
      assert.strictEqual(yield* event(id("Webhook", 2)), undefined)
    }))
}
