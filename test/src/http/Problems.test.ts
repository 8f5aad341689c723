/** How each kind of failure to decode becomes a problem of a field. Source: wire contract 8.1. */
import { type FieldProblem, problemList } from "@countersign/core"
import { CrossField } from "@countersign/core/models"
import { Effect, Result, Schema, SchemaGetter, SchemaIssue } from "effect"
import { describe, expect, it } from "vitest"
import { addProblems } from "../../../packages/adapter-http/src/middleware/Problems.ts"

const problemsOf = (schema: Schema.Codec<unknown, unknown>, value: unknown): ReadonlyArray<FieldProblem> => {
  const decoded = Schema.decodeUnknownResult(schema, { errors: "all" })(value)
  const list = problemList()
  if (Result.isFailure(decoded)) addProblems(list, decoded.failure.issue, value)
  return list.bounded().problems
}

const text = Schema.String
const day = text.check(Schema.isPattern(/^\d{4}$/u, { expected: "four digits" }))
const pattern = "^\\d{4}$"

describe("the problem of a value", () => {
  it.each<readonly [what: string, schema: Schema.Codec<unknown, unknown>, value: unknown, problem: FieldProblem]>([
    ["the whole body", text, 5, { field: "body", message: "must be a string", constraint: { type: "string" } }],
    [
      "a member",
      Schema.Struct({ a: text }),
      { a: 5 },
      { field: "a", message: "must be a string", constraint: { type: "string" } },
    ],
    [
      "a missing member",
      Schema.Struct({ a: text }),
      {},
      { field: "a", message: "is required", constraint: { required: true } },
    ],
    [
      "an entry of a list inside",
      Schema.Struct({ a: Schema.Array(Schema.Struct({ b: text })) }),
      { a: [{ b: "x" }, { b: 5 }] },
      { field: "a.1.b", message: "must be a string", constraint: { type: "string" } },
    ],
    [
      "a text with an own message",
      Schema.Struct({ a: text.annotate({ message: "must be a name" }) }),
      { a: 5 },
      { field: "a", message: "must be a name", constraint: { type: "string" } },
    ],
    [
      "a text that does not match",
      Schema.Struct({ a: day }),
      { a: "12" },
      { field: "a", message: "must be four digits", constraint: { pattern } },
    ],
    [
      "a text that is too long",
      Schema.Struct({ a: text.check(Schema.isMaxLength(2)) }),
      { a: "abc" },
      { field: "a", message: "must be at most 2 characters long", constraint: { maxLength: 2 } },
    ],
    [
      "a list that is too long",
      Schema.Struct({ a: Schema.Array(text).check(Schema.isMaxLength(1)) }),
      { a: ["x", "y"] },
      { field: "a", message: "must be at most 1 items long", constraint: { maxItems: 1 } },
    ],
    [
      "a text with a format",
      Schema.Struct({ a: text.check(Schema.isMaxLength(2, { format: "letters" })) }),
      { a: "abc" },
      {
        field: "a",
        message: "must be at most 2 characters long",
        constraint: { format: "letters", maxLength: 2 },
      },
    ],
    [
      "a check with a message and no keywords",
      Schema.Struct({ a: text.check(Schema.makeFilter((value) => value !== "x", { expected: "another letter" })) }),
      { a: "x" },
      { field: "a", message: "must be another letter" },
    ],
    [
      "a check that says itself what is wrong",
      Schema.Struct({ a: text.check(Schema.makeFilter((value) => (value === "x" ? "must not be x" : undefined))) }),
      { a: "x" },
      { field: "a", message: "must not be x" },
    ],
    [
      "one of two literals",
      Schema.Struct({ a: Schema.Literals(["A", "B"]) }),
      { a: "C" },
      { field: "a", message: "must be one of A, B", constraint: { enum: ["A", "B"] } },
    ],
    [
      "the member that a check points to",
      Schema.Struct({ a: text }).check(Schema.makeFilter(() => ({ path: ["a"], issue: "must be another one" }))),
      { a: "x" },
      { field: "a", message: "must be another one" },
    ],
    [
      "a value that a conversion refuses without a word",
      Schema.Struct({
        a: text.pipe(
          Schema.decodeTo(text, {
            decode: SchemaGetter.transformEffect(() => Effect.fail(new SchemaIssue.InvalidValue())),
            encode: SchemaGetter.transform((value) => value),
          }),
        ),
      }),
      { a: "x" },
      { field: "a", message: "must be a valid value" },
    ],
    [
      "a value of a class",
      Schema.declare((value) => value instanceof Set, { expected: "a set" }),
      1,
      { field: "body", message: "must be a set" },
    ],
    ["no kind of value that is known", Schema.Never, 1, { field: "body", message: "must be a valid value" }],
  ])("names %s", (_what, schema, value, problem) => {
    expect(problemsOf(schema, value)).toEqual([problem])
  })
})

