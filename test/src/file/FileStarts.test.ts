/** The first bytes of a file, looked at before the rest is read: from pieces of every size, and without a loss. */
import { Effect, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { startOf } from "../../../packages/core/src/service/file/FileStart.ts"

const bytes = (...values: ReadonlyArray<number>) => Uint8Array.from(values)

/** The start, all bytes, and how many pieces had been pulled when the start was known. */
const started = (pieces: ReadonlyArray<Uint8Array>, length: number) =>
  Effect.runPromise(
    Effect.gen(function* () {
      let pulled = 0
      const source = Stream.fromIterable(pieces).pipe(
        Stream.rechunk(1),
        Stream.tap(() => Effect.sync(() => (pulled += 1))),
      )
      const { bytes: all, start } = yield* startOf(source, length)
      const before = pulled
      const rest = yield* Stream.runCollect(all)
      return { start: [...start], all: rest.flatMap((piece) => [...piece]), before }
    }).pipe(Effect.scoped),
  )

const pieces = [bytes(1), bytes(2, 3), bytes(4, 5, 6)]

describe("the start of a file", () => {
  it.each([
    [0, [], 0],
    [1, [1], 1],
    [2, [1, 2, 3], 2],
    [3, [1, 2, 3], 2],
    [4, [1, 2, 3, 4, 5, 6], 3],
    [6, [1, 2, 3, 4, 5, 6], 3],
    [7, [1, 2, 3, 4, 5, 6], 3],
  ])("of at least %i bytes is read in whole pieces, and no piece beyond", async (length, start, before) => {
    expect(await started(pieces, length)).toEqual({ start, all: [1, 2, 3, 4, 5, 6], before })
  })

  it("of an empty file is empty", async () => {
    expect(await started([], 4)).toEqual({ start: [], all: [], before: 0 })
    expect(await started([bytes()], 4)).toEqual({ start: [], all: [], before: 1 })
  })

  it("fails as the file does", async () => {
    const failing = Stream.concat(Stream.succeed(bytes(1)), Stream.fail("broken"))
    expect(await Effect.runPromise(Effect.flip(Effect.scoped(startOf(failing, 2))))).toBe("broken")
    const { bytes: rest, start } = await Effect.runPromise(Effect.scoped(startOf(Stream.succeed(bytes(1)), 1)))
    expect([...start, rest === undefined]).toEqual([1, false])
  })
})
