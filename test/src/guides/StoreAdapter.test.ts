/** The guide to store adapters: its tables of sections, methods and lines are those of the suite and of the example. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { MemoryStore } from "@countersign/adapter-memory"
import { WallTime } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { storeChecks } from "../../../packages/test/src/conformance/storeChecks.ts"
import { repository } from "../packages/Packed.ts"

const guide = readFileSync(join(repository, "docs/guides/store-adapter.md"), "utf8")
const rowsBelow = (heading: string) =>
  (
    guide
      .split(`\n## ${heading}\n`)[1]
      ?.split("\n## ")[0]
      ?.match(/^\|.*$/gmu) ?? []
  )
    .slice(2)
    .map((row) => row.split("|").map((cell) => cell.trim()))
const namesIn = (cell = "") => [...cell.matchAll(/`([^`]+)`/gu)].map(([, name = ""]) => name)

/** A store in memory that notes the methods that are called. */
const noting = (called: Set<string>) =>
  Layer.effect(
    Store,
    Effect.map(Store, (store) => {
      const note = (name: string) => Effect.sync(() => void called.add(name))
      const members = Object.entries(store).map(([name, member]: [string, unknown]) => {
        if (Effect.isEffect(member)) return [name, Effect.andThen(note(name), member)]
        if (typeof member !== "function") return [name, member]
        const noted = (...words: ReadonlyArray<unknown>): unknown => {
          called.add(name)
          return Reflect.apply(member, store, words)
        }
        return [name, noted]
      })
      return Object.assign({ ...store }, Object.fromEntries(members))
    }),
  ).pipe(Layer.provide(MemoryStore.layer), Layer.provide(WallTime.layerClock))

// A row of several sections says less.
const sections = rowsBelow("The order of the work").filter(([, name]) => namesIn(name).length === 1)

it.each(sections.map(([, name, methods]) => [namesIn(name)[0] ?? "", methods] as const))(
  "the section %s needs the methods that the guide names",
  async (section, methods) => {
    const called = new Set<string>()
    const checks = storeChecks(noting(called)).filter((check) => check.section === section)
    for (const { run } of checks) await run()
    const named = namesIn(methods).flatMap((name) => {
      const [, , others] = sections.find(([, other]) => namesIn(other)[0] === name) ?? []
      return others === undefined ? [name] : namesIn(others)
    })
    expect(checks.length).toBeGreaterThan(0)
    expect([...called].toSorted()).toEqual(named.toSorted())
  },
)

it("the guide has the number of lines of each part of the example", () => {
  const parts = rowsBelow("What it takes")
  expect(parts.length).toBeGreaterThan(5)
  for (const [, part, files, lines] of parts) {
    const counted = namesIn(files).map(
      (name) => readFileSync(join(repository, "examples/store-sqlite/src", name), "utf8").split("\n").length - 1,
    )
    expect([part, String(counted.reduce((sum, count) => sum + count, 0))]).toEqual([part, lines])
  }
})
