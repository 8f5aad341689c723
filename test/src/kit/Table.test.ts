/** Tables: their rows in order, and no row for names that every object inherits. */

import fc from "fast-check"
import { expect, it } from "vitest"
import * as Table from "../../../packages/core/src/foundation/kit/Table.ts"

const colours = Table.make("Colours", { red: { warm: true }, blue: { warm: false } })

it("a table keeps its rows in order", () => {
  expect(colours.name).toBe("Colours")
  expect(colours.keys).toEqual(["red", "blue"])
  expect(colours.entries).toEqual([
    ["red", { warm: true }],
    ["blue", { warm: false }],
  ])
  expect(colours.get("red")).toBe(colours.rows.red)
})

it("a table finds a row by its key and nothing by another key", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.constantFrom("red", "blue", ...Object.getOwnPropertyNames(Object.prototype))),
      (key) => {
        const known = key === "red" || key === "blue"
        expect(colours.has(key)).toBe(known)
        expect(colours.find(key)).toEqual(known ? { warm: key === "red" } : undefined)
      },
    ),
  )
})
