/** Writes elements as a document. Source: D-530. */
import type { XmlElement } from "./XmlElement.ts"

const entities: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;" }

const escaped = (text: string): string => text.replaceAll(/[<>&"]/gu, (character) => entities[character] ?? "")

/** An element with a text, or with elements: those that are `undefined` are left out. */
export const element = (
  name: string,
  content: string | ReadonlyArray<XmlElement | undefined>,
  attributes: XmlElement["attributes"] = {},
): XmlElement =>
  typeof content === "string"
    ? { name, attributes, children: [], text: content }
    : { name, attributes, children: content.filter((child) => child !== undefined), text: "" }

const written = ({ attributes, children, name, text }: XmlElement, indent: string): string => {
  const head = Object.entries(attributes).reduce((all, [key, value]) => `${all} ${key}="${escaped(value)}"`, name)
  if (children.length === 0) return `${indent}<${head}>${escaped(text)}</${name}>\n`
  return `${indent}<${head}>\n${children.map((child) => written(child, `${indent}  `)).join("")}${indent}</${name}>\n`
}

export const writeXml = (namespace: string, root: XmlElement): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${written({ ...root, attributes: { xmlns: namespace, ...root.attributes } }, "")}`
