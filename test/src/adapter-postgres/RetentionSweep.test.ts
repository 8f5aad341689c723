/**
 * Expired receipts are deleted between commits, so that their tables stay bounded.
 * Source: architecture, "Load, ask, decide, commit" (idempotency record); RetentionSweep.ts; docs/scale.md.
 */

import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { afterAll } from "vitest"
import { changeSet, replayRecord } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { committed, counter } from "../../../packages/test/src/conformance/Suite.ts"
import { eventually } from "../e2e/Deadline.ts"
import * as TestDatabase from "./TestDatabase.ts"

const database = TestDatabase.create(4)
afterAll(async () => (await database).close())

const Postgres = TestDatabase.emptyStore(async () => (await database).connection)
const day = 24 * 60 * 60 * 1000
/** The number of commits between two sweeps of a process. */
const turn = 500

const remembered = async () => {
  const { pool } = await database
  const { rows } = await pool.query<{ readonly operations: number; readonly answers: number }>(
    `select (select count(*)::int from countersign.operation) as operations, (select count(*)::int from countersign.replay) as answers`,
  )
  return rows[0]
}

/** Reads the tables after the sweep that follows the last commit. */
const becomes = (operations: number, answers: number) =>
  Effect.promise(() =>
    eventually(`${operations} operations and ${answers} answers`, remembered, (found) => {
      return found?.operations === operations && found.answers === answers
    }),
  )

const counting = (name: string, keyExpires?: number) =>
  changeSet({
    operationId: name,
    counters: [{ key: "applied", delta: 1 }],
    ...(keyExpires === undefined ? {} : { replay: replayRecord(name, { expiresAt: keyExpires }) }),
  })

const many = (name: string, keyExpires?: number) =>
  Effect.forEach(Array.from({ length: turn }), (_, n) => committed(counting(`${name} ${n}`, keyExpires)), {
    concurrency: 64,
  })

it.effect("stored responses are deleted after they expire and operations after 8 days, not earlier", () =>
  Effect.gen(function* () {
    yield* many("keyed", day)
    yield* becomes(0, turn)
    yield* TestClock.setTime(day - 1)
    yield* many("before")
    yield* becomes(turn, turn)
    yield* TestClock.setTime(day)
    yield* many("after")
    yield* becomes(2 * turn, 0)
    yield* TestClock.setTime(9 * day - 2)
    yield* committed(counting("before 0"))
    assert.strictEqual(yield* counter("applied"), 3 * turn)
    yield* TestClock.setTime(9 * day - 1)
    yield* many("late")
    yield* becomes(2 * turn, 0)
    yield* committed(counting("before 0"))
    assert.strictEqual(yield* counter("applied"), 4 * turn + 1)
  }).pipe(Effect.provide(Postgres)),
)
