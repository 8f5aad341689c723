/**
 * Conformance: a change set that fails any check changes nothing.
 * Source: architecture, "A change set is the only way to write".
 */

import assert from "node:assert/strict"
import { amountMax } from "@countersign/core/models"
import { type ChangeSet, type Claim, type CommitOutcome, Store } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet, replayRecord } from "./ChangeSets.ts"
import { account, ann, bob, customer, customerUpdate, id, job, newEvent, transfer } from "./Examples.ts"
import {
  balance,
  claim,
  commit,
  committed,
  counter,
  event,
  history,
  jobs,
  list,
  meets,
  record,
  replay,
  type Suite,
} from "./Suite.ts"

const taken: Claim = { scope: "global", key: "taken" }
const free: Claim = { scope: "global", key: "free" }
const held: Claim = { scope: "global", key: "held" }
const of = (n: number) => ({ kind: "Customer", id: id("Customer", n) }) as const

const prepared = Effect.gen(function* () {
  yield* committed(
    changeSet({
      inserts: [customer(1), customer(2)],
      claims: [
        { ...taken, record: of(2) },
        { ...held, record: of(1) },
      ],
      ledgerAccounts: [account("outside", { floor: null }), account("a"), account("full")],
      transfers: [transfer("outside", "a", 100), transfer("outside", "full", amountMax - 200)],
      counters: [{ key: "k", delta: 5 }],
      events: [newEvent(1)],
      jobs: [job(1), job(2)],
    }),
  )
  yield* claim()
})

/** Returns a valid change set with every part; `parts` replaces some of them. */
const full = (parts: Partial<ChangeSet> = {}): ChangeSet =>
  changeSet({
    inserts: [customer(3)],
    updates: [customerUpdate(1, 1, { fullName: "Ann" })],
    guards: [{ ...of(2), version: 1 }],
    claims: [{ ...free, record: of(3) }],
    releases: [{ ...held, record: of(1) }],
    ledgerAccounts: [account("new")],
    transfers: [transfer("a", "new", 40)],
    assertions: [{ account: "a", sequence: 1 }],
    counters: [{ key: "k", delta: 1, max: 10 }],
    events: [newEvent(2)],
    jobs: [job(3)],
    finishes: [{ id: id("Job", 1), attempt: 1 }],
    returns: [{ id: id("Job", 2), attempt: 1, outcome: "retry", notBefore: 9000, error: "later", payload: "new" }],
    replay: replayRecord("key"),
    ...parts,
  })

/** Reads everything that the change sets of this section can write. */
const everything = Effect.gen(function* () {
  const store = yield* Store
  return {
    records: yield* Effect.forEach([1, 2, 3], (n) => record("Customer", id("Customer", n))),
    listed: yield* list("Customer", {}, { limit: 10, order: "asc" }),
    history: yield* history(of(1)),
    balances: yield* Effect.forEach(["outside", "a", "full", "new"], (name) => balance(name)),
    counter: yield* counter("k"),
    events: yield* Effect.forEach([1, 2], (n) => event(id("Webhook", n))),
    jobs: yield* jobs(),
    nextDue: yield* store.nextDue(-1),
    holders: yield* Effect.forEach([taken, free, held], (key) => store.resolve(key)),
    replay: yield* replay("key"),
  }
})

