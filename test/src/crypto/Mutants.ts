/**
 * Fuzzing with mutations of valid inputs, from a small generator that is fast enough for 100,000 inputs. fast-check generates the
 * seeds and prints a failing one.
 */
import * as fc from "fast-check"

/** Number of inputs per decoder. `COUNTERSIGN_FUZZ=1000000` raises it. */
const inputs = Number(process.env["COUNTERSIGN_FUZZ"] ?? 50_000)

/** Number of inputs per seed. */
const perSeed = 500

export const fuzzTimeoutMillis = 60_000 + inputs * 2

/** Returns a random integer below a bound (splitmix32). */
export type Draw = (bound: number) => number

export const drawOf = (seed: number): Draw => {
  let state = seed >>> 0
  return (bound) => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return Math.floor((((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32) * bound)
  }
}

/** Checks the configured number of inputs, those of one seed concurrently. `check` throws for a wrong result. */
export const fuzz = <Input>(
  draw: (draw: Draw) => Input,
  check: (input: Input) => void | Promise<void>,
): Promise<void> =>
  fc.assert(
    fc.asyncProperty(fc.noShrink(fc.nat({ max: 2 ** 31 - 1 })), async (seed) => {
      const random = drawOf(seed)
      const running: Array<Promise<void>> = []
      for (let left = perSeed; left > 0; left -= 1) {
        const checked = check(draw(random))
        if (checked !== undefined) running.push(checked)
      }
      await Promise.all(running)
    }),
    { numRuns: Math.ceil(inputs / perSeed) },
  )

/** Arbitrary of single inputs, for a property. */
export const drawn = <Input>(draw: (draw: Draw) => Input): fc.Arbitrary<Input> =>
  fc.noShrink(fc.nat({ max: 2 ** 31 - 1 })).map((seed) => draw(drawOf(seed)))

const joined = (...parts: ReadonlyArray<Uint8Array>): Uint8Array => new Uint8Array(Buffer.concat(parts))
const some = (draw: Draw, length: number) => Uint8Array.from({ length }, () => draw(256))

/** Returns bytes that differ from the given ones. */
export const mutantBytes = (draw: Draw, bytes: Uint8Array): Uint8Array => {
  const at = draw(bytes.length)
  const kind = draw(10)
  if (kind === 5) return bytes.slice(0, at)
  if (kind === 6) return joined(bytes, some(draw, 1 + draw(8)))
  if (kind === 7) return joined(some(draw, 1 + draw(2)), bytes)
  if (kind === 8) return joined(bytes.slice(0, at), bytes.slice(at + 1 + draw(4)))
  const copy = Uint8Array.from(bytes)
  const several = kind === 9 ? 1 + draw(8) : 1
  for (let index = at; index < Math.min(bytes.length, at + several); index += 1) {
    copy[index] = (copy[index] ?? 0) ^ (1 + draw(255))
  }
  return copy
}

const strange = ["\u0000", "ż", "\ud800", "=", "\n", "\\", '"', "{", "[", "0", "-", "."]

/** Returns a text that differs from the given one and mostly uses its characters. */
export const mutantText = (draw: Draw, text: string): string => {
  for (;;) {
    const at = draw(text.length)
    const kind = draw(9)
    const char =
      draw(2) === 0
        ? text.charAt(draw(text.length))
        : draw(2) === 0
          ? String.fromCharCode(0x20 + draw(95))
          : (strange[draw(strange.length)] ?? "")
    const mutant =
      kind < 4
        ? text.slice(0, at) + char + text.slice(at + 1)
        : kind === 4
          ? text.slice(0, at) + char + text.slice(at)
          : kind < 7
            ? text.slice(0, at) + text.slice(at + 1 + draw(9))
            : kind === 7
              ? text.slice(0, at)
              : text + text.slice(at, at + 1 + draw(text.length - at))
    if (mutant !== text) return mutant
  }
}
