/** Bodies of up to 1 MiB that cost the most: many values, long names and texts, deep nesting, texts that no store can keep. */

/** The largest body that is read. */
export const bodyBytesMax = 1024 * 1024

/** Repeats `part` with commas until the text with both ends has `bytes` bytes. */
const filled = (start: string, part: string, end: string, bytes = bodyBytesMax): string => {
  const count = Math.floor((bytes - start.length - end.length + 1) / (part.length + 1))
  return `${start}${Array.from({ length: count }, () => part).join(",")}${end}`
}

/** A text of `length` characters that repeats `part`. */
const long = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length)).slice(0, length)

const account = "InternalAccount:00000000-0000-4000-8000-000000000001"
const rule = `{"accountId":"${account}"}`
const nul = '"\\u0000"'

/** The texts with which long texts are filled: plain ones, those that expand in JSON, and those on which patterns backtrack. */
export const fillings: ReadonlyArray<string> = [
  "a",
  " ",
  "1",
  "<",
  "a.",
  "a@a.",
  "\\u0001",
  "é",
  "💸",
  "\\\\",
  "-",
  "a b",
]

/** Bodies that ignore what the operation takes. */
export const worstBodies: { readonly [what: string]: string } = {
  "a name of 500 kB with 500 texts of U+0000": `{"${long("k", 500_000)}":[${Array.from({ length: 500 }, () => nul)}]}`,
  "texts of U+0000": filled('{"a":[', nul, "]}"),
  "4,900 texts of U+0000 below long names": `{"${long("k", 250)}":{"${long("l", 250)}":[${Array.from({ length: 4900 }, () => nul)}]}}`,
  "names of U+0000": filled("{", '"\\u0000":1', "}"),
  "half surrogates": filled('{"a":[', '"\\ud800"', "]}"),
  "permissions: [0,0,...]": filled('{"permissions":[', "0", "]}"),
  "4,900 permissions of the wrong type": `{"permissions":[${Array.from({ length: 4900 }, () => "0")}]}`,
  "account rules": filled('{"accountRestrictions":{"accountRules":[', rule, "]}}"),
  "2,400 account rules": `{"accountRestrictions":{"accountRules":[${Array.from({ length: 2400 }, () => rule)}]}}`,
  "1,600 empty account rules": `{"accountRestrictions":{"accountRules":[${Array.from({ length: 1600 }, () => "{}")}]}}`,
  "4,900 allowed accounts of the wrong type": `{"accountRestrictions":{"allowedAccountIds":[${Array.from({ length: 4900 }, () => "{}")}]}}`,
  "800 wrong currencies": `{"supportedCurrencies":[${Array.from({ length: 800 }, () => '{"currencyCode":"x","requiredCounterpartyFields":[0,0]}')}]}`,
  "opening brackets": '{"a":'.concat("[".repeat(500_000)),
  "objects in objects": '{"a":'.repeat(200_000),
  "100 levels, and 1 MB of text": `{"a":${"[".repeat(98)}"${long("x", 1_000_000)}"${"]".repeat(98)}}`,
  "many members": filled("{", '"a":0', "}"),
  "4,900 members with names of 200 characters": `{${Array.from({ length: 4900 }, (_, index) => `"${long("n", 200)}${index}":0`)}}`,
  "a name of 1 MB": `{"${long("n", 1_000_000)}":0}`,
  "1 MiB of spaces": `{${" ".repeat(bodyBytesMax - 2)}}`,
  "1 MiB of quotes": '"'.repeat(bodyBytesMax),
  "an unterminated text": `{"a":"${long("\\", 1_000_000)}`,
  "a number of 1 MB": `{"amount":${long("9", 1_000_000)}}`,
  "an unknown text of 1 MB": `{"zzz":"${long("a", 1_000_000)}"}`,
}

/** Changes an example's body: every text in turn is replaced by a long one. */
export const withLongTexts = (body: string): ReadonlyArray<readonly [what: string, body: string]> => {
  const texts = [...body.matchAll(/:("(?:[^"\\]|\\.)*")/gu)]
  return texts.flatMap((text, index) =>
    fillings.map((filling) => {
      const start = text.index + 1
      const end = start + (text[1] ?? "").length
      const room = Math.floor((900_000 / filling.length) * filling.length)
      return [
        `text ${index} of ${filling}`,
        `${body.slice(0, start)}"${long(filling, room)}"${body.slice(end)}`,
      ] as const
    }),
  )
}
