/**
 * An embedder of the handler installs no database driver, command line or page.
 * Source: architecture, "Layers are folders".
 */
import { expect, it } from "vitest"
import { dependencyClosure } from "./DependencyClosure.ts"

const commandLine = ["@countersign/console", "@electric-sql/pglite", "pg"]

it.each([
  "@countersign/adapter-bank-files",
  "@countersign/adapter-http",
  "@countersign/adapter-memory",
  "@countersign/adapter-messages",
  "@countersign/adapter-rates",
  "@countersign/adapter-s3",
  "@countersign/client",
  "@countersign/core",
  "@countersign/ports-http",
  "@countersign/test",
])("%s installs no database driver, command line or page", async (name) => {
  const closure = await dependencyClosure(name)
  expect(closure).toContain("effect")
  expect(closure.filter((each) => [...commandLine, "@countersign/cli"].includes(each))).toEqual([])
})

it("@countersign/adapter-postgres installs pg, and neither PGlite, the command line nor the page", async () => {
  const closure = await dependencyClosure("@countersign/adapter-postgres")
  expect(closure.filter((each) => [...commandLine, "@countersign/cli"].includes(each))).toEqual(["pg"])
})

it("the command line installs all of them", async () => {
  const closure = await dependencyClosure("@countersign/cli")
  expect(closure.filter((each) => commandLine.includes(each))).toEqual(commandLine)
})
