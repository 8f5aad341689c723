/**
 * The rules of a message as a table: the order of elements, how often each occurs, and the patterns of their texts. What is written and
 * what is read is checked against the same kind of table.
 * Source: D-530.
 */
import type { XmlElement } from "./XmlElement.ts"

export interface TextShape {
  readonly _tag: "Text"
  readonly pattern: RegExp
  /** The attributes that the element must have. */
  readonly attributes: { readonly [name: string]: RegExp }
}

export interface GroupShape {
  readonly _tag: "Group"
  /** In the order of the schema. */
  readonly parts: { readonly [name: string]: Part }
  /** Whether elements that the table does not list are allowed. */
  readonly isOpen: boolean
  /** Whether exactly one of the parts occurs. */
  readonly isChoice: boolean
}

export type Shape = TextShape | GroupShape

interface Part {
  readonly shape: Shape
  readonly min: number
  readonly max: number
}

type Parts = GroupShape["parts"]

export const text = (pattern: RegExp, attributes: TextShape["attributes"] = {}): TextShape => ({
  _tag: "Text",
  pattern,
  attributes,
})

/** The listed elements and no others. */
export const group = (parts: Parts): GroupShape => ({ _tag: "Group", parts, isOpen: false, isChoice: false })
/** The listed elements, among others of the schema that are not read. */
export const open = (parts: Parts): GroupShape => ({ _tag: "Group", parts, isOpen: true, isChoice: false })
/** One of the listed elements. */
export const choice = (parts: Parts): GroupShape => ({ _tag: "Group", parts, isOpen: false, isChoice: true })

export const one = (shape: Shape): Part => ({ shape, min: 1, max: 1 })
export const optional = (shape: Shape): Part => ({ shape, min: 0, max: 1 })
export const many = (shape: Shape): Part => ({ shape, min: 1, max: Number.POSITIVE_INFINITY })
export const some = (shape: Shape): Part => ({ shape, min: 0, max: Number.POSITIVE_INFINITY })

const problemOfText = ({ attributes, children, text: found }: XmlElement, shape: TextShape, path: string) => {
  if (children.length > 0) return `${path} must have a text`
  if (!shape.pattern.test(found)) return `${path} must match ${shape.pattern.source}`
  const wrong = Object.entries(shape.attributes).find(([name, pattern]) => !pattern.test(attributes[name] ?? ""))
  return wrong === undefined ? undefined : `${path} must have the attribute ${wrong[0]} that matches ${wrong[1].source}`
}

const problemOfGroup = (element: XmlElement, shape: GroupShape, path: string): string | undefined => {
  if (element.children.length === 0 && element.text !== "") return `${path} must have elements`
  const names = Object.keys(shape.parts)
  const counts = new Map<string, number>()
  let at = 0
  for (const child of element.children) {
    const { name } = child
    const part = Object.hasOwn(shape.parts, name) ? shape.parts[name] : undefined
    if (part === undefined) {
      if (shape.isOpen) continue
      return `${path} must not have the element ${name.slice(0, 80)}`
    }
    const position = names.indexOf(name)
    if (position < at) return `${path}/${name} must be before ${names[at]}`
    at = position
    counts.set(name, (counts.get(name) ?? 0) + 1)
    const problem = problemOf(child, part.shape, `${path}/${name}`)
    if (problem !== undefined) return problem
  }
  if (shape.isChoice) return element.children.length === 1 ? undefined : `${path} must have one of ${names.join(", ")}`
  const miscounted = Object.entries(shape.parts).find(([name, { max, min }]) => {
    const count = counts.get(name) ?? 0
    return count < min || count > max
  })
  if (miscounted === undefined) return undefined
  const [name, { max, min }] = miscounted
  return `${path} must have ${min} to ${max === Number.POSITIVE_INFINITY ? "any number of" : max} elements ${name}`
}

/** Returns the first problem of an element, with its path; `undefined` if it has the shape. */
export const problemOf = (element: XmlElement, shape: Shape, path = element.name): string | undefined =>
  shape._tag === "Text" ? problemOfText(element, shape, path) : problemOfGroup(element, shape, path)