describe("a union of objects", () => {
  const cat = Schema.Struct({ name: text, kind: Schema.Literal("CAT"), lives: Schema.Finite })
  const dog = Schema.Struct({ name: text, kind: Schema.Literal("DOG") })
  const pet = Schema.Struct({ pet: Schema.Union([cat, dog]) })
  const kinds = { enum: ["CAT", "DOG"] }

  it.each<readonly [value: unknown, problem: FieldProblem]>([
    [{ kind: "COW" }, { field: "pet.kind", message: "must be one of CAT, DOG", constraint: kinds }],
    [{ kind: null }, { field: "pet.kind", message: "must be one of CAT, DOG", constraint: kinds }],
    [
      {},
      {
        field: "pet.kind",
        message: "is required and must be one of CAT, DOG",
        constraint: { required: true, ...kinds },
      },
    ],
    [
      { kind: undefined },
      {
        field: "pet.kind",
        message: "is required and must be one of CAT, DOG",
        constraint: { required: true, ...kinds },
      },
    ],
    [[], { field: "pet", message: "must be an object", constraint: { type: "object" } }],
    [null, { field: "pet", message: "must be an object", constraint: { type: "object" } }],
    ["CAT", { field: "pet", message: "must be an object", constraint: { type: "object" } }],
  ])("is found by the member that distinguishes its kinds: %j", (value, problem) => {
    expect(problemsOf(pet, { pet: value })).toEqual([problem])
  })

  it("is found at its place in a list", () => {
    expect(problemsOf(Schema.Struct({ pets: Schema.Array(pet) }), { pets: [{ pet: 5 }, { pet: {} }] })).toEqual([
      { field: "pets.0.pet", message: "must be an object", constraint: { type: "object" } },
      {
        field: "pets.1.pet.kind",
        message: "is required and must be one of CAT, DOG",
        constraint: { required: true, ...kinds },
      },
    ])
  })

  it("has the problems of the kind that the value names", () => {
    expect(problemsOf(pet, { pet: { kind: "CAT", name: 5 } })).toEqual([
      { field: "pet.name", message: "must be a string", constraint: { type: "string" } },
      { field: "pet.lives", message: "is required", constraint: { required: true } },
    ])
  })

  it("has no such member, if one of its kinds lacks it or has any text there", () => {
    const open = Schema.Struct({ kind: text, tail: Schema.Finite })
    for (const other of [open, Schema.Struct({ tail: Schema.Finite }), text]) {
      expect(problemsOf(Schema.Union([cat, other]), 5), JSON.stringify(other.ast._tag)).toEqual([
        { field: "body", message: "must be a valid value" },
      ])
    }
  })

  it("is distinguished by the first such member of its first kind", () => {
    const left = Schema.Struct({ x: Schema.Literal("A"), y: Schema.Literal("C") })
    const right = Schema.Struct({ y: Schema.Literal("D"), x: Schema.Literal("B") })
    expect(problemsOf(Schema.Union([left, right]), {}).map(({ field }) => field)).toEqual(["x"])
    expect(problemsOf(Schema.Union([right, left]), {}).map(({ field }) => field)).toEqual(["y"])
  })

  it("names the value itself in a union of plain values", () => {
    expect(problemsOf(Schema.Struct({ a: Schema.NullOr(text) }), { a: 5 })).toEqual([
      { field: "a", message: "must be a string or null", constraint: { type: "string", nullable: true } },
    ])
  })
})

