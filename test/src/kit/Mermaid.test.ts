/** The Mermaid diagram of a machine, line by line. */
import { Machine, Mermaid } from "@countersign/core/verify"
import { expect, it } from "vitest"

const lamp = Machine.make({
  name: "Lamp",
  arrows: [
    [null, "mount", "OFF"],
    ["OFF", "press", "ON", ["LAMP.LIT"]],
    ["ON", "press", "OFF", []],
    ["ON", "drop", "BROKEN", ["LAMP.BROKEN", "ROOM.DARK"]],
  ],
})

it("draws the arrows in the order of the table with their events, then the terminal states", () => {
  expect(Mermaid.diagram(lamp)).toBe(
    [
      "stateDiagram-v2",
      "  [*] --> OFF: mount",
      "  OFF --> ON: press / LAMP.LIT",
      "  ON --> OFF: press",
      "  ON --> BROKEN: drop / LAMP.BROKEN, ROOM.DARK",
      "  BROKEN --> [*]",
    ].join("\n"),
  )
})

it("draws a machine of one state as terminal", () => {
  const still = Machine.make({ name: "Still", arrows: [[null, "stay", "HERE"]] })
  expect(Mermaid.diagram(still)).toBe("stateDiagram-v2\n  [*] --> HERE: stay\n  HERE --> [*]")
})
