/** How deep JSON of others may be nested: what is kept as it came is written by recursion, and copied and compared so. */

/** Ten times what any body of the service has. */
export const depthMax = 100

/** Without reading the text: brackets that stand in no string are counted. */
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
