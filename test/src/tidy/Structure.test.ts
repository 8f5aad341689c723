/** The drawings of the structure: what they show, and what they show in red. */
import { describe, expect, it } from "vitest"
import { coreDot, packagesDot, reduced } from "./Structure.ts"

const file = (path: string, ...imports: ReadonlyArray<string>) => ({
  path,
  text: imports.map((from) => `import { a } from "${from}"`).join("\n"),
})

describe("the drawing of the core", () => {
  const card = file("packages/core/src/model/card/Card.ts", "../record/Record.ts", "../../foundation/kit/Table.ts")
  const rest = [file("packages/core/src/model/record/Record.ts"), file("packages/core/src/foundation/kit/Table.ts")]

  it("has a layer in a box of its own and its nouns inside", () => {
    const dot = coreDot([card, ...rest])
    expect(dot).toContain('subgraph "cluster_model"')
    expect(dot).toContain('"packages/core/src/model/card" [label="card"]')
    expect(dot).toContain('"packages/core/src/model/card" -> "packages/core/src/model/record" []')
    expect(dot).not.toContain("red")
  })

  it("shows an import to a higher layer in red", () => {
    const upward = file("packages/core/src/foundation/kit/Page.ts", "../../service/card/Cards.ts")
    const dot = coreDot([upward, file("packages/core/src/service/card/Cards.ts")])
    expect(dot).toMatch(/ltail="cluster_foundation", lhead="cluster_service", color=red/u)
  })

  it("shows every arrow of a cycle", () => {
    const sca = file("packages/core/src/model/sca/Sca.ts", "../card/Card.ts")
    const dot = coreDot([file("packages/core/src/model/card/Card.ts", "../sca/Sca.ts"), sca])
    expect(dot).toContain('"packages/core/src/model/card" -> "packages/core/src/model/sca"')
    expect(dot).toContain('"packages/core/src/model/sca" -> "packages/core/src/model/card"')
  })
})

it("draws packages by the names that they import, and a wrong one in red", () => {
  const dot = packagesDot([
    file("packages/core/src/index.ts", "@countersign/adapter-http"),
    file("packages/adapter-http/src/index.ts", "@countersign/core/models", "effect"),
  ])
  expect(dot).toContain('"adapter-http" -> "core" []')
  expect(dot).toContain('"core" -> "adapter-http" [color=red, penwidth=3]')
  expect(dot).not.toContain("effect")
})

it("leaves out an arrow that follows from others", () => {
  const graph = new Map([
    ["a", new Set(["b", "c"])],
    ["b", new Set(["c"])],
    ["c", new Set<string>()],
  ])
  expect(reduced(graph).get("a")).toEqual(new Set(["b"]))
})
