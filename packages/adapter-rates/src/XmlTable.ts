/**
 * Reads the XML of daily reference rates: an envelope with one `Cube` of a day, whose children have a currency and a rate. The reader knows
 * elements, attributes and text, and refuses everything else: without document types and entities nothing can be expanded or fetched, which
 * is why it is here and not a library. It reads from the front to the end once; bounds of
 * white space keep it linear.
 * Source: D-529; the published format of the euro foreign exchange reference rates.
 */
import { type RateRow, type RateTable, refused, type TableRefused, tableOf } from "./RateTable.ts"

const name = "[A-Za-z_][\\w.:-]*"
/** The declaration, an element with its attributes, its end, or text without markup. */
const token = new RegExp(
  `<\\?xml [^<>?]*\\?>|<(?<close>/)?(?<name>${name})(?<attributes>(?:\\s{1,99}${name}\\s{0,9}=\\s{0,9}(?:"[^"<&]*"|'[^'<&]*'))*)\\s{0,99}(?<empty>/)?>|[^<>&]+`,
  "uy",
)
const attribute = new RegExp(`(${name})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "gu")
const depthMax = 8

interface Element {
  readonly name: string
  readonly path: string
  readonly attributes: Readonly<Record<string, string>>
}

const attributesOf = (text: string): Readonly<Record<string, string>> | undefined => {
  const found = [...text.matchAll(attribute)].map(
    ([, key = "", double, single]) => [key, double ?? single ?? ""] as const,
  )
  return new Set(found.map(([key]) => key)).size === found.length ? Object.fromEntries(found) : undefined
}

/** The elements in their order, or `undefined` if the text is not well-formed in this subset. */
const elementsOf = (text: string): ReadonlyArray<Element> | undefined => {
  const elements: Array<Element> = []
  const open: Array<string> = []
  const source = text.replace(/^\uFEFF/u, "")
  for (let at = 0; at < source.length; ) {
    token.lastIndex = at
    const match = token.exec(source)
    if (match === null || (match[0].startsWith("<?") && at > 0)) return undefined
    at = token.lastIndex
    const { attributes: written = "", close, empty, name: tag } = match.groups ?? {}
    if (tag === undefined) {
      // Text belongs to an element.
      if (open.length === 0 && !match[0].startsWith("<?") && match[0].trim() !== "") return undefined
      continue
    }
    if (close !== undefined) {
      if (open.pop() !== tag || written !== "" || empty !== undefined) return undefined
      continue
    }
    const attributes = attributesOf(written)
    if (attributes === undefined || open.length >= depthMax || (open.length === 0 && elements.length > 0))
      return undefined
    elements.push({ name: tag, path: open.join("/"), attributes })
    if (empty === undefined) open.push(tag)
  }
  return open.length === 0 ? elements : undefined
}

/** Reads a table whose base is the euro unless another is named. */
export const xmlTable = (text: string, base = "EUR"): RateTable | TableRefused => {
  const elements = elementsOf(text)
  if (elements === undefined) return refused("the table is not XML in the expected form")
  const root = elements[0]?.name ?? ""
  const days = elements.filter(({ name: tag, path }) => tag === "Cube" && path === `${root}/Cube`)
  const [day, ...others] = days
  if (day === undefined || others.length > 0) return refused("a table has the rates of one day")
  const rows = elements
    .filter(({ name: tag, path }) => tag === "Cube" && path === `${root}/Cube/Cube`)
    .map(({ attributes }): RateRow => ({ currency: attributes["currency"] ?? "", rate: attributes["rate"] ?? "" }))
  return tableOf(day.attributes["time"] ?? "", base, rows)
}
