/**
 * The formats of the fields of account types and payment instructions: each accepts its example and its longest text, and nothing around them.
 * Spec: ExternalAccount (fields and constraints); wire contract 2.3.
 */
import { AccountTypes, PaymentInstructionTypes } from "@countersign/core/models"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import {
  type AccountField,
  canonicalValue,
  digits,
  type Format,
  oneOf,
  phone,
  requestSchema,
  required,
  text,
} from "../../../packages/core/src/model/account/AccountField.ts"
import * as Formats from "../../../packages/core/src/model/account/AccountFormat.ts"
import { accountTypeDescription } from "../../../packages/core/src/model/account/AccountTypeDescription.ts"

type Row = { readonly fields: { readonly [name: string]: AccountField } }
const rows: ReadonlyArray<readonly [string, Row]> = [...AccountTypes.entries, ...PaymentInstructionTypes.entries]
const fields = rows.flatMap(([type, row]) =>
  Object.entries(row.fields).map(([name, field]) => [`${name} of ${type}`, field] as const),
)

const accepts = (format: Format, value: string): boolean => Schema.is(requestSchema(required(format)))(value)

describe("every field", () => {
  it("names what it accepts, and accepts its example without anything around it", () => {
    for (const [name, { format, note = "A note." }] of fields) {
      const { example, expected, pattern, values } = format
      expect(expected, name).toMatch(/^[\w+].*\w/u)
      expect(note, name).toMatch(/^[A-Z].*\.$/u)
      const around = pattern === undefined && values === undefined ? [] : [" ", "\n"]
      for (const other of around.flatMap((more) => [more + example, example + more]))
        expect([name, other, accepts(format, other)]).toEqual([name, other, false])
      expect([name, example === "", accepts(format, example)]).toEqual([name, false, true])
    }
  })

  it("is the same account in any letter case where its standard says so, and nowhere else", () => {
    const found = AccountTypes.entries.flatMap(([type, row]: readonly [string, Row]) =>
      Object.entries(row.fields).flatMap(([name, { format }]) =>
        format.isCaseInsensitive === true ? [`${name} of ${type}`] : [],
      ),
    )
    expect(found).toEqual([
      ...["EUR", "DKK"].map((currency) => `iban of ${currency}_ACCOUNT`),
      "vpa of INR_ACCOUNT",
      ...["PKR", "AED", "EGP", "SWIFT"].map((type) => `iban of ${type}_ACCOUNT`),
      "address of SPARK_WALLET",
      ...["invoice", "bolt12", "lightningAddress"].map((field) => `${field} of LIGHTNING`),
      ...["POLYGON", "BASE", "ETHEREUM", "PLASMA"].map((network) => `address of ${network}_WALLET`),
    ])
  })

  it("has a longest value, and is not empty unless it may be", () => {
    for (const [name, { format }] of fields) {
      const { expected, isEmptyAllowed = false, maxLength = 0, pattern, values } = format
      expect([name, accepts(format, "")]).toEqual([name, isEmptyAllowed])
      if (pattern !== undefined || values !== undefined) continue
      expect(expected, name).toContain(` ${maxLength} characters`)
      const longest = [accepts(format, "x".repeat(maxLength)), accepts(format, "x".repeat(maxLength + 1))]
      expect([name, ...longest]).toEqual([name, true, false])
    }
  })

  it("accepts each listed value in its exact spelling", () => {
    for (const [name, { format }] of fields) {
      for (const value of format.values ?? []) {
        expect(value, name).toMatch(/^[A-Z]/u)
        expect([name, accepts(format, value), accepts(format, `${value}s`)]).toEqual([name, true, false])
        expect([name, accepts(format, value.toLowerCase())]).toEqual([name, false])
      }
    }
  })
})

