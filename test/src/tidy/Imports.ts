/** What a source file imports or re-exports: from where, under which names, and whether only types. */
import { viewsOf } from "./Views.ts"

export interface Import {
  /** As written: a package, or a path that begins with a dot. */
  readonly from: string
  /** The names as the other module exports them; `*` for all of them. */
  readonly names: ReadonlyArray<string>
  /** `import type` or `export type`: no part of it is left at run time. */
  readonly isType: boolean
}

const statement = /^(?:import|export)\b([^"';=]*?)\bfrom\s*"([^"]+)"/gmu
const bare = /^import\s*"([^"]+)"/gmu
const dynamic = /\bimport\(\s*"([^"]+)"/gu

const namesOf = (clause: string): ReadonlyArray<string> => {
  const named = /\{([^}]*)\}/u.exec(clause)?.[1] ?? ""
  const rest = clause.replace(/\{[^}]*\}/u, "")
  return [
    ...(rest.includes("*") ? ["*"] : []),
    ...(/^\s*(?:type\s+)?[A-Za-z_$][\w$]*\s*(?:,|$)/u.test(rest) && !/^\s*type\s*$/u.test(rest) ? ["default"] : []),
    ...named
      .split(",")
      .map((name) =>
        name
          .trim()
          .replace(/^type\s+/u, "")
          .replace(/\s+as\s.*$/su, ""),
      )
      .filter((name) => name !== ""),
  ]
}

/** The imports of a text, in no particular order. */
export const importsOf = (text: string): ReadonlyArray<Import> => {
  const { code, literal } = viewsOf(text)
  const found = (pattern: RegExp) => [...literal.matchAll(pattern)].filter((match) => code[match.index] !== " ")
  return [
    ...found(statement).map(([, clause = "", from = ""]) => ({
      from,
      names: namesOf(clause),
      isType: /^\s*type\b/u.test(clause),
    })),
    ...[...found(bare), ...found(dynamic)].map(([, from = ""]) => ({ from, names: ["*"], isType: false })),
  ]
}

/** The path that a relative import of `path` leads to. */
export const resolved = (path: string, from: string): string => {
  const parts = path.split("/").slice(0, -1)
  for (const part of from.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== ".") parts.push(part)
  }
  return parts.join("/")
}
