/** An element of a bank message: it has text or elements, never both. Source: D-530. */

export interface XmlElement {
  readonly name: string
  readonly attributes: { readonly [name: string]: string }
  readonly children: ReadonlyArray<XmlElement>
  readonly text: string
}

export const childrenOf = (element: XmlElement | undefined, name: string): ReadonlyArray<XmlElement> =>
  element?.children.filter((child) => child.name === name) ?? []

/** The first element at the end of a path. */
export const childAt = (element: XmlElement | undefined, ...path: ReadonlyArray<string>): XmlElement | undefined =>
  path.reduce<XmlElement | undefined>((at, name) => at?.children.find((child) => child.name === name), element)

/** The text of the first element at the end of a path. */
export const textAt = (element: XmlElement | undefined, ...path: ReadonlyArray<string>): string | undefined =>
  childAt(element, ...path)?.text
