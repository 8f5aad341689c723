/** Faults that are switched on: which calls meet them, how they are counted, and when they end. Source: D-480. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import * as FaultSwitches from "../../../packages/core/src/sandbox/FaultSwitches.ts"

type Faults = Parameters<ReturnType<typeof FaultSwitches.make>["set"]>[0]

const withFaults = (faults: Faults) => {
  const switches = FaultSwitches.make()
  switches.set(faults)
  return switches
}
/** Which of the first calls of a port meet a fault. */
const rolls = (faults: Faults, count = 1_000) => {
  const switches = withFaults(faults)
  return Array.from({ length: count }, () => switches.roll("rail") !== undefined)
}
const hits = (faults: Faults) => rolls(faults).filter(Boolean).length

describe("a fault of a port", () => {
  it("meets no call before it is switched on, and every call without a share", () => {
    expect(FaultSwitches.make().settings()).toEqual({})
    expect(FaultSwitches.make().roll("rail")).toBeUndefined()
    expect(hits({ rail: { kind: "ERROR" } })).toBe(1_000)
    expect(withFaults({ rail: { kind: "ERROR" } }).roll("issuer")).toBeUndefined()
  })

  it("meets its share of the calls, the same ones for the same seed", () => {
    expect(hits({ rail: { kind: "ERROR", percent: 0 } })).toBe(0)
    for (const percent of [10, 50, 90]) {
      const count = hits({ rail: { kind: "ERROR", percent } })
      expect(count).toBeGreaterThan(percent * 10 - 60)
      expect(count).toBeLessThan(percent * 10 + 60)
    }
    const half: Faults = { rail: { kind: "ERROR", percent: 50 } }
    expect(rolls(half)).toEqual(rolls({ ...half, seed: 1 }))
    expect(rolls(half)).not.toEqual(rolls({ ...half, seed: 2 }))
    const first = rolls(half, 24).map((isHit) => (isHit ? "x" : "."))
    expect(first.join("")).toBe(".x.x.xx.xxx.xxxx....x...")
  })

  it("is what the roll returns, and counts when a call meets it", () => {
    const switches = withFaults({ rail: { kind: "REJECT", reason: "ACCOUNT_INVALID" } })
    expect(switches.roll("rail")).toEqual({ kind: "REJECT", reason: "ACCOUNT_INVALID" })
    expect(switches.met("rail")).toBe(0)
    switches.hit("rail")
    switches.hit("rail")
    expect([switches.met("rail"), switches.met("issuer")]).toEqual([2, 0])
  })

  it("begins its counts and its dice again when faults are set", () => {
    const half: Faults = { rail: { kind: "ERROR", percent: 50 } }
    const switches = withFaults(half)
    const roll = () => Array.from({ length: 50 }, () => switches.roll("rail") !== undefined)
    const first = roll()
    expect(roll()).not.toEqual(first)
    switches.hit("rail")
    switches.set(half)
    expect(switches.met("rail")).toBe(0)
    expect(roll()).toEqual(first)
  })

  it("of the store ends with its last commit, and the others stay", () => {
    const switches = withFaults({ store: { kind: "CONFLICT", commits: 2 }, rail: { kind: "ERROR" } })
    expect(switches.roll("store")).toEqual({ kind: "CONFLICT", commits: 2 })
    switches.hit("store")
    switches.hit("rail")
    expect(switches.settings().store).toEqual({ kind: "CONFLICT", commits: 2 })
    switches.hit("store")
    expect(switches.settings()).toEqual({ rail: { kind: "ERROR" } })
    expect(switches.roll("store")).toBeUndefined()
    expect(switches.met("store")).toBe(2)
  })

  it("reports that it was set and met, until the watcher is gone", () => {
    const switches = FaultSwitches.make()
    let count = 0
    const watched = Effect.gen(function* () {
      yield* switches.watch(() => {
        count += 1
      })
      switches.set({ rail: { kind: "ERROR" } })
      switches.hit("rail")
    })
    Effect.runSync(Effect.scoped(watched))
    switches.set({})
    expect(count).toBe(2)
  })
})
