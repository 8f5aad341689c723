/**
 * Lists every problem of a value that did not decode: the field, the requirement and the broken constraint. Values are never shown.
 * Source: wire contract 8.1; rules over several fields: kit/CrossField of the core.
 */
import { type FieldProblem, type ProblemList, problemList } from "@countersign/core"
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

/** The problem of a value that matches no member of a union. */
const problemOfUnion = (issue: SchemaIssue.AnyOf, path: Path, root: unknown): FieldProblem => {
  const discriminator = discriminatorOf(issue.ast)
  const value = valueAt(root, path)
  if (discriminator === undefined) return constraintProblem(path, issue.ast)
  if (!CrossField.isObject(value)) return problem(path, "must be an object", { type: "object" })
  const at = [...path, discriminator.name]
  const isPresent = valueAt(root, at) !== undefined
  const constraint = { enum: [...discriminator.values] }
  const sentence = sentenceOf(constraint)
  return isPresent
    ? problem(at, sentence, constraint)
    : problem(at, `is required and ${sentence}`, { required: true, ...constraint })
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

const problemOfFilter = (
  filter: SchemaAST.Filter<never>,
  own: string | undefined,
  path: Path,
  ast: SchemaAST.AST | undefined,
): FieldProblem => {
  const format = ast === undefined ? undefined : constraintOf(ast)["format"]
  const constraint: Constraint = {
    ...(format === undefined ? {} : { format }),
    ...constraintOfChecks([filter], checkedType(ast)),
  }
  return problem(path, own ?? sentenceOf(constraint, expectedOf(filter.annotations)), constraint)
}

/** Adds the problems of one value to a list. Only the presence of the value's members is read. */
class Collector {
  readonly list: ProblemList
  readonly root: unknown

  constructor(list: ProblemList, root: unknown) {
    this.list = list
    this.root = root
  }

  walk(issue: SchemaIssue.Issue, path: Path, ast?: SchemaAST.AST): void {
    switch (issue._tag) {
      case "Pointer":
        this.walk(issue.issue, [...path, ...issue.path])
        break
      case "Filter":
        this.#filter(issue, path, ast)
        break
      case "Composite":
        this.#composite(issue, path)
        break
      case "AnyOf":
        if (issue.issues.length === 0) this.list.add(() => problemOfUnion(issue, path, this.root))
        for (const one of issue.issues) this.walk(one, path)
        break
      case "Encoding":
        // A query carries numbers and flags as text: the problem names the type of the value, not its text form.
        if (issue.ast._tag === "Number" || issue.ast._tag === "Boolean") this.#textForm(issue, path)
        else this.walk(issue.issue, path)
        break
      case "InvalidType":
        this.list.add(() => constraintProblem(path, issue.ast))
        break
      case "MissingKey":
        this.list.add(() => missingProblem(path))
        break
      case "InvalidValue":
        this.list.add(() => problem(path, messageOf(issue.annotations) ?? "must be a valid value", {}))
        break
      default:
        this.list.add(() => problem(path, "must be a valid value", {}))
    }
  }

  #filter(issue: SchemaIssue.Filter, path: Path, ast: SchemaAST.AST | undefined): void {
    const rule = CrossField.ruleOf(issue.filter.annotations)
    const value = rule === undefined ? undefined : valueAt(this.root, path)
    const inner = issue.issue
    if (rule !== undefined && CrossField.isObject(value)) {
      for (const one of problemsOfRule(rule, path, value)) this.list.add(() => one)
    } else if (inner._tag === "InvalidValue") {
      this.list.add(() => problemOfFilter(issue.filter, messageOf(inner.annotations), path, ast))
    } else this.walk(inner, path)
  }

  #composite(issue: SchemaIssue.Composite, path: Path): void {
    const start = this.list.bounded().problems.length
    for (const one of issue.issues) this.walk(one, path, issue.ast)
    if (issue.issues.some((one) => one._tag === "Filter")) return
    const fields = new Set(
      this.list
        .bounded()
        .problems.slice(start)
        .map(({ field }) => field),
    )
    for (const one of problemsOfRules(issue.ast, path, this.root)) if (!fields.has(one.field)) this.list.add(() => one)
  }

  #textForm(issue: SchemaIssue.Encoding, path: Path): void {
    const below = problemList()
    new Collector(below, this.root).walk(issue.issue, path)
    const { problems } = below.bounded()
    if (problems.some(({ constraint }) => constraint?.["format"] !== undefined)) {
      for (const one of problems) this.list.add(() => one)
    } else this.list.add(() => constraintProblem(path, issue.ast))
  }
}

/** Adds all problems of an issue to `list`. `root` is the decoded value; only the presence of its members is read. */
export const addProblems = (list: ProblemList, issue: SchemaIssue.Issue, root: unknown): void =>
  new Collector(list, root).walk(issue, [])