/** One row for each check of a commit: the check, the parts that fail it and the outcome. */
const failures: ReadonlyArray<readonly [string, Partial<ChangeSet>, CommitOutcome]> = [
  ["validity", { validUntil: 0 }, { _tag: "Conflict", on: "validUntil" }],
  ["insert", { inserts: [customer(3), customer(2)] }, { _tag: "Conflict", on: `Customer ${bob}` }],
  ["update", { updates: [customerUpdate(1, 7)] }, { _tag: "Conflict", on: `Customer ${ann}` }],
  ["guard", { guards: [{ ...of(2), version: 7 }] }, { _tag: "Conflict", on: `Customer ${bob}` }],
  ["finish", { finishes: [{ id: id("Job", 1), attempt: 7 }] }, { _tag: "Conflict", on: `job ${id("Job", 1)}` }],
  [
    "return",
    { returns: [{ id: id("Job", 9), attempt: 1, outcome: "parked", notBefore: 0, error: "" }] },
    { _tag: "Conflict", on: `job ${id("Job", 9)}` },
  ],
  ["release", { releases: [{ ...taken, record: of(1) }] }, { _tag: "Conflict", on: `Customer ${ann}` }],
  ["claim", { claims: [{ ...taken, record: of(3) }] }, { _tag: "Taken", claim: taken }],
  ["assertion", { assertions: [{ account: "a", sequence: 7 }] }, { _tag: "Conflict", on: "ledger account a" }],
  [
    "floor",
    { transfers: [transfer("a", "new", 101)] },
    { _tag: "BoundViolated", bound: { _tag: "Floor", account: "a" } },
  ],
  [
    "range",
    { transfers: [transfer("a", "new", 40), transfer("outside", "full", 201)] },
    { _tag: "BoundViolated", bound: { _tag: "Range", account: "outside" } },
  ],
  ["expected counter", { counters: [{ key: "k", delta: 1, expected: 7 }] }, { _tag: "Conflict", on: "counter k" }],
  [
    "maximum of a counter",
    {
      counters: [
        { key: "other", delta: 1 },
        { key: "k", delta: 6, max: 10 },
      ],
    },
    { _tag: "BoundViolated", bound: { _tag: "Counter", key: "k" } },
  ],
  ["event", { events: [newEvent(2), newEvent(1)] }, { _tag: "Conflict", on: `event ${id("Webhook", 1)}` }],
  ["job", { jobs: [job(3), job(2)] }, { _tag: "Conflict", on: `job ${id("Job", 2)}` }],
]

/** A counter below zero, and texts with U+0000 or half of a surrogate pair, which no store keeps. */
const invalidParts: ReadonlyArray<Partial<ChangeSet>> = [
  { counters: [{ key: "k", delta: -6 }] },
  { inserts: [customer(3, { fullName: "Cleo\u0000" })] },
  { updates: [customerUpdate(1, 1, { fullName: "\ud800" })] },
  { claims: [{ scope: "global", key: "\u0000", record: of(3) }] },
  { events: [{ ...newEvent(2), data: { body: { "\udc00": 1 }, placeholders: [] } }] },
  { jobs: [{ ...job(3), payload: ["\u0000"] }] },
  { returns: [{ id: id("Job", 2), attempt: 1, outcome: "retry", notBefore: 9000, error: "\u0000" }] },
  { returns: [{ id: id("Job", 2), attempt: 1, outcome: "retry", notBefore: 9000, error: "later", payload: "\ud800" }] },
  { replay: replayRecord("key", { answer: { body: "\u0000", placeholders: [] } }) },
]

export const atomicity = ({ moveTo, test }: Suite): void => {
  for (const [check, parts, outcome] of failures) {
    test(`a set that fails the ${check} check changes nothing, and commits once that part is corrected`, () =>
      Effect.gen(function* () {
        yield* prepared
        yield* moveTo(1)
        const before = yield* everything
        const set = full(parts)
        yield* meets(set, outcome)
        assert.deepStrictEqual(yield* everything, before)
        assert.strictEqual(yield* counter("other"), 0)
        const { operationId } = set
        yield* committed(full({ operationId }))
      }))
  }

  test("applies nothing of an invalid set", () =>
    Effect.gen(function* () {
      yield* prepared
      const before = yield* everything
      for (const parts of invalidParts) {
        assert.strictEqual((yield* Effect.exit(commit(full(parts))))._tag, "Failure")
        assert.deepStrictEqual(yield* everything, before)
      }
    }))

  test("applies every part of a committed set", () =>
    Effect.gen(function* () {
      yield* prepared
      yield* committed(full())
      const after = yield* everything
      assert.deepStrictEqual(
        after.records.map((stored) => stored?.version),
        [2, 1, 1],
      )
      assert.strictEqual(after.listed.totalCount, 3)
      assert.strictEqual(after.history.length, 2)
      assert.deepStrictEqual(
        after.balances.map((row) => row.balance),
        [100 - amountMax, 60, amountMax - 200, 40],
      )
      assert.strictEqual(after.counter, 6)
      assert.deepStrictEqual(
        after.events.map((stored) => stored?.id),
        [id("Webhook", 1), id("Webhook", 2)],
      )
      assert.deepStrictEqual(
        after.jobs.map(({ id, payload, state }) => [id, payload, state]),
        [
          [id("Job", 2), "new", "waiting"],
          [id("Job", 3), { n: 3 }, "waiting"],
        ],
      )
      assert.deepStrictEqual(
        after.holders.map((holder) => holder?.id),
        [bob, id("Customer", 3), undefined],
      )
      assert.strictEqual(after.replay?.status, 201)
    }))
}
