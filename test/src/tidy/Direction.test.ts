/** The checks of imports find what they look for. */
import { describe, expect, it } from "vitest"
import { problemsOfDeclared, problemsOfDirection, problemsOfPurity } from "./Direction.ts"
import { cyclesOf, fileGraph, grouped, nounOf } from "./ImportGraph.ts"
import { importsOf, resolved } from "./Imports.ts"

const core = (path: string, from: string, clause = "{ a }") => ({
  path: `packages/core/src/${path}`,
  text: `import ${clause} from "${from}"\n`,
})
const wrong = (file: { readonly path: string; readonly text: string }) => {
  expect(problemsOfDirection(file)).toHaveLength(1)
}
const right = (file: { readonly path: string; readonly text: string }) => {
  expect(problemsOfDirection(file)).toEqual([])
}

describe("imports", () => {
  it("are read with their names, and whether they are types", () => {
    const text = `/** import { x } from "comment" */
import { a, type B as C, d as e } from "one"
import type { F } from "../two.ts"
import * as G from "three/g"
import h, { i } from "four"
import "five"
export * from "./six.ts"
export type { J } from "seven"
import {
  k,
  l,
} from "eight"
const sample = \`
import { m } from "nine"
\`
const later = await import("ten")
export const n = { from: "eleven" }
`
    expect(importsOf(text)).toEqual([
      { from: "one", names: ["a", "B", "d"], isType: false },
      { from: "../two.ts", names: ["F"], isType: true },
      { from: "three/g", names: ["*"], isType: false },
      { from: "four", names: ["default", "i"], isType: false },
      { from: "./six.ts", names: ["*"], isType: false },
      { from: "seven", names: ["J"], isType: true },
      { from: "eight", names: ["k", "l"], isType: false },
      { from: "five", names: ["*"], isType: false },
      { from: "ten", names: ["*"], isType: false },
    ])
  })

  it("lead somewhere", () => {
    expect(resolved("packages/core/src/card/Cards.ts", "../kit/Page.ts")).toBe("packages/core/src/kit/Page.ts")
    expect(resolved("packages/core/src/card/Cards.ts", "./Card.ts")).toBe("packages/core/src/card/Card.ts")
  })
})

describe("the direction of imports in the core", () => {
  it.each([
    ["foundation/kit/Page.ts", "@noble/hashes/sha2.js", "wrong"],
    ["foundation/money/Rate.ts", "../../model/card/Card.ts", "wrong"],
    ["model/card/Card.ts", "../../store/Store.ts", "wrong"],
    ["model/card/CardRules.ts", "../../ports/Rails.ts", "wrong"],
    ["store/Store.ts", "../ports/Rails.ts", "wrong"],
    ["ports/Rails.ts", "../settings/WireNames.ts", "wrong"],
    ["store/Store.ts", "../operation/Jobs.ts", "wrong"],
    ["decision/card/CardChanges.ts", "../../operation/Jobs.ts", "wrong"],
    ["decision/card/CardChanges.ts", "../../sandbox/SandboxIssuer.ts", "wrong"],
    ["operation/Jobs.ts", "../service/card/Cards.ts", "wrong"],
    ["service/card/Cards.ts", "../../sandbox/SandboxIssuer.ts", "wrong"],
    ["sandbox/SandboxRails.ts", "../service/card/Cards.ts", "wrong"],
    ["sandbox/SandboxRails.ts", "../Countersign.ts", "wrong"],
    ["service/card/Cards.ts", "../../index.ts", "wrong"],
    ["elsewhere/Card.ts", "../model/card/Card.ts", "wrong"],
    ["service/card/Cards.ts", "node:crypto", "wrong"],
    ["service/card/Cards.ts", "@countersign/adapter-memory", "wrong"],
    ["service/card/Cards.ts", "@countersign/test", "wrong"],
    ["service/card/Cards.ts", "../../../../adapter-memory/src/index.ts", "wrong"],
    ["service/card/Cards.ts", "../../../../../test/src/harness/index.ts", "wrong"],
    ["foundation/kit/Page.ts", "effect/encoding", "right"],
    ["model/card/Card.ts", "../customer/Customer.ts", "right"],
    ["model/card/Card.ts", "../../foundation/ids/IdTypes.ts", "right"],
    ["ports/KeyVault.ts", "../foundation/crypto/KeyPair.ts", "right"],
    ["store/Kinds.ts", "../model/card/Card.ts", "right"],
    ["decision/card/CardChanges.ts", "../../store/Changes.ts", "right"],
    ["operation/Jobs.ts", "../decision/Decision.ts", "right"],
    ["service/card/Cards.ts", "../../decision/card/CardChanges.ts", "right"],
    ["service/card/Cards.ts", "@noble/hashes/sha2.js", "right"],
    ["sandbox/SandboxRails.ts", "../ports/Rails.ts", "right"],
    ["Countersign.ts", "./sandbox/index.ts", "right"],
  ] as const)("judges that %s imports %s to be %s", (path, from, verdict) => {
    if (verdict === "right") right(core(path, from))
    else wrong(core(path, from))
  })

  it("weighs a type like a value", () => {
    const text = core("model/card/CardRules.ts", "../../ports/Rails.ts").text.replace("import", "import type")
    wrong({ path: "packages/core/src/model/card/CardRules.ts", text })
  })
})

