/** The checks of the machine proof: a correct machine passes, and each kind of mistake is reported. */
import { Machine, Mermaid } from "@countersign/core/verify"
import { describe, expect, it } from "vitest"
import {
  problemsOfDiagram,
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

describe("the machine proof", () => {
  it("reports nothing for a correct machine", () => {
    expect(everyPair(door)).toEqual([])
  })

  it("reports a `take` that succeeds without an arrow", () => {
    const wrong: Door = {
      ...door,
      take: (from, trigger) => (from === "WALLED" ? taken("OPEN") : door.take(from, trigger)),
      allows: (from, trigger) => from === "WALLED" || door.allows(from, trigger),
    }
    expect(everyPair(wrong)).toContain("WALLED on open: take returns OPEN, but the table has no such arrow")
    expect(problemsOfTerminals(wrong)).toEqual(["Door: terminals: unexpected WALLED"])
  })

  it("reports a `take` that refuses an arrow", () => {
    const wrong: Door = { ...door, take: (from, trigger) => ({ _tag: "Refused", from, trigger }) }
    expect(everyPair(wrong)).toContain("OPEN on shut: take refuses, but the table has an arrow to SHUT")
    expect(problemsOfReach(wrong)).toContain("Door: OPEN is unreachable")
  })

  it("reports a `take` with another state or without its events", () => {
    const wrong: Door = {
      ...door,
      take: (from, trigger) => (door.allows(from, trigger) ? taken("SHUT") : door.take(from, trigger)),
    }
    expect(everyPair(wrong)).toEqual([
      "(none) on build: take returns SHUT, the table has OPEN",
      "(none) on build: emitted events: missing DOOR.BUILT",
      "SHUT on open: take returns SHUT, the table has OPEN",
      "SHUT on wall: take returns SHUT, the table has WALLED",
      "SHUT on wall: emitted events: missing DOOR.WALLED",
      "SHUT on wall: emitted events: missing ROOM.LOST",
    ])
  })

  it("reports a `follow` that differs from the table", () => {
    expect(everyPair({ ...door, follow: () => ({ _tag: "Taken", state: "SHUT", emits: [] }) })).toContain(
      "WALLED on open: follow returns SHUT, but the table has no such arrow",
    )
  })

  it("reports two arrows for one state and trigger", () => {
    const wrong: Door = {
      ...door,
      arrows: [...door.arrows, { from: "OPEN", trigger: "shut", to: "WALLED", emits: [] }],
    }
    expect(everyPair(wrong)).toEqual(["OPEN on shut: the table has 2 arrows, at most one is allowed"])
  })

  it("reports unknown, duplicate and unused names", () => {
    const wrong: Door = { ...door, states: ["OPEN", "SHUT", "SHUT"], triggers: ["build", "shut", "open"] }
    expect(problemsOfNames(wrong)).toEqual([
      "Door: states: duplicate SHUT",
      "Door: an arrow has an unknown state or trigger: SHUT on wall to WALLED emitting DOOR.WALLED, ROOM.LOST",
    ])
    expect(problemsOfNames({ ...door, name: "" })).toEqual(["the machine has no name"])
    expect(problemsOfNames({ ...door, arrows: door.arrows.slice(0, 3) })).toEqual([
      "Door: the trigger wall has no arrow",
    ])
  })

  it("reports missing terminal states and contradictions to `isTerminal`", () => {
    expect(problemsOfTerminals({ ...door, terminals: [] })).toEqual([
      "Door: terminals: missing WALLED",
      "Door: isTerminal and terminals disagree about WALLED",
    ])
  })

  it("reports an unreachable state, unless it is listed with a reason", () => {
    const house = Machine.make({
      name: "House",
      arrows: [
        [null, "build", "BUILT"],
        ["HAUNTED", "exorcise", "BUILT"],
      ],
    })
    expect(problemsOfReach(house)).toEqual(["House: HAUNTED is unreachable"])
    expect(problemsOfReach(house, { unreachable: { HAUNTED: "the surveyor lists it" } })).toEqual([])
    expect(problemsOfReach(house, { unreachable: { HAUNTED: " " } })).toEqual([
      "House: HAUNTED is listed as unreachable without a reason",
    ])
    expect(problemsOfReach(house, { unreachable: { BUILT: "", HAUNTED: "the surveyor lists it" } })).toEqual([
      "House: BUILT is listed as unreachable but is reachable",
    ])
    expect(problemsOfReach({ ...house, reachable: house.states }, { unreachable: { HAUNTED: "as above" } })).toEqual([
      "House: reachable: unexpected HAUNTED",
    ])
  })

  it("reports a missing, changed or additional line of the diagram", () => {
    const diagram = Mermaid.diagram(door)
    expect(problemsOfDiagram(door, diagram.replace("  SHUT --> OPEN: open\n", ""))).toEqual([
      "Door: the diagram: missing SHUT --> OPEN: open",
    ])
    expect(problemsOfDiagram(door, diagram.replace(" / DOOR.BUILT", ""))).toEqual([
      "Door: the diagram: missing [*] --> OPEN: build / DOOR.BUILT",
      "Door: the diagram: unexpected [*] --> OPEN: build",
    ])
    expect(problemsOfDiagram(door, diagram.replace("stateDiagram-v2", "graph TD"))).toEqual([
      "Door: the diagram does not begin with stateDiagram-v2",
    ])
    expect(problemsOfDiagram(door, `${diagram}\n  OPEN --> [*]`)).toEqual([
      "Door: the diagram: unexpected OPEN --> [*]",
    ])
  })

  it("reports an arrow that differs from the specification", () => {
    const specified = [...rows.slice(0, 3), ["SHUT", "wall", "WALLED"] as const]
    expect(problemsOfSpecified(door, specified)).toEqual([
      "Door: the table: missing SHUT on wall to WALLED",
      "Door: the table: unexpected SHUT on wall to WALLED emitting DOOR.WALLED, ROOM.LOST",
    ])
  })
})
