/**
 * Lists every problem of a value that did not decode: the field, the requirement and the broken constraint. Values are never shown.
 * Source: wire contract 8.1; rules over several fields: kit/CrossField of the core.
 */
import type { FieldProblem } from "@countersign/core"
import { CrossField } from "@countersign/core/models"
import type { SchemaAST, SchemaIssue } from "effect"
import { type Constraint, checkedType, constraintOf, constraintOfChecks, sentenceOf, valuesOf } from "./Constraints.ts"

type Path = ReadonlyArray<PropertyKey>

const expectedOf = (annotations: unknown): string | undefined => {
  const expected = CrossField.isObject(annotations) ? annotations["expected"] : undefined
  return typeof expected === "string" ? expected : undefined
}

const messageOf = (annotations: unknown): string | undefined => {
  const message = CrossField.isObject(annotations) ? annotations["message"] : undefined
  return typeof message === "string" ? message : undefined
}

const nameOf = (path: Path): string => (path.length === 0 ? "body" : path.map(String).join("."))

const problem = (path: Path, message: string, constraint: Constraint): FieldProblem => ({
  field: nameOf(path),
  message,
  ...(Object.keys(constraint).length === 0 ? {} : { constraint }),
})

const constraintProblem = (path: Path, ast: SchemaAST.AST): FieldProblem => {
  const constraint = constraintOf(ast)
  return problem(path, messageOf(ast.annotations) ?? sentenceOf(constraint, expectedOf(ast.annotations)), constraint)
}

const missingProblem = (path: Path): FieldProblem => problem(path, "is required", { required: true })

const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)]
    return CrossField.isObject(value) && Object.hasOwn(value, key) ? value[String(key)] : undefined
  }, root)

/** The discriminator of a union of objects, with its values. */
const discriminatorOf = (ast: SchemaAST.AST) => {
  if (ast._tag !== "Union") return undefined
  const members = ast.types.map((type) => (type._tag === "Objects" ? type.propertySignatures : []))
  for (const { name } of members[0] ?? []) {
    const values = members.map((signatures) => {
      const type = signatures.find((signature) => signature.name === name)?.type
      return type?._tag === "Literal" ? valuesOf(type) : undefined
    })
    if (values.every((value) => value !== undefined)) return { name, values: values.flat() }
  }
  return undefined
}

/** The problems of a value that matches no member of a union. */
const problemsOfUnion = (issue: SchemaIssue.AnyOf, path: Path, root: unknown): ReadonlyArray<FieldProblem> => {
  const discriminator = discriminatorOf(issue.ast)
  const value = valueAt(root, path)
  if (discriminator === undefined || !CrossField.isObject(value)) {
    return [
      discriminator === undefined
        ? constraintProblem(path, issue.ast)
        : problem(path, "must be an object", { type: "object" }),
    ]
  }
  const at = [...path, discriminator.name]
  const isPresent = valueAt(root, at) !== undefined
  const constraint = { enum: [...discriminator.values] }
  const sentence = sentenceOf(constraint)
  return [
    isPresent
      ? problem(at, sentence, constraint)
      : problem(at, `is required and ${sentence}`, { required: true, ...constraint }),
  ]
}

/** The problems of rules over several fields, for an object whose single fields have problems, too. */
const problemsOfRules = (ast: SchemaAST.AST, path: Path, root: unknown): ReadonlyArray<FieldProblem> => {
  const value = valueAt(root, path)
  if (!CrossField.isObject(value)) return []
  return (ast.checks ?? []).flatMap((check) => {
    const rule = CrossField.ruleOf(check.annotations)
    return rule === undefined ? [] : problemsOfRule(rule, path, value)
  })
}

const problemsOfRule = (rule: CrossField.CrossFieldRule, path: Path, value: Readonly<Record<string, unknown>>) =>
  rule(value).map(({ constraint, message, path: below }) => problem([...path, ...below], message, constraint ?? {}))

const problemsOfFilter = (issue: SchemaIssue.Filter, path: Path, root: unknown, ast: SchemaAST.AST | undefined) => {
  const inner = issue.issue
  const rule = CrossField.ruleOf(issue.filter.annotations)
  const value = valueAt(root, path)
  if (rule !== undefined && CrossField.isObject(value)) return problemsOfRule(rule, path, value)
  if (inner._tag !== "InvalidValue") return walk(inner, path, root)
  const own = messageOf(inner.annotations)
  const format = ast === undefined ? undefined : constraintOf(ast)["format"]
  const constraint: Constraint = {
    ...(format === undefined ? {} : { format }),
    ...constraintOfChecks([issue.filter], checkedType(ast)),
  }
  return [problem(path, own ?? sentenceOf(constraint, expectedOf(issue.filter.annotations)), constraint)]
}

const walk = (
  issue: SchemaIssue.Issue,
  path: Path,
  root: unknown,
  ast?: SchemaAST.AST,
): ReadonlyArray<FieldProblem> => {
  switch (issue._tag) {
    case "Pointer":
      return walk(issue.issue, [...path, ...issue.path], root)
    case "Filter":
      return problemsOfFilter(issue, path, root, ast)
    case "Composite": {
      const below = issue.issues.flatMap((one) => walk(one, path, root, issue.ast))
      const hasFilter = issue.issues.some((one) => one._tag === "Filter")
      if (hasFilter) return below
      const fields = new Set(below.map(({ field }) => field))
      return [...below, ...problemsOfRules(issue.ast, path, root).filter(({ field }) => !fields.has(field))]
    }
    case "AnyOf": {
      const below = issue.issues.flatMap((one) => walk(one, path, root))
      return below.length > 0 ? below : problemsOfUnion(issue, path, root)
    }
    case "Encoding":
      // A query carries numbers and flags as text: the problem names the type of the value, not its text form.
      return issue.ast._tag === "Number" || issue.ast._tag === "Boolean"
        ? problemsOfTextForm(issue, path, root)
        : walk(issue.issue, path, root)
    case "InvalidType":
      return [constraintProblem(path, issue.ast)]
    case "MissingKey":
      return [missingProblem(path)]
    case "InvalidValue":
      return [problem(path, messageOf(issue.annotations) ?? "must be a valid value", {})]
    default:
      return [problem(path, "must be a valid value", {})]
  }
}

const problemsOfTextForm = (issue: SchemaIssue.Encoding, path: Path, root: unknown): ReadonlyArray<FieldProblem> => {
  const below = walk(issue.issue, path, root)
  const hasFormat = below.some(({ constraint }) => constraint?.["format"] !== undefined)
  return hasFormat ? below : [constraintProblem(path, issue.ast)]
}

/** Lists all problems of an issue. `root` is the decoded value; only the presence of its members is read. */
export const problemsOf = (issue: SchemaIssue.Issue, root: unknown): ReadonlyArray<FieldProblem> =>
  walk(issue, [], root)
