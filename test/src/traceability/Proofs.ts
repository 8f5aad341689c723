/**
 * Reads the proofs that tests name: each comment that names statements, with the test below it.
 * Source: the statements' ids, which a test carries in a line comment of its own, directly above the call that registers it.
 */
import type { SourceFile } from "../tidy/Repository.ts"
import { viewsOf } from "../tidy/Views.ts"

/** A test that proves statements. */
export interface Proof {
  readonly ids: ReadonlyArray<string>
  readonly path: string
  readonly title: string
}

/** The comments of one file: proofs, and invalid comments with their reasons. */
export interface Found {
  readonly proofs: ReadonlyArray<Proof>
  readonly problems: ReadonlyArray<string>
}

const id = "[A-Z][A-Z0-9]*(?:-[A-Z0-9_]+)+"
export const isId = (text: string): boolean => new RegExp(`^${id}$`, "u").test(text)

const mention = /\bProves:/u
const wellWritten = new RegExp(`^\\s*// Proves: (${id}(?:, ${id})*)$`, "u")
const isComment = /^\s*\/\//u

/** Calls that register tests: those of the test runner, and functions of ours by their names. */
const registers = /^\s*(?:it|test|describe|(?:prove|verify)[A-Z]\w*|storeConformance)\b(?:\.\w+)*(?=[<(])/u

/** The index after the bracket that closes the one at `from`, in a text without strings. */
const afterBracket = (code: string, from: number): number => {
  let depth = 0
  for (let at = from; at < code.length; at += 1) {
    if ("([{".includes(code.charAt(at))) depth += 1
    if (")]}".includes(code.charAt(at))) depth -= 1
    if (depth === 0) return at + 1
  }
  return code.length
}

/** The arguments of the call whose bracket opens at `from`. */
const argumentsAt = (text: string, code: string, from: number): ReadonlyArray<string> => {
  const end = afterBracket(code, from) - 1
  const found: Array<string> = []
  let begin = from + 1
  for (let at = begin; at <= end; at += 1) {
    if (at < end && "([{".includes(code.charAt(at))) at = afterBracket(code, at) - 1
    else if (at === end || code.charAt(at) === ",") {
      found.push(text.slice(begin, at).trim())
      begin = at + 1
    }
  }
  return found.filter((argument) => argument !== "")
}

/** The index of the bracket that contains the title of a call. */
const openAt = (code: string, from: number, name: string): number => {
  const first = code[from + name.length] === "<" ? code.indexOf(">(", from) + 1 : from + name.length
  return /\.each$/u.test(name) ? afterBracket(code, first) : first
}

/** The title of the call that begins at `from`: its first string, or the call itself for our own functions. */
const titleAt = (text: string, code: string, from: number, name: string): string => {
  const given = argumentsAt(text, code, openAt(code, from, name))
  if (/^(?:it|test|describe)\b/u.test(name)) return (given[0] ?? "").replace(/^(["'`])(.*)\1$/su, "$2")
  return `${name}(${given.filter((argument) => !/[[{\n]/u.test(argument)).join(", ")})`
}

/** The titles of the suites around a place, the outer one first. */
const suitesAt = (text: string, code: string, place: number): ReadonlyArray<string> =>
  [...code.matchAll(/^ *(describe(?:\.\w+)*)(?=[<(])/gmu)].flatMap(({ 0: call, 1: name = "", index }) => {
    const from = index + call.length - name.length
    const open = openAt(code, from, name)
    return open < place && place < afterBracket(code, open) ? [titleAt(text, code, from, name)] : []
  })

/** The proofs of one file. */
export const proofsOf = ({ path, text }: SourceFile): Found => {
  if (!mention.test(text)) return { proofs: [], problems: [] }
  const { code, comments } = viewsOf(text)
  const lines = text.split("\n")
  let reached = 0
  const starts = lines.map((line) => {
    const start = reached
    reached += line.length + 1
    return start
  })
  const proofs: Array<Proof> = []
  const problems: Array<string> = []
  for (const [line, comment] of comments.split("\n").entries()) {
    if (!mention.test(comment)) continue
    const ids = wellWritten.exec(lines[line] ?? "")?.[1]?.split(", ")
    const below = lines.findIndex((next, at) => at > line && !isComment.test(next))
    const call = registers.exec(lines[below] ?? "")?.[0]
    if (ids === undefined) problems.push(`${path}:${line + 1}: not written as "// Proves: AREA-01, AREA-02"`)
    else if (call === undefined) problems.push(`${path}:${line + 1}: no test stands below ${ids.join(", ")}`)
    else {
      const name = call.trim()
      const from = (starts[below] ?? 0) + call.length - name.length
      const titles = [...suitesAt(text, code, from), titleAt(text, code, from, name)]
      proofs.push({ ids, path, title: titles.join(" › ") })
    }
  }
  return { proofs, problems }
}
