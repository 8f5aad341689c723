/**
 * The slot of an identifier: 14 of its random bits, which all identifiers of one owner share, so that an identifier alone tells where
 * the records of its owner are.
 * Source: D-513; UUID version 7 (RFC 9562), whose fourth group is the variant and these bits.
 */

/** Slots are the numbers below this one. */
export const slotCount = 2 ** 14

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-([0-9a-f]{4})-[0-9a-f]{12}/u

/** Returns the slot of the first UUID of a text: an identifier, or a name that contains one; `undefined`: it has none. */
export const slotOf = (text: string): number | undefined => {
  const group = uuid.exec(text)?.[1]
  return group === undefined ? undefined : Number.parseInt(group, 16) & (slotCount - 1)
}
