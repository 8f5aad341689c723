/**
 * The report of the public API: what it shows of a package, and that it finds a changed surface.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"

import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { compareReports, generateReports, undocumentedNames } from "../../scripts/api.ts"
import { repository } from "./Packed.ts"

const source = `
import { Context, Schema } from "effect"
export * as Words from "./Words.ts"
export const max = 1
export const greet = (name: string): string => name
export interface Options { readonly limit?: number; readonly name: string }
export type Mode = "fast" | "slow"
export class Greeter extends Context.Service<Greeter, { readonly greet: (name: string) => string }>()("Greeter") {}
export const Person = Schema.Struct({ name: Schema.String })
export type Person = typeof Person.Type
`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-api-report-"))
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const manifest = {
  name: "@countersign/example",
  type: "module",
  exports: { ".": { "@countersign/source": "./src/index.ts" }, "./package.json": "./package.json" },
}

/** Writes a package with this entry point, and returns its report. */
const reportOf = (text: string) => {
  mkdirSync(join(folder, "src"), { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest))
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: { module: "NodeNext", strict: true, noEmit: true, allowImportingTsExtensions: true, types: [] },
      include: ["src"],
    }),
  )
  writeFileSync(join(folder, "src/Words.ts"), 'export const hello = "hello"\n')
  writeFileSync(join(folder, "src/index.ts"), text)
  return generateReports([folder])
}

describe("the report of a package", () => {
  it("shows each exported name with its kind and its type", () => {
    const report = reportOf(source).get("example.txt") ?? ""
    expect(report.split("\n")).toEqual([
      "@countersign/example: 7 names. Written by `npm run api`.",
      "",
      "service Greeter",
      "  greet: (name: string) => string",
      'type Mode = "fast" | "slow"',
      "interface Options",
      "  limit?: number | undefined",
      "  name: string",
      "schema Person: { readonly name: string; }",
      "namespace Words",
      '  const hello: "hello"',
      "const greet: (name: string) => string",
      "const max: 1",
      "",
    ])
  })

  it("comes with a list of the names that nothing documents", () => {
    const documented = `/** The most. */\nexport const max = 1\n/** Greets. */\n\nexport const greet = 2\nexport const last = 3\n`
    reportOf(`${documented}export * as Words from "./Words.ts"\n`)
    expect(undocumentedNames([folder])).toEqual([
      "@countersign/example: Words.hello has no doc comment",
      "@countersign/example: last has no doc comment",
    ])
  })

  it("is the same for the same surface", () => {
    expect(compareReports(reportOf(source), reportOf(source))).toEqual([])
  })

  it.each([
    ["a new name", `${source}export const added = true\n`, ["+ const added: true"]],
    ["a removed name", source.replace("export const max = 1", ""), ["- const max: 1"]],
    ["a changed type", source.replace("max = 1", "max = 2"), ["- const max: 1", "+ const max: 2"]],
    [
      "a member that becomes required",
      source.replace("limit?:", "limit:"),
      ["-   limit?: number | undefined", "+   limit: number"],
    ],
    [
      "a changed method of a service",
      source.replace("readonly greet: (name: string)", "readonly greet: (name: number)"),
      ["-   greet: (name: string) => string", "+   greet: (name: number) => string"],
    ],
    [
      "a changed field of a schema",
      source.replace("name: Schema.String", "name: Schema.Number"),
      ["- schema Person: { readonly name: string; }", "+ schema Person: { readonly name: number; }"],
    ],
  ])("reports %s", (_, changed, lines) => {
    const found = compareReports(reportOf(source), reportOf(changed)).filter((line) => !line.includes(" names. "))
    expect(found).toEqual(lines.map((line) => `example.txt: ${line}`))
  })

  it("shows a change that a long signature hides", () => {
    const long = (type: string) =>
      `export const long = (${Array.from({ length: 30 }, (_, at) => `parameter${at}: string`).join(", ")}, last: ${type}) => last\n`
    const found = compareReports(reportOf(long("string")), reportOf(long("number")))
    expect(found.map((line) => line.replace(/ \.\.\. #[0-9a-f]{8}$/u, "").slice(0, 32))).toEqual([
      "example.txt: - const long: (para",
      "example.txt: + const long: (para",
    ])
  })
})
