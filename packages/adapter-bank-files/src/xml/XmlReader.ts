/**
 * Reads an XML document strictly and within bounds: no document type, no entities of its own, no processing instructions, no text beside
 * elements. Well-formedness and namespaces are checked by `saxes`.
 * Source: D-530.
 */
import { SaxesParser } from "saxes"
import { refuse } from "../text/FileProblem.ts"
import type { XmlElement } from "./XmlElement.ts"

const xmlBounds = { depthMax: 24, elementsMax: 1_000_000, textMax: 4096, attributesMax: 16 } as const

interface Open {
  readonly name: string
  readonly attributes: { readonly [name: string]: string }
  readonly children: Array<XmlElement>
  text: string
}

export interface XmlDocument {
  /** The namespace of the root, which all elements share, but for those of extensions. */
  readonly namespace: string
  readonly root: XmlElement
}

const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return refuse("the file is not UTF-8")
  }
}

/** Throws a `FileProblem` for anything but one well-formed document within the bounds. */
export const readXml = (bytes: Uint8Array): XmlDocument => {
  const parser = new SaxesParser({ xmlns: true, position: true })
  const open: Array<Open> = []
  const { attributesMax, depthMax, elementsMax, textMax } = xmlBounds
  let found: XmlDocument | undefined
  let namespace = ""
  let elements = 0

  const place = () => `in line ${parser.line}`
  parser.on("error", (error) => refuse(`the document is not well-formed: ${error.message.slice(0, 200)}`))
  parser.on("doctype", () => refuse(`a document type is not allowed, ${place()}`))
  parser.on("processinginstruction", () => refuse(`a processing instruction is not allowed, ${place()}`))
  parser.on("xmldecl", ({ encoding }) => {
    if (encoding !== undefined && !/^utf-?8$/iu.test(encoding)) refuse("the encoding must be UTF-8")
  })
  const addText = (text: string) => {
    const element = open.at(-1)
    if (element === undefined) return
    // The spaces between elements are no text.
    if (text.trim() === "" && element.text === "") return
    element.text += text
    if (element.text.length > textMax) refuse(`an element has more than ${textMax} characters, ${place()}`)
  }
  parser.on("text", addText)
  parser.on("cdata", addText)
  parser.on("opentag", ({ attributes, local, uri }) => {
    elements += 1
    if (elements > elementsMax) refuse(`the document has more than ${elementsMax} elements`)
    if (open.length >= depthMax) refuse(`elements are nested deeper than ${depthMax}, ${place()}`)
    const own = Object.values(attributes).filter(
      (attribute) => attribute.prefix !== "xmlns" && attribute.name !== "xmlns",
    )
    if (own.length > attributesMax) refuse(`an element has more than ${attributesMax} attributes, ${place()}`)
    if (open.length === 0) namespace = uri
    // An element of another namespace is an extension: its name matches none of the message.
    const name = uri === namespace ? local : `{${uri}}${local}`
    // A name may be `__proto__`: the record has no prototype that it could change.
    open.push({
      name,
      attributes: Object.fromEntries(own.map((each) => [each.name, each.value])),
      children: [],
      text: "",
    })
  })
  parser.on("closetag", () => {
    const closed = open.pop()
    if (closed === undefined) return
    const isText = closed.children.length === 0
    if (!isText && closed.text !== "") refuse(`the element ${closed.name} has text beside elements, ${place()}`)
    const { attributes, children, name } = closed
    const element: XmlElement = { name, attributes, children, text: isText ? closed.text.trim() : "" }
    const parent = open.at(-1)
    if (parent === undefined) found = { namespace, root: element }
    else parent.children.push(element)
  })

  parser.write(decode(bytes)).close()
  return found ?? refuse("the document has no element")
}
