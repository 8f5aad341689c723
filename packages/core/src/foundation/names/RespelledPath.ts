/**
 * Spells the path of a field, such as those in `details.errors` of an error.
 * Source: wire contract areas 2.5 (`details.errors[].field`).
 */
import { SchemaAST } from "effect"
import type { Spellings } from "./Spellings.ts"

/** The schemas among which a value chooses. */
export const alternativesOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  if (ast._tag === "Suspend") return alternativesOf(ast.thunk())
  return ast._tag === "Union" ? ast.types.flatMap(alternativesOf) : [ast]
}

/** Spells the names of a path that are members of a schema. Keys that a caller chose stay as they are. */
export const respellPath = (
  path: ReadonlyArray<string>,
  schemas: ReadonlyArray<{ readonly ast: SchemaAST.AST }>,
  spellings: Spellings,
): ReadonlyArray<string> => {
  let types = schemas.map(({ ast }) => SchemaAST.toEncoded(ast))
  return path.map((name) => {
    const here = types.flatMap(alternativesOf)
    const members = here.flatMap((type) =>
      type._tag === "Objects" ? type.propertySignatures.filter((signature) => signature.name === name) : [],
    )
    types =
      members.length > 0
        ? members.map(({ type }) => type)
        : here.flatMap((type) => {
            if (type._tag === "Arrays") return type.rest
            return type._tag === "Objects" ? type.indexSignatures.map((signature) => signature.type) : []
          })
    return members.length > 0 ? (spellings.get(name) ?? name) : name
  })
}
