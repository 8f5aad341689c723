/**
 * What every file has to be: short, introduced by its first line, and free of the names of any workplace.
 * Source: architecture, "Layers are folders" (sizes) and "Names and habits".
 */
import type { SourceFile } from "./Repository.ts"

export const linesMax = 350
export const medianMax = 150

const linesOf = (text: string) => text.replace(/\n$/u, "").split("\n").length

/** A source longer than a file may be. */
export const problemsOfLength = ({ path, text }: SourceFile): ReadonlyArray<string> =>
  linesOf(text) <= linesMax ? [] : [`${path}: ${linesOf(text)} lines, more than ${linesMax}: it wants to be two`]

/** Sources whose middle one is longer than it may be. */
export const problemsOfMedian = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> => {
  const lengths = files.map(({ text }) => linesOf(text)).toSorted((a, b) => a - b)
  const median = lengths[Math.floor(lengths.length / 2)] ?? 0
  return median <= medianMax ? [] : [`the median of ${lengths.length} files is ${median} lines, more than ${medianMax}`]
}

/** A source whose first line does not say what it is. */
export const problemsOfHeader = ({ path, text }: SourceFile): ReadonlyArray<string> => {
  // A command's first line may name its interpreter.
  const [first = "", second = ""] = text.replace(/^#!.*\n/u, "").split("\n")
  const said = first === "/**" ? second : first
  return /^(?:\/\*\*|\/\/)/u.test(first) && /[A-Za-z]{2}/u.test(said)
    ? []
    : [`${path}: the first line does not say what it is`]
}

// Written in pieces, so that this file does not contain what it looks for.
const workplace = [
  ["/wo", "rk/"],
  [".libr", "ary/"],
  ["registry.", "npmjs"],
  ["registry.", "yarnpkg"],
  ["/tm", "p/bash"],
]
const words = workplace.map((pieces) => pieces.join(""))
const title = new RegExp(`\\b${["C", "EO"].join("")}\\b`, "u")

/** Names that only a workplace has: its folders, its package hosts, its titles. */
export const problemsOfWorkplace = ({ path, text }: SourceFile): ReadonlyArray<string> => [
  ...words.filter((word) => text.includes(word)).map((word) => `${path}: names ${word}`),
  ...(title.test(text) ? [`${path}: names a title`] : []),
]