describe("the text form of a value", () => {
  it.each<readonly [schema: Schema.Codec<unknown, unknown>, value: unknown, problem: FieldProblem]>([
    [Schema.FiniteFromString, "x", { field: "a", message: "must be a number", constraint: { type: "number" } }],
    [Schema.FiniteFromString, ["1", "2"], { field: "a", message: "must be a number", constraint: { type: "number" } }],
    [
      Schema.Literals(["true", "false"]).pipe(
        Schema.decodeTo(Schema.Boolean, {
          decode: SchemaGetter.transform((value) => value === "true"),
          encode: SchemaGetter.transform((value) => (value ? "true" : "false")),
        }),
      ),
      "yes",
      { field: "a", message: "must be true or false", constraint: { type: "boolean" } },
    ],
    [
      text.check(Schema.isPattern(/^\d+$/u, { format: "date", expected: "a day" })).pipe(
        Schema.decodeTo(Schema.Finite, {
          decode: SchemaGetter.transform(Number),
          encode: SchemaGetter.transform(String),
        }),
      ),
      "x",
      { field: "a", message: "must be a day", constraint: { format: "date", pattern: "^\\d+$" } },
    ],
    [
      text.pipe(
        Schema.decodeTo(text, {
          decode: SchemaGetter.transform((value) => value.trim()),
          encode: SchemaGetter.transform((value) => value),
        }),
      ),
      5,
      { field: "a", message: "must be a string", constraint: { type: "string" } },
    ],
  ])("names the type that is meant: %#", (schema, value, problem) => {
    expect(problemsOf(Schema.Struct({ a: schema }), { a: value })).toEqual([problem])
  })
})

describe("a rule over several fields", () => {
  const ordered = CrossField.check(({ from, to }) =>
    typeof from === "number" && typeof to === "number" && from > to
      ? [{ path: ["to"], message: "must not be below from", constraint: { minimum: from } }]
      : [],
  )
  const range = Schema.Struct({ from: Schema.Finite, to: Schema.Finite, name: text }).check(ordered)
  const inside = Schema.Struct({ range })
  const broken: FieldProblem = { field: "range.to", message: "must not be below from", constraint: { minimum: 5 } }

  it("is named at its field, with its constraint", () => {
    expect(problemsOf(inside, { range: { from: 5, to: 4, name: "x" } })).toEqual([broken])
    expect(problemsOf(range, { from: 5, to: 4, name: "x" })).toEqual([{ ...broken, field: "to" }])
  })

  it("is named together with problems of single fields, after them", () => {
    expect(problemsOf(inside, { range: { from: 5, to: 4 } })).toEqual([
      { field: "range.name", message: "is required", constraint: { required: true } },
      broken,
    ])
  })

  it("is not named at a field that has a problem of its own", () => {
    const below = CrossField.check(() => [{ path: ["to"], message: "must not be below from" }])
    const schema = Schema.Struct({ to: Schema.Finite, name: text }).check(below)
    expect(problemsOf(schema, { to: "x", name: "x" })).toEqual([
      { field: "to", message: "must be a number", constraint: { type: "number" } },
    ])
    expect(problemsOf(schema, { to: 1, name: 5 })).toEqual([
      { field: "name", message: "must be a string", constraint: { type: "string" } },
      { field: "to", message: "must not be below from" },
    ])
  })

  it("is counted once, if the response has no room for it", () => {
    const list = problemList()
    for (const at of Array.from({ length: 50 }).keys()) list.add(() => ({ field: `n${at}`, message: "is required" }))
    const decoded = Schema.decodeUnknownResult(range, { errors: "all" })({ from: 5, to: 4, name: "x" })
    if (Result.isFailure(decoded)) addProblems(list, decoded.failure.issue, { from: 5, to: 4, name: "x" })
    expect(list.bounded().omitted).toBe(1)
  })

  it("is not asked about a value that is no object", () => {
    expect(problemsOf(inside, { range: [] })).toEqual([
      { field: "range", message: "must be an object", constraint: { type: "object" } },
    ])
  })

  it("of an outer object is named at its field beside a problem of an earlier list", () => {
    const list = problemList()
    list.add(() => ({ field: "to", message: "is the problem of another part" }))
    const value = { from: 5, to: 4 }
    const decoded = Schema.decodeUnknownResult(range, { errors: "all" })(value)
    if (Result.isFailure(decoded)) addProblems(list, decoded.failure.issue, value)
    expect(list.bounded().problems.map(({ field, message }) => [field, message])).toEqual([
      ["to", "is the problem of another part"],
      ["name", "is required"],
      ["to", "must not be below from"],
    ])
  })
})

it("does not take an inherited member for a given one", () => {
  const union = Schema.Union([
    Schema.Struct({ constructor: Schema.Literal("A") }),
    Schema.Struct({ constructor: Schema.Literal("B") }),
  ])
  expect(problemsOf(union, {})).toEqual([
    {
      field: "constructor",
      message: "is required and must be one of A, B",
      constraint: { required: true, enum: ["A", "B"] },
    },
  ])
})

it("finds no problem in a value that decodes", () => {
  expect(problemsOf(Schema.Struct({ a: day }), { a: "1234" })).toEqual([])
})
