/**
 * Formats that several account types share.
 * Spec: ExternalAccount (fields and constraints); wire contract 2.3.
 */
import { Lengths } from "../../foundation/kit/Lengths.ts"
import { descriptive, digits, type Format, matching, oneOf, text } from "./AccountField.ts"

/** The format of a text that may be empty. */
export const freeText = (maxLength: number, example: string): Format => ({
  ...text(maxLength, example),
  expected: `a text of at most ${maxLength} characters`,
  isEmptyAllowed: true,
})

export const accountNumber = text(34, "1234567890")
export const bankAccountType = descriptive(oneOf("CHECKING", "SAVINGS"))
export const routingNumber = digits(9, 9, "021000021", { strict: "ABA" })
export const bankCountry = matching(/^[A-Z]{2}$/u, "an ISO 3166-1 alpha-2 country code, such as US", "BR")

/** The format of a bank name. It is identifying only if no other field identifies the bank. */
export const bankName = (example: string, max = 255) => text(max, example)

export const bic = (example: string) =>
  matching(/^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/u, "a BIC of 8 or 11 characters", example, { strict: "BIC" })

export const anyIban = matching(
  /^[A-Z]{2}[0-9]{2}[A-Za-z0-9]{11,30}$/u,
  "an IBAN without spaces: a country code, 2 digits, and 11 to 30 letters and digits",
  "DE89370400440532013000",
  { strict: "IBAN", isCaseInsensitive: true },
)

/** The format of one country's IBAN. */
export const iban = (pattern: RegExp, expected: string, example: string) =>
  matching(pattern, expected, example, { strict: "IBAN", isCaseInsensitive: true })

export const anyPhone = (example: string) =>
  matching(/^\+[0-9]{6,14}$/u, "a telephone number in international format, + and 6 to 14 digits", example)

/** The characters of bech32, which exclude 1, b, i and o. */
const bech32Data = "[02-9ac-hj-np-zAC-HJ-NP-Z]"

export const sparkAddress = matching(
  new RegExp(`^[sS][pP][aA][rR][kK]1${bech32Data}{54,94}$`, "u"),
  "spark1 and 54 to 94 bech32 characters (none of 1, b, i and o)",
  "spark1pgssy75lcn5suv6c0k3v0mq3xedcpfw2au2rjh5r4rxly9euvxr2h584rg25vn3w",
  { strict: "BECH32", alphabet: "bech32", isCaseInsensitive: true },
)

export const invoice = matching(
  new RegExp(`^[lL][nN]([bB][cC][rR][tT]|[bB][cC]|[tT][bB][sS]?)[0-9]*[munpMUNP]?1${bech32Data}{50,4000}$`, "u"),
  "a BOLT11 invoice",
  "lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaztrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rspfj9srp",
  { strict: "BECH32", alphabet: "bech32", isCaseInsensitive: true, maxLength: Lengths.rows.invoice },
)

export const bolt12 = matching(
  new RegExp(`^[lL][nN][oO]1${bech32Data}{20,4000}$`, "u"),
  "a BOLT12 offer",
  "lno1pgqpvggr3l9u9ppv79mzn7g9v98cf8zw900skucuz53zr5vvjss454zrnyes",
  { alphabet: "bech32", isCaseInsensitive: true, maxLength: Lengths.rows.invoice },
)

export const lightningAddress = matching(
  /^[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63}){1,3}$/u,
  "a Lightning address of the form name@domain",
  "ada@wallet.example",
  { isCaseInsensitive: true },
)

export const hexAddress = matching(
  /^0x[0-9a-fA-F]{40}$/u,
  "0x and 40 hexadecimal digits",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  {
    strict: "EIP55",
    isCaseInsensitive: true,
  },
)

export const solanaAddress = matching(
  /^[1-9A-HJ-NP-Za-km-z]{32,44}$/u,
  "32 to 44 base58 characters (none of 0, I, O and l)",
  "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  { strict: "BASE58", alphabet: "base58" },
)

export const tronAddress = matching(
  /^T[1-9A-HJ-NP-Za-km-z]{33}$/u,
  "T and 33 base58 characters (none of 0, I, O and l)",
  "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  { strict: "BASE58CHECK", alphabet: "base58" },
)
