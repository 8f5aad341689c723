/**
 * The samples in Go are programs of its grammar, and use each package that they import. No compiler of Go is on a machine that only has npm;
 * the grammar is that of tree-sitter, as WebAssembly. Where a compiler is, it checks them too, in the Go of the module file or a later one.
 * Source: D-484.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { OpenApiDocument } from "@countersign/adapter-http"
import { Api, endpointsOf } from "@countersign/client/api"
import { describe, expect, it } from "vitest"
import { Language, type Node, Parser } from "web-tree-sitter"
import { codeSamples } from "../../../packages/adapter-http/src/server/CodeSamples.ts"
import { execute } from "../packages/Packed.ts"
import { goEnvironment, goModule, hasGo } from "./SampleRunners.ts"

await Parser.init()
const parser = new Parser()
const grammar = createRequire(import.meta.url).resolve("@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm")
parser.setLanguage(await Language.load(grammar))

const groups = new Map(endpointsOf(Api).map(({ endpoint, group }) => [endpoint.identifier, group]))
const all = codeSamples(OpenApiDocument.make(Api, "/2025-10-13"), (id) => groups.get(id) ?? "")
const programs = Object.entries(all).map(
  ([id, samples]) => [id, samples.find(({ label }) => label === "Go")?.source ?? ""] as const,
)

const rootOf = (source: string): Node => {
  const tree = parser.parse(source)
  if (tree === null) throw new Error("not parsed")
  return tree.rootNode
}
const textsOf = (root: Node, type: string) =>
  root.descendantsOfType(type).flatMap((node) => (node === null ? [] : [node.text]))

const imported = (root: Node) => textsOf(root, "import_spec").map((path) => path.replaceAll('"', ""))
/** The names before a dot that are not variables of the program. */
const used = (root: Node) => {
  const selected = root.descendantsOfType(["selector_expression", "qualified_type"]).flatMap((node) => {
    const operand = node?.childForFieldName("operand") ?? node?.childForFieldName("package")
    return operand?.type === "identifier" || operand?.type === "package_identifier" ? [operand.text] : []
  })
  const declared = [...textsOf(root, "short_var_declaration"), ...textsOf(root, "var_spec")].flatMap((text) =>
    (text.split(":=")[0] ?? "").split(/[\s,]+/u),
  )
  return new Set(selected.filter((name) => !declared.includes(name)))
}

describe("a sample in Go", () => {
  it.each(programs)("of %s has no error of the grammar", (_id, source) => {
    const root = rootOf(source)
    expect(root.hasError).toBe(false)
    expect(textsOf(root, "function_declaration").filter((text) => text.startsWith("func main()"))).toHaveLength(1)
  })

  it.each(programs)("of %s uses what it imports, and imports what it uses", (_id, source) => {
    const root = rootOf(source)
    const names = imported(root).map((path) => path.split("/").at(-1) ?? "")
    expect([...used(root)].toSorted()).toEqual(names.toSorted())
    expect(imported(root)).toEqual(imported(root).toSorted())
  })

  it("with an error is found", () => {
    expect(rootOf("package main\nfunc main() { x := }").hasError).toBe(true)
    expect(used(rootOf('package main\nimport "os"\nfunc main() { os.Exit(1); fmt.Println() }'))).toEqual(
      new Set(["os", "fmt"]),
    )
  })
})

describe.each(hasGo ? ["go vet"] : [])("each sample in Go, read by %s,", () => {
  it("passes the compiler and its checks", { timeout: 300_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "countersign-go-"))
    try {
      await writeFile(join(folder, "go.mod"), goModule)
      for (const [id, source] of programs) {
        await mkdir(join(folder, id))
        await writeFile(join(folder, id, "main.go"), source)
      }
      expect(await execute("go", ["vet", "./..."], { cwd: folder, env: goEnvironment })).toBe("")
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
