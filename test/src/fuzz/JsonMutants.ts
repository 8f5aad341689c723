/** Mutations of JSON by its values and members, and of its text. */
import { type Draw, mutantText } from "../crypto/Mutants.ts"
import { mutantOfBytes } from "./ByteMutants.ts"
import type { Mutator } from "./Target.ts"

type Members = { readonly [name: string]: unknown }

const values: ReadonlyArray<unknown> = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 53,
  "",
  "0",
  "\0",
  "\ud800",
  "é",
  [],
  {},
  [[]],
  { length: 1 },
]
const names = ["", "__proto__", "constructor", "toString", "length", "\0"]

const oneOf = <Value>(draw: Draw, from: ReadonlyArray<Value>): Value | undefined => from[draw(from.length)]

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isHex = (text: string): boolean => text !== "" && /^(?:[0-9a-f]{2})+$/iu.test(text)

const mutantOfText = (draw: Draw, text: string): string => {
  if (text === "") return "a"
  if (isHex(text) && draw(4) > 0) return Buffer.from(mutantOfBytes(draw, Buffer.from(text, "hex"))).toString("hex")
  return draw(8) === 0 ? text.toUpperCase() : mutantText(draw, text)
}

const mutantOfLeaf = (draw: Draw, value: unknown): unknown => {
  if (draw(4) === 0) return oneOf(draw, values)
  if (typeof value === "string") return mutantOfText(draw, value)
  if (typeof value === "number") return draw(2) === 0 ? value + draw(131) - 65 : -value
  return oneOf(draw, values)
}

const mutantOfMembers = (draw: Draw, value: Members): unknown => {
  const entries = Object.entries(value)
  const at = draw(entries.length)
  const [name = "", member] = entries[at] ?? []
  const kind = draw(8)
  if (kind === 0) return Object.fromEntries(entries.toSpliced(at, 1))
  if (kind === 1) return Object.fromEntries([...entries, [oneOf(draw, names) ?? "", oneOf(draw, values)]])
  if (kind === 2) return Object.fromEntries([...entries, [name, oneOf(draw, entries)?.[1]]])
  if (kind === 3) return Object.fromEntries(entries.with(at, [mutantText(draw, name || "a"), member]))
  return Object.fromEntries(entries.with(at, [name, mutantOfValue(draw, member)]))
}

const mutantOfList = (draw: Draw, list: ReadonlyArray<unknown>): unknown => {
  const at = draw(list.length)
  const kind = draw(4)
  if (kind === 0) return list.toSpliced(at, 1)
  if (kind === 1) return [...list, list[at]]
  return list.with(at, mutantOfValue(draw, list[at]))
}

const mutantOfValue = (draw: Draw, value: unknown): unknown => {
  const kind = draw(24)
  if (kind === 0) return [value]
  if (kind === 1) return { value }
  if (Array.isArray(value) && value.length > 0) return mutantOfList(draw, value)
  if (isMembers(value) && Object.keys(value).length > 0) return mutantOfMembers(draw, value)
  return mutantOfLeaf(draw, value)
}

/** Writes a value again with what JSON allows and `JSON.stringify` does not write. */
const respelled = (draw: Draw, text: string): string => {
  const kind = draw(6)
  if (kind === 0) return text.replace(/[,:{[]/u, (mark) => `${mark} \n`)
  if (kind === 1) return text.replace(/[a-z]/u, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`)
  if (kind === 2) return text.replace(/\{("[^"]*":)/u, "{$1null,$1")
  if (kind === 3) return text.replace(/\d+/u, (digits) => `${digits}e${draw(400)}`)
  if (kind === 4) return `${"[".repeat(1 + draw(300))}${text}`
  return ` ${text}\t`
}

export const jsonMutator: Mutator = (draw, input) => {
  if (input === "") return "{}"
  const kind = draw(8)
  if (kind < 2) return mutantText(draw, input)
  try {
    const value: unknown = JSON.parse(input)
    return kind === 2 ? respelled(draw, input) : (JSON.stringify(mutantOfValue(draw, value)) ?? "")
  } catch {
    return mutantText(draw, input)
  }
}
