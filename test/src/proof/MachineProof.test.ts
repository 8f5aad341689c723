/** The machine's proof proves itself: a sound machine passes, and each kind of unsound one is found. */
import { Machine, Mermaid } from "@countersign/core/verify"
import { describe, expect, it } from "vitest"
import {
  problemsOfDrawing,
  problemsOfNames,
  problemsOfPair,
  problemsOfReach,
  problemsOfSpecified,
  problemsOfTerminals,
  proveMachine,
} from "../../../packages/test/src/proof/MachineProof.ts"

const rows = [
  [null, "build", "OPEN", ["DOOR.BUILT"]],
  ["OPEN", "shut", "SHUT"],
  ["SHUT", "open", "OPEN"],
  ["SHUT", "wall", "WALLED", ["DOOR.WALLED", "ROOM.LOST"]],
] as const
const door = Machine.make({ name: "Door", arrows: rows })
type Door = typeof door
type Taken = ReturnType<Door["take"]>
const taken = (state: "OPEN" | "SHUT"): Taken => ({ _tag: "Taken", state, emits: [] })

proveMachine(door, { specified: rows })

const everyPair = (machine: Door) =>
  [null, ...machine.states].flatMap((from) => machine.triggers.flatMap((on) => problemsOfPair(machine, from, on)))

describe("the machine proof finds", () => {
  it("nothing in a sound machine", () => {
    expect(everyPair(door)).toEqual([])
  })

  it("a step that moves without an arrow", () => {
    const wrong: Door = {
      ...door,
      take: (from, trigger) => (from === "WALLED" ? taken("OPEN") : door.take(from, trigger)),
      allows: (from, trigger) => from === "WALLED" || door.allows(from, trigger),
    }
    expect(everyPair(wrong)).toContain("WALLED on open: moves to OPEN, though the table has no such arrow")
    expect(problemsOfTerminals(wrong)).toEqual(["Door: terminals has too much: WALLED"])
  })

  it("a step that refuses an arrow", () => {
    const wrong: Door = { ...door, take: (from, trigger) => ({ _tag: "Refused", from, trigger }) }
    expect(everyPair(wrong)).toContain("OPEN on shut: refused, though the table leads to SHUT")
    expect(problemsOfReach(wrong)).toContain("Door: nothing leads to OPEN")
  })

  it("a step to another state, and one that forgets its events", () => {
    const wrong: Door = {
      ...door,
      take: (from, trigger) => (door.allows(from, trigger) ? taken("SHUT") : door.take(from, trigger)),
    }
    expect(everyPair(wrong)).toEqual([
      "(none) on build: moves to SHUT, the table says OPEN",
      "(none) on build: what it emits lacks: DOOR.BUILT",
      "SHUT on open: moves to SHUT, the table says OPEN",
      "SHUT on wall: moves to SHUT, the table says WALLED",
      "SHUT on wall: what it emits lacks: DOOR.WALLED",
      "SHUT on wall: what it emits lacks: ROOM.LOST",
    ])
  })

  it("a follow that disagrees with the table", () => {
    expect(everyPair({ ...door, follow: () => ({ _tag: "Taken", state: "SHUT", emits: [] }) })).toContain(
      "WALLED on open: follow answers SHUT, though the table has no such arrow",
    )
  })

  it("two arrows for one pair", () => {
    const wrong: Door = {
      ...door,
      arrows: [...door.arrows, { from: "OPEN", trigger: "shut", to: "WALLED", emits: [] }],
    }
    expect(everyPair(wrong)).toEqual(["OPEN on shut: the table has 2 arrows"])
  })

  it("names that are unknown, doubled or unused", () => {
    const wrong: Door = { ...door, states: ["OPEN", "SHUT", "SHUT"], triggers: ["build", "shut", "open"] }
    expect(problemsOfNames(wrong)).toEqual([
      "Door: states has twice: SHUT",
      "Door: an arrow with unknown names: SHUT on wall to WALLED emitting DOOR.WALLED, ROOM.LOST",
    ])
    expect(problemsOfNames({ ...door, name: "" })).toEqual(["the machine has no name"])
    expect(problemsOfNames({ ...door, arrows: door.arrows.slice(0, 3) })).toEqual([
      "Door: the trigger wall moves nothing",
    ])
  })

  it("terminals that are missing or contradicted", () => {
    expect(problemsOfTerminals({ ...door, terminals: [] })).toEqual([
      "Door: terminals lacks: WALLED",
      "Door: isTerminal and terminals disagree about WALLED",
    ])
  })

  it("a state that nothing leads to, unless it is excused", () => {
    const house = Machine.make({
      name: "House",
      arrows: [
        [null, "build", "BUILT"],
        ["HAUNTED", "exorcise", "BUILT"],
      ],
    })
    expect(problemsOfReach(house)).toEqual(["House: nothing leads to HAUNTED"])
    expect(problemsOfReach(house, { unreachable: { HAUNTED: "the surveyor lists it" } })).toEqual([])
    expect(problemsOfReach(house, { unreachable: { HAUNTED: " " } })).toEqual([
      "House: HAUNTED is excused without a reason",
    ])
    expect(problemsOfReach(house, { unreachable: { BUILT: "", HAUNTED: "the surveyor lists it" } })).toEqual([
      "House: BUILT is excused but reachable",
    ])
    expect(problemsOfReach({ ...house, reachable: house.states }, { unreachable: { HAUNTED: "as above" } })).toEqual([
      "House: reachable has too much: HAUNTED",
    ])
  })

  it("a drawing with an arrow missing, changed or added", () => {
    const drawing = Mermaid.diagram(door)
    expect(problemsOfDrawing(door, drawing.replace("  SHUT --> OPEN: open\n", ""))).toEqual([
      "Door: the drawing lacks: SHUT --> OPEN: open",
    ])
    expect(problemsOfDrawing(door, drawing.replace(" / DOOR.BUILT", ""))).toEqual([
      "Door: the drawing lacks: [*] --> OPEN: build / DOOR.BUILT",
      "Door: the drawing has too much: [*] --> OPEN: build",
    ])
    expect(problemsOfDrawing(door, drawing.replace("stateDiagram-v2", "graph TD"))).toEqual([
      "Door: the drawing is no state diagram",
    ])
    expect(problemsOfDrawing(door, `${drawing}\n  OPEN --> [*]`)).toEqual([
      "Door: the drawing has too much: OPEN --> [*]",
    ])
  })

  it("an arrow that the specification has otherwise", () => {
    const specified = [...rows.slice(0, 3), ["SHUT", "wall", "WALLED"] as const]
    expect(problemsOfSpecified(door, specified)).toEqual([
      "Door: the table lacks: SHUT on wall to WALLED",
      "Door: the table has too much: SHUT on wall to WALLED emitting DOOR.WALLED, ROOM.LOST",
    ])
  })
})
