/**
 * The SQL files of the PostgreSQL adapter: each runs as it is, with its markers as comments, and the program carries the same texts.
 * Source: architecture, "Layers are folders" (adapter-postgres: SQL functions as `.sql` files).
 */
import { readFileSync } from "node:fs"
import { PGlite } from "@electric-sql/pglite"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fill } from "../../../packages/adapter-postgres/src/functions/SqlTemplate.ts"
import { argumentDeclarations } from "../../../packages/adapter-postgres/src/schema/BatchColumns.ts"
import { kindTables } from "../../../packages/adapter-postgres/src/schema/KindTables.ts"
import { moduleFile, moduleText, sqlFiles } from "./SqlModule.ts"

const files = sqlFiles()
const functions = files.filter(({ path }) => path.startsWith("sql/functions/"))
const textOf = (name: string) => functions.find(({ path }) => path.endsWith(`/${name}.sql`))?.text ?? ""

it("the generated module carries the texts of the SQL files", () => {
  expect(readFileSync(moduleFile, "utf8")).toBe(moduleText(files))
})

it("a module of another text differs", () => {
  const [first, ...others] = files
  if (first === undefined) throw new Error("no SQL files")
  expect(moduleText([{ ...first, text: `${first.text}-- more\n` }, ...others])).not.toBe(moduleText(files))
})

describe.each(files)("the file $path", ({ text }) => {
  it("begins with a comment that describes it", () => {
    expect(text).toMatch(/^-- \w/u)
  })

  it("has no line above 120 characters", () => {
    expect(text.split("\n").filter((line) => line.length > 120)).toEqual([])
  })
})

describe("in a database", () => {
  let database: PGlite
  beforeAll(async () => {
    database = await PGlite.create()
    await database.exec("create schema countersign; set search_path = countersign")
    for (const { path, text } of files) if (path.startsWith("sql/migrations/")) await database.exec(text)
  }, 60_000)
  afterAll(() => database.close())

  it.each(functions)("runs $path with its markers as comments and creates one function", async ({ text }) => {
    const before = await database.query("select from pg_proc where pronamespace = 'countersign'::regnamespace")
    await database.exec(text)
    const after = await database.query("select from pg_proc where pronamespace = 'countersign'::regnamespace")
    expect(after.rows.length).toBe(before.rows.length + 1)
  })
})

describe("a filled template", () => {
  it.each(functions)("of $path has no marker and no placeholder of a kind", ({ text }) => {
    expect(fill(text)).not.toMatch(/\{\{|\bthis_/u)
  })

  it("has one branch for each stored kind", () => {
    const branches = [...fill(textOf("read_points")).matchAll(/^ *when (\d+) then$/gmu)].map(([, number]) =>
      Number(number),
    )
    expect(branches).toEqual(kindTables.map(({ number }) => number))
  })

  it("is refused if it has an unknown marker", () => {
    expect(() => fill("create or replace function f() /* {{ unknown }} */")).toThrow("{{ unknown }}")
  })
})

it("commit_group declares the columns of a batch in their order", () => {
  const [, declared = ""] =
    /create or replace function countersign\.commit_group\((.*?)\n\)/su.exec(textOf("commit_group")) ?? []
  const declarations = declared.split(",").map((declaration) => declaration.trim())
  const first = ["diagnose_conflicts boolean", "observing boolean", "lock_wait_millis int"]
  expect(declarations).toEqual([...first, ...argumentDeclarations])
})
