/**
 * Small faults in the file of a database function: a comparison turned round, a condition negated, an order reversed, a lock or a statement
 * left out. Comments and texts in quotes stay as they are. What the file repeats for each kind is changed for all of them.
 */
import * as SqlFiles from "../../../../packages/adapter-postgres/src/sql/SqlFiles.ts"

export interface SqlMutant {
  /** The function's name, and the line of its file. */
  readonly where: string
  /** What is changed, such as `<= => <`. */
  readonly change: string
  /** The whole file. */
  readonly text: string
}

interface Fault {
  readonly pattern: RegExp
  readonly becomes: (found: string) => string
}

const swap = (pattern: RegExp, pairs: Readonly<Record<string, string>>): Fault => ({
  pattern,
  becomes: (found) => {
    const word = found.trim()
    return found.replace(word, pairs[word] ?? word)
  },
})

const faults: ReadonlyArray<Fault> = [
  swap(/(?<=\s)(?:=|<>|<=|>=|<|>)(?=\s)/gu, { "=": "<>", "<>": "=", "<": "<=", "<=": "<", ">": ">=", ">=": ">" }),
  swap(/(?<=\s)[+-](?=\s)/gu, { "+": "-", "-": "+" }),
  swap(/\b(?:and|or)\b(?=\s)/gu, { and: "or", or: "and" }),
  swap(/\bis (?:not )?null\b/gu, { "is null": "is not null", "is not null": "is null" }),
  swap(/\b(?:not exists|exists)\b(?= ?\()/gu, { exists: "not exists", "not exists": "exists" }),
  swap(/\b(?:least|greatest|min|max)\b(?=\()/gu, { least: "greatest", greatest: "least", min: "max", max: "min" }),
  swap(/\b(?:true|false)\b/gu, { true: "false", false: "true" }),
  { pattern: /\s+\bdesc\b/gu, becomes: () => "" },
  { pattern: /\s+\bfor (?:no key update|update|key share|share)\b(?: of \w+)?/gu, becomes: () => "" },
  { pattern: /\s+\bskip locked\b/gu, becomes: () => "" },
  { pattern: /(?<=\n\s*)(?:perform|insert into|update|delete from|raise exception)\b[^;]*;/gu, becomes: () => "null;" },
]

/** The text with spaces in place of comments and of texts in quotes, so that places stay the same. */
const blanked = (text: string): string =>
  text.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'/gu, (found) => found.replaceAll(/[^\n]/gu, " "))

const nameOf = (text: string): string => /function countersign\.(\w+)\(/u.exec(text)?.[1] ?? "?"

/** The files of the functions. */
export const functionFiles: ReadonlyArray<string> = Object.values(SqlFiles).filter(
  (file) => !file.startsWith("-- Migration"),
)

/** All mutants of the file of a function, in the order of their places. */
export const mutantsOf = (text: string): ReadonlyArray<SqlMutant> => {
  const code = blanked(text)
  const body = code.indexOf("$body$")
  const name = nameOf(text)
  const found = faults.flatMap(({ becomes, pattern }) =>
    [...code.matchAll(pattern)].flatMap((match) => {
      const at = match.index
      if (at < body) return []
      const before = text.slice(at, at + match[0].length)
      const after = becomes(before)
      const line = text.slice(0, at).split("\n").length
      const change = `${before.trim().replaceAll(/\s+/gu, " ").slice(0, 60)} => ${after.trim() === "" ? "nothing" : after.trim()}`
      return [
        {
          at,
          mutant: {
            where: `${name}:${line}`,
            change,
            text: text.slice(0, at) + after + text.slice(at + before.length),
          },
        },
      ]
    }),
  )
  return found.toSorted((a, b) => a.at - b.at).map(({ mutant }) => mutant)
}
