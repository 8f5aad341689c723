/**
 * What is under way while a world is loaded: a request fails with nothing done, and a job of the replaced state neither finishes nor returns.
 * Source: D-470.
 */
import { Platforms } from "@countersign/core"
import { StateGate, StateImages, Store } from "@countersign/core/store"
import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { harness } from "../../../packages/test/src/harness/Harness.ts"

describe("a call that began before a load", () => {
  it("fails afterwards, and calls that begin later do not", async () => {
    await using pay = await harness()
    const outcomes = await pay.run(
      Effect.gen(function* () {
        const images = yield* StateImages
        const image = images === undefined ? "" : yield* images.capture
        const within = StateGate.inPresentGeneration(
          Effect.gen(function* () {
            const platforms = yield* Platforms
            const before = yield* Effect.exit(platforms.config)
            yield* images?.replace(image, pay.platformId) ?? Effect.void
            return [before, yield* Effect.exit(platforms.config)].map(Exit.isSuccess)
          }),
        )
        const earlier = yield* within
        return [...earlier, Exit.isSuccess(yield* Effect.exit(Platforms.use(({ config }) => config)))]
      }),
    )
    expect(outcomes).toEqual([true, false, true])
  })

  it("commits nothing, and loses the jobs that it has", async () => {
    await using pay = await harness()
    const outcome = await pay.run(
      Effect.gen(function* () {
        const store = yield* Store
        const images = yield* StateImages
        const image = images === undefined ? "" : yield* images.capture
        return yield* StateGate.inPresentGeneration(
          Effect.gen(function* () {
            yield* images?.replace(image, pay.platformId) ?? Effect.void
            const written = yield* Effect.exit(store.commit(changeSet({ operationId: "late" })))
            const finished = yield* store.commit(
              changeSet({ operationId: "later", finishes: [{ id: "Job:1", attempt: 1 }] }),
            )
            const givenBack = { id: "Job:2", attempt: 1, outcome: "retry", notBefore: 0, error: "busy" } as const
            const returned = yield* store.commit(changeSet({ operationId: "latest", returns: [givenBack] }))
            return { isWritten: Exit.isSuccess(written), finished, returned }
          }),
        )
      }),
    )
    expect(outcome).toEqual({
      isWritten: false,
      finished: { _tag: "Conflict", on: "job Job:1" },
      returned: { _tag: "Conflict", on: "job Job:2" },
    })
  })
})
