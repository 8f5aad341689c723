/**
 * The characters that bank files have: text is transliterated, and a letter without a transliteration is refused.
 * Source: D-530; the Latin character set of ISO 20022 payments (EPC217-08); the alphanumeric characters of NACHA files.
 */

/** Letters that do not decompose into a Latin letter and marks. */
const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "SS",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  þ: "th",
  Þ: "TH",
  ł: "l",
  Ł: "L",
  ħ: "h",
  Ħ: "H",
  ı: "i",
  ŋ: "ng",
  Ŋ: "NG",
}

const isoCharacter = /[A-Za-z0-9/\-?:().,'+ ]/u
const nachaCharacter = /[\x20-\x7e]/u

/** Returns the text in the set; `undefined`: a letter or digit has no transliteration, or nothing remains. */
const within =
  (set: RegExp) =>
  (text: string, lengthMax: number): string | undefined => {
    let written = ""
    for (const character of text.normalize("NFKD").replaceAll(/\p{M}/gu, "")) {
      const replaced = letters[character] ?? character
      if ([...replaced].every((each) => set.test(each))) written += replaced
      else if (/[\p{L}\p{N}]/u.test(character)) return undefined
      else written += " "
    }
    const trimmed = written.replaceAll(/ +/gu, " ").trim().slice(0, lengthMax).trim()
    return trimmed === "" ? undefined : trimmed
  }

/** Text of an ISO 20022 payment. It neither begins nor ends with a slash, nor has two in a row. */
export const isoText = (text: string, lengthMax: number): string | undefined => {
  const written = within(isoCharacter)(text, lengthMax)
  const trimmed = written?.replaceAll(/\/{2,}/gu, "/").replaceAll(/^[/ ]+|[/ ]+$/gu, "")
  return trimmed === "" ? undefined : trimmed
}

/** Text of a NACHA file, upper case. */
export const nachaText = (text: string, lengthMax: number): string | undefined =>
  within(nachaCharacter)(text, lengthMax)?.toUpperCase()
