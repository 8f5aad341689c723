/** What a schema demands of a value, as data and as a sentence. Source: wire contract 8.1. */
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import {
  type Constraint,
  checkedType,
  constraintOf,
  sentenceOf,
  valuesOf,
} from "../../../packages/adapter-http/src/middleware/Constraints.ts"

const text = Schema.String
const { MAX_SAFE_INTEGER: exact } = Number

describe("the constraint of a schema", () => {
  it.each<readonly [what: string, schema: Schema.Top, constraint: Constraint]>([
    ["a text", text, { type: "string" }],
    ["a number", Schema.Finite, { type: "number" }],
    ["a flag", Schema.Boolean, { type: "boolean" }],
    ["null", Schema.Null, { type: "null" }],
    ["an object", Schema.Struct({ a: text }), { type: "object" }],
    ["a list", Schema.Array(text), { type: "array" }],
    ["a template", Schema.TemplateLiteral(["a", text]), { type: "string" }],
    ["anything", Schema.Unknown, {}],
    ["an integer", Schema.Finite.check(Schema.isInt()), { type: "integer", minimum: -exact, maximum: exact }],
    ["a text that is not empty", text.check(Schema.isMinLength(1)), { type: "string", minLength: 1 }],
    ["a greatest length", text.check(Schema.isMaxLength(5)), { type: "string", maxLength: 5 }],
    [
      "both lengths",
      text.check(Schema.isMinLength(1), Schema.isMaxLength(5)),
      { type: "string", minLength: 1, maxLength: 5 },
    ],
    ["a list with a least length", Schema.Array(text).check(Schema.isMinLength(2)), { type: "array", minItems: 2 }],
    ["a list with a greatest length", Schema.Array(text).check(Schema.isMaxLength(5)), { type: "array", maxItems: 5 }],
    ["a pattern", text.check(Schema.isPattern(/^a$/u)), { type: "string", pattern: "^a$" }],
    [
      "an integer within bounds",
      Schema.Finite.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 9 })),
      { type: "integer", minimum: 1, maximum: 9 },
    ],
    [
      "a group of checks",
      Schema.Finite.check(Schema.makeFilterGroup([Schema.isInt(), Schema.isGreaterThanOrEqualTo(3)])),
      { type: "integer", minimum: 3, maximum: exact },
    ],
    ["a format of its own", text.annotate({ format: "email" }), { type: "string", format: "email" }],
    [
      "the format of its last check",
      text.check(Schema.isMaxLength(9, { format: "date" })),
      { type: "string", format: "date", maxLength: 9 },
    ],
    [
      "a format, before a check without one",
      text.annotate({ format: "email" }).check(Schema.isMaxLength(9)),
      { type: "string", format: "email", maxLength: 9 },
    ],
    [
      "a check with keywords of its own, without those that are lists or unknown",
      text.check(
        Schema.makeFilter(() => true, { toJsonSchema: () => ({ enum: ["A"], maxLength: 3, title: "a letter" }) }),
      ),
      { type: "string", maxLength: 3 },
    ],
    ["a literal", Schema.Literal("A"), { enum: ["A"] }],
    ["literals", Schema.Literals(["A", 2, true]), { enum: ["A", 2, true] }],
    ["a literal that JSON does not have", Schema.Literal(5n), {}],
    ["a literal or null", Schema.NullOr(Schema.Literal("A")), { enum: ["A"], nullable: true }],
    ["a text or null", Schema.NullOr(text), { type: "string", nullable: true }],
    ["a text or a number", Schema.Union([text, Schema.Finite]), {}],
    ["a text, a number or null", Schema.Union([text, Schema.Finite, Schema.Null]), {}],
    ["one text alone", Schema.Union([text]), { type: "string" }],
    ["a literal or a text", Schema.Union([Schema.Literal("A"), text]), {}],
    [
      "unions of literals in a union",
      Schema.Union([Schema.Literals(["A", "B"]), Schema.Literal("C")]),
      { enum: ["A", "B", "C"] },
    ],
    ["a check without keywords", text.check(Schema.makeFilter(() => true)), { type: "string" }],
    ["a keyword that no answer has", Schema.Array(text).check(Schema.isUnique()), { type: "array" }],
  ])("has what is demanded of %s", (_what, schema, constraint) => {
    expect(constraintOf(schema.ast)).toEqual(constraint)
  })
})

