/** Identifiers of one operation: well-formed, in order, and the same at each decision. */

import { type IdType, IdTypes, isId } from "@countersign/core/models"
import { slotCount, slotOf } from "@countersign/core/store"
import { Clock, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as IdPool from "../../../packages/core/src/foundation/ids/IdPool.ts"

const types = fc.constantFrom<IdType>(...IdTypes.keys)
const typeLists = fc.array(types, { maxLength: 40 })

/** Creates a pool at a time, from repeated `byte` or from real random bytes. */
const poolAt = (size: number, millis = 0, byte?: number): Promise<IdPool.IdPool> =>
  Effect.runPromise(
    Effect.gen(function* () {
      yield* TestClock.setTime(millis)
      expect(yield* Clock.currentTimeMillis).toBe(millis)
      return yield* IdPool.make(size)
    }).pipe(
      byte === undefined
        ? Effect.provide(SecureRandom.layerWebCrypto)
        : Effect.provideService(
            SecureRandom.SecureRandom,
            SecureRandom.make((count) => new Uint8Array(count).fill(byte)),
          ),
      Effect.provide(TestClock.layer()),
    ),
  )
const uuidOf = (id: string) => id.slice(id.indexOf(":") + 1)
const drawAll = (pool: IdPool.IdPool, types: ReadonlyArray<IdType>) => {
  const source = pool.source()
  return types.map((type) => source(type))
}

describe("an identifier pool", () => {
  it("returns well-formed identifiers of the requested types", async () => {
    await fc.assert(
      fc.asyncProperty(typeLists, fc.nat(2 ** 41), fc.nat(255), async (requested, millis, byte) => {
        const ids = drawAll(await poolAt(requested.length, millis, byte), requested)
        for (const [at, type] of requested.entries()) expect(isId(type, ids[at] ?? "")).toBe(true)
      }),
    )
  })

  it("begins its sequence anywhere, so that operations of one millisecond are apart", async () => {
    const starts = new Set<string>()
    for (let count = 0; count < 64; count++) starts.add(uuidOf((await poolAt(3)).operationId).slice(14, 18))
    // A few of 2,048 beginnings are the same at random.
    expect(starts.size).toBeGreaterThan(48)
    const [one = "", two = ""] = drawAll(await poolAt(3, 0, 0xff), ["Customer", "Customer"]).map(uuidOf)
    expect([one.slice(14, 18), two.slice(14, 18)]).toEqual(["7800", "7801"])
  })

  it("generates UUIDs of version 7 that contain the time", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(2 ** 41), async (millis) => {
        const pool = await poolAt(1, millis)
        for (const id of [pool.operationId, ...drawAll(pool, ["Card"])]) {
          const digits = uuidOf(id).replaceAll("-", "")
          expect(Number.parseInt(digits.slice(0, 12), 16)).toBe(millis)
          expect(digits[12]).toBe("7")
          expect(digits[16]).toMatch(/[89ab]/u)
        }
      }),
    )
  })

  it("returns the same identifiers to each source", async () => {
    await fc.assert(
      fc.asyncProperty(typeLists, async (requested) => {
        const pool = await poolAt(40)
        const first = drawAll(pool, requested)
        expect(drawAll(pool, requested)).toEqual(first)
        const other = drawAll(pool, requested.toReversed())
        const withoutSlot = (id: string) => uuidOf(id).replace(/-[89ab][0-9a-f]{3}-/u, "-")
        expect(other.map(withoutSlot)).toEqual(first.map(withoutSlot))
      }),
    )
  })

  it("returns each identifier once, in ascending order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2000 }), fc.nat(255), async (size, byte) => {
        const pool = await poolAt(size, 1, byte)
        const source = pool.source()
        const all = [pool.operationId, ...Array.from({ length: size }, () => uuidOf(source("Job")))]
        expect(all).toEqual([...new Set(all)].toSorted())
      }),
      { numRuns: 20 },
    )
  })

  it("generates different identifiers for operations of the same millisecond", async () => {
    const pools = await Promise.all(Array.from({ length: 500 }, () => poolAt(0, 1)))
    const ids = pools.map((pool) => pool.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it("orders operations by their time", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(2 ** 41), fc.integer({ min: 1, max: 1000 }), async (millis, later) => {
        const [early, late] = await Promise.all([poolAt(0, millis), poolAt(0, millis + later)])
        expect(early.operationId < late.operationId).toBe(true)
      }),
    )
  })

  it("gives every identifier the slot of the owner whose record it names", async () => {
    await fc.assert(
      fc.asyncProperty(typeLists, async (requested) => {
        const [customer = "", other = "", platformId = ""] = await Promise.all(
          (["Customer", "Customer", "PlatformConfig"] as const).map(async (type) => (await poolAt(1)).source()(type)),
        )
        const source = (await poolAt(3 * requested.length)).source({ owner: customer, platformId })
        for (const type of requested.filter((each) => each !== "Customer" && each !== "PlatformConfig")) {
          expect(slotOf(source(type))).toBe(slotOf(customer))
          expect(slotOf(source(type, other))).toBe(slotOf(other))
          expect(slotOf(source(type, null))).toBe(slotOf(platformId))
        }
      }),
    )
  })

  it.each(["Customer", "PlatformConfig"] as const)("gives what follows a new %s the slot of that", async (type) => {
    const [owner] = drawAll(await poolAt(1), ["Customer"])
    const slots = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const source = (await poolAt(3)).source(owner === undefined ? {} : { owner })
        const before = slotOf(source("Card"))
        const created = slotOf(source(type))
        expect(before).toBe(slotOf(owner ?? ""))
        expect(slotOf(source("Card"))).toBe(created)
        return created
      }),
    )
    expect(new Set(slots).size).toBeGreaterThan(10)
    for (const slot of slots) expect(slot).toBeLessThan(slotCount)
  })

  it("throws when an operation requests more identifiers than it announced", async () => {
    const source = (await poolAt(2)).source()
    source("Card")
    source("Job")
    expect(() => source("Job")).toThrow("the operation takes more than its 2 identifiers")
  })
})
