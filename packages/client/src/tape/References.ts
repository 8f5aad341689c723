/**
 * References of a tape: `{{3:agent.id}}` is the member `agent.id` of the response to step 3, counted from 0. `{{otp:3:bundle}}` is the
 * sandbox's one-time code, sealed for the bundle in that member. `{{env:NAME}}` is a text that the tape does not contain. `{{braces}}` is
 * two opening braces that a caller sent: what looks like a reference in a recorded request is not one.
 */
import type { Json } from "./Tape.ts"

const reference = /\{\{(?:(otp:)?(\d+):([^{}]+)|env:([A-Z]\w{0,63})|(braces))\}\}/gu

/** A text of an earlier response. */
export interface Reference {
  /** The number of the response's step, from 0. */
  readonly step: number
  /** The member of the response's body, its names separated by dots. */
  readonly path: string
  /** Whether it stands for the code that is sealed for the referenced bundle. */
  readonly isSealed: boolean
}

/** The name of a text that a replay must be given. */
export interface Variable {
  readonly variable: string
}

/** A reference, a variable, or the plain text between them. */
export type TextPart = string | Reference | Variable

/** Returns the text that refers to a member of a response. */
export const refer = (step: number, path: string): string => `{{${step}:${path}}}`

/** Returns the text for the sandbox's code, sealed for the bundle in a member of a response. */
export const referSealed = (step: number, path: string): string => `{{otp:${step}:${path}}}`

/** Returns the text for what the tape does not contain, and a replay must be given. */
export const referVariable = (name: string): string => `{{env:${name}}}`

/** Converts a text that a caller sent to one without references. */
export const literal = (text: string): string => text.replaceAll("{{", "{{braces}}")

/** Splits a text into references, variables and plain text. */
export const parts = (text: string): ReadonlyArray<TextPart> => {
  const found: Array<TextPart> = []
  let plain = ""
  let end = 0
  for (const match of text.matchAll(reference)) {
    plain += text.slice(end, match.index)
    end = match.index + match[0].length
    const [, sealed, step, path = "", variable, braces] = match
    if (braces !== undefined) {
      plain += "{{"
      continue
    }
    if (plain !== "") found.push(plain)
    plain = ""
    found.push(variable === undefined ? { isSealed: sealed !== undefined, step: Number(step), path } : { variable })
  }
  plain += text.slice(end)
  if (plain !== "") found.push(plain)
  return found
}

/** Returns the member at a dotted path. */
export const at = (value: Json | undefined, path: string): Json | undefined =>
  path.split(".").reduce<Json | undefined>((inside, name) => {
    if (typeof inside !== "object" || inside === null) return undefined
    return Object.entries(inside).find(([key]) => key === name)?.[1]
  }, value)

/** Returns every text in a value with its dotted path, except below names that a path cannot contain. */
export const texts = (value: Json | undefined, path = ""): ReadonlyArray<readonly [path: string, text: string]> => {
  if (typeof value === "string") return [[path, value]]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, inside]) =>
    /[.{}]/u.test(name) ? [] : texts(inside, path === "" ? name : `${path}.${name}`),
  )
}

/** Returns a copy of the value with `change` applied to every text in it. */
export const mapTexts = (value: Json, change: (text: string) => Json): Json => {
  if (typeof value === "string") return change(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((inside) => mapTexts(inside, change))
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, mapTexts(inside, change)]))
}
