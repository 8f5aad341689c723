/**
 * A field of account details: its format as a rule, a description and an example, and the schemas derived from it.
 * Spec: ExternalAccount (fields and constraints); wire contract 2.3.
 */
import { Schema } from "effect"
import { Lengths } from "../../foundation/kit/Lengths.ts"
import { Text } from "../../foundation/kit/Text.ts"
import type { StrictCheck } from "./StrictCheckRules.ts"

/** The values that a field accepts: one of `values`, a match of `pattern`, or a text of limited length. */
export interface Format<Value extends string = string> {
  /** A phrase that completes "must be". */
  readonly expected: string
  readonly example: Value
  readonly values?: ReadonlyArray<Value>
  /** Requires the `u` flag, which OpenAPI output depends on. */
  readonly pattern?: RegExp
  readonly maxLength?: number
  readonly isEmptyAllowed?: true
  /** The check of its digits, applied if the deployment enables strict checks. */
  readonly strict?: StrictCheck
  /** Whether values that differ only in case are equal. */
  readonly isCaseInsensitive?: true
  /** A named character set that excludes some digits. */
  readonly alphabet?: "bech32" | "base58"
  /** Whether the field describes the account without identifying it. */
  readonly isDescriptive?: true
}

export interface AccountField<Value extends string = string, Required extends boolean = boolean> {
  readonly format: Format<Value>
  readonly isRequired: Required
  readonly note?: string
  /** Whether every account shows the field although a request may omit it: it is derived. */
  readonly isAlwaysShown?: true
}

type Value<Field> = Field extends AccountField<infer V> ? V : never
/** The values of fields: the required ones, and the others as optional members. */
export type FieldValues<F> = {
  readonly [K in keyof F as F[K] extends { readonly isRequired: true } ? K : never]: Value<F[K]>
} & { readonly [K in keyof F as F[K] extends { readonly isRequired: true } ? never : K]?: Value<F[K]> }

export const required = <Value extends string>(format: Format<Value>, note?: string): AccountField<Value, true> => ({
  format,
  isRequired: true,
  ...(note === undefined ? {} : { note }),
})

export const optional = <Value extends string>(format: Format<Value>, note?: string): AccountField<Value, false> => ({
  format,
  isRequired: false,
  ...(note === undefined ? {} : { note }),
})

/** A field that is derived from others where a request omits it. */
export const derived = <Value extends string>(format: Format<Value>, note: string): AccountField<Value, false> => ({
  ...optional(format, note),
  isAlwaysShown: true,
})

/** The format of a text of 1 to `maxLength` characters. */
export const text = (maxLength: number, example: string): Format => ({
  expected: `a text of 1 to ${maxLength} characters`,
  maxLength,
  example,
})

export const oneOf = <const Value extends string>(
  ...values: readonly [Value, ...ReadonlyArray<Value>]
): Format<Value> => ({
  expected: values.length === 1 ? values[0] : `one of ${values.join(", ")}`,
  values,
  example: values[0],
})

/** The format of a match of a pattern, which must have the `u` flag. */
export const matching = (
  pattern: RegExp,
  expected: string,
  example: string,
  options: Partial<Format> = {},
): Format => ({
  expected,
  pattern,
  example,
  ...options,
})

/** The format of `min` to `max` digits. */
export const digits = (min: number, max: number, example: string, options: Partial<Format> = {}): Format => {
  const count = min === max ? `${min}` : `${min},${max}`
  const expected = min === max ? `exactly ${min} digits` : `${min} to ${max} digits`
  return matching(new RegExp(`^[0-9]{${count}}$`, "u"), expected, example, options)
}

/** The format of a telephone number of one country: the prefix, then `min` to `max` digits. */
export const phone = (
  prefix: string,
  min: number,
  max: number,
  example: string,
  options: Partial<Format> = {},
): Format => {
  const count = min === max ? `${min}` : `${min},${max}`
  const length = min === max ? `${min}` : `${min} to ${max}`
  return matching(new RegExp(`^\\${prefix}[0-9]{${count}}$`, "u"), `${prefix} and ${length} digits`, example, options)
}

/** Marks a format as describing the account without identifying it. */
export const descriptive = <Value extends string>(format: Format<Value>): Format<Value> => ({
  ...format,
  isDescriptive: true,
})

/** Returns the canonical spelling of a value. The branch `XXX` of a BIC names the head office and is dropped. */
export const canonicalValue = (value: string, { isCaseInsensitive, strict }: Format): string => {
  if (strict === "BIC") return value.replace(/XXX$/u, "")
  return isCaseInsensitive === true ? value.toUpperCase() : value
}

/** Returns the schema of the field in a request. */
export const requestSchema = ({ format, note }: AccountField): Schema.Codec<string> => {
  const { expected, isEmptyAllowed, maxLength, pattern, values } = format
  const annotations = { examples: [format.example], ...(note === undefined ? {} : { description: note }) }
  // Always a union, even of one value: a single literal would become a discriminator of the account types.
  if (values !== undefined) return Schema.Literals(values).annotate(annotations)
  if (pattern !== undefined) {
    const max = maxLength ?? Lengths.rows.accountDetail
    return Schema.String.check(Schema.isMaxLength(max).abort(), Schema.isPattern(pattern, { expected })).annotate(
      annotations,
    )
  }
  if (isEmptyAllowed === true) return Schema.String.check(Schema.isMaxLength(maxLength ?? 255)).annotate(annotations)
  return Text(maxLength ?? 255).annotate(annotations)
}

/**
 * Returns the schema of the field in a resource: any text, because later versions may accept more values.
 * Source: wire contract 0.5.
 */
export const resourceSchema = ({ format, note }: AccountField): Schema.Codec<string> =>
  Schema.String.annotate({ examples: [format.example], ...(note === undefined ? {} : { description: note }) })
