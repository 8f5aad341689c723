/** The suite of stores: no wrong store passes it, and a failure says which law is broken. Source: D-518. */
import { MemoryStore } from "@countersign/adapter-memory"
import { WallTime } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { storeChecks } from "../../../packages/test/src/conformance/storeChecks.ts"
import type { WrongStore } from "./wrong/WrongStore.ts"
import { wrongStores } from "./wrong/WrongStores.ts"

const Memory = Layer.provide(MemoryStore.layer, WallTime.layerClock)

const wrongLayer = ({ wrap }: WrongStore) =>
  Layer.effect(
    Store,
    Effect.map(Store, (store) => Store.of({ ...store, ...wrap(store) })),
  ).pipe(Layer.provide(Memory))

/** The lines of the first failure of the store in its section; none: it passes. */
const firstFailure = async (wrong: WrongStore, seed: number): Promise<ReadonlyArray<string>> => {
  for (const { run, section } of storeChecks(wrongLayer(wrong), { seed })) {
    if (section !== wrong.section) continue
    const failure = await run().then(
      () => undefined,
      (cause: unknown) => String(cause),
    )
    if (failure !== undefined) return failure.split("\n")
  }
  return []
}

describe("a store that", () => {
  it.each(wrongStores)("$name does not pass", async (wrong) => {
    const laws = [wrong.law].flat().map((law) => `Error: The store breaks a law: ${law}.`)
    const [first] = await firstFailure(wrong, 1)
    expect(laws).toContain(first)
  })
})

describe("the suite of stores", () => {
  it("has at least 40 wrong stores, each with a name of its own", () => {
    expect(wrongStores.length).toBeGreaterThanOrEqual(40)
    expect(new Set(wrongStores.map(({ name }) => name)).size).toBe(wrongStores.length)
  })

  it("states the check and the seed of a failure, and fails in the same way with the same seed", async () => {
    const wrong = wrongStores.find(({ name }) => name === "loses one event in 50 sets")
    const [failure, again] = wrong ? [await firstFailure(wrong, 42), await firstFailure(wrong, 42)] : []
    const title = "commits sets that depend on nothing, of several tenants at once, without the loss of a part"
    expect(failure?.[1]).toBe(`In "load: ${title}" with \`seed: 42\`.`)
    expect(again).toEqual(failure)
  })

  it("states a check without random batches without a seed", async () => {
    const wrong = wrongStores.find(({ section }) => section === "uniqueness")
    const failure = wrong && (await firstFailure(wrong, 42))
    expect(failure?.[1]).toMatch(/^In "uniqueness: .+"\.$/u)
  })
})