it.each<[string, Format, ReadonlyArray<string>, ReadonlyArray<string>]>([
  ["digits", digits(2, 4, "12"), ["12", "1234"], ["1", "12345", "1a"]],
  ["a number of digits", digits(3, 3, "123"), ["123"], ["12", "1234"]],
  ["a phone number", phone("+62", 2, 3, "+6212"), ["+6212", "+62123"], ["6212", "+621", "+621234", "+6312"]],
  [
    "a BIC",
    Formats.bic("DEUTDEFF"),
    ["DEUTDEFF", "DEUTDEFF5A0"],
    ["DEUTDEF", "DEUTDEFF5A", "DEUTDEFF5A01", "deutdeff"],
  ],
  [
    "a Spark address",
    Formats.sparkAddress,
    [`SPARK1${"Q".repeat(54)}`, `spark1${"q".repeat(94)}`],
    [`spark1${"q".repeat(53)}`, `spark1${"q".repeat(95)}`, `spark1${"b".repeat(60)}`],
  ],
  [
    "an invoice",
    Formats.invoice,
    ["lnbc", "LNBC2500U", "lnbcrt20m", "lntb1n", "lntbs5p"].map((start) => `${start}1${"q".repeat(50)}`),
    [
      `lnbx1${"q".repeat(50)}`,
      `lnbc1${"q".repeat(49)}`,
      `lnbc1${"q".repeat(4001)}`,
      `lnbc20x1${"q".repeat(50)}`,
      `lnbcum1${"q".repeat(50)}`,
    ],
  ],
  [
    "an offer",
    Formats.bolt12,
    [`LNO1${"Q".repeat(20)}`, `lno1${"q".repeat(4000)}`],
    [`lno1${"q".repeat(19)}`, `lno1${"q".repeat(4001)}`, `lno1${"o".repeat(20)}`],
  ],
  [
    "a Lightning address",
    Formats.lightningAddress,
    ["a@b.c", "A.b_c+d-1@wallet.example", "a@b.c.d.e"],
    ["@b.c", "a@b", "a@b.c.d.e.f", "a@@b.c", "a b@c.d", `${"a".repeat(65)}@b.c`, "a@.c"],
  ],
  [
    "an address on an EVM chain",
    Formats.hexAddress,
    [`0x${"aF".repeat(20)}`],
    [`0X${"a".repeat(40)}`, `0x${"a".repeat(39)}`, `0x${"a".repeat(41)}`, `0x${"g".repeat(40)}`],
  ],
  [
    "an address on Solana",
    Formats.solanaAddress,
    ["1".repeat(32), "z".repeat(44)],
    ["1".repeat(31), "1".repeat(45), "0".repeat(32), "l".repeat(32)],
  ],
  [
    "an address on Tron",
    Formats.tronAddress,
    [`T${"1".repeat(33)}`],
    [`t${"1".repeat(33)}`, `T${"1".repeat(32)}`, `T${"1".repeat(34)}`, `T${"O".repeat(33)}`],
  ],
  [
    "a phone number of any country",
    Formats.anyPhone("+1"),
    ["+123456", "+12345678901234"],
    ["123456", "+12345", "+123456789012345"],
  ],
  [
    "an IBAN",
    Formats.anyIban,
    [`DE00${"a".repeat(11)}`, `DE00${"1".repeat(30)}`],
    [`de00${"1".repeat(11)}`, `DE00${"1".repeat(10)}`, `DE00${"1".repeat(31)}`, `DEA0${"1".repeat(11)}`],
  ],
  ["a country", Formats.bankCountry, ["BR"], ["br", "B", "BRA"]],
  ["a text", text(3, "abc"), ["a", "abc"], ["", "abcd"]],
  ["a text that may be empty", Formats.freeText(3, "abc"), ["", "abc"], ["abcd"]],
])("the format of %s accepts what it names alone", (_name, format, good, bad) => {
  expect(good.filter((value) => !accepts(format, value))).toEqual([])
  expect(bad.filter((value) => accepts(format, value))).toEqual([])
})

