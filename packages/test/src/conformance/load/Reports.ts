/**
 * Under load: each commit is reported to those who watch its platform.
 * Source: D-518; ports/Store.ts (watch).
 */
import { type ChangeTopic, changeTopics, Store, topicsOf } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet } from "../ChangeSets.ts"
import { agent, alpha, beta, betaId, job, newEvent, ownerOf } from "../Examples.ts"
import { equal } from "../Law.ts"
import { committed } from "../Suite.ts"
import * as Generator from "./Generator.ts"

const commits = 24

export const reports = Effect.fnUntraced(function* (seed: number) {
  const { isOneIn, pick } = Generator.make(seed)
  const seen = new Map<string, Set<ChangeTopic>>()
  const { watch } = yield* Store
  for (const { platformId } of [alpha, beta]) {
    yield* watch(platformId, (topics) => {
      seen.set(platformId, new Set([...(seen.get(platformId) ?? []), ...topics]))
    })
  }
  for (let n = 1; n <= commits; n++) {
    const caller = pick([alpha, beta])
    const owner = caller === beta ? ownerOf(null, betaId) : ownerOf()
    const { customerId } = owner
    seen.clear()
    const set = changeSet({
      inserts: [agent(n, owner)],
      events: isOneIn(2) ? [newEvent(n, { customerId })] : [],
      jobs: isOneIn(2) ? [job(n, { customerId })] : [],
    })
    yield* committed(set, caller)
    const topics = topicsOf(set)
    const reported = seen.get(caller.platformId) ?? new Set()
    equal(
      "each commit is reported to those who watch its platform",
      changeTopics.filter((topic) => topics.has(topic) && reported.has(topic)),
      changeTopics.filter((topic) => topics.has(topic)),
    )
  }
})
