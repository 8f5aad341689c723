/**
 * The conformance suite of the `Store` port, as a function of a layer. The author of an adapter calls it in a test.
 * Source: architecture, "Where a new thing goes" (storage adapter).
 */
import type { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { TestClock, TestConsole } from "effect/testing"
import { describe, it } from "../runner/Runner.ts"
import { atomicity } from "./Atomicity.ts"
import { books } from "./Books.ts"
import { budgets } from "./Budgets.ts"
import { businessTime } from "./BusinessTime.ts"
import { deliveries } from "./Deliveries.ts"
import { dueJobPages } from "./DueJobs.ts"
import { events } from "./Events.ts"
import { idempotency } from "./Idempotency.ts"
import { jobsAndLeases } from "./JobsAndLeases.ts"
import { lanes } from "./Lanes.ts"
import { paging } from "./Paging.ts"
import { parkedJobDecisions } from "./ParkedJobs.ts"
import { pausing } from "./Pausing.ts"
import { platformBooks } from "./PlatformBooks.ts"
import { reading } from "./Reading.ts"
import { retention } from "./Retention.ts"
import type { Suite } from "./Suite.ts"
import { tenancy } from "./Tenancy.ts"
import { uniqueness } from "./Uniqueness.ts"
import { versions } from "./Versions.ts"
import { walletRoots } from "./WalletRoots.ts"
import { watchingChanges } from "./Watching.ts"

export interface ConformanceOptions {
  /**
   * Sets the adapter's business time and wall time to this many milliseconds after the epoch. The default sets the test's clock, for
   * an adapter that takes both from Effect's `Clock`.
   */
  readonly moveTo?: (millis: number) => Effect.Effect<void>
  /** Time limit of one test in milliseconds, including the construction of its layer. */
  readonly timeoutMillis?: number
}

const sections: ReadonlyArray<readonly [string, (suite: Suite) => void]> = [
  ["read and write", reading],
  ["versions and conflicts", versions],
  ["uniqueness", uniqueness],
  ["pages", paging],
  ["ledger and bounds", books],
  ["the books of a platform", platformBooks],
  ["counters", budgets],
  ["jobs and leases", jobsAndLeases],
  ["lanes", lanes],
  ["parked jobs", parkedJobDecisions],
  ["jobs by due time", dueJobPages],
  ["idempotency", idempotency],
  ["events", events],
  ["deliveries", deliveries],
  ["retention", retention],
  ["tenancy", tenancy],
  ["atomicity", atomicity],
  ["pause", pausing],
  ["business time", businessTime],
  ["wallet roots", walletRoots],
  ["changes", watchingChanges],
]

const testWorld = Layer.mergeAll(TestClock.layer(), TestConsole.layer)

/** Registers the suite. Each test builds the layer anew, which must be an empty store. */
export const storeConformance = <E>(
  name: string,
  layer: Layer.Layer<Store, E>,
  options: ConformanceOptions = {},
): void => {
  const { moveTo = TestClock.setTime, timeoutMillis } = options
  const test: Suite["test"] = (title, body) =>
    it(
      title,
      () =>
        body().pipe(
          Effect.provide(layer, { local: true }),
          Effect.provide(testWorld),
          Effect.scoped,
          Effect.runPromise,
        ),
      timeoutMillis,
    )
  describe(`Store: ${name}`, () => {
    for (const [section, register] of sections) describe(section, () => register({ test, moveTo }))
  })
}
