/**
 * The alphabet of a text message and what fits into one segment.
 * Source: 3GPP TS 23.038, 6.2.1 (default alphabet) and 3GPP TS 23.040 (140 bytes a segment).
 */

const basic = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
)
/** Two septets each. */
const extended = new Set("^{}\\[~]|€")

export const septetsMax = 160
/** UTF-16 code units. */
const unicodeSegment = 70

/** The septets of a text, or `undefined` if the alphabet lacks one of its characters. */
export const septets = (text: string): number | undefined => {
  let count = 0
  for (const character of text) {
    if (!basic.has(character) && !extended.has(character)) return undefined
    count += extended.has(character) ? 2 : 1
  }
  return count
}

/** Whether a text is sent as one segment. */
export const fitsSegment = (text: string): boolean => {
  const count = septets(text)
  return count === undefined ? text.length <= unicodeSegment : count <= septetsMax
}

/** The text in the alphabet, if its letters without their marks are in it; otherwise the text. */
export const asGsm7 = (text: string): string => {
  if (septets(text) !== undefined) return text
  const plain = [
    ...text
      .replaceAll(/[‘’]/gu, "'")
      .replaceAll(/[“”]/gu, '"')
      .replaceAll(/[‐‑–—]/gu, "-"),
  ]
    .map((each) => (septets(each) === undefined ? each.normalize("NFKD").replaceAll(/\p{M}/gu, "") : each))
    .join("")
  return septets(plain) === undefined ? text : plain
}
