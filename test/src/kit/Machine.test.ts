/** The machine builder: what it derives from a table agrees with the table, whatever the table is. */
import { Machine } from "@countersign/core/verify"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const states = ["A", "B", "C", "D"] as const
const triggers = ["go", "stop", "turn"] as const
type S = (typeof states)[number]
type T = (typeof triggers)[number]
type Arrow = Machine.Arrow<S, T, string>

/** Any table that is a function of state and trigger. */
const tables = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom<S | null>(null, ...states),
    fc.constantFrom<T>(...triggers),
    fc.constantFrom<S>(...states),
    fc.array(fc.constantFrom("X.ONE", "X.TWO"), { maxLength: 2 }),
  ),
  { selector: ([from, on]) => `${from}/${on}`, maxLength: 15 },
)
const build = (arrows: ReadonlyArray<Arrow>) => Machine.make<S, T, string>({ name: "Any", states, triggers, arrows })
const pairs = [null, ...states].flatMap((from) => triggers.map((on) => [from, on] as const))

describe("Machine.make", () => {
  it("follows the arrow of each pair and refuses every other pair", () => {
    fc.assert(
      fc.property(tables, (arrows) => {
        const machine = build(arrows)
        for (const [from, on] of pairs) {
          const row = arrows.find(([start, trigger]) => start === from && trigger === on)
          expect(machine.step(from, on)).toEqual(
            row === undefined ? { moved: false, from, on } : { moved: true, to: row[2], emits: row[3] },
          )
        }
      }),
    )
  })

  it("refuses a table with two arrows for one pair", () => {
    fc.assert(
      fc.property(fc.constantFrom<S | null>(null, ...states), fc.constantFrom<T>(...triggers), (from, on) => {
        const twice: ReadonlyArray<Arrow> = [
          [from, on, "A"],
          [from, on, "B"],
        ]
        expect(() => build(twice)).toThrow(`Any: two arrows from ${from ?? "(none)"} on ${on}`)
      }),
    )
  })

  it("calls terminal exactly the states without an arrow out", () => {
    fc.assert(
      fc.property(tables, (arrows) => {
        const machine = build(arrows)
        const stuck = states.filter((state) => triggers.every((on) => !machine.step(state, on).moved))
        expect(machine.terminals).toEqual(stuck)
        expect(states.filter(machine.isTerminal)).toEqual(stuck)
      }),
    )
  })

  it("calls reachable exactly the states that some walk from nothing meets", () => {
    fc.assert(
      fc.property(tables, (arrows) => {
        const met = new Set<S>()
        for (let round = 0; round < states.length; round += 1) {
          for (const [from, , to] of arrows) if (from === null || met.has(from)) met.add(to)
        }
        expect(build(arrows).reachable).toEqual(states.filter((state) => met.has(state)))
      }),
    )
  })

  it("walks a chain of triggers as single steps do", () => {
    fc.assert(
      fc.property(
        tables,
        fc.array(fc.constantFrom<T>(...triggers), { minLength: 1, maxLength: 6 }),
        (arrows, chain) => {
          const machine = build(arrows)
          let at: S | null | undefined = null
          for (const on of chain) {
            const step: Machine.Step<S, T, string> =
              at === undefined ? { moved: false, from: null, on } : machine.step(at, on)
            at = step.moved ? step.to : undefined
          }
          if (at === undefined) expect(() => machine.follow(null, ...chain)).toThrow("Any: no arrow from")
          else expect(machine.follow(null, ...chain)).toBe(at)
        },
      ),
    )
  })

  it("follows no trigger to nowhere, and none from a state to that state", () => {
    const machine = build([[null, "go", "A"]])
    expect(() => machine.follow(null)).toThrow("Any: no trigger given")
    expect(() => machine.follow(null, "stop")).toThrow("Any: no arrow from (none) on stop")
    expect(() => machine.follow("A", "go")).toThrow("Any: no arrow from A on go")
    expect(machine.follow("A")).toBe("A")
  })
})
