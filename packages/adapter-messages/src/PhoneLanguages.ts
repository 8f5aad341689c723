/**
 * The language of a telephone number by its country code, for countries where one of the built-in languages is spoken by nearly everybody.
 * Source: ITU-T E.164, list of country codes; D-528.
 */

const languages: Readonly<Record<string, string>> = {
  de: "43 49 423",
  es: "34 51 52 53 54 56 57 58 240 502 503 504 505 506 507 591 593 595 598",
  fr: "33 221 223 224 225 226 227 228 229 241 242 243 262 590 594 596 687 689",
  it: "39 378",
  pt: "55 351 238 239 244 245 258",
}

const byCode = new Map(
  Object.entries(languages).flatMap(([language, codes]) => codes.split(" ").map((code) => [code, language])),
)

/** Returns the language, or `undefined` for all other countries. Country codes are free of prefixes, so that one at most applies. */
export const languageOfPhone = (phoneNumber: string): string | undefined =>
  byCode.get(phoneNumber.slice(1, 3)) ?? byCode.get(phoneNumber.slice(1, 4))
