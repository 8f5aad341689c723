/**
 * Under load: many sets with the same idempotency keys. One of each key is applied, and the others have its answer.
 * Source: D-518; ports/ChangeSet.ts (ReplayRecord).
 */
import type { CommitOutcome, Template } from "@countersign/core/store"
import { Effect } from "effect"
import { auditState } from "../audit/Audit.ts"
import { changeSet, replayRecord } from "../ChangeSets.ts"
import { alpha, beta, newEvent } from "../Examples.ts"
import { equal, never } from "../Law.ts"
import { commit } from "../Suite.ts"
import * as Generator from "./Generator.ts"

const batches = 3
const setsOfBatch = 24
const keysMax = 5

const answerOf = (n: number): Template => ({
  body: { n, uses: null },
  placeholders: [{ path: ["uses"], counter: "applied" }],
})

export const repeatedKeys = Effect.fnUntraced(function* (seed: number) {
  const { below, many, pick } = Generator.make(seed)
  const winners = new Map<string, Extract<CommitOutcome, { readonly _tag: "Replayed" }>["stored"]>()
  for (let batch = 0; batch < batches; batch++) {
    const asked = many(setsOfBatch, (index) => {
      const n = 100 * (batch + 1) + index
      const caller = pick([alpha, beta])
      const replay = replayRecord(`key ${below(keysMax * (batch + 1))}`, {
        answer: answerOf(n),
        status: 200 + below(5),
      })
      const set = changeSet({
        counters: [{ key: "applied", delta: 1 }],
        events: [newEvent(n, { customerId: null })],
        replay,
      })
      return { caller, set, replay, key: `${caller.platformId} ${replay.key}` }
    })
    const outcomes = yield* Effect.forEach(asked, ({ caller, set }) => commit(set, caller), {
      concurrency: "unbounded",
    })
    for (const [index, { key, replay }] of asked.entries()) {
      const outcome = outcomes[index]
      if (outcome?._tag !== "Committed") continue
      never("of the sets with one idempotency key one is applied", winners.has(key) ? [key] : [])
      const { answer, fingerprint, status } = replay
      winners.set(key, { fingerprint, status, answer, facts: outcome.facts })
    }
    for (const [index, { key }] of asked.entries()) {
      const outcome = outcomes[index]
      if (outcome?._tag === "Committed") continue
      const law = "a replayed set has the answer and the facts of the set that was applied"
      equal(law, outcome, { _tag: "Replayed", stored: winners.get(key) })
    }
    yield* auditState
  }
})
