/**
 * Renames the elements of the table in a value, at the positions that a schema gives them: members of objects and literal values. Texts,
 * records and free values keep every word as it was written.
 * Source: wire contract areas 2.5 (by position, not by text); D-370, D-371.
 */
import { SchemaAST } from "effect"
import { alternativesOf } from "./RespelledPath.ts"
import type { Spellings } from "./Spellings.ts"

/** Returns the same value if it has nothing to rename. */
export type Respell = (value: unknown) => unknown

/** `outward`: neutral to the deployment's spelling. `inward`: both spellings to the neutral one; of both, the deployment's counts. */
type Direction = "outward" | "inward"

interface Member {
  readonly to: string
  readonly respell: Respell | undefined
  /** The spelling that counts, if the object has it, too. */
  readonly yieldsTo: string | undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

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

/** Whether a schema has an element anywhere. */
const hasElement = (ast: SchemaAST.AST, spellings: Spellings, seen = new Set<SchemaAST.AST>()): boolean => {
  if (seen.has(ast)) return false
  seen.add(ast)
  if (ast._tag === "Literal" && spellings.has(String(ast.literal))) return true
  if (ast._tag === "Objects" && ast.propertySignatures.some(({ name }) => spellings.has(String(name)))) return true
  return childrenOf(ast).some((child) => hasElement(child, spellings, seen))
}

/** Whether a value can be of a schema, by its type and by the literals that tell the members of a union apart. */
const couldBe = (ast: SchemaAST.AST, spellings: Spellings): ((value: unknown) => boolean) => {
  switch (ast._tag) {
    case "Literal": {
      const spelling = spellings.get(String(ast.literal))
      return (value) => value === ast.literal || (spelling !== undefined && value === spelling)
    }
    case "Union": {
      const tests = ast.types.map((type) => couldBe(type, spellings))
      return (value) => tests.some((test) => test(value))
    }
    case "Objects": {
      const literals = ast.propertySignatures
        .filter(({ type }) => type.context?.isOptional !== true && alternativesOf(type).every(SchemaAST.isLiteral))
        .map(({ name, type }) => [String(name), couldBe(type, spellings)] as const)
      return (value) => isObject(value) && literals.every(([name, test]) => test(value[name]))
    }
    case "Arrays":
      return Array.isArray
    case "String":
    case "Number":
    case "Boolean":
      return (value) => typeof value === ast._tag.toLowerCase()
    case "Null":
      return (value) => value === null
    default:
      return () => true
  }
}

const respellMembers =
  (members: ReadonlyMap<string, Member>, rest: Respell | undefined): Respell =>
  (value) => {
    if (!isObject(value)) return value
    let isChanged = false
    const entries: Array<readonly [string, unknown]> = []
    for (const key of Object.keys(value)) {
      const member = members.get(key)
      const own = value[key]
      if (member === undefined) {
        const respelled = rest === undefined ? own : rest(own)
        if (respelled !== own) isChanged = true
        entries.push([key, respelled])
      } else if (member.yieldsTo !== undefined && Object.hasOwn(value, member.yieldsTo)) {
        isChanged = true
      } else {
        const respelled = member.respell === undefined ? own : member.respell(own)
        if (respelled !== own || member.to !== key) isChanged = true
        entries.push([member.to, respelled])
      }
    }
    // Not by assignment: a caller may send a member with the name `__proto__`.
    return isChanged ? Object.fromEntries(entries) : value
  }

const respellItems =
  (respell: Respell): Respell =>
  (value) => {
    if (!Array.isArray(value)) return value
    const respelled = value.map(respell)
    return respelled.some((item, index) => item !== value[index]) ? respelled : value
  }

/** Returns the renaming of values of an encoded schema; `undefined` if it has no element. */
const compile = (
  ast: SchemaAST.AST,
  spellings: Spellings,
  direction: Direction,
  compiled: Map<SchemaAST.AST, Respell | undefined>,
): Respell | undefined => {
  if (compiled.has(ast)) return compiled.get(ast)
  if (!hasElement(ast, spellings)) return undefined
  // A schema that contains itself finds this entry.
  let own: Respell | undefined
  compiled.set(ast, (value) => (own === undefined ? value : own(value)))
  const of = (child: SchemaAST.AST) => compile(child, spellings, direction, compiled)

  const literal = (neutral: string): Respell => {
    const spelling = spellings.get(neutral)
    const [from, to] = direction === "outward" ? [neutral, spelling] : [spelling, neutral]
    return (value) => (value === from ? to : value)
  }

  const union = ({ types }: SchemaAST.Union): Respell => {
    const members = types.flatMap((type) => {
      const respell = of(type)
      return respell === undefined ? [] : [{ respell, test: couldBe(type, spellings) }]
    })
    return (value) =>
      members.reduce((respelled, { respell, test }) => (test(value) ? respell(respelled) : respelled), value)
  }

  const object = ({ indexSignatures, propertySignatures }: SchemaAST.Objects): Respell => {
    const members = new Map<string, Member>()
    for (const { name, type } of propertySignatures) {
      const neutral = String(name)
      const spelling = spellings.get(neutral)
      const respell = of(type)
      if (direction === "outward") members.set(neutral, { to: spelling ?? neutral, respell, yieldsTo: undefined })
      else {
        members.set(neutral, { to: neutral, respell, yieldsTo: spelling })
        if (spelling !== undefined) members.set(spelling, { to: neutral, respell, yieldsTo: undefined })
      }
    }
    const [rest] = indexSignatures.flatMap(({ type }) => of(type) ?? [])
    return respellMembers(members, rest)
  }

  const array = ({ elements, rest }: SchemaAST.Arrays): Respell | undefined => {
    const [item] = [...elements, ...rest].flatMap((type) => of(type) ?? [])
    return item === undefined ? undefined : respellItems(item)
  }

  switch (ast._tag) {
    case "Literal":
      own = literal(String(ast.literal))
      break
    case "Union":
      own = union(ast)
      break
    case "Objects":
      own = object(ast)
      break
    case "Arrays":
      own = array(ast)
      break
    case "Suspend":
      own = of(ast.thunk())
      break
    default:
  }
  compiled.set(ast, own)
  return own
}

const respellIn =
  (direction: Direction) =>
  (schema: { readonly ast: SchemaAST.AST }, spellings: Spellings): Respell | undefined =>
    spellings.size === 0 ? undefined : compile(SchemaAST.toEncoded(schema.ast), spellings, direction, new Map())

/** Returns the renaming of what leaves the process; `undefined` if the schema has no element that the name spells differently. */
export const outwards = respellIn("outward")

/** Returns the renaming of what comes in, in either spelling. */
export const inwards = respellIn("inward")