describe("the direction of imports between packages", () => {
  const memory = (from: string) => ({
    path: "packages/adapter-memory/src/MemoryStore.ts",
    text: `import { a } from "${from}"`,
  })
  const contract = (from: string) => ({
    path: "packages/client/src/api/CardsApi.ts",
    text: `import { a } from "${from}"`,
  })

  it("leads to a lower package by its name", () => {
    for (const from of ["@countersign/core", "@countersign/core/models", "./State.ts", "effect"]) right(memory(from))
    for (const from of [
      "../../core/src/index.ts",
      "@countersign/core/src/foundation/kit/Page.ts",
      "@countersign/test",
      "@countersign/adapter-http",
      "@countersign/unknown",
    ])
      wrong(memory(from))
  })

  it("leads from the contract to models and effect only", () => {
    for (const from of ["@countersign/core/models", "effect/http-api", "./Errors.ts"]) right(contract(from))
    for (const from of ["@countersign/core", "../call/Client.ts", "node:http", "ipaddr.js"]) wrong(contract(from))
    right({ ...contract("@countersign/core"), text: 'import type { CurrentCaller } from "@countersign/core"' })
  })
})

it("finds a package that is not declared", () => {
  const file = {
    path: "a.ts",
    text: 'import a from "@noble/hashes/sha2.js"\nimport b from "effect/http"\nimport "node:fs"\nimport "./c.ts"',
  }
  expect(problemsOfDeclared(file, new Set(["effect", "@noble/hashes"]))).toEqual([])
  expect(problemsOfDeclared(file, new Set(["effect"]))).toEqual([
    "a.ts: imports @noble/hashes, which its package does not declare",
  ])
})

describe("a pure layer", () => {
  it.each(["{ Effect }", "{ Schema, type Effect }", "* as E", "{ Clock as C }", "type { Layer }"])(
    "does not import %s",
    (clause) => {
      for (const path of ["model/card/CardMachine.ts", "model/Machines.ts", "decision/card/CardChanges.ts"]) {
        expect(problemsOfPurity(core(path, "effect", clause))).toHaveLength(1)
      }
      expect(problemsOfPurity(core("service/card/Cards.ts", "effect", clause))).toEqual([])
    },
  )

  it("does not import what generates random numbers or sends requests", () => {
    expect(problemsOfPurity(core("model/card/CardRules.ts", "effect/crypto"))).toHaveLength(1)
    expect(problemsOfPurity(core("model/card/CardRules.ts", "effect", "{ DateTime, Schema }"))).toEqual([])
  })
})

describe("cycles", () => {
  const files = (imports: Readonly<Record<string, ReadonlyArray<string>>>) =>
    Object.entries(imports).map(([path, targets]) => ({
      path,
      text: targets.map((target) => `import { a } from "${target}"`).join("\n"),
    }))

  it("are found between files, types included", () => {
    const graph = fileGraph(
      files({ "a.ts": ["./b.ts"], "b.ts": ["./c.ts", "effect"], "c.ts": ["./b.ts"], "d.ts": ["./a.ts"] }),
    )
    expect(cyclesOf(graph)).toEqual([["b.ts", "c.ts", "b.ts"]])
    expect(cyclesOf(fileGraph([{ path: "a.ts", text: 'import type { A } from "./a.ts"' }]))).toHaveLength(1)
  })

  it("are found between nouns of which no two files form one", () => {
    const graph = fileGraph(
      files({
        "packages/core/src/model/card/Card.ts": ["../sca/Sca.ts"],
        "packages/core/src/model/sca/Sca.ts": [],
        "packages/core/src/model/sca/ScaRules.ts": ["../card/CardRules.ts"],
        "packages/core/src/model/card/CardRules.ts": [],
        "packages/core/src/model/Machines.ts": ["./card/Card.ts"],
      }),
    )
    expect(cyclesOf(graph)).toEqual([])
    expect(cyclesOf(grouped(graph, nounOf))).toEqual([
      ["packages/core/src/model/card", "packages/core/src/model/sca", "packages/core/src/model/card"],
    ])
  })

  it("are not found in a graph whose paths only join again", () => {
    const graph = fileGraph(files({ "a.ts": ["./b.ts", "./c.ts"], "b.ts": ["./d.ts"], "c.ts": ["./d.ts"], "d.ts": [] }))
    expect(cyclesOf(graph)).toEqual([])
  })
})
