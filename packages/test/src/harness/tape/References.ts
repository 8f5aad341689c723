/** References of a tape: `{{3:agent.id}}` is what step 3 (counted from 0) answered at `agent.id`. */
import type { Json } from "./Tape.ts"

const reference = /\{\{(\d+):([^{}]+)\}\}/gu

/** One reference, or plain text between two. */
export type TextPart = string | { readonly step: number; readonly path: string }

export const refer = (step: number, path: string): string => `{{${step}:${path}}}`

/** The text in its parts. */
export const parts = (text: string): ReadonlyArray<TextPart> => {
  const found: Array<TextPart> = []
  let end = 0
  for (const match of text.matchAll(reference)) {
    if (match.index > end) found.push(text.slice(end, match.index))
    found.push({ step: Number(match[1]), path: match[2] ?? "" })
    end = match.index + match[0].length
  }
  if (end < text.length) found.push(text.slice(end))
  return found
}

/** The member at a dotted path. */
export const at = (value: Json | undefined, path: string): Json | undefined =>
  path.split(".").reduce<Json | undefined>((inside, name) => {
    if (typeof inside !== "object" || inside === null) return undefined
    return Object.entries(inside).find(([key]) => key === name)?.[1]
  }, value)

/** Every text of a value, with its dotted path. */
export const texts = (value: Json | undefined, path = ""): ReadonlyArray<readonly [path: string, text: string]> => {
  if (typeof value === "string") return [[path, value]]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, inside]) => texts(inside, path === "" ? name : `${path}.${name}`))
}

/** The value with every text in it changed. */
export const mapTexts = (value: Json, change: (text: string) => Json): Json => {
  if (typeof value === "string") return change(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((inside) => mapTexts(inside, change))
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, mapTexts(inside, change)]))
}
