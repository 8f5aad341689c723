/** base58check against the test vectors of its authors. */
import { Base58Check } from "@countersign/core/crypto"
import { expect, it } from "vitest"
import { base58check, bytes, hex } from "./Vectors.ts"

const { invalid, valid } = base58check()

it("encodes and decodes every valid string", () => {
  expect(valid).toHaveLength(50)
  expect(valid.map(({ payload }) => Base58Check.encode(bytes(payload)))).toEqual(valid.map(({ string }) => string))
  expect(valid.map(({ string }) => hex(Base58Check.decode(string) ?? new Uint8Array()))).toEqual(
    valid.map(({ payload }) => payload),
  )
})

it.each([...invalid.map(({ string }) => string), "", "1", "0OIl", "żółw", " 1"])("does not decode %s", (text) => {
  expect(Base58Check.decode(text)).toBeUndefined()
})
