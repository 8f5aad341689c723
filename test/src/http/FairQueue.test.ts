/** The queue of waiting requests: turns of owners and of their parts, order, room. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as FairQueue from "../../../packages/adapter-http/src/server/FairQueue.ts"

interface Item {
  readonly path: ReadonlyArray<string>
  readonly number: number
}

const withMax = (max: number, path: ReadonlyArray<string>) => path.map((name) => ({ name, max }))

const takeAll = (queue: FairQueue.FairQueue<string>): ReadonlyArray<string> => {
  const taken: Array<string> = []
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item)
  return taken
}

/** Adds items that are named by their owner, one for each character. */
const filled = (owners: string, max = 100): FairQueue.FairQueue<string> => {
  const queue = FairQueue.make<string>(max)
  for (const owner of owners) queue.add(withMax(100, owner === "-" ? [] : [owner]), owner)
  return queue
}

const path = fc.oneof(
  fc.constantFrom(["a"], ["b"], ["c"]),
  fc.tuple(fc.constant("d"), fc.constantFrom("x", "y", "z")),
  fc.tuple(fc.constant("e"), fc.constantFrom("x", "y"), fc.constantFrom("1", "2")),
)
type Step = { readonly _tag: "Add"; readonly path: ReadonlyArray<string> } | { readonly _tag: "Take" }
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: path.map((names): Step => ({ _tag: "Add", path: names })) },
    { weight: 2, arbitrary: fc.constant<Step>({ _tag: "Take" }) },
  ),
  { maxLength: 200 },
)

const limits = fc.record({ all: fc.integer({ min: 1, max: 30 }), each: fc.integer({ min: 1, max: 12 }) })

/** How many items wait whose path begins with these names. */
const countOf = (waiting: ReadonlyArray<Item>, names: ReadonlyArray<string>): number =>
  waiting.filter((item) => names.every((name, index) => item.path[index] === name)).length

describe("the fair queue", () => {
  it("takes one item of each owner in turn", () => {
    expect(takeAll(filled("aaaabbc")).join("")).toBe("abcabaa")
  })

  it("takes the next item of a new owner before a second one of any other", () => {
    const queue = filled("aaabbb")
    expect(queue.take()).toBe("a")
    queue.add(withMax(9, ["c"]), "c")
    expect(takeAll(queue).join("")).toBe("bacbab")
  })

  it("gives the parts of an owner its turns and no more", () => {
    const queue = filled("aaaa")
    for (const part of "xxyz") queue.add(withMax(9, ["b", part]), part)
    expect(takeAll(queue).join("")).toBe("axayazax")
  })

  it("drops the newest item of the longest queue when it is full", () => {
    const queue = FairQueue.make<string>(4)
    for (const name of ["a1", "a2", "a3", "b1"]) expect(queue.add(withMax(9, [name.charAt(0)]), name)).toBeUndefined()
    expect(queue.add(withMax(9, ["c"]), "c1")).toBe("a3")
    expect(queue.add(withMax(9, ["a"]), "a4")).toBe("a4")
    expect(takeAll(queue)).toEqual(["a1", "b1", "c1", "a2"])
  })

  it("drops what exceeds an owner's own limit, although there is room", () => {
    const queue = FairQueue.make<string>(100)
    for (const name of ["x1", "y1", "x2"])
      queue.add(
        [
          { name: "a", max: 3 },
          { name: name.charAt(0), max: 9 },
        ],
        name,
      )
    expect(
      queue.add(
        [
          { name: "a", max: 3 },
          { name: "z", max: 9 },
        ],
        "z1",
      ),
    ).toBe("x2")
    expect(queue.size()).toBe(3)
    expect(queue.ownerCount()).toBe(1)
  })

  it("drops from the last of equal queues, whose turn is the farthest", () => {
    const queue = filled("abc", 3)
    expect(queue.add(withMax(9, ["d"]), "d")).toBe("d")
    expect(takeAll(queue).join("")).toBe("abc")
  })

  it("drops from the owner that exceeds its own limit, although another one is as long", () => {
    const queue = FairQueue.make<string>(5)
    for (const name of ["a1", "a2"]) queue.add([{ name: "a", max: 2 }], name)
    for (const name of ["b1", "b2", "b3"]) queue.add([{ name: "b", max: 3 }], name)
    expect(queue.add([{ name: "a", max: 2 }], "a3")).toBe("a3")
    expect(takeAll(queue)).toEqual(["a1", "b1", "a2", "b2", "b3"])
  })

  it("keeps no owners without items", () => {
    const queue = filled("abc", 2)
    expect(queue.ownerCount()).toBe(2)
    takeAll(queue)
    expect([queue.ownerCount(), queue.size(), queue.take()]).toEqual([0, 0, undefined])
  })

  it("keeps the order of each path, its limits and every item, and always has one to take", () => {
    fc.assert(
      fc.property(steps, limits, (list, { all, each }) => {
        const queue = FairQueue.make<Item>(all)
        let waiting: ReadonlyArray<Item> = []
        for (const [number, step] of list.entries()) {
          if (step._tag === "Take") {
            const taken = queue.take()
            expect(taken === undefined).toBe(waiting.length === 0)
            if (taken === undefined) continue
            // The oldest of its path.
            expect(waiting.find((item) => item.path.join() === taken.path.join())).toBe(taken)
            waiting = waiting.filter((item) => item !== taken)
          } else {
            const item = { path: step.path, number }
            const dropped = queue.add(withMax(each, step.path), item)
            const before = waiting
            waiting = [...waiting, item].filter((one) => one !== dropped)
            if (dropped !== undefined) {
              // Only what is too long gives way, and of equal ones no other owner than the longest.
              expect([...before, item]).toContain(dropped)
              const isOwn = step.path.some(
                (_, index) => countOf([...before, item], step.path.slice(0, index + 1)) > each,
              )
              expect(isOwn || before.length === all).toBe(true)
              const longest = Math.max(...waiting.map((one) => countOf(waiting, one.path.slice(0, 1))))
              if (!isOwn) expect(countOf([...before, item], dropped.path.slice(0, 1))).toBeGreaterThanOrEqual(longest)
            }
          }
          expect(queue.size()).toBe(waiting.length)
          expect(waiting.length).toBeLessThanOrEqual(all)
          for (const { path: names } of waiting) {
            for (let depth = 1; depth <= names.length; depth += 1) {
              expect(countOf(waiting, names.slice(0, depth))).toBeLessThanOrEqual(each)
            }
          }
        }
      }),
    )
  })

  it("takes no owner twice while another one waits since before the first time", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const queue = FairQueue.make<Item>(1_000)
        let waiting: ReadonlyArray<Item> = []
        /** How often each owner was taken while this one waited. */
        const passed = new Map<string, Map<string, number>>()
        for (const [number, step] of list.entries()) {
          if (step._tag === "Add") {
            const item = { path: step.path, number }
            queue.add(withMax(1_000, step.path), item)
            waiting = [...waiting, item]
            continue
          }
          const taken = queue.take()
          const owner = taken?.path[0]
          if (taken === undefined || owner === undefined) continue
          for (const other of new Set(waiting.map(({ path: [name = ""] }) => name))) {
            if (other === owner) continue
            const counts = passed.get(other) ?? new Map<string, number>()
            passed.set(other, counts.set(owner, (counts.get(owner) ?? 0) + 1))
            expect(counts.get(owner)).toBe(1)
          }
          passed.delete(owner)
          waiting = waiting.filter((item) => item !== taken)
        }
      }),
    )
  })
})
