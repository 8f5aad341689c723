/**
 * Puts a mask in place of the secrets of a JSON value, by its schema. A member with a secret's name is masked as well, and so is one that the
 * schema does not describe: a caller who misspells a name may have sent a secret under it.
 * Source: D-464.
 */
import type { SchemaAST } from "effect"
import { isSecret } from "./Secret.ts"

/** The text in place of a secret. */
export const mask = "[masked]"

/** What is known of a value at one place of a schema: of all its alternatives together. */
interface Place {
  readonly isSecret: boolean
  /** Whether the schema leaves open what is here. */
  readonly isOpen: boolean
  readonly takesScalar: boolean
  readonly item: () => Place | undefined
  readonly member: (name: string) => Place | undefined
}

/** Names of secrets, whatever a schema says of them. */
const secretName =
  /(?:secret|password|passphrase|passcode|otp|pin|cvv|cvc|mnemonic|signature|authorization|cookie|(?:access|refresh|oidc|id|bearer|session)[-_]?token|(?:api|private|signing|session)[-_]?key|recoverycodes?|embedurl|^encrypted\w*)$/iu

/** Whether a member of this name is a secret, whatever its schema says. */
export const isSecretName = (name: string): boolean => secretName.test(name)

/** The schema with every alternative and every encoded form of it. */
const alternatives = (ast: SchemaAST.AST, seen: Set<SchemaAST.AST>): ReadonlyArray<SchemaAST.AST> => {
  if (seen.has(ast)) return []
  seen.add(ast)
  const inside = ast._tag === "Union" ? ast.types : ast._tag === "Suspend" ? [ast.thunk()] : []
  const encoded = (ast.encoding ?? []).map(({ to }) => to)
  return [ast, ...[...inside, ...encoded].flatMap((each) => alternatives(each, seen))]
}

const openTags: ReadonlySet<SchemaAST.AST["_tag"]> = new Set(["Unknown", "Any", "ObjectKeyword", "Declaration"])
const structured: ReadonlySet<SchemaAST.AST["_tag"]> = new Set(["Objects", "Arrays", "Union", "Suspend"])

type NeutralOf = (name: string) => string

const placeOf = (asts: ReadonlyArray<SchemaAST.AST>, neutralOf: NeutralOf): Place | undefined => {
  if (asts.length === 0) return undefined
  const seen = new Set<SchemaAST.AST>()
  const all = asts.flatMap((ast) => alternatives(ast, seen))
  const objects = all.filter((ast) => ast._tag === "Objects")
  const arrays = all.filter((ast) => ast._tag === "Arrays")
  let item: { readonly place: Place | undefined } | undefined
  const members = new Map<string, Place | undefined>()
  return {
    isSecret: all.some(isSecret),
    isOpen: all.some(({ _tag }) => openTags.has(_tag)),
    takesScalar: all.some(({ _tag }) => !structured.has(_tag)),
    item: () => {
      item ??= {
        place: placeOf(
          arrays.flatMap(({ elements, rest }) => [...elements, ...rest]),
          neutralOf,
        ),
      }
      return item.place
    },
    member: (sent) => {
      const name = neutralOf(sent)
      const known = members.get(name)
      if (known !== undefined) return known
      const own = objects.flatMap(({ propertySignatures }) =>
        propertySignatures.filter((signature) => signature.name === name).map(({ type }) => type),
      )
      const place = placeOf(
        own.length > 0 ? own : objects.flatMap(({ indexSignatures }) => indexSignatures.map(({ type }) => type)),
        neutralOf,
      )
      // A name that no schema has is the caller's: to keep each would let it fill the memory.
      if (own.length > 0) members.set(name, place)
      return place
    },
  }
}

/** Whether a value says nothing. */
const isBlank = (value: unknown): boolean => value === null || value === undefined || typeof value === "boolean"

/** Receives each secret with the dotted path of its member. */
export type OnSecret = (path: string, value: unknown) => void

const within = (path: string, name: string | number): string => (path === "" ? String(name) : `${path}.${name}`)

const maskAt = (place: Place | undefined, value: unknown, path: string, onSecret: OnSecret): unknown => {
  if (isBlank(value)) return value
  const isHidden =
    place === undefined ||
    place.isSecret ||
    (!place.isOpen &&
      (Array.isArray(value) ? place.item() === undefined : typeof value === "object" ? false : !place.takesScalar))
  if (isHidden) {
    onSecret(path, value)
    return mask
  }
  if (Array.isArray(value)) {
    const items = place.isOpen ? place : place.item()
    return value.map((inside, index) => maskAt(items, inside, within(path, index), onSecret))
  }
  if (typeof value !== "object") return value
  return Object.fromEntries(
    Object.entries(value ?? {}).map(([name, inside]) => {
      const at = within(path, name)
      if (isSecretName(name) && !isBlank(inside)) {
        onSecret(at, inside)
        return [name, mask]
      }
      return [name, maskAt(place.member(name) ?? (place.isOpen ? place : undefined), inside, at, onSecret)]
    }),
  )
}

/** Returns a copy of the value with masks in place of its secrets. */
export type Mask = (value: unknown, onSecret: OnSecret) => unknown

/**
 * Masks values of one of these schemas. Of a value that fits none of them little is left. `neutralOf` returns the schema's name for a member
 * that a deployment spells with its own name.
 */
export const maskOf = (
  schemas: ReadonlyArray<{ readonly ast: SchemaAST.AST }>,
  neutralOf: NeutralOf = (name) => name,
): Mask => {
  const place = placeOf(
    schemas.map(({ ast }) => ast),
    neutralOf,
  )
  return (value, onSecret) => maskAt(place, value, "", onSecret)
}
