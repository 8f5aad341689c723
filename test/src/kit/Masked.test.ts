/** Identification numbers as they are stored and shown: masked but for their last characters. Source: D-080. */
import { Redacted } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { masked, maskToStore } from "../../../packages/core/src/foundation/kit/Masked.ts"

const mask = (text: string) => masked(Redacted.make(text))

it("shows the last four characters of a number of eight or more", () => {
  expect(["1234567", "12345678", "123-45-6789"].map(mask)).toEqual(["****", "****5678", "****6789"])
  expect(maskToStore("****6789", "****6789")).toBe("****6789")
  expect(maskToStore("123456789", "****0000")).toBe("****6789")
})

it("never divides a pair of surrogates, which no store could keep", () => {
  expect(mask("𝅘𝅥𝅮 𐀀12345")).toBe("****2345")
  expect(mask("1234567😀😀😀")).toBe("****7😀😀😀")
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(mask(text).isWellFormed()).toBe(true)
      expect([...mask(text)].length).toBeLessThanOrEqual(8)
    }),
  )
})
