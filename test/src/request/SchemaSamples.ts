/** Values of every alternative of a schema, each text of which says where it is. */
import type { SchemaAST } from "effect"

const depthMax = 12

const encodedOf = (ast: SchemaAST.AST): SchemaAST.AST => ast.encoding?.at(-1)?.to ?? ast

/** Returns at least one value for each alternative of a schema. */
export const samples = (ast: SchemaAST.AST, path: string, depth = 0): ReadonlyArray<unknown> => {
  if (depth > depthMax) return [`canary:${path}`]
  const plain = encodedOf(ast)
  const of = (inside: SchemaAST.AST, at: string) => samples(inside, at, depth + 1)
  switch (plain._tag) {
    case "Union":
      return plain.types.flatMap((type) => of(type, path))
    case "Suspend":
      return of(plain.thunk(), path)
    case "Literal":
      return [plain.literal]
    case "Null":
    case "Undefined":
    case "Void":
      return []
    case "Boolean":
      return [true]
    case "Number":
      return [1234567]
    case "Arrays":
      return [[...plain.elements, ...plain.rest].flatMap((item) => of(item, path))]
    case "Objects": {
      const members = [
        ...plain.propertySignatures.map(
          ({ name, type }) => [String(name), of(type, `${path}.${String(name)}`)] as const,
        ),
        ...plain.indexSignatures.map(({ type }) => ["anything", of(type, `${path}.anything`)] as const),
      ]
      const variants = Math.max(1, ...members.map(([, values]) => values.length))
      return Array.from({ length: variants }, (_, variant) =>
        Object.fromEntries(
          members.flatMap(([name, values]) =>
            values.length === 0 ? [] : [[name, values[variant % values.length]] as const],
          ),
        ),
      )
    }
    default:
      return [`canary:${path}`]
  }
}
