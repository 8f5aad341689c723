/**
 * The checks of the `Store` port by section: each on a new, empty store, and with an audit of everything that it wrote at its end.
 * Source: architecture, "Where a new thing goes" (storage adapter); D-518.
 */
import type { Store } from "@countersign/core/store"
import { Effect, Layer, Random } from "effect"
import { TestClock, TestConsole } from "effect/testing"
import { atomicity } from "./Atomicity.ts"
import { audit } from "./audit/Audit.ts"
import { CurrentHistory, History, layer as recording } from "./audit/History.ts"
import { books } from "./Books.ts"
import { budgets } from "./Budgets.ts"
import { businessTime } from "./BusinessTime.ts"
import { deliveries } from "./Deliveries.ts"
import { dueJobPages } from "./DueJobs.ts"
import { events } from "./Events.ts"
import { idempotency } from "./Idempotency.ts"
import { jobsAndLeases } from "./JobsAndLeases.ts"
import { lanes } from "./Lanes.ts"
import { failureOf } from "./Law.ts"
import { load } from "./load/Load.ts"
import { paging } from "./Paging.ts"
import { parkedJobDecisions } from "./ParkedJobs.ts"
import { pausing } from "./Pausing.ts"
import { platformBooks } from "./PlatformBooks.ts"
import { reading } from "./Reading.ts"
import { retention } from "./Retention.ts"
import type { Suite } from "./Suite.ts"
import { tenancy } from "./Tenancy.ts"
import { tenancyOfParts } from "./TenancyOfParts.ts"
import { uniqueness } from "./Uniqueness.ts"
import { versions } from "./Versions.ts"
import { walletRoots } from "./WalletRoots.ts"
import { watchingChanges } from "./Watching.ts"

/** How the checks of a store set its time, how long one may take, and the seed of its random batches. */
export interface ConformanceOptions {
  /**
   * Sets the adapter's business time and wall time to this many milliseconds after the epoch. The default sets the test's clock, for
   * an adapter that takes both from Effect's `Clock`.
   */
  readonly moveTo?: (millis: number) => Effect.Effect<void>
  /** Time limit of one test in milliseconds, including the construction of its layer. */
  readonly timeoutMillis?: number
  /** The seed of the random batches under load, which a failure states. By default each test has a new one. */
  readonly seed?: number
}

/** A check of a store. It rejects with the law that the store breaks. */
export interface StoreCheck {
  readonly section: string
  readonly title: string
  readonly run: () => Promise<void>
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
  ["tenancy of every part", tenancyOfParts],
  ["atomicity", atomicity],
  ["pause", pausing],
  ["business time", businessTime],
  ["wallet roots", walletRoots],
  ["changes", watchingChanges],
  ["load", load],
]

/** How many keys, answers, histories and accounts an audit reads one by one, of each. */
const samplesOfCheck = 2
const samplesUnderLoad = 16

const testWorld = Layer.mergeAll(TestClock.layer(), TestConsole.layer)

/** Returns the checks of a store. Each builds the layer anew, which must be an empty store. */
export const storeChecks = <E>(
  layer: Layer.Layer<Store, E>,
  { moveTo = TestClock.setTime, seed: fixed }: ConformanceOptions = {},
): ReadonlyArray<StoreCheck> =>
  sections.flatMap(([section, register]) => {
    const checks: Array<StoreCheck> = []
    const test: Suite["test"] = (title, body) => {
      const isSeeded = body.length > 0
      const run = async () => {
        const history = new History()
        const samples = isSeeded ? samplesUnderLoad : samplesOfCheck
        const seed = fixed ?? Effect.runSync(Random.nextIntBetween(1, 2 ** 31))
        const checked = Effect.andThen(body(seed), audit(history, samples)).pipe(
          Effect.provideService(CurrentHistory, history),
          Effect.provide(Layer.provide(recording(history), layer), { local: true }),
          Effect.provide(testWorld),
          Effect.scoped,
        )
        await Effect.runPromise(checked).catch((cause: unknown) => {
          throw failureOf(cause, title, `In "${section}: ${title}"${isSeeded ? ` with \`seed: ${seed}\`` : ""}.`)
        })
      }
      checks.push({ section, title, run })
    }
    const moved = (millis: number) =>
      Effect.flatMap(CurrentHistory, (history) => {
        history.now = millis
        return moveTo(millis)
      })
    register({ test, moveTo: moved })
    return checks
  })
