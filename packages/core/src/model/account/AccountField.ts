/**
 * A field of an account: its format as a rule, as words and as an example, and the schema that follows from them.
 * Spec: ExternalAccount (fields and constraints); wire contract 2.3.
 */
import { Schema } from "effect"
import { Text } from "../../foundation/kit/Text.ts"
import type { StrictCheck } from "./StrictCheckRules.ts"

/** What a value must be: one of `values`, or what fits `pattern`, or any text up to a length. */
export interface Format<Value extends string = string> {
  /** In words that follow "must be". */
  readonly expected: string
  readonly example: Value
  readonly values?: ReadonlyArray<Value>
  /** With the `u` flag, so that it is shown in OpenAPI. */
  readonly pattern?: RegExp
  readonly maxLength?: number
  readonly isEmptyAllowed?: true
  /** The check of its digits, where a deployment switched it on. */
  readonly strict?: StrictCheck
  /** Upper and lower case are the same value. */
  readonly isCaseless?: true
  /** A named set of characters, of which some digits are missing. */
  readonly alphabet?: "bech32" | "base58"
  /** It says something about the account, but not which one it is. */
  readonly isDescriptive?: true
}

export interface AccountField<Value extends string = string, Required extends boolean = boolean> {
  readonly format: Format<Value>
  readonly isRequired: Required
  readonly note?: string
}

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

/** A text of 1 to `maxLength` characters. */
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

/** What fits a pattern of the `u` flag. */
export const fitting = (pattern: RegExp, expected: string, example: string, more: Partial<Format> = {}): Format => ({
  expected,
  pattern,
  example,
  ...more,
})

/** A number of digits, exactly or from `least` to `most`. */
export const digits = (least: number, most: number, example: string, more: Partial<Format> = {}): Format => {
  const count = least === most ? `${least}` : `${least},${most}`
  const said = least === most ? `exactly ${least} digits` : `${least} to ${most} digits`
  return fitting(new RegExp(`^[0-9]{${count}}$`, "u"), said, example, more)
}

/** A telephone number of one country: its prefix, and a number of digits. */
export const phone = (
  prefix: string,
  least: number,
  most: number,
  example: string,
  more: Partial<Format> = {},
): Format => {
  const count = least === most ? `${least}` : `${least},${most}`
  const said = least === most ? `${least}` : `${least} to ${most}`
  return fitting(new RegExp(`^\\${prefix}[0-9]{${count}}$`, "u"), `${prefix} and ${said} digits`, example, more)
}

export const describing = <Value extends string>(format: Format<Value>): Format<Value> => ({
  ...format,
  isDescriptive: true,
})

/** One spelling of values that have several: of a BIC the head office needs no branch. */
export const canonical = (value: string, { isCaseless, strict }: Format): string => {
  if (strict === "BIC") return value.replace(/XXX$/u, "")
  return isCaseless === true ? value.toUpperCase() : value
}

/** The schema of what a caller sends. */
export const sentSchema = ({ format, note }: AccountField): Schema.Codec<string> => {
  const { expected, isEmptyAllowed, maxLength, pattern, values } = format
  const about = { examples: [format.example], ...(note === undefined ? {} : { description: note }) }
  // Of one value too it is a union: a lone literal would tell the types of a union apart.
  if (values !== undefined) return Schema.Literals(values).annotate(about)
  if (pattern !== undefined) return Schema.String.check(Schema.isPattern(pattern, { expected })).annotate(about)
  if (isEmptyAllowed === true) return Schema.String.check(Schema.isMaxLength(maxLength ?? 255)).annotate(about)
  return Text(maxLength ?? 255).annotate(about)
}

/** The schema of what a record shows: a text, since later versions may take more values. Source: wire contract 0.5. */
export const shownSchema = ({ format, note }: AccountField): Schema.Codec<string> =>
  Schema.String.annotate({ examples: [format.example], ...(note === undefined ? {} : { description: note }) })
