/**
 * Excludes text that has no effect on behaviour: documentation of schemas, and names of tables, services and spans. The
 * report counts these mutants as ignored.
 */
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin"

interface Node {
  readonly type: string
  readonly name?: unknown
  readonly callee?: Node
  readonly object?: Node
  readonly property?: Node
  readonly arguments?: ReadonlyArray<unknown>
}

const nameOf = (node: Node | undefined): string => (typeof node?.name === "string" ? node.name : "")

/** The methods that annotate a value without changing it. */
const annotations = new Set(["annotate", "annotateKey"])

/** Returns why a node is not mutated, if so, from the node and its parent. */
export const ignored = (node: Node, parent: Node | undefined): string | undefined => {
  if (parent?.type !== "CallExpression" || parent.arguments === undefined) return undefined
  const { callee } = parent
  const [first] = parent.arguments
  if (node.type === "ObjectExpression" && annotations.has(nameOf(callee?.property))) return "documents a schema"
  if (node.type !== "StringLiteral" || first !== node) return undefined
  if (nameOf(callee?.object) === "Table" && nameOf(callee?.property) === "make") return "names a table"
  if (nameOf(callee?.object) === "Effect" && nameOf(callee?.property) === "fn") return "names a span"
  // Context.Service<...>()("the name of a service")
  return nameOf(callee?.callee?.object) === "Context" ? "names a service" : undefined
}

const hasNodes = (path: object): path is { readonly node: Node; readonly parent?: Node } => "node" in path

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, "names and documents", {
    shouldIgnore: (path) => (hasNodes(path) ? ignored(path.node, path.parent) : undefined),
  }),
]
