/** base58check against the set of its own authors. */
import { Base58Check } from "@countersign/core/crypto"
import { expect, it } from "vitest"
import { base58check, bytes, hex } from "./Vectors.ts"

const { invalid, valid } = base58check()

it("writes and reads every valid string", () => {
  expect(valid).toHaveLength(50)
  expect(valid.map(({ payload }) => Base58Check.encode(bytes(payload)))).toEqual(valid.map(({ string }) => string))
  expect(valid.map(({ string }) => hex(Base58Check.decode(string) ?? new Uint8Array()))).toEqual(
    valid.map(({ payload }) => payload),
  )
})

it.each([...invalid.map(({ string }) => string), "", "1", "0OIl", "żółw", " 1"])("does not read %s", (text) => {
  expect(Base58Check.decode(text)).toBeUndefined()
})
