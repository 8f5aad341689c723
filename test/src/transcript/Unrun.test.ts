/** Which pieces of a source count as never run. */
import { expect, it } from "vitest"
import { markRun, piecesOf } from "./Unrun.ts"

const source = `const sign = (n) => {
  // A comment is no code.
  if (n < 0) return "minus"
  return n === 0 ? "" : "plus"
}
const unused = () => "never"
`
const rangeOf = (text: string, count: number) => {
  const startOffset = source.indexOf(text)
  return { startOffset, endOffset: startOffset + text.length, count }
}
const whole = { ranges: [{ startOffset: 0, endOffset: source.length, count: 1 }] }
const sign = (minus: number, none: number) => ({
  ranges: [
    { ...rangeOf("(n) => {", 1), endOffset: source.indexOf("}") + 1 },
    rangeOf('return "minus"', minus),
    rangeOf('"" ', none),
  ],
})
const unused = (count: number) => ({ ranges: [rangeOf('() => "never"', count)] })

const missing = (...processes: ReadonlyArray<Parameters<typeof markRun>[1]>) => {
  const isRun = new Uint8Array(source.length)
  for (const functions of processes) markRun(isRun, functions)
  return piecesOf(source, isRun).map(({ code, line }) => `${line}: ${code}`)
}

it("are the branches and functions without a count, by their lines", () => {
  expect(missing([unused(0), sign(0, 2), whole])).toEqual(['3: return "minus"', '6: () => "never"'])
})

it("are none where another process ran them", () => {
  const [one, other] = [
    [whole, sign(0, 1), unused(0)],
    [whole, sign(1, 0), unused(1)],
  ]
  expect([missing(one, other), missing(other, one)]).toEqual([[], []])
})

it("are the whole code of a source that no process loaded, without its comments", () => {
  expect(missing()).toEqual(
    [
      source
        .replace(/\/\/.*/u, "")
        .replace(/\s+/gu, " ")
        .trim(),
    ].map((code) => `1: ${code}`),
  )
})
