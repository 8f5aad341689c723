/** The nesting limit of JSON in requests. Stored JSON is serialized, copied and compared by recursion, which a deep body would overflow. */

/** Ten times the depth of the deepest body of the interface. */
export const depthMax = 100

/** Counts the brackets outside of strings, without parsing the text. */
export const isTooDeep = (text: string): boolean => {
  let depth = 0
  let isInString = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (isInString) {
      if (character === "\\") index += 1
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character === "[" || character === "{") depth += 1
    else if (character === "]" || character === "}") depth -= 1
    if (depth > depthMax) return true
  }
  return false
}
