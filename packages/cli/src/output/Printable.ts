/** Text of others on a terminal: what would move its cursor, change its colours or reorder its letters is shown as an escape. */

/** Control characters, line and paragraph separators, and those that change the direction of text. */
const special = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

export const printable = (text: string): string =>
  text.replaceAll(special, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
