/** Bodies are read up to their bound, and no further. */
import { expect, it } from "vitest"
import { boundedBytes } from "../../../packages/core/src/foundation/kit/BoundedBytes.ts"

const pieces = (...sizes: ReadonlyArray<number>) => {
  const read: Array<number> = []
  const body = async function* () {
    for (const size of sizes) {
      read.push(size)
      yield new Uint8Array(size).fill(size)
    }
  }
  return { body: body(), read }
}

it("a body of at most as many bytes is read whole, in order", async () => {
  expect(await boundedBytes(pieces(2, 0, 3).body, 5)).toEqual(Uint8Array.of(2, 2, 3, 3, 3))
  expect(await boundedBytes(null, 0)).toEqual(new Uint8Array(0))
})

it("a larger one is not, and its rest is never asked for", async () => {
  const { body, read } = pieces(2, 4, 8)
  expect(await boundedBytes(body, 5)).toBeUndefined()
  expect(read).toEqual([2, 4])
})
