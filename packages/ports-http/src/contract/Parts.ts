/**
 * Parts of the contract's schemas: outcomes, which name themselves in `outcome`, results, times and amounts.
 * Source: D-527.
 */
import { Schema } from "effect"

/** A variant of a union: `_tag` in the port, `outcome` in JSON. */
export const outcome = <const Tag extends string, const Fields extends Schema.Struct.Fields>(
  tag: Tag,
  fields: Fields,
) => Schema.Struct({ _tag: Schema.tag(tag), ...fields }).pipe(Schema.encodeKeys({ _tag: "outcome" }))

/** Every other answer: `{ "result": ... }`. */
export const result = <S extends Schema.Top>(schema: S) => Schema.Struct({ result: schema })

/** Accepts a schema that has every member of the port's type, so that none is lost on the way: a compile error otherwise. */
export const exactly =
  <A>() =>
  <S extends Schema.Codec<A, unknown>>(
    schema: Required<A> extends Required<S["Type"]> ? (Required<S["Type"]> extends Required<A> ? S : never) : never,
  ): Schema.Codec<A, unknown> =>
    schema

export const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(schema)

export const Text = Schema.String

/** In clear in JSON, and redacted everywhere else. */
export const Secret = Schema.RedactedFromValue(Schema.String.annotate({ format: "password" }))

/** Business time. */
export const Millis = Schema.Int.annotate({ description: "Business time, Unix milliseconds." })

export const Amount = Schema.Int.annotate({ description: "In the smallest unit of the currency." })

export const Reference = Schema.String.annotate({
  description:
    "The same in every request about one instruction. The bank executes it once, and its answer repeats the reference.",
})

export const Unknown = outcome("Unknown", { cause: Text })
