/** Sets that wait for a lock of another session: which wait, in which order they go on, and when they are answered. Source: D-318, D-319. */
import { type ChangeSet, slotCount } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import type { LockName } from "../../../../packages/adapter-postgres/src/commit/LockNames.ts"
import * as LockWaits from "../../../../packages/adapter-postgres/src/commit/LockWaits.ts"
import type { PendingCommit } from "../../../../packages/adapter-postgres/src/commit/PendingCommit.ts"
import { alpha, ann, beta, customerUpdate } from "../../../../packages/test/src/conformance/Examples.ts"
import { adding, type Pending, pending, refusalsOf } from "./Pending.ts"

const busy = (reason: string) => [`LockBusy: ${reason}`]

/** Sets that wait in a database whose locks and intervals are the test's. */
const world = (intervalsMax = 100) => {
  /** The taken locks, by a part of their names, with their holders. */
  const locked = new Map<string, string>()
  const released: Array<ReadonlyArray<PendingCommit>> = []
  const alone: Array<PendingCommit> = []
  const asked: Array<ReadonlyArray<string>> = []
  const elapse: Array<() => void> = []
  const state = { isBlind: false, isStuck: true }
  const holderOf = ({ name }: LockName) => [...locked].find(([part]) => name.endsWith(part))?.[1]
  const waits = LockWaits.make({
    findLocked: async (names) => {
      asked.push(names.map(({ name }) => name))
      if (state.isBlind) return undefined
      return new Map(
        names.flatMap((lock) => {
          const holder = holderOf(lock)
          return holder === undefined ? [] : [[lock, holder] as const]
        }),
      )
    },
    release: (sets) => void released.push(sets),
    sendAlone: async (set) => {
      alone.push(set)
      return !state.isStuck
    },
    startInterval: (onElapsed) => void elapse.push(onElapsed),
    intervalsMax,
  })
  const interval = async () => {
    expect(elapse).toHaveLength(1)
    elapse.pop()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const block = (...sets: ReadonlyArray<PendingCommit>) => waits.holdBlocked(sets)
  return { alone, asked, block, elapse, interval, locked, released, state, waits }
}

describe("a set that needs a taken lock", () => {
  it("waits, and others are given back", async () => {
    const { block, elapse, locked, waits } = world()
    locked.set(" a", "1")
    const [first, other, second] = [adding("a"), adding("b"), adding("a")]
    expect(waits.hold(first)).toBe(false)
    expect(await block(first, other, second)).toEqual([other])
    expect([waits.hold(adding("a")), waits.hold(adding("b"))]).toEqual([true, false])
    expect(elapse).toHaveLength(1)
    expect([first, other, second].flatMap(({ results }) => results)).toEqual([])
  })

  it("goes on with those behind it, in their order, when the lock is free", async () => {
    const { asked, block, elapse, interval, locked, released, waits } = world()
    locked.set(" a", "1").set(" c", "1")
    const [first, third, second] = [adding("a"), adding("c"), adding("a")]
    await block(first, third)
    waits.hold(second)
    await interval()
    expect(released).toEqual([])
    expect(asked.at(-1)?.map((name) => name.slice(-1))).toEqual(["a", "c"])
    locked.delete(" a")
    await interval()
    expect(released).toEqual([[first, second]])
    locked.delete(" c")
    await interval()
    expect(released.at(-1)).toEqual([third])
    expect(elapse).toEqual([])
    expect([waits.hold(adding("a")), waits.hold(adding("c"))]).toEqual([false, false])
  })

  it("goes on when another transaction has taken the lock, which is contended and not stuck", async () => {
    const { block, interval, locked, released } = world()
    locked.set(" a", "1")
    const set = adding("a")
    await block(set)
    locked.set(" a", "2")
    await interval()
    expect(released).toEqual([[set]])
  })

  it("waits while nothing can be found out", async () => {
    const { block, interval, locked, released, state } = world()
    locked.set(" a", "1")
    await block(adding("a"))
    locked.clear()
    state.isBlind = true
    await interval()
    expect(released).toEqual([])
    state.isBlind = false
    await interval()
    expect(released).toHaveLength(1)
  })

  it("is given back if nothing was found out", async () => {
    const { block, elapse, locked, state } = world()
    locked.set(" a", "1")
    state.isBlind = true
    const set = adding("a")
    expect(await block(set)).toEqual([set])
    expect(elapse).toEqual([])
  })

  it("is answered after its intervals that the store is unavailable", async () => {
    const { block, elapse, interval, locked, released } = world(2)
    locked.set(" a", "1")
    const set = adding("a")
    await block(set)
    await interval()
    await interval()
    expect(set.results).toEqual([])
    await interval()
    expect(refusalsOf(set)).toEqual(busy("a lock that the commit needs stays taken"))
    expect([released, elapse]).toEqual([[], []])
  })

  it("may be withdrawn, once", async () => {
    const { block, interval, locked, released, waits } = world()
    locked.set(" a", "1")
    const [first, second] = [adding("a"), adding("a")]
    await block(first, second)
    expect([waits.withdraw(first), waits.withdraw(first), waits.withdraw(adding("a"))]).toEqual([true, false, false])
    locked.clear()
    await interval()
    expect(released).toEqual([[second]])
  })

  it("is answered when the store is closed, as is each that comes later", async () => {
    const { block, locked, waits } = world()
    locked.set(" a", "1")
    const [first, second] = [adding("a"), adding("a")]
    await block(first)
    waits.close()
    expect(await block(second)).toEqual([])
    expect([first, second].map(refusalsOf)).toEqual([busy("the store is closed"), busy("the store is closed")])
  })
})

describe("a lock", () => {
  const update: Partial<ChangeSet> = { updates: [customerUpdate(1, 1)] }
  const guard: Partial<ChangeSet> = { guards: [{ kind: "Customer", id: ann, version: 1 }] }

  it.each([
    ["shared, blocks who needs it alone", " false", update, true],
    ["shared, blocks no other who shares it", " true", guard, false],
    ["exclusive, blocks who needs it alone", " true", update, true],
  ] as const)("%s", async (_, mode, parts, isBlocked) => {
    const { block, locked, waits } = world()
    locked.set(`Customer ${ann}${mode}`, "1")
    // The lock is found by a set that needs it in this way.
    await block(pending(mode === " false" ? guard : update))
    expect(waits.hold(pending(parts))).toBe(isBlocked)
  })
})

describe("too many waiting sets", () => {
  const waitingOf = (count: number, caller = alpha): ReadonlyArray<Pending> =>
    Array.from({ length: count }, () => adding("a", caller))

  it("of one platform are refused, and those of others still wait", async () => {
    const { block, locked, waits } = world()
    locked.set(" a", "1")
    const all = waitingOf(257)
    await block(...all, adding("a", beta))
    expect(all.slice(0, 256).flatMap(({ results }) => results)).toEqual([])
    expect(refusalsOf(all[256] ?? adding("a"))).toEqual(busy("too many commits wait for locks"))
    const other = adding("a", beta)
    expect([waits.hold(other), other.results]).toEqual([true, []])
    // A place is free again.
    const [first, next] = [all[0] ?? other, adding("a")]
    waits.withdraw(first)
    expect([waits.hold(next), next.results]).toEqual([true, []])
  })

  it("of all platforms are refused", async () => {
    const { block, locked } = world()
    locked.set(" a", "1")
    const platforms = Array.from({ length: 8 }, (_, n) => ({ ...alpha, platformId: `PlatformConfig:${slotCount}${n}` }))
    const all = platforms.flatMap((caller) => waitingOf(256, caller))
    const last = adding("a", { ...alpha, platformId: "PlatformConfig:last" })
    await block(...all, last)
    expect(all.flatMap(({ results }) => results)).toEqual([])
    expect(refusalsOf(last)).toEqual(busy("too many commits wait for locks"))
  })
})

describe("a set that waited although its locks were found free", () => {
  it("is sent again at once, and the next time one by one, until it still waits", async () => {
    const { alone, elapse, interval, released, state, waits } = world()
    const [first, second] = [adding("a"), adding("b")]
    for (const set of [first, second]) {
      waits.holdUnnamed(set)
      expect(released.at(-1)).toEqual([set])
      waits.holdUnnamed(set)
    }
    expect(released).toHaveLength(2)
    await interval()
    // The first still waits, and goes to the end.
    expect(alone).toEqual([first])
    await interval()
    expect(alone).toEqual([first, second])
    state.isStuck = false
    await interval()
    expect(alone).toEqual([first, second, first, second])
    expect(elapse).toEqual([])
  })

  it("holds those behind it that exclude each other with it, and no others", async () => {
    const { interval, state, waits } = world()
    const update = () => pending({ updates: [customerUpdate(1, 1)] })
    const set = update()
    waits.holdUnnamed(set)
    waits.holdUnnamed(set)
    const behind = update()
    expect([waits.hold(behind), waits.hold(adding("a"))]).toEqual([true, false])
    state.isStuck = false
    await interval()
    expect([waits.hold(update()), waits.withdraw(set), waits.withdraw(behind)]).toEqual([false, false, false])
  })

  it("is answered after its intervals, and when the store is closed", async () => {
    const { interval, waits } = world(1)
    const sets = [adding("a"), adding("b")]
    for (const set of [...sets, ...sets]) waits.holdUnnamed(set)
    await interval()
    await interval()
    for (const set of sets) expect(refusalsOf(set)).toEqual(busy("a lock that the commit needs stays taken"))
    const last = adding("c")
    waits.holdUnnamed(last)
    waits.holdUnnamed(last)
    waits.close()
    expect(refusalsOf(last)).toEqual(busy("the store is closed"))
  })
})
