/** `ruleLists` and `machines` contain every rule list and machine of the core, so that reports omit none. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { machines, ruleLists } from "@countersign/core/verify"
import { describe, expect, it } from "vitest"

const core = new URL("../../../packages/core/src", import.meta.url).pathname

const sources = readdirSync(core, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(join(core, name), "utf8"))

/** The names that are given where something is made. */
const made = (texts: ReadonlyArray<string>, pattern: RegExp): ReadonlyArray<string> =>
  texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name ?? "")).toSorted()

const rulePattern = /\bRules\.make(?:<[^(]*>)?\(\s*"([^"]+)"/gu
const machinePattern = /\bMachine\.(?:make\(\{\s*name: |withEvents\()"(\w+)"/gu

describe("the lists of tables", () => {
  it("hold every rule list", () => {
    expect(ruleLists.map(({ name }) => name).toSorted()).toEqual(made(sources, rulePattern))
  })

  it("hold every machine", () => {
    expect(
      Object.values(machines)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(made(sources, machinePattern))
  })

  it("are found where they are made", () => {
    const text =
      'Rules.make<Facts, Refusal>("One", [])\nRules.make("Two", [])\nMachine.make({\n  name: "Three", arrows: [] })\nMachine.withEvents("Four", Three, {})'
    expect([made([text], rulePattern), made([text], machinePattern)]).toEqual([
      ["One", "Two"],
      ["Four", "Three"],
    ])
  })
})
