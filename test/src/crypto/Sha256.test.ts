/** SHA-256 of texts: Node's and the portable one agree, and with the vectors of FIPS 180-4. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Sha256 from "../../../packages/core/src/foundation/crypto/Sha256.ts"

describe("SHA-256 of a text", () => {
  it.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  ])("is that of the standard for %j", (text, digest) => {
    expect([Sha256.hex(text), Sha256.portableHex(text)]).toEqual([digest, digest])
  })

  it("is Node's in a process of Node", () => {
    expect(Sha256.hex).not.toBe(Sha256.portableHex)
  })

  it("is the portable one in a runtime without Node's hash", () => {
    for (const host of [undefined, {}, { getBuiltinModule: () => undefined }, { getBuiltinModule: () => ({}) }])
      expect(Sha256.hexOn(host)).toBe(Sha256.portableHex)
    const asked: Array<unknown> = []
    const hash = (...of: ReadonlyArray<string>) => of.join(" ")
    const hex = Sha256.hexOn({
      getBuiltinModule: (name) => {
        asked.push(name)
        return { hash }
      },
    })
    expect([hex("text"), asked]).toEqual(["sha256 text hex", ["node:crypto"]])
  })

  it("is the same in every runtime, also for texts that are not well-formed", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.constant("\ud800x")), (text) => {
        expect(Sha256.hex(text)).toBe(Sha256.portableHex(text))
      }),
    )
  })
})