describe("the values of a schema", () => {
  it.each<readonly [what: string, schema: Schema.Top, values: ReadonlyArray<unknown> | undefined]>([
    ["a literal", Schema.Literal("A"), ["A"]],
    ["literals, in their order", Schema.Literals(["B", "A"]), ["B", "A"]],
    ["literals with one that JSON does not have", Schema.Literals(["A", 5n]), undefined],
    ["a text", text, undefined],
    ["a literal or null", Schema.NullOr(Schema.Literal("A")), undefined],
  ])("are those of %s", (_what, schema, values) => {
    expect(valuesOf(schema.ast)).toEqual(values)
  })
})

it("reads a length as one of characters for texts, as one of entries for lists, and not at all for others", () => {
  const types = [text, Schema.Array(text), Schema.Finite].map(({ ast }) => checkedType(ast))
  expect([...types, checkedType(undefined)]).toEqual(["string", "array", undefined, undefined])
})

describe("the sentence of a constraint", () => {
  const letters = (count: number) => Array.from({ length: count }, (_, at) => String.fromCharCode(65 + at))

  it.each<readonly [sentence: string, constraint: Constraint]>([
    ["must be A", { enum: ["A"] }],
    ["must be one of A, 2, true", { enum: ["A", 2, true] }],
    ["must be one of A, B, C, D, E, F, G, H, I, J, K, L", { enum: letters(12) }],
    ["must be one of A, B, C, D, E, F, G, H, I, J, K, L and 1 more", { enum: letters(13) }],
    ["must be one of A, B, C, D, E, F, G, H, I, J, K, L and 3 more", { enum: letters(15) }],
    ["must be a string", { type: "string", pattern: "^a$" }],
    ["must be a number", { type: "number" }],
    ["must be true or false", { type: "boolean" }],
    ["must be an object", { type: "object" }],
    ["must be an array", { type: "array" }],
    ["must be null", { type: "null" }],
    ["must not be empty", { minLength: 1 }],
    ["must be at least 2 characters long", { minLength: 2 }],
    ["must be between 1 and 5 characters long", { minLength: 1, maxLength: 5 }],
    ["must be a string, at least 1 characters long", { type: "string", minLength: 1 }],
    ["must be at most 5 characters long", { maxLength: 5 }],
    ["must be exactly 5 characters long", { minLength: 5, maxLength: 5 }],
    ["must be an array, at least 2 items long", { type: "array", minItems: 2 }],
    ["must be at most 9 items long", { maxItems: 9 }],
    ["must be an integer, between 1 and 9", { type: "integer", minimum: 1, maximum: 9 }],
    ["must be a number, exactly 4", { type: "number", minimum: 4, maximum: 4 }],
    ["must be at least 0", { minimum: 0 }],
    ["must be at most -3", { maximum: -3 }],
    [`must be an integer within ±${exact}`, { type: "integer" }],
    [`must be an integer within ±${exact}`, { type: "integer", minimum: -exact, maximum: exact }],
    [`must be an integer, at least ${1 - exact}`, { type: "integer", minimum: 1 - exact, maximum: exact }],
    [`must be an integer, at most ${exact - 1}`, { type: "integer", minimum: -exact, maximum: exact - 1 }],
    [`must be an integer within ±${exact} or null`, { type: "integer", nullable: true }],
    ["must be a string, at most 5 characters long or null", { type: "string", maxLength: 5, nullable: true }],
    ["must be a string", { type: "string", nullable: false }],
    ["must be a valid value", {}],
    ["must be a valid value or null", { nullable: true }],
    ["must be a valid value", { type: "bigint" }],
  ])("is: %s", (sentence, constraint) => {
    expect(sentenceOf(constraint)).toBe(sentence)
  })

  it.each<readonly [sentence: string, constraint: Constraint, expected: string]>([
    ["must be nine digits", { type: "string", pattern: "^a$", minLength: 9 }, "nine digits"],
    ["must be a string", { type: "string" }, "nine digits"],
    ["must be a day", {}, "a day"],
    ["must be at least 2", { minimum: 2 }, "a day"],
  ])("with wording of the schema's own is: %s", (sentence, constraint, expected) => {
    expect(sentenceOf(constraint, expected)).toBe(sentence)
  })
})
