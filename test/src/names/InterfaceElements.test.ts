/**
 * Every element of the interface with the service's name is a row of the table, and stands where it is distinct from a text.
 * Source: wire contract areas 2.5; D-370, D-371.
 */
import { Api, endpointsOf } from "@countersign/client/api"
import { EventResources, EventTypes, ServiceElements, spelled } from "@countersign/core/models"
import { Schema, SchemaAST } from "effect"
import { describe, expect, it } from "vitest"

/** Words with SERVICE in them that do not carry the service's name: an error of the plain word, and an actor of the audit. */
const plainWords = ["SERVICE_UNAVAILABLE", "SERVICE"]

const childrenOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  switch (ast._tag) {
    case "Union":
      return ast.types
    case "Suspend":
      return [ast.thunk()]
    case "Arrays":
      return [...ast.elements, ...ast.rest]
    case "Objects":
      return [...ast.propertySignatures, ...ast.indexSignatures].map(({ type }) => type)
    default:
      return []
  }
}

const everySchema = (): ReadonlySet<SchemaAST.AST> => {
  const seen = new Set<SchemaAST.AST>()
  const visit = (ast: SchemaAST.AST): void => {
    if (seen.has(ast)) return
    seen.add(ast)
    for (const child of childrenOf(ast)) visit(child)
  }
  const parts = endpointsOf(Api).flatMap(({ endpoint: { error, headers, payload, query, success } }) => [
    ...success,
    ...error,
    ...[...payload.values()].flatMap(({ schemas }) => schemas),
    ...[headers, query].filter((part) => part !== undefined),
  ])
  for (const part of [...parts, ...EventResources.entries.map(([, schema]) => schema)]) {
    if (Schema.isSchema(part)) visit(SchemaAST.toEncoded(part.ast))
  }
  return seen
}

const schemas = [...everySchema()]
const literals = schemas.flatMap((ast) => (ast._tag === "Literal" ? [String(ast.literal)] : []))
const members = schemas.flatMap((ast) =>
  ast._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : [],
)
const words = new Set([...literals, ...members])
const headers = new Set(ServiceElements.keys.map((element) => element.toLowerCase()))

const hasElement = (ast: SchemaAST.AST, seen = new Set<SchemaAST.AST>()): boolean => {
  if (seen.has(ast)) return false
  seen.add(ast)
  if (ast._tag === "Literal" && ServiceElements.has(String(ast.literal))) return true
  if (ast._tag === "Objects" && ast.propertySignatures.some(({ name }) => ServiceElements.has(String(name))))
    return true
  return childrenOf(ast).some((child) => hasElement(child, seen))
}

const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string> | undefined => {
  if (ast._tag === "Literal") return [String(ast.literal)]
  const types = ast._tag === "Union" ? ast.types.map(literalsOf) : [undefined]
  return types.every((type) => type !== undefined) ? types.flat() : undefined
}

/** Whether a required literal member, or the type, tells two members of a union apart. */
const areDistinct = (one: SchemaAST.AST, other: SchemaAST.AST): boolean => {
  if (one._tag !== other._tag) return true
  if (one._tag === "Literal" && other._tag === "Literal") return one.literal !== other.literal
  if (one._tag !== "Objects" || other._tag !== "Objects") return false
  return one.propertySignatures.some(({ name, type }) => {
    const match = other.propertySignatures.find((signature) => signature.name === name)?.type
    const [own, its] = [type, match].map((each) =>
      each === undefined || each.context?.isOptional === true ? undefined : literalsOf(each),
    )
    return own !== undefined && its !== undefined && !own.some((literal) => its.includes(literal))
  })
}

/** Members and values at one place in two schemas, of which only one has an element there. */
const conflicts = (one: SchemaAST.AST, other: SchemaAST.AST): ReadonlyArray<string> => {
  if (one._tag !== "Objects" || other._tag !== "Objects") return hasElement(one) === hasElement(other) ? [] : ["value"]
  return one.propertySignatures.flatMap(({ name, type }) => {
    const match = other.propertySignatures.find((signature) => signature.name === name)?.type
    return match === undefined || match === type || hasElement(type) === hasElement(match) ? [] : [String(name)]
  })
}

describe("the interface", () => {
  it("has no word with the service's name that the table does not list", () => {
    const named = [...words].filter((word) => /service(?!s)/iu.test(word) && !headers.has(word.toLowerCase()))
    expect(named.filter((word) => !ServiceElements.has(word))).toEqual(plainWords)
  })

  it.each(ServiceElements.entries.filter(([element]) => !element.startsWith("X-")))("has %s, a %s", (element) => {
    expect(words.has(element) || words.has(element.toLowerCase())).toBe(true)
  })

  it("has no value beside an element that some name would spell the element like", () => {
    const values = ServiceElements.keys.filter((element) => ServiceElements.get(element) === "value")
    const namesLike = values.flatMap((element) => {
      const pattern = new RegExp(`^${element.replace("SERVICE", "([A-Z][A-Z0-9]*)")}$`, "u")
      return [...words].flatMap((word) => pattern.exec(word)?.[1] ?? [])
    })
    // `isServiceName` refuses the first; the second is the default.
    expect([...new Set(namesLike)].toSorted()).toEqual(["PLATFORM", "SERVICE"])
  })

  it("has no field that some name would spell an element like", () => {
    const fields = ServiceElements.keys.filter((element) => ServiceElements.get(element) === "field")
    const like = fields.flatMap((element) => {
      const end = element.slice("service".length)
      return [...words].filter((word) => word.endsWith(end) && word !== element)
    })
    expect(like).toEqual([])
  })

  it("has only unions whose members with an element are distinct, or agree on it", () => {
    const unions = schemas.filter((ast) => ast._tag === "Union").filter((ast) => hasElement(ast))
    expect(unions.length).toBeGreaterThan(3)
    for (const { types } of unions) {
      const clashes = types.flatMap((one, index) =>
        types.slice(index + 1).flatMap((other) => (areDistinct(one, other) ? [] : conflicts(one, other))),
      )
      expect(clashes).toEqual([])
    }
  })

  it("has the schema of every event's data", () => {
    expect(new Set(EventTypes.entries.map(([, resource]) => resource))).toEqual(new Set(EventResources.keys))
  })

  it("spells every element differently under another name", () => {
    for (const element of ServiceElements.keys) expect(spelled(element, "Acme")).not.toMatch(/service/iu)
  })
})
