/**
 * The declarations of source files, by name: those of the file, and inside the layer of a service its functions.
 * Source: AGENTS.md, "Language and style": sources are formatted, so that the indentation shows where a declaration begins.
 */
import type { SourceFile } from "../../src/tidy/Repository.ts"
import { viewsOf } from "../../src/tidy/Views.ts"

export interface Chunk {
  readonly path: string
  /** `name`, or `Service.function`. */
  readonly name: string
  /** Without comments and without what is inside texts. */
  readonly code: string
  /** Without comments. */
  readonly literal: string
}

const beginning = /^(?:export )?(?:const|let|function\*?|class) +(\w+)/u
const typeBeginning = /^(?:export )?(?:interface|type|import|declare) /u
const innerBeginning = /^ {6}(?:const (\w+|\{[^}]*\}|\[[^\]]*\])|return\b|yield\*)/u
const member = /^ {8}(\w+)(?::|\(|,$)/u

interface Lines {
  readonly from: number
  readonly names: ReadonlyArray<string>
}

/** Divides lines at those that begin something; what stands before the first beginning is left out. */
const divided = (lines: ReadonlyArray<string>, begins: (line: string) => ReadonlyArray<string> | undefined) => {
  const starts = lines.flatMap((line, from): ReadonlyArray<Lines> => {
    const names = begins(line)
    return names === undefined ? [] : [{ from, names }]
  })
  return starts.map(({ from, names }, index) => ({ from, names, to: starts[index + 1]?.from ?? lines.length }))
}

const wordsOf = (text: string) => text.match(/\w+/gu) ?? []

/** Returns the chunks of a file. A service has one for each function of its layer, and one with its own name for the rest. */
export const chunksOf = ({ path, text }: SourceFile): ReadonlyArray<Chunk> => {
  const views = viewsOf(text)
  // What a port can answer is in its types.
  if (path.includes("/src/ports/")) return [{ path, name: path.split("/").at(-1)?.slice(0, -3) ?? "", ...views }]
  const code = views.code.split("\n")
  const literal = views.literal.split("\n")
  const chunk = (name: string, from: number, to: number): Chunk => ({
    path,
    name,
    code: code.slice(from, to).join("\n"),
    literal: literal.slice(from, to).join("\n"),
  })
  const top = divided(code, (line) => {
    const [, name] = beginning.exec(line) ?? []
    return name === undefined ? (typeBeginning.test(line) ? [] : undefined) : [name]
  })
  return top.flatMap(({ from, names: [name], to }) => {
    if (name === undefined) return []
    if (!code.slice(from, to).join("\n").includes("Context.Service<")) return [chunk(name, from, to)]
    const layer = code.findIndex((line, at) => at >= from && at < to && line.includes("static readonly layer"))
    if (layer < 0) return [chunk(name, from, to)]
    const inner = divided(code.slice(layer, to), (line) => {
      const found = innerBeginning.exec(line)
      return found === null ? undefined : wordsOf(found[1] ?? "")
    })
    const functions = inner.flatMap((part) =>
      part.names.map((own) => chunk(`${name}.${own}`, layer + part.from, layer + part.to)),
    )
    const ends = inner.filter(({ names }) => names.length === 0)
    const members = ends.flatMap((part) => {
      const lines = code.slice(layer + part.from, layer + part.to)
      const known = new Set(functions.map((each) => each.name))
      return divided(lines, (line) => member.exec(line)?.slice(1, 2))
        .flatMap((each) =>
          each.names.map((own) => chunk(`${name}.${own}`, layer + part.from + each.from, layer + part.from + each.to)),
        )
        .filter((each) => !known.has(each.name))
    })
    return [...functions, ...members]
  })
}
