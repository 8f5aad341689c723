/** Waiting reads share a trip, each gets its own answer, and only the read that causes a failure fails. */

import { assert, describe, it } from "vitest"
import * as GroupReads from "../../../packages/adapter-postgres/src/read/GroupReads.ts"

/** Trips that the test completes one by one. */
const controlledReads = (concurrentBatches = 1) => {
  const trips: Array<ReadonlyArray<number>> = []
  const open: Array<() => void> = []
  const read = GroupReads.make<number, string>({
    send: async (batch) => {
      trips.push(batch)
      await new Promise<void>((resolve) => open.push(resolve))
      if (batch.includes(0)) throw new RangeError("division by zero")
      return batch.map((requested) => String(100 / requested))
    },
    concurrentBatches,
    batchMax: 8,
  })
  /** Completes all trips, and every later trip at once. */
  const completeTrips = async () => {
    for (let quiet = 0; quiet < 3; quiet++) {
      for (const resolve of open.splice(0)) {
        quiet = 0
        resolve()
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { trips, read, completeTrips }
}

describe("concurrent reads of one process", () => {
  it("share one trip, and each gets its own answer", async () => {
    const { completeTrips, read, trips } = controlledReads()
    const all = Promise.all([read(10), read(20), read(5)])
    await completeTrips()
    assert.deepStrictEqual(await all, ["10", "5", "20"])
    assert.deepStrictEqual(trips, [[10, 20, 5]])
  })

  it("a single read is sent at once; later reads wait for it unless they are enough for a second trip", async () => {
    const { completeTrips, read, trips } = controlledReads(2)
    const first = read(50)
    await Promise.resolve()
    assert.deepStrictEqual(trips, [[50]])
    const second = [1, 2, 4, 5, 10].map((requested) => read(requested))
    await Promise.resolve()
    assert.deepStrictEqual(trips, [[50]])
    const third = read(20)
    await Promise.resolve()
    assert.deepStrictEqual(trips, [[50], [1, 2, 4, 5, 10, 20]])
    await completeTrips()
    assert.deepStrictEqual(await Promise.all([first, ...second, third]), ["2", "100", "50", "25", "20", "10", "5"])
  })

  it("waiting reads are sent when the trip ends, even if they are few", async () => {
    const { completeTrips, read, trips } = controlledReads(2)
    const all = [read(50)]
    await Promise.resolve()
    all.push(read(25))
    await completeTrips()
    assert.deepStrictEqual(await Promise.all(all), ["2", "4"])
    assert.deepStrictEqual(trips, [[50], [25]])
  })

  it("reads above the size of a trip are sent in several trips", async () => {
    const { completeTrips, read, trips } = controlledReads()
    const many = Promise.all(Array.from({ length: 20 }, (_, index) => read(index + 1)))
    await completeTrips()
    assert.deepStrictEqual(
      await many,
      Array.from({ length: 20 }, (_, index) => String(100 / (index + 1))),
    )
    assert.deepStrictEqual(
      trips.map(({ length }) => length),
      [8, 8, 4],
    )
  })

  it("a read that fails does not fail the others", async () => {
    const { completeTrips, read, trips } = controlledReads()
    const settled = Promise.allSettled([read(4), read(0), read(2)])
    await completeTrips()
    const [first, second, third] = await settled
    assert.deepStrictEqual(first, { status: "fulfilled", value: "25" })
    assert.strictEqual(second?.status, "rejected")
    assert.deepStrictEqual(third, { status: "fulfilled", value: "50" })
    assert.deepStrictEqual(trips, [[4, 0, 2], [4], [0], [2]])
  })
})
