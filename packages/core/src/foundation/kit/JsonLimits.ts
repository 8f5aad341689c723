/**
 * The limits of JSON in requests: depth, number of values and length of names. One scan of the text checks them before it is parsed.
 * Source: D-310. Stored JSON is serialized, copied and compared by recursion, which a deep body would overflow.
 */

/** Ten times the depth of the deepest body of the interface. */
export const depthMax = 100
/** Above the number of values in any valid body of the interface, including the arrays and objects themselves. */
export const valuesMax = 5000
/** Above the length of any name of the interface. Counted as written, so that an escape counts as several characters. */
export const nameLengthMax = 256

/** The limit that a text exceeds: its depth, the number of its values, or the length of a name. */
export type ExceededLimit = "depth" | "values" | "nameLength"
type Limits = { readonly [limit in ExceededLimit]: number }

const requestLimits: Limits = { depth: depthMax, values: valuesMax, nameLength: nameLengthMax }
const depthOnly: Limits = { depth: depthMax, values: Number.POSITIVE_INFINITY, nameLength: Number.POSITIVE_INFINITY }

const quote = 0x22
const backslash = 0x5c

/**
 * Characters without a meaning for the scan after which it searches for the next one that has a meaning. A search passes a mebibyte in
 * the time that a loop takes for 20 kB, but costs as much to begin as the loop over these.
 */
const charactersPerSearch = 16

/** Returns a search for the first character of a class at or after `start`; the text's length if the text has no more. */
const searchFor = (pattern: RegExp) => (text: string, start: number) => {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex - 1 : text.length
}
const structureFrom = searchFor(/["[\]{}:,]/gu)
const quoteOrBackslashFrom = searchFor(/["\\]/gu)

/** Returns the index of the quote that ends the string whose first character is at `start`. */
const endOfString = (text: string, start: number): number => {
  let index = start
  let plain = 0
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) return index
    if (code === backslash) index += 1
    else {
      plain += 1
      if (plain % charactersPerSearch === 0) index = quoteOrBackslashFrom(text, index) - 1
    }
  }
  return index
}

/** Returns the first limit that a JSON text exceeds; `undefined` if there is none. A text that is not JSON may give any result. */
export const exceededLimit = (text: string, limits = requestLimits): ExceededLimit | undefined => {
  let depth = 0
  let values = 1
  let stringLength = 0
  let plain = 0
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case quote: {
        const end = endOfString(text, index + 1)
        stringLength = end - index - 1
        index = end
        break
      }
      case 0x3a: // A colon follows a name.
        if (stringLength > limits.nameLength) return "nameLength"
        break
      case 0x2c: // A comma separates two values.
        values += 1
        if (values > limits.values) return "values"
        break
      case 0x5b:
      case 0x7b:
        depth += 1
        values += 1
        if (depth > limits.depth) return "depth"
        if (values > limits.values) return "values"
        break
      case 0x5d:
      case 0x7d:
        depth -= 1
        break
      default:
        plain += 1
        if (plain % charactersPerSearch === 0) index = structureFrom(text, index) - 1
    }
  }
  return undefined
}

/** Whether a JSON text is nested deeper than `depthMax`. It has no other limit: for texts that do not come from requests. */
export const isTooDeep = (text: string): boolean => exceededLimit(text, depthOnly) !== undefined
