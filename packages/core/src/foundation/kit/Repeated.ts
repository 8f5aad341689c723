/** Finds repeated items of a list in one pass. Source: D-312. */

/** Returns the indexes of all items that an earlier item equals, ascending. */
export const repeatedIndexes = (items: ReadonlyArray<string>): ReadonlyArray<number> => {
  const seen = new Set<string>()
  return items.flatMap((item, index) => {
    if (seen.has(item)) return [index]
    seen.add(item)
    return []
  })
}
