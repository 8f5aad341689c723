/** The codes that each operation can answer: those of its documented statuses that its handler leads to. Source: D-540. */
import { type ErrorCode, ErrorCodes } from "@countersign/core/models"
import { type Operation, operations } from "../../../packages/test/src/arbitraries/Operations.ts"
import type { SourceFile } from "../../src/tidy/Repository.ts"
import { codeGraph } from "./CodeGraph.ts"

/** What any operation answers that has the status: it comes from reading the request, the credentials, the limits and the process. */
export const commonCodes: ReadonlySet<ErrorCode> = new Set([
  "INVALID_INPUT",
  "INVALID_REQUEST_FORMAT",
  "UNAUTHORIZED",
  "FORBIDDEN",
  "METHOD_NOT_ALLOWED",
  "RATE_LIMITED",
  "INTERNAL_ERROR",
  "SERVICE_UNAVAILABLE",
])

export interface OperationCodes extends Operation {
  /** Without those that are common. */
  readonly codes: ReadonlyArray<ErrorCode>
}

/** The lines from `from` to the next one that is indented no more. */
const blockAt = (lines: ReadonlyArray<string>, from: number): string => {
  const indentation = lines[from]?.search(/\S/u) ?? 0
  const to = lines.findIndex((line, at) => at > from && /\S/u.test(line) && line.search(/\S/u) <= indentation)
  return lines.slice(from, to < 0 ? lines.length : to).join("\n")
}

/** The text of one handler, with the functions of its group that it mentions. */
const handlerOf = (text: string, name: string): string => {
  const lines = text.split("\n")
  const from = lines.findIndex((line) => new RegExp(`\\b${name}(?::|,|\\()`, "u").test(line))
  if (from < 0) throw new Error(`no handler has the name ${name}`)
  const locals = new Map(
    lines.flatMap((line, at) => {
      const [, local] = /^ {4}const (\w+) =(?! yield\*)/u.exec(line) ?? []
      return local === undefined ? [] : [[local, blockAt(lines, at)] as const]
    }),
  )
  let found = blockAt(lines, from)
  for (let before = ""; before !== found; ) {
    before = found
    for (const [local, block] of locals)
      if (!found.includes(block) && new RegExp(`\\b${local}\\(`, "u").test(found)) found += `\n${block}`
  }
  return found
}

/** Returns the codes of every operation, of the sources of the repository. */
export const operationCodes = (files: ReadonlyArray<SourceFile>): ReadonlyArray<OperationCodes> => {
  const read = files.filter(({ path }) => /^packages\/(?:core|adapter-http)\/src\//u.test(path))
  const graph = codeGraph(read)
  const handlers = new Map(
    read
      .filter(({ path }) => path.endsWith("Handlers.ts"))
      .map((file) => [/^ {2}"(\w+)",$/mu.exec(file.text)?.[1] ?? "", file] as const),
  )
  return operations.map((operation) => {
    const [group = "", name = ""] = operation.name.split(".")
    const file = handlers.get(group)
    if (file === undefined) throw new Error(`no file of handlers has the group ${group}`)
    const reached = graph.codesOf(file.path, handlerOf(file.text, name))
    const hasParameter = operation.takes.params !== undefined
    const isAnswered = (code: ErrorCode) =>
      operation.refuses.has(ErrorCodes.get(code).status) &&
      !commonCodes.has(code) &&
      // A parameter that is too long names nothing.
      (reached.has(code) || (code === "REFERENCE_NOT_FOUND" && hasParameter))
    return { ...operation, codes: ErrorCodes.keys.filter(isAnswered) }
  })
}
