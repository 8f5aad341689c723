/** Tables: what is in them, and that nothing that every object inherits is taken for a row. */

import fc from "fast-check"
import { expect, it } from "vitest"
import * as Table from "../../../packages/core/src/foundation/kit/Table.ts"

const colours = Table.make("Colours", { red: { warm: true }, blue: { warm: false } })

it("keeps the order and the rows", () => {
  expect(colours.name).toBe("Colours")
  expect(colours.keys).toEqual(["red", "blue"])
  expect(colours.entries).toEqual([
    ["red", { warm: true }],
    ["blue", { warm: false }],
  ])
  expect(colours.get("red")).toBe(colours.rows.red)
})

it("finds a row under its key, and nothing under another", () => {
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
