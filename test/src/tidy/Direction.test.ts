/** The checks of imports find what they look for. */
import { describe, expect, it } from "vitest"
import { problemsOfDeclared, problemsOfDirection, problemsOfPurity, rowOf } from "./Direction.ts"
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

it.each([
  ["kit/Page.ts", "kit"],
  ["money/Currencies.ts", "table"],
  ["crypto/P256.ts", "table"],
  ["card/Card.ts", "model"],
  ["card/CardResource.ts", "model"],
  ["card/CardMachine.ts", "model"],
  ["card/CardRules.ts", "model"],
  ["event/EventTypes.ts", "model"],
  ["customer/Address.ts", "model"],
  ["ledger/LedgerAccounts.ts", "model"],
  ["models.ts", "model"],
  ["ports/Store.ts", "port"],
  ["operation/Jobs.ts", "operation"],
  ["agent/TransferInDecision.ts", "decision"],
  ["card/Cards.ts", "service"],
  ["sandbox/SandboxRails.ts", "sandbox"],
  ["Countersign.ts", "top"],
] as const)("%s stands in the row %s", (path, row) => {
  expect(rowOf(path)).toBe(row)
})

describe("the direction of imports in the core", () => {
  it.each([
    ["kit/Page.ts", "../money/Amount.ts"],
    ["kit/Page.ts", "@noble/hashes/sha2.js"],
    ["money/Rate.ts", "../card/Card.ts"],
    ["crypto/Stamp.ts", "../wallet/Session.ts"],
    ["crypto/P256.ts", "node:crypto"],
    ["card/Card.ts", "../ports/Store.ts"],
    ["card/CardRules.ts", "./Cards.ts"],
    ["ports/Store.ts", "../operation/Jobs.ts"],
    ["operation/Jobs.ts", "../card/Cards.ts"],
    ["operation/Jobs.ts", "../agent/TransferInDecision.ts"],
    ["agent/TransferInDecision.ts", "./Agents.ts"],
    ["card/Cards.ts", "../sandbox/SandboxIssuer.ts"],
    ["sandbox/SandboxRails.ts", "../Countersign.ts"],
    ["models.ts", "./card/Cards.ts"],
    ["card/Cards.ts", "node:crypto"],
    ["card/Cards.ts", "@countersign/adapter-memory"],
    ["card/Cards.ts", "@countersign/test"],
    ["card/Cards.ts", "../../../adapter-memory/src/index.ts"],
    ["card/Cards.ts", "../../../../test/src/harness/index.ts"],
  ])("%s does not import %s", (path, from) => {
    wrong(core(path, from))
  })

  it.each([
    ["kit/Page.ts", "effect/encoding"],
    ["money/Rate.ts", "../kit/Table.ts"],
    ["money/Rate.ts", "../ids/IdTypes.ts"],
    ["card/Card.ts", "../customer/Customer.ts"],
    ["ports/KeyVault.ts", "../crypto/KeyPair.ts"],
    ["ports/Kinds.ts", "../card/Card.ts"],
    ["operation/Jobs.ts", "../ports/Store.ts"],
    ["card/Cards.ts", "../customer/Customers.ts"],
    ["card/Cards.ts", "./CardChanges.ts"],
    ["sandbox/SandboxRails.ts", "../account/ExternalAccounts.ts"],
    ["Countersign.ts", "./sandbox/index.ts"],
    ["operation/Secrets.ts", "@noble/hashes/sha2.js"],
  ])("%s imports %s", (path, from) => {
    right(core(path, from))
  })

  it("lets a model know a port's types, and nothing of it at run time", () => {
    const types = core("card/CardRules.ts", "../ports/Rails.ts").text.replace("import", "import type")
    right({ path: "packages/core/src/card/CardRules.ts", text: types })
    wrong(core("card/CardRules.ts", "../ports/Rails.ts"))
    const above = core("card/CardRules.ts", "../operation/Operation.ts").text.replace("import", "import type")
    wrong({ path: "packages/core/src/card/CardRules.ts", text: above })
    wrong({ path: "packages/core/src/money/Rate.ts", text: types })
  })
})

describe("the direction of imports in the adapters", () => {
  const memory = (from: string) => ({
    path: "packages/adapter-memory/src/MemoryStore.ts",
    text: `import { a } from "${from}"`,
  })
  const api = (from: string) => ({
    path: "packages/adapter-http/src/api/CardApi.ts",
    text: `import { a } from "${from}"`,
  })

  it("leads to the core by its name", () => {
    for (const from of ["@countersign/core", "@countersign/core/models", "./State.ts", "effect"]) right(memory(from))
    for (const from of ["../../core/src/index.ts", "@countersign/core/src/kit/Page.ts", "@countersign/test"])
      wrong(memory(from))
  })

  it("leads from the api to models and effect only", () => {
    for (const from of ["@countersign/core/models", "effect/http-api", "./Errors.ts"]) right(api(from))
    for (const from of ["@countersign/core", "../handlers/Cards.ts", "node:http", "ipaddr.js"]) wrong(api(from))
    right({ ...api("@countersign/core"), text: 'import type { CurrentCaller } from "@countersign/core"' })
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

describe("a pure decision", () => {
  it.each(["{ Effect }", "{ Schema, type Effect }", "* as E", "{ Clock as C }", "type { Layer }"])(
    "does not import %s",
    (clause) => {
      for (const name of ["CardMachine", "CardRules", "CardEvaluation", "CardDecision", "CardChanges"]) {
        expect(problemsOfPurity(core(`card/${name}.ts`, "effect", clause))).toHaveLength(1)
      }
      expect(problemsOfPurity(core("card/Cards.ts", "effect", clause))).toEqual([])
    },
  )

  it("does not import what draws or sends", () => {
    expect(problemsOfPurity(core("card/CardRules.ts", "effect/crypto"))).toHaveLength(1)
    expect(problemsOfPurity(core("card/CardRules.ts", "effect", "{ DateTime, Schema }"))).toEqual([])
  })
})
