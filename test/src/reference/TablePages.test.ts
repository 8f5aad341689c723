/** What the published pages say of each table, which is also what a fault in a table changes. */
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { tablePages } from "../../scripts/TablePages.ts"

it.each([...tablePages()])("%s says what its table says", (path, text) => {
  expect(readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8")).toBe(text)
})
