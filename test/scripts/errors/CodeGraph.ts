/**
 * Which error codes a declaration can lead to: those that it names, and those of everything that it uses, service by service.
 * A code that a table of another meaning spells alike counts only where it is written as a `code`.
 * Source: D-540.
 */
import { type ErrorCode, ErrorCodes } from "@countersign/core/models"
import { resolved } from "../../src/tidy/Imports.ts"
import type { SourceFile } from "../../src/tidy/Repository.ts"
import { type Chunk, chunksOf } from "./Chunks.ts"

/** Codes whose names are also states or reasons of something else: they count where they are a `code`, or have a text. */
const ambiguous: ReadonlySet<string> = new Set(["EXPIRED", "INCOMPLETE", "LOW_QUALITY", "DATA_MISMATCH", "CONFLICT"])

const patterns = ErrorCodes.keys.map(
  (code) => [code, new RegExp(ambiguous.has(code) ? `code: "${code}"|\\b${code}: "` : `\\b${code}\\b`, "u")] as const,
)

/** A commit that passes the volume of a day is refused by the run of every operation; only those that count the volume can meet it. */
const volume = { counts: "countVolume", refuses: new Set(["exceededVolume", "exceededLimit"]) }

const codesIn = ({ literal, name, path }: Chunk): ReadonlyArray<ErrorCode> => {
  if (path.endsWith("/ErrorCodes.ts")) return []
  const found = patterns.flatMap(([code, pattern]) => (pattern.test(literal) ? [code] : []))
  return name === volume.counts ? [...found, "DAILY_VOLUME_LIMIT_EXCEEDED"] : found
}

interface File {
  readonly chunks: ReadonlyMap<string, Chunk>
  /** What an imported name is: the module, and its name there; `*` for a namespace. */
  readonly imported: ReadonlyMap<string, readonly [path: string, name: string]>
  /** The services that variables of the file have, by the variable. */
  readonly variables: ReadonlyMap<string, string>
}

export interface CodeGraph {
  /** The codes that `text`, a part of the file at `path`, can lead to. */
  readonly codesOf: (path: string, text: string) => ReadonlySet<ErrorCode>
}

const importLine = /^import +(?!type\b)([^"';]+?) +from +"([^"]+)"/gmu

const namesOf = (clause: string): ReadonlyArray<readonly [local: string, name: string]> => {
  const [, space] = /\* as (\w+)/u.exec(clause) ?? []
  if (space !== undefined) return [[space, "*"]]
  return (/\{([^}]*)\}/u.exec(clause)?.[1] ?? "").split(",").flatMap((each) => {
    const [, name, local] = /^\s*(?!type\s)(\w+)(?:\s+as\s+(\w+))?\s*$/u.exec(each) ?? []
    return name === undefined ? [] : [[local ?? name, name] as const]
  })
}

/** Builds the graph of all files; `services` are found by their names, because packages import them by name. */
export const codeGraph = (files: ReadonlyArray<SourceFile>): CodeGraph => {
  const chunksByPath = new Map(
    files.map((file) => [file.path, new Map(chunksOf(file).map((each) => [each.name, each]))]),
  )
  const homes = new Map<string, string>()
  for (const { path, text } of files) {
    for (const [, name = ""] of text.matchAll(/^export class (\w+) extends Context\.Service</gmu)) homes.set(name, path)
  }
  const parsed = new Map<string, File>(
    files.map(({ path, text }) => [
      path,
      {
        chunks: chunksByPath.get(path) ?? new Map(),
        imported: new Map(
          [...text.matchAll(importLine)].flatMap(([, clause = "", from = ""]) =>
            from.startsWith(".") ? namesOf(clause).map(([local, name]) => [local, [resolved(path, from), name]]) : [],
          ),
        ),
        variables: new Map(
          [...text.matchAll(/const (\w+) = yield\* (\w+)$/gmu)].flatMap(([, variable = "", service = ""]) =>
            homes.has(service) ? [[variable, service]] : [],
          ),
        ),
      },
    ]),
  )
  const used = (path: string, code: string, owner: string | undefined): ReadonlyArray<Chunk> => {
    const file = parsed.get(path)
    if (file === undefined) return []
    const found: Array<Chunk | undefined> = []
    const ofService = (service: string, name: string) => {
      const home = homes.get(service) ?? ""
      const chunks = parsed.get(home)?.chunks
      const exact = chunks?.get(`${service}.${name}`)
      // A port, or a service that is made elsewhere in its file: everything that its file declares.
      found.push(...(exact === undefined ? [...(chunks?.values() ?? [])] : [exact]))
    }
    for (const [, id = "", name] of code.replaceAll("...", "   ").matchAll(/(?<![.\w])([A-Za-z_]\w*)(?:\.(\w+))?/gu)) {
      const service = file.variables.get(id)
      if (service !== undefined && name !== undefined) ofService(service, name)
      found.push(owner === undefined ? undefined : file.chunks.get(`${owner}.${id}`))
      if (!homes.has(id)) found.push(file.chunks.get(id))
      const [from, original] = file.imported.get(id) ?? []
      if (from === undefined || original === undefined || homes.has(original)) continue
      found.push(parsed.get(from)?.chunks.get(original === "*" ? (name ?? "") : original))
    }
    for (const [, service = "", variable = ""] of code.matchAll(/\b(\w+)\.use\(\s*\(?(\w+)\)? *=>/gu)) {
      if (!homes.has(service)) continue
      for (const [, name = ""] of code.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, "gu"))) ofService(service, name)
    }
    return found.filter((each) => each !== undefined)
  }

  return {
    codesOf: (path, text) => {
      const codes = new Set<ErrorCode>()
      const seen = new Set<Chunk>()
      const todo = [...used(path, text, undefined)]
      for (let chunk = todo.pop(); chunk !== undefined; chunk = todo.pop()) {
        if (seen.has(chunk) || volume.refuses.has(chunk.name)) continue
        seen.add(chunk)
        for (const code of codesIn(chunk)) codes.add(code)
        const [owner, inner] = chunk.name.split(".")
        todo.push(...used(chunk.path, chunk.code, inner === undefined ? undefined : owner))
      }
      return codes
    },
  }
}
