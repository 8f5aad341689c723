/**
 * Excludes what has no effect on behaviour: documentation of schemas; names of tables, services, spans and operations; statements of what is
 * always true; and tests for an absent member, of which the object without its members remains as a mutant. The report counts these mutants as ignored.
 */
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin"

export interface Node {
  readonly type: string
  readonly name?: unknown
  readonly operator?: string
  /** The text of a string. */
  readonly value?: unknown
  readonly key?: Node
  readonly callee?: Node
  readonly object?: Node
  readonly property?: Node
  readonly argument?: Node | null
  readonly arguments?: ReadonlyArray<unknown>
  readonly left?: Node
  readonly right?: Node
  readonly test?: Node
  readonly consequent?: Node
  readonly alternate?: Node | null
  readonly body?: unknown
  readonly properties?: ReadonlyArray<Node>
}

const nameOf = (node: Node | null | undefined): string => (typeof node?.name === "string" ? node.name : "")

/** The methods that annotate a value without changing it. */
const annotations = new Set(["annotate", "annotateKey"])

/** The functions whose first argument is the name of the operation that they run, or of the span that they open. */
const takesName = new Set(["traced", "change", "handler", "submitTransfer", "SharedCommit.make"])

/** `Files.sweep` */
const isCodeName = ({ type, value }: Node): boolean =>
  type === "StringLiteral" && typeof value === "string" && /^[A-Z][A-Za-z]+\.[a-z][A-Za-z]+$/u.test(value)

const calleeOf = ({ callee }: Node): string =>
  callee?.object === undefined ? nameOf(callee) : `${nameOf(callee.object)}.${nameOf(callee.property)}`

/** `Operation.run({ name: ... })` */
const namesOperation = (node: Node, [property, object, call]: ReadonlyArray<Node>): boolean =>
  (node.type === "StringLiteral" || node.type === "TemplateLiteral") &&
  nameOf(property?.key) === "name" &&
  property?.value === node &&
  call !== undefined &&
  call.arguments?.[0] === object &&
  calleeOf(call) === "Operation.run"

const namedBy = (node: Node, call: Node): string | undefined => {
  const { arguments: given, callee } = call
  if (given === undefined) return undefined
  if (node.type === "ObjectExpression" && annotations.has(nameOf(callee?.property))) return "documents a schema"
  if (nameOf(callee) === "Text" && given[1] === node) return "documents a schema"
  if (node.type !== "StringLiteral" || given[0] !== node) return undefined
  if (isCodeName(node) && takesName.has(calleeOf(call))) return "names an operation"
  if (nameOf(callee?.object) === "Table" && nameOf(callee?.property) === "make") return "names a table"
  if (nameOf(callee?.object) === "Effect" && nameOf(callee?.property) === "fn") return "names a span"
  // Context.Reference("the name of a setting", ...) and Context.Service<...>()("the name of a service")
  return [callee, callee?.callee].some((called) => nameOf(called?.object) === "Context") ? "names a service" : undefined
}

const isDie = (node: Node | null | undefined): boolean =>
  nameOf(node?.callee?.object) === "Effect" && nameOf(node?.callee?.property) === "die"

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value

/** `if (...) { return yield* Effect.die(...) }` */
const isAssertion = ({ alternate, consequent, type }: Node): boolean => {
  if (type !== "IfStatement" || (alternate ?? null) !== null || !Array.isArray(consequent?.body)) return false
  const [only, ...more]: ReadonlyArray<unknown> = consequent.body
  return more.length === 0 && isNode(only) && only.type === "ReturnStatement" && isDie(only.argument?.argument)
}

const isUndefinedTest = (node: Node | undefined): boolean =>
  node?.type === "BinaryExpression" && node.operator === "===" && nameOf(node.right) === "undefined"

/** `...(value === undefined ? {} : { value })` */
const isOptionalMember = ({ argument, type }: Node): boolean =>
  type === "SpreadElement" &&
  argument?.type === "ConditionalExpression" &&
  isUndefinedTest(argument.test) &&
  argument.consequent?.properties?.length === 0 &&
  argument.alternate?.type === "ObjectExpression"

/** Whether the member takes the place of no member of a spread object before it, which an undefined one would hide. */
const hidesNothing = ({ properties = [] }: Node, member: Node): boolean =>
  properties.slice(0, properties.indexOf(member)).every((one) => one.type !== "SpreadElement" || isOptionalMember(one))

/** Returns why a node is not mutated, if so, from the node and the nodes around it, the nearest first. */
export const ignored = (node: Node, ...around: ReadonlyArray<Node>): string | undefined => {
  const [parent, member, object] = around
  if (isAssertion(node) || (node.type === "NewExpression" && parent !== undefined && isDie(parent))) {
    return "states an invariant"
  }
  if (namesOperation(node, around)) return "names an operation"
  if (parent?.type === "CallExpression") return namedBy(node, parent)
  if (member === undefined || object === undefined || parent?.test !== node || !isOptionalMember(member))
    return undefined
  return hidesNothing(object, member) ? "omits an absent member" : undefined
}

interface Path {
  readonly node: Node
  readonly parentPath?: Path | null
}

const isPath = (path: object): path is Path => "node" in path

const around = (path: Path): ReadonlyArray<Node> => {
  const nodes: Array<Node> = []
  for (let at = path.parentPath; at && nodes.length < 3; at = at.parentPath) nodes.push(at.node)
  return nodes
}

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, "names and documents", {
    shouldIgnore: (path) => (isPath(path) ? ignored(path.node, ...around(path)) : undefined),
  }),
]
