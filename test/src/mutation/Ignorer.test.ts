/** The nodes that are not mutated, because no mutant of them changes what the service does. */
import { expect, it } from "vitest"
import { ignored, type Node } from "../../scripts/mutation/Ignorer.ts"

const name = (text: string) => ({ type: "Identifier", name: text })
const member = (object: string, property: string) => ({
  type: "MemberExpression",
  object: name(object),
  property: name(property),
})
const text = { type: "StringLiteral" }
const record = { type: "ObjectExpression" }
const call = (callee: object, ...given: ReadonlyArray<object>) => ({
  type: "CallExpression",
  callee: { type: "MemberExpression", ...callee },
  arguments: given,
})

it("ignores documentation of schemas and names of tables, services and spans only", () => {
  expect(ignored(record, call(member("Schema", "annotate"), record))).toBe("documents a schema")
  const described = (...given: ReadonlyArray<Node>) =>
    ignored(text, { type: "CallExpression", callee: name("Text"), arguments: given })
  expect(described({ type: "NumericLiteral" }, text)).toBe("documents a schema")
  expect(described(text)).toBeUndefined()
  expect(ignored(text, call(member("Table", "make"), text, record))).toBe("names a table")
  expect(ignored(text, call({ callee: member("Context", "Service") }, text))).toBe("names a service")
  expect(ignored(text, call(member("Context", "Reference"), text, record))).toBe("names a service")
  expect(ignored(text, call(member("Effect", "fn"), text))).toBe("names a span")
  expect(ignored(record, call(member("Table", "make"), text, record))).toBeUndefined()
  expect(ignored(text, call(member("Rules", "make"), text))).toBeUndefined()
  expect(ignored(text, call(member("Table", "make"), record, text))).toBeUndefined()
  expect(ignored(text, record)).toBeUndefined()
})

it("ignores the name of an operation, and no other member and no other text", () => {
  const named = { ...text, value: "Files.sweep" }
  const run = (key: string, value: Node, callee = member("Operation", "run")) => {
    const property = { type: "ObjectProperty", key: name(key), value }
    const object = { type: "ObjectExpression", properties: [property] }
    return ignored(value, property, object, { type: "CallExpression", callee, arguments: [object] })
  }
  const calls = (callee: Node, ...given: ReadonlyArray<Node>) =>
    ignored(named, { type: "CallExpression", callee, arguments: given })
  expect(run("name", named)).toBe("names an operation")
  expect(run("name", { type: "TemplateLiteral" })).toBe("names an operation")
  expect(calls(name("traced"), named)).toBe("names an operation")
  expect(calls(member("SharedCommit", "make"), named)).toBe("names an operation")
  expect(run("owner", named)).toBeUndefined()
  expect(run("name", named, member("Banks", "find"))).toBeUndefined()
  expect(run("name", record)).toBeUndefined()
  expect(calls(name("positive"), named)).toBeUndefined()
  expect(calls(name("handler"), record, named)).toBeUndefined()
  const other = { ...text, value: "card" }
  expect(ignored(other, { type: "CallExpression", callee: name("change"), arguments: [other] })).toBeUndefined()
})

it("ignores the statement of an invariant, and no other condition", () => {
  const error = { type: "NewExpression", callee: name("Error") }
  const die = call(member("Effect", "die"), error)
  const statement = (returned: Node) => ({
    type: "IfStatement",
    consequent: {
      type: "BlockStatement",
      body: [{ type: "ReturnStatement", argument: { type: "YieldExpression", argument: returned } }],
    },
  })
  expect(ignored(statement(die))).toBe("states an invariant")
  expect(ignored(error, die)).toBe("states an invariant")
  expect(ignored({ ...statement(die), alternate: { type: "BlockStatement" } })).toBeUndefined()
  expect(ignored(statement(call(member("Effect", "fail"), error)))).toBeUndefined()
  expect(ignored(error, call(member("Effect", "fail"), error))).toBeUndefined()
})

it("ignores the test for an absent member, unless an undefined one would hide a member before it", () => {
  const test = { type: "BinaryExpression", operator: "===", left: name("a"), right: name("undefined") }
  const conditional = {
    type: "ConditionalExpression",
    test,
    consequent: { type: "ObjectExpression", properties: [] },
    alternate: { type: "ObjectExpression", properties: [name("a")] },
  }
  const spread = { type: "SpreadElement", argument: conditional }
  const object = (...properties: ReadonlyArray<Node>) => ({ type: "ObjectExpression", properties })
  const inside = (...properties: ReadonlyArray<Node>) => ignored(test, conditional, spread, object(...properties))
  expect(inside(spread)).toBe("omits an absent member")
  expect(inside({ type: "SpreadElement", argument: { ...conditional } }, spread)).toBe("omits an absent member")
  expect(inside({ type: "SpreadElement", argument: name("data") }, spread)).toBeUndefined()
  expect(ignored({ ...test, operator: "!==" }, conditional, spread, object(spread))).toBeUndefined()
  expect(ignored(test, conditional, { type: "ReturnStatement", argument: conditional }, object())).toBeUndefined()
})
