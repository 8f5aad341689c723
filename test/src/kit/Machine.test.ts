/** The machine builder: its derived properties agree with every possible table. */
import { Machine } from "@countersign/core/verify"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const states = ["A", "B", "C", "D"] as const
const triggers = ["go", "stop", "turn"] as const
type S = (typeof states)[number]
type T = (typeof triggers)[number]
type Row = Machine.Row<S, T, string>

/** Generates tables with at most one arrow for each state and trigger. */
const tables = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom<S | null>(null, ...states),
    fc.constantFrom<T>(...triggers),
    fc.constantFrom<S>(...states),
    fc.array(fc.constantFrom("X.ONE", "X.TWO"), { maxLength: 2 }),
  ),
  { selector: ([from, on]) => `${from}/${on}`, maxLength: 15 },
)
const build = (arrows: ReadonlyArray<Row>): Machine.Machine<S, T, string> => Machine.make({ name: "Any", arrows })
const pairs = [null, ...states].flatMap((from) => triggers.map((on) => [from, on] as const))

describe("Machine.make", () => {
  it("derives states and triggers from the table, in the order in which it first names them", () => {
    const machine = build([
      [null, "turn", "C"],
      ["B", "go", "A"],
      ["C", "turn", "B"],
    ])
    expect(machine.states).toEqual(["C", "B", "A"])
    expect(machine.triggers).toEqual(["turn", "go"])
  })

  it("finds and follows the arrow between two states", () => {
    const machine = build([
      [null, "go", "A"],
      ["A", "turn", "B", ["X.ONE"]],
      ["A", "stop", "B", ["X.TWO"]],
    ])
    expect(machine.triggerBetween("A", "B")).toBe("turn")
    expect(machine.triggerBetween("B", "A")).toBeUndefined()
    expect(machine.followTo("A", "B")).toEqual({ _tag: "Taken", state: "B", emits: ["X.ONE"] })
    expect(() => machine.followTo(null, "B")).toThrow("Any: no arrow from (none) to B")
  })

  it("follows the arrow of each pair and refuses every other pair", () => {
    fc.assert(
      fc.property(tables, (arrows) => {
        const machine = build(arrows)
        for (const [from, on] of pairs) {
          const row = arrows.find(([start, trigger]) => start === from && trigger === on)
          expect(machine.take(from, on)).toEqual(
            row === undefined
              ? { _tag: "Refused", from, trigger: on }
              : { _tag: "Taken", state: row[2], emits: row[3] },
          )
          expect(machine.allows(from, on)).toBe(row !== undefined)
        }
      }),
    )
  })

  it("rejects a table with two arrows for one state and trigger", () => {
    fc.assert(
      fc.property(fc.constantFrom<S | null>(null, ...states), fc.constantFrom<T>(...triggers), (from, on) => {
        const conflicting: ReadonlyArray<Row> = [
          [from, on, "A"],
          [from, on, "B"],
        ]
        expect(() => build(conflicting)).toThrow(`Any: two arrows from ${from ?? "(none)"} on ${on}`)
      }),
    )
  })

  it("reports the states without an outgoing arrow as terminal", () => {
    fc.assert(
      fc.property(tables, (arrows) => {
        const machine = build(arrows)
        const terminals = machine.states.filter((state) => triggers.every((on) => !machine.allows(state, on)))
        expect(machine.terminals).toEqual(terminals)
        expect(machine.states.filter(machine.isTerminal)).toEqual(terminals)
      }),
    )
  })

  it("reports the states that a chain of arrows from the start leads to as reachable", () => {
    fc.assert(
      fc.property(tables, (arrows) => {
        const reached = new Set<S>()
        for (let round = 0; round < states.length; round += 1) {
          for (const [from, , to] of arrows) if (from === null || reached.has(from)) reached.add(to)
        }
        expect(build(arrows).reachable.toSorted()).toEqual(states.filter((state) => reached.has(state)))
      }),
    )
  })

  it("follows a chain of triggers like single transitions", () => {
    fc.assert(
      fc.property(
        tables,
        fc.array(fc.constantFrom<T>(...triggers), { minLength: 1, maxLength: 6 }),
        (arrows, chain) => {
          const machine = build(arrows)
          let at: S | null | undefined = null
          const emits: Array<string> = []
          for (const trigger of chain) {
            if (at === undefined) break
            const taken: ReturnType<typeof machine.take> = machine.take(at, trigger)
            at = taken._tag === "Taken" ? taken.state : undefined
            if (taken._tag === "Taken") emits.push(...taken.emits)
          }
          if (at === undefined) expect(() => machine.follow(null, ...chain)).toThrow("Any: no arrow from")
          else expect(machine.follow(null, ...chain)).toEqual({ _tag: "Taken", state: at, emits })
        },
      ),
    )
  })

  it("follows no trigger from a state to the same state, and throws without a state or an arrow", () => {
    const machine = build([[null, "go", "A"]])
    expect(() => machine.follow(null)).toThrow("Any: no trigger given")
    expect(() => machine.follow(null, "stop")).toThrow("Any: no arrow from (none) on stop")
    expect(() => machine.follow("A", "go")).toThrow("Any: no arrow from A on go")
    expect(machine.follow("A").state).toBe("A")
  })
})

describe("Machine.withEvents", () => {
  it("keeps the arrows of the other machine and emits events by trigger", () => {
    const source = Machine.make({
      name: "Source",
      arrows: [
        [null, "go", "A", ["X.ONE"]],
        ["A", "stop", "B"],
      ],
    })
    const machine = Machine.withEvents("Derived", source, { stop: ["X.TWO"] })
    expect(machine.name).toBe("Derived")
    expect(machine.states).toEqual(source.states)
    expect(machine.take(null, "go")).toEqual({ _tag: "Taken", state: "A", emits: [] })
    expect(machine.take("A", "stop")).toEqual({ _tag: "Taken", state: "B", emits: ["X.TWO"] })
  })
})
