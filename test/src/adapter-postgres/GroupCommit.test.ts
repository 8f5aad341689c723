/** Tests the queue of commits without a database: which items form a batch, which wait, and in which order. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { GroupCommitOptions } from "../../../packages/adapter-postgres/src/commit/GroupCommit.ts"
import * as GroupCommit from "../../../packages/adapter-postgres/src/commit/GroupCommit.ts"

interface Item {
  readonly name: string
  readonly exclusive: ReadonlyArray<string>
  readonly shared: ReadonlyArray<string>
}

const item = (name: string, exclusive: ReadonlyArray<string> = [], shared: ReadonlyArray<string> = []): Item => ({
  name,
  exclusive,
  shared,
})

/** A queue whose batches end when the test ends them. */
const world = (options: Partial<GroupCommitOptions<Item>> = {}) => {
  const sent: Array<ReadonlyArray<string>> = []
  const running: Array<{ readonly batch: ReadonlyArray<Item>; readonly end: () => void }> = []
  const queue = GroupCommit.make<Item>({
    send: (batch) => {
      sent.push(batch.map(({ name }) => name))
      return new Promise((resolve) => running.push({ batch, end: resolve }))
    },
    concurrentBatches: 1,
    batchMax: 100,
    secondBatchMin: 1,
    ...options,
  })
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
  const endFirst = async () => {
    running.shift()?.end()
    await turn()
  }
  const add = async (...items: ReadonlyArray<Item>) => {
    for (const each of items) queue.add(each)
    await turn()
  }
  return { add, endFirst, queue, running, sent, turn }
}

describe("the queue of commits", () => {
  it("sends a single commit at once, and those of one turn together", async () => {
    const { add, sent } = world({ concurrentBatches: 2 })
    await add(item("a"))
    expect(sent).toEqual([["a"]])
    await add(item("b"), item("c"))
    expect(sent).toEqual([["a"], ["b", "c"]])
  })

  it("never sends more than the maximum in one batch, and keeps the order", async () => {
    const { add, endFirst, sent } = world({ batchMax: 2 })
    await add(...["a", "b", "c", "d", "e"].map((name) => item(name)))
    await endFirst()
    await endFirst()
    expect(sent).toEqual([["a", "b"], ["c", "d"], ["e"]])
  })

  it("lets no item overtake another one on a name that both need", async () => {
    const { add, endFirst, sent } = world()
    await add(item("a", ["x"]), item("b", ["x", "y"]), item("c", ["y"]), item("d", [], ["y"]), item("e", ["z"]))
    expect(sent).toEqual([["a", "e"]])
    await endFirst()
    await endFirst()
    await endFirst()
    expect(sent.slice(1)).toEqual([["b"], ["c"], ["d"]])
  })

  it("sends items together that only share a name", async () => {
    const { add, endFirst, sent } = world()
    await add(item("a", [], ["x"]), item("b", [], ["x"]), item("c", ["x"]))
    await endFirst()
    expect(sent).toEqual([["a", "b"], ["c"]])
  })

  it("leaves out the items that `hold` takes, until they are added again, before the others", async () => {
    const held: Array<Item> = []
    let isLocked = true
    const { add, endFirst, queue, sent, turn } = world({
      batchMax: 2,
      hold: (each) => {
        if (!isLocked || !each.exclusive.includes("locked")) return false
        held.push(each)
        return true
      },
    })
    await add(item("a"), item("b", ["locked"]), item("c"))
    expect(sent).toEqual([["a", "c"]])
    await add(item("d"), item("e", ["locked"]))
    await endFirst()
    expect(sent).toEqual([["a", "c"], ["d"]])
    expect(held.map(({ name }) => name)).toEqual(["b", "e"])
    isLocked = false
    await add(item("f"))
    queue.addFirst(held)
    await endFirst()
    await endFirst()
    await endFirst()
    expect(sent.slice(2)).toEqual([["b", "f"], ["e"]])
    await turn()
  })

  it("withdraws an item that waits, and none that was sent", async () => {
    const { add, endFirst, queue, sent } = world()
    const [a, b] = [item("a", ["x"]), item("b", ["x"])]
    await add(a, b)
    expect(queue.withdraw(a)).toBe(false)
    expect(queue.withdraw(b)).toBe(true)
    await endFirst()
    expect(sent).toEqual([["a"]])
  })

  it("opens a second batch only for enough items, or when the first takes too long", async () => {
    const waits: Array<() => void> = []
    const { add, sent } = world({
      concurrentBatches: 2,
      secondBatchMin: 3,
      waitMax: (onElapsed) => void waits.push(onElapsed),
    })
    await add(item("a"))
    await add(item("b"))
    expect(sent).toEqual([["a"]])
    expect(waits).toHaveLength(1)
    waits[0]?.()
    expect(sent).toEqual([["a"], ["b"]])
  })

  it("sends each item once, and never two at a time that exclude each other", async () => {
    const names = fc.subarray(["x", "y", "z"])
    const items = fc.array(fc.record({ exclusive: names, shared: names }), { minLength: 1, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(
        items,
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 5 }),
        async (drawn, lanes, max) => {
          const { add, endFirst, running, sent } = world({ concurrentBatches: lanes, batchMax: max })
          await add(...drawn.map(({ exclusive, shared }, index) => item(String(index), exclusive, shared)))
          while (running.length > 0) {
            const inFlight = running.flatMap(({ batch }) => batch)
            for (const [index, one] of inFlight.entries()) {
              for (const other of inFlight.slice(index + 1)) {
                const collides = one.exclusive.some((name) => [...other.exclusive, ...other.shared].includes(name))
                const isCollided = other.exclusive.some((name) => one.shared.includes(name))
                expect(collides || isCollided).toBe(false)
              }
            }
            await endFirst()
          }
          expect(sent.flat().toSorted()).toEqual(drawn.map((_, index) => String(index)).toSorted())
        },
      ),
      { numRuns: 60 },
    )
  })
})
