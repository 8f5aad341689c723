/**
 * The lines of a transcript. Generated identifiers and secrets are numbered by their first appearance, so that they are the same in each run, and
 * two that are alike stay alike.
 */
import { Redacted } from "effect"

export interface Lines {
  /** Adds the line of a request. */
  readonly request: (method: string, path: string, body?: object) => void
  /** Adds a line: words, and values in compact JSON. */
  readonly add: (...parts: ReadonlyArray<unknown>) => void
  /** Returns the lines since it was last called. */
  readonly take: () => ReadonlyArray<string>
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu
/** A hash, a key, a signature or a sealed text. */
const generated = /[A-Za-z0-9_+/=-]*[A-Za-z0-9_+/=-]{20,}/gu

/** The place in a list, which has an identifier. */
const cursor = /(?<=[?&]cursor=)[^&]+/u

/** The platform is the first that has an identifier, and owns almost all. */
const ownTenant = '"platformId":"PlatformConfig:#1"'
const own = '"own"'

const plain = (_key: string, value: unknown): unknown => {
  if (Redacted.isRedacted(value)) return { redacted: Redacted.value(value) }
  if (value instanceof Uint8Array) return `${value.length} bytes`
  if (typeof value === "bigint") return `${value}n`
  if (value instanceof Map || value instanceof Set) return [...value]
  return typeof value === "function" ? "a function" : value
}

/** A saved world is compressed, with its secrets. */
const compressedSize = /("counts":\{[^}]*\},"bytes":)\d+/gu

export const makeLines = (): Lines => {
  const lines: Array<string> = []
  const numbers = new Map<string, number>()
  const numberOf = (text: string): number => {
    const number = numbers.get(text) ?? numbers.size + 1
    numbers.set(text, number)
    return number
  }
  const withNumbers = (text: string): string => text.replace(uuid, (found) => `#${numberOf(found)}`)
  const stable = (text: string): string =>
    withNumbers(text)
      .replace(compressedSize, "$1~")
      .replace(generated, (found) => (/\d/u.test(found) ? `~${numberOf(found)}` : found))
  return {
    request: (method, path, body) => {
      const sent = body === undefined ? "" : ` ${stable(JSON.stringify(body, plain))}`
      const numbered = path.replace(cursor, (found) => `~${numberOf(decodeURIComponent(found))}`)
      lines.push(`${method} ${withNumbers(numbered)}${sent}`)
    },
    add: (...parts) => {
      const texts = parts.map((part) => (typeof part === "string" ? part : JSON.stringify(part, plain)))
      lines.push(
        stable(texts.filter((text) => text !== undefined).join(" "))
          .replaceAll("\\u0000", "|")
          .replaceAll(ownTenant, own),
      )
    },
    take: () => lines.splice(0),
  }
}
