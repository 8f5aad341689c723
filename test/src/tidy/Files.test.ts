/** The checks of files find what they look for. */
import { expect, it } from "vitest"
import {
  linesMax,
  medianMax,
  problemsOfHeader,
  problemsOfLength,
  problemsOfMedian,
  problemsOfWorkplace,
} from "./Files.ts"
import { isText } from "./Repository.ts"

const file = (text: string, path = "packages/core/src/kit/Any.ts") => ({ path, text })
const long = (lines: number) => file("x\n".repeat(lines))

it("finds a file that is too long, and not one of the greatest length", () => {
  expect(problemsOfLength(long(linesMax))).toEqual([])
  expect(problemsOfLength(long(linesMax + 1))).toEqual([
    "packages/core/src/kit/Any.ts: 351 lines, more than 350: it wants to be two",
  ])
})

it("finds files that are too long on the whole", () => {
  expect(problemsOfMedian([long(medianMax), long(1), long(linesMax)])).toEqual([])
  expect(problemsOfMedian([long(medianMax + 1), long(1), long(linesMax)])).toEqual([
    "the median of 3 files is 151 lines, more than 150",
  ])
})

it("finds a file that does not say what it is", () => {
  for (const text of ["/** A thing. */\n", "/**\n * A thing.\n */\n", "// A thing.\n"])
    expect(problemsOfHeader(file(text))).toEqual([])
  for (const text of ["", "import a\n", "\n/** Late. */\n", "/**\n *\n */\n", "/** */\n", "/* Plain. */\n", "//\n"]) {
    expect(problemsOfHeader(file(text))).toHaveLength(1)
  }
})

it("finds the names of a workplace", () => {
  expect(problemsOfWorkplace(file("the workshop, a librarian and registries"))).toEqual([])
  for (const text of ["cd /wo%rk/main", "see .libr%ary/search", "https://registry.%npmjs.org/x", "asked the C%EO"]) {
    expect(problemsOfWorkplace(file(text.replace("%", "")))).toHaveLength(1)
  }
})

it("reads texts alone: a compressed file may have any word", () => {
  expect(isText(Buffer.from("a title, in Zürich"))).toBe(true)
  expect(isText(Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x43]))).toBe(false)
  expect(isText(new Uint8Array())).toBe(true)
})
