/** The page's own resolver: pointers with escapes, what a part repeats, and what stays as it is. Source: D-486. */
import { expect, it } from "vitest"

interface Resolver {
  readonly resolvePlugin: () => {
    readonly fn: {
      readonly resolveSubtree: (document: object, path: ReadonlyArray<string>) => Promise<{ readonly spec: unknown }>
    }
  }
}

const file = new URL("../../../packages/adapter-http/assets/reference-resolve.js", import.meta.url)
const { resolvePlugin }: Resolver = await import(file.href)

/** Resolves a part beside these schemas. */
const resolved = async (part: unknown, schemas: object = {}) =>
  (await resolvePlugin().fn.resolveSubtree({ schemas, part }, ["part"])).spec

it.each([
  ["a/b", "a~1b"],
  ["a~b", "a~0b"],
  ["a~1b", "a~01b"],
  ["a b", "a%20b"],
])("finds %j by the pointer %j", async (name, pointer) => {
  const $ref = `#/schemas/${pointer}`
  expect(await resolved({ items: [{ $ref }] }, { [name]: { title: "T", type: "string" } })).toEqual({
    items: [{ title: "T", type: "string" }],
  })
})

it("names what has no title, and lets a part's own members win", async () => {
  const schemas = { Nameless: { type: "object", description: "of all" } }
  expect(await resolved({ $ref: "#/schemas/Nameless", description: "own" }, schemas)).toEqual({
    title: "Nameless",
    type: "object",
    description: "own",
  })
})

it.each(["other.json#/schemas/Known", "https://elsewhere.example/a#/Known", "o/schemas/Known", "#/schemas/Absent"])(
  "leaves %s as it is",
  async ($ref) => {
    expect(await resolved({ $ref, description: "own" }, { Known: {} })).toEqual({ $ref, description: "own" })
  },
)

it("leaves a cycle as it is where it closes, and resolves what is repeated without one", async () => {
  const node = { $ref: "#/schemas/Node" }
  const leaf = { title: "Leaf", type: "string" }
  const schemas = { Leaf: leaf, Node: { title: "Node", properties: { next: node, leaf: { $ref: "#/schemas/Leaf" } } } }
  const inner = { title: "Node", properties: { next: node, leaf } }
  expect(await resolved({ first: node, second: node }, schemas)).toEqual({ first: inner, second: inner })
})
