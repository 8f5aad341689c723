/**
 * Conformance: a key has one answer, a change set is applied once, and an expired decision is not applied.
 * Source: architecture, "Load, ask, decide, commit"; ports/ChangeSet.ts (ReplayRecord, validUntil).
 */
import assert from "node:assert/strict"
import { Effect } from "effect"
import { changeSet, replayRecord } from "./ChangeSets.ts"
import { account, ann, beta, bob, customer, customerUpdate, id, job, transfer } from "./Examples.ts"
import { balance, commit, committed, conflicts, counter, jobs, record, replay, type Suite, tally } from "./Suite.ts"

export const idempotency = ({ moveTo, test }: Suite): void => {
  test("applies one of 20 concurrent commits with the same key and returns its answer to the others", () =>
    Effect.gen(function* () {
      const placeholders = [{ path: ["applied"], counter: "applied" }]
      const answerOf = (winner: number) => ({ body: { winner, applied: null }, placeholders })
      const sets = Array.from({ length: 20 }, (_, n) =>
        changeSet({
          inserts: [customer(n + 1)],
          counters: [{ key: "applied", delta: 1 }],
          replay: replayRecord("key", { answer: answerOf(n) }),
        }),
      )
      const outcomes = yield* Effect.forEach(sets, (set) => commit(set), { concurrency: "unbounded" })
      assert.deepStrictEqual(tally(outcomes), { Committed: 1, Replayed: 19 })
      const winner = outcomes.findIndex(({ _tag }) => _tag === "Committed")
      const expected = {
        fingerprint: "fingerprint",
        status: 201,
        answer: answerOf(winner),
        facts: { balances: {}, counters: { applied: 1 } },
      }
      for (const outcome of outcomes) if (outcome._tag === "Replayed") assert.deepStrictEqual(outcome.stored, expected)
      assert.deepStrictEqual(yield* replay("key"), expected)
      assert.strictEqual(yield* counter("applied"), 1)
      const records = yield* Effect.forEach(sets, (_, n) => record("Customer", id("Customer", n + 1)))
      assert.strictEqual(records.filter((stored) => stored !== undefined).length, 1)
    }))

  test("returns the stored answer for a key with another body: the caller compares fingerprints", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ replay: replayRecord("key") }))
      const outcome = yield* commit(changeSet({ replay: replayRecord("key", { fingerprint: "other", status: 200 }) }))
      assert.strictEqual(outcome._tag === "Replayed" && outcome.stored.fingerprint, "fingerprint")
    }))

  test("returns the stored answer of a key before it checks anything else", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ inserts: [customer(1)], replay: replayRecord("key") }))
      yield* moveTo(5000)
      const set = changeSet({ validUntil: 1, inserts: [customer(1)], replay: replayRecord("key") })
      assert.strictEqual((yield* commit(set))._tag, "Replayed")
    }))

  test("stores a key until it expires, and then frees it", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ replay: replayRecord("key", { expiresAt: 10_000 }) }))
      yield* moveTo(9999)
      assert.notStrictEqual(yield* replay("key"), undefined)
      assert.strictEqual((yield* commit(changeSet({ replay: replayRecord("key") })))._tag, "Replayed")
      yield* moveTo(10_000)
      assert.strictEqual(yield* replay("key"), undefined)
      yield* committed(changeSet({ replay: replayRecord("key", { status: 202 }) }))
      assert.strictEqual((yield* replay("key"))?.status, 202)
    }))

  test("keeps the keys of platforms separate", () =>
    Effect.gen(function* () {
      yield* committed(changeSet({ replay: replayRecord("key") }))
      assert.strictEqual(yield* replay("key", beta), undefined)
      yield* committed(changeSet({ replay: replayRecord("key", { status: 200 }) }), beta)
      assert.strictEqual((yield* replay("key"))?.status, 201)
    }))

  const answer = { body: { uses: null }, placeholders: [{ path: ["uses"], counter: "k" }] }
  for (const [name, parts] of [
    ["without a key", {}],
    ["with a key whose answer has placeholders", { replay: replayRecord("key", { answer }) }],
  ] as const) {
    test(`applies a repeated change set once and returns the same facts after later commits, ${name}`, () =>
      Effect.gen(function* () {
        yield* committed(
          changeSet({
            inserts: [customer(1)],
            ledgerAccounts: [account("outside", { floor: null }), account("a")],
          }),
        )
        const set = changeSet({
          inserts: [customer(2)],
          updates: [customerUpdate(1, 1, { fullName: "Ann" })],
          claims: [{ scope: "global", key: "k", record: { kind: "Customer", id: bob } }],
          transfers: [transfer("outside", "a", 10)],
          assertions: [{ account: "a", sequence: 0 }],
          counters: [{ key: "k", delta: 1, expected: 0, max: 1 }],
          jobs: [job(1)],
          ...parts,
        })
        const facts = yield* committed(set)
        yield* committed(changeSet({ transfers: [transfer("outside", "a", 5)], counters: [{ key: "k", delta: 7 }] }))
        assert.deepStrictEqual(yield* committed(set), facts)
        assert.deepStrictEqual(facts.balances["a"], { balance: 10, sequence: 1 })
        assert.strictEqual((yield* balance("a")).balance, 15)
        assert.strictEqual(yield* counter("k"), 8)
        assert.strictEqual((yield* record("Customer", ann))?.version, 2)
        assert.strictEqual((yield* jobs()).length, 1)
      }))
  }

  test("applies one change set once when many send it concurrently", () =>
    Effect.gen(function* () {
      const set = changeSet({ counters: [{ key: "k", delta: 1 }] })
      const outcomes = yield* Effect.forEach(Array.from({ length: 10 }), () => commit(set), {
        concurrency: "unbounded",
      })
      assert.deepStrictEqual(tally(outcomes), { Committed: 10 })
      for (const outcome of outcomes) {
        assert.deepStrictEqual(outcome, { _tag: "Committed", facts: { balances: {}, counters: { k: 1 } } })
      }
      assert.strictEqual(yield* counter("k"), 1)
    }))

  test("stores nothing of an operation that was not committed, so that it can decide again", () =>
    Effect.gen(function* () {
      const set = changeSet({ updates: [customerUpdate(1, 1)], replay: replayRecord("key") })
      yield* conflicts(set)
      assert.strictEqual(yield* replay("key"), undefined)
      yield* committed({ ...set, updates: [], inserts: [customer(1)] })
      assert.notStrictEqual(yield* replay("key"), undefined)
    }))

  test("commits a decision before `validUntil` and reports a conflict from then on", () =>
    Effect.gen(function* () {
      const add = (validUntil: number) => changeSet({ validUntil, counters: [{ key: "k", delta: 1 }] })
      yield* moveTo(4999)
      yield* committed(add(5000))
      yield* moveTo(5000)
      yield* conflicts(add(5000))
      yield* committed(add(5001))
      assert.strictEqual(yield* counter("k"), 2)
    }))
}
