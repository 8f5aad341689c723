/**
 * The exported names of a module without a doc comment, those of its namespaces included.
 * Source: AGENTS.md, "Language and style".
 */
import { basename } from "node:path"
import type { SourceFile } from "typescript/unstable/ast"
import { type Checker, SymbolFlags, type Symbol as TsSymbol } from "typescript/unstable/sync"

const has = (symbol: TsSymbol, flag: SymbolFlags): boolean => (symbol.flags & flag) !== 0

/** Whether the text before a declaration ends with a doc comment. */
const isDocumentedAt = (text: string, start: number): boolean =>
  /\*\/\s*(?:(?:export|default|declare|const|abstract)\s+)*$/u.test(text.slice(0, start))

export const undocumentedIn = (checker: Checker) => {
  const isDocumented = ({ declarations, name }: TsSymbol): boolean =>
    declarations.some((declaration) => {
      const node = declaration.resolve()
      if (node === undefined) return false
      const file: SourceFile = node.getSourceFile()
      const isNamesake =
        basename(file.fileName, ".ts").toLowerCase() === name.toLowerCase() && /^\/\*\*/u.test(file.text)
      return isNamesake || isDocumentedAt(file.text, node.getStart())
    })

  const inModule = (module: TsSymbol, path: string): ReadonlyArray<string> =>
    checker.getExportsOfModule(module).flatMap((exported) => {
      const symbol = has(exported, SymbolFlags.Alias) ? checker.getAliasedSymbol(exported) : exported
      const name = `${path}${exported.name}`
      if (has(symbol, SymbolFlags.ValueModule)) return inModule(symbol, `${name}.`)
      return isDocumented(symbol) ? [] : [name]
    })

  return (module: TsSymbol): ReadonlyArray<string> => inModule(module, "").toSorted()
}