it.each<[Format, string]>([
  [digits(3, 3, "123"), "exactly 3 digits"],
  [digits(2, 4, "12"), "2 to 4 digits"],
  [phone("+62", 9, 12, "+62"), "+62 and 9 to 12 digits"],
  [phone("+254", 9, 9, "+254"), "+254 and 9 digits"],
  [text(34, "1"), "a text of 1 to 34 characters"],
  [Formats.freeText(210, "x"), "a text of at most 210 characters"],
  [oneOf("M-PESA"), "M-PESA"],
  [oneOf("CHECKING", "SAVINGS"), "one of CHECKING, SAVINGS"],
])("a format says what it accepts: %#", ({ expected }, phrase) => {
  expect(expected).toBe(phrase)
})

it.each<[string, string, Format, string]>([
  ["drops the branch XXX of a BIC", "DEUTDEFFXXX", Formats.bic("DEUTDEFF"), "DEUTDEFF"],
  ["keeps XXX at the start of a BIC", "XXXXDEFF", Formats.bic("DEUTDEFF"), "XXXXDEFF"],
  ["keeps another branch", "DEUTDEFF500", Formats.bic("DEUTDEFF"), "DEUTDEFF500"],
  ["has upper case where case does not matter", "0xab", Formats.hexAddress, "0XAB"],
  ["keeps case where it matters", "aB", Formats.solanaAddress, "aB"],
])("the canonical spelling of a value %s", (_, value, format, canonical) => {
  expect(canonicalValue(value, format)).toBe(canonical)
})

it.each([
  [
    "USD_ACCOUNT",
    "Reached by ACH, WIRE, RTP, FEDNOW. An individual needs fullName. A business needs legalName, address.",
  ],
  [
    "COP_ACCOUNT",
    "The bankName of mobile money is the wallet's, such as Nequi or Daviplata. One of: accountNumber, bankAccountType by BANK_TRANSFER; or phoneNumber by MOBILE_MONEY. An individual needs fullName. A business needs legalName.",
  ],
  [
    "EUR_ACCOUNT",
    "Reached by SEPA, SEPA_INSTANT. An individual needs fullName, address (line1, city, postalCode, country). A business needs legalName, address, registrationNumber.",
  ],
  [
    "JMD_ACCOUNT",
    "Reached by BANK_TRANSFER. An individual needs fullName, phoneNumber, address. A business needs legalName.",
  ],
  ["LIGHTNING", "Exactly one of: invoice; or bolt12; or lightningAddress."],
  ["SPARK_WALLET", "An individual needs fullName, countryOfResidence. A business needs legalName."],
  ["SWIFT_ACCOUNT", "One of: accountNumber by SWIFT; or iban by SWIFT."],
] as const)("the description of %s says its routes and minimum fields", (type, description) => {
  expect(accountTypeDescription(AccountTypes.get(type))).toBe(description)
})

it("every account type has a country or none at all, and names the field that has it", () => {
  const wallets = AccountTypes.entries.filter(([, { country }]) => country === undefined).map(([type]) => type)
  expect(wallets.every((type) => type.endsWith("_WALLET") || type === "LIGHTNING")).toBe(true)
  for (const [, { country, fields: own }] of AccountTypes.entries) {
    if (typeof country === "string") expect(country).toMatch(/^[A-Z]{2}$/u)
    if (typeof country === "object") expect(own[country.field]?.format.example).toMatch(/^[A-Z]{2}$/u)
  }
})

it("each wallet whose key can sign names the kind of its signature", () => {
  const kinds = AccountTypes.entries.flatMap(([type, { ownerSignature }]) =>
    ownerSignature === undefined ? [] : [`${type} ${ownerSignature}`],
  )
  const onEvm = ["POLYGON", "BASE", "ETHEREUM", "PLASMA"].map((chain) => `${chain}_WALLET EVM`)
  const others = ["SPARK", "SOLANA", "TRON"].map((chain) => `${chain}_WALLET ${chain}`)
  expect(kinds.toSorted()).toEqual([...onEvm, ...others].toSorted())
})
