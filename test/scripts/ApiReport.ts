/**
 * The report of a public API: each name that an entry point exports, its kind and its type.
 * Source: architecture, "Layers are folders".
 */
import { createHash } from "node:crypto"
import type { Node } from "typescript/unstable/ast"
import { isArrowFunction } from "typescript/unstable/ast/is"
import {
  type Checker,
  NodeBuilderFlags,
  SymbolFlags,
  type Symbol as TsSymbol,
  type Type,
} from "typescript/unstable/sync"

const signatureCharsMax = 160
/** Longer types, such as the whole contract, have no stable text; their parts are reported by their own names. */
const resolvedCharsMax = 100_000

/**
 * Hashes the words of a resolved type without their order: the compiler orders the members of some unions differently in each run.
 */
const hashOf = (resolved: string): string => {
  const words = resolved.split(/[\s,;|&()<>[\]{}]+/u).toSorted()
  return createHash("sha256").update(words.join(" ")).digest("hex").slice(0, 8)
}

/** Returns the outermost name of a resolved type. */
const outline = (resolved: string): string => {
  const at = resolved.search(/[<{(]/u)
  return at < 0 ? "..." : `${resolved.slice(0, at + 1)}...`
}

/** Shortens a signature. The hash makes a change visible that the written type does not show. */
const cut = (resolved: string, written: string | undefined): string => {
  if (resolved.length <= signatureCharsMax) return resolved
  const text = written ?? outline(resolved)
  if (resolved.length > resolvedCharsMax) return text
  return `${text.length > signatureCharsMax ? `${text.slice(0, signatureCharsMax)} ...` : text} #${hashOf(resolved)}`
}

const inOneLine = (source: string): string =>
  source
    .replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gsu, "")
    .replaceAll(/\s+/gu, " ")
    .trim()

/** Returns the type of a declaration as its source writes it, or undefined where the compiler infers it. */
const writtenType = ({ declarations, valueDeclaration }: TsSymbol): string | undefined => {
  const node = (valueDeclaration ?? declarations[0])?.resolve()
  if (node === undefined) return undefined
  if ("type" in node && node.type !== undefined) return inOneLine((node.type as Node).getText())
  const initializer = "initializer" in node ? (node.initializer as Node | undefined) : undefined
  if (initializer === undefined || !isArrowFunction(initializer)) return undefined
  return inOneLine(initializer.getText().slice(0, initializer.body.getStart() - initializer.getStart()))
}

const has = (symbol: TsSymbol, flag: SymbolFlags): boolean => (symbol.flags & flag) !== 0

/** Whether a member is the repository's own, and not one of Effect or of the language. */
const isOwn = ({ declarations }: TsSymbol): boolean =>
  declarations.length === 0 ||
  declarations.some(({ path }) => !/\/node_modules\/(?!@?countersign)|^bundled:/u.test(path))

const compareNames = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1)

/** Reports on the modules of one program. */
export const apiReport = (checker: Checker) => {
  const textOf = (type: Type | undefined, flags: NodeBuilderFlags = NodeBuilderFlags.NoTruncation): string =>
    type === undefined
      ? "unknown"
      : checker
          .typeToString(type, undefined, NodeBuilderFlags.NoTruncation | flags)
          .replaceAll(/import\("[^"]*"\)\.?/gu, "")
          .replaceAll(/\s+/gu, " ")

  const expanded = (type: Type | undefined): string => textOf(type, NodeBuilderFlags.InTypeAlias)

  const propertyType = (type: Type, name: string): Type | undefined => {
    const property = checker.getPropertyOfType(type, name)
    return property === undefined ? undefined : checker.getTypeOfSymbol(property)
  }

  const membersOf = (type: Type): ReadonlyArray<string> =>
    checker
      .getPropertiesOfType(type)
      .filter((member) => isOwn(member) && !member.name.startsWith("__#"))
      .toSorted(compareNames)
      .map(
        (member) =>
          `  ${member.name}${has(member, SymbolFlags.Optional) ? "?" : ""}: ${cut(textOf(checker.getTypeOfSymbol(member)), writtenType(member))}`,
      )

  const linesOfClass = (symbol: TsSymbol, statics: Type): ReadonlyArray<string> => {
    const service = propertyType(statics, "Service")
    return service === undefined
      ? [`class ${symbol.name}`, ...membersOf(checker.getDeclaredTypeOfSymbol(symbol))]
      : [`service ${symbol.name}`, ...membersOf(service)]
  }

  const linesOfValue = (name: string, type: Type | undefined, written: string | undefined): ReadonlyArray<string> => {
    if (type === undefined) return [`const ${name}`]
    const decoded = propertyType(type, "Type")
    const encoded = propertyType(type, "Encoded")
    if (decoded === undefined || encoded === undefined) {
      const resolved = textOf(type)
      const isObject = resolved.startsWith("{") && resolved.length > signatureCharsMax
      return isObject ? [`const ${name}`, ...membersOf(type)] : [`const ${name}: ${cut(resolved, written)}`]
    }
    const [value, json] = [expanded(decoded), expanded(encoded)]
    return [
      `schema ${name}: ${cut(value, undefined)}`,
      ...(value === json ? [] : [`  encoded: ${cut(json, undefined)}`]),
    ]
  }

  const linesOfType = (symbol: TsSymbol): ReadonlyArray<string> => {
    const type = checker.getDeclaredTypeOfSymbol(symbol)
    return has(symbol, SymbolFlags.Interface)
      ? [`interface ${textOf(type)}`, ...membersOf(type)]
      : [`type ${symbol.name} = ${cut(expanded(type), writtenType(symbol))}`]
  }

  const linesOf = (exported: TsSymbol): ReadonlyArray<string> => {
    const symbol = has(exported, SymbolFlags.Alias) ? checker.getAliasedSymbol(exported) : exported
    if (has(symbol, SymbolFlags.ValueModule)) {
      return [`namespace ${exported.name}`, ...linesOfModule(symbol).map((line) => `  ${line}`)]
    }
    const type = has(symbol, SymbolFlags.Value) ? checker.getTypeOfSymbol(symbol) : undefined
    if (has(symbol, SymbolFlags.Class) && type !== undefined) return linesOfClass(symbol, type)
    if (!has(symbol, SymbolFlags.Value)) return linesOfType(symbol)
    const value = linesOfValue(exported.name, type, writtenType(symbol))
    const isSchema = value[0]?.startsWith("schema ") === true
    // The type beside a schema has its name and is derived from it.
    return has(symbol, SymbolFlags.Type) && !isSchema ? [...value, ...linesOfType(symbol)] : value
  }

  const linesOfModule = (module: TsSymbol): ReadonlyArray<string> =>
    checker.getExportsOfModule(module).toSorted(compareNames).flatMap(linesOf)

  return linesOfModule
}
