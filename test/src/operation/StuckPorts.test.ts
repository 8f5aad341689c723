/** Ports that never answer or always answer `Later`. Source: architecture, "Jobs, external calls and time". */
import { MemoryStore } from "@countersign/adapter-memory"
import { CurrentCaller, Jobs, tenant } from "@countersign/core"
import { type RailOutcome, WallTime } from "@countersign/core/ports"
import { SandboxRates, SandboxVerifier } from "@countersign/core/sandbox"
import { type NewJob, Store } from "@countersign/core/store"
import { Clock, Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { finish, type JobHandler } from "../../../packages/core/src/operation/Jobs.ts"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import * as SeededRandom from "../../../packages/test/src/harness/SeededRandom.ts"
import { submit } from "../agent/AgentSteps.ts"
import * as SuccessfulRails from "../transaction/SuccessfulRails.ts"

const job = (id: string): NewJob => ({
  id,
  queue: "work",
  kind: "transfer.pull",
  customerId: null,
  dueAt: 0,
  payload: null,
})

const add = (platformId: string, id: string) =>
  Store.use((store) => store.commit(changeSet({ operationId: id, jobs: [job(id)] }))).pipe(
    Effect.provideService(CurrentCaller, tenant(platformId)),
  )

const settle = Effect.repeat(Effect.yieldNow, { times: 50 })

describe("a job handler that never ends", () => {
  it("is interrupted when its lease ends, and occupies one worker at most", async () => {
    let hanging = 0
    const ran: Array<string> = []
    const handler: JobHandler = (claimed) =>
      claimed.id === "Job:hangs"
        ? Effect.ensuring(
            Effect.andThen(
              Effect.sync(() => {
                hanging += 1
              }),
              Effect.never,
            ),
            Effect.sync(() => {
              hanging -= 1
            }),
          )
        : Effect.andThen(
            Effect.sync(() => ran.push(claimed.id)),
            finish(claimed),
          )
    const process = Jobs.layer({ "transfer.pull": handler }).pipe(
      Layer.provideMerge(MemoryStore.layer),
      Layer.provideMerge(WallTime.layerClock),
      Layer.provideMerge(SeededRandom.layer(1)),
      Layer.provideMerge(Logger.layer([])),
      Layer.provideMerge(TestClock.layer()),
    )
    await Effect.gen(function* () {
      const { work } = yield* Jobs
      const worker = yield* Effect.forkDetach(work)
      yield* add("PlatformConfig:hangs", "Job:hangs")
      for (let minutes = 0; minutes < 10; minutes += 2) {
        yield* TestClock.adjust("2 minutes")
        yield* settle
      }
      yield* add("PlatformConfig:other", "Job:other")
      yield* settle
      expect(hanging).toBeLessThanOrEqual(1)
      expect(ran).toEqual(["Job:other"])
      worker.interruptUnsafe()
    }).pipe(Effect.provide(process), Effect.runPromise)
  })
})

describe("a worker whose job another worker has claimed", () => {
  it("stops at once without deciding again", async () => {
    await using pay = await agentWorld()
    let commits = 0
    const lost = { ...job("Job:lost"), platformId: pay.platformId, attempt: 1, firstClaimedAt: 0 }
    await pay.run(
      Effect.gen(function* () {
        const store = yield* Store
        const counting = Store.of({
          ...store,
          commit: (set) => {
            commits += 1
            return store.commit(set)
          },
        })
        yield* Effect.exit(Effect.provideService(finish(lost), Store, counting))
      }),
    )
    expect(commits).toBe(1)
  })
})

describe("a rail that answers `Later` with the present time", () => {
  it("is not called in a loop", async () => {
    let calls = 0
    const ports = Layer.mergeAll(
      SandboxRates.layer,
      SandboxVerifier.layer,
      SuccessfulRails.layer({
        pull: () =>
          Effect.map(Clock.currentTimeMillis, (at): RailOutcome => {
            calls += 1
            return calls < 500 ? { _tag: "Later", at } : { _tag: "Done" }
          }),
      }),
    )
    await using pay = await agentWorld({}, { ports })
    await submit(pay, 100)
    await pay.settle()
    expect(calls).toBeLessThan(10)
  })
})
