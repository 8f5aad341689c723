/** Tests the check of messages itself: what it reads, what it accepts, and what it reports. Source: D-545. */
import { describe, expect, it } from "vitest"
import { type MessageSource, messageSources } from "./MessageSources.ts"
import { messagesOf, problemsOfMessages, problemsOfText, withoutValues } from "./Messages.ts"
import { problemsOfUnanswered, unansweredOf } from "./Unanswered.ts"

const own = (message: string) => problemsOfMessages({ message, fields: [] })
const ofField = (message: string) => problemsOfMessages({ message: "", fields: [{ field: "amount", message }] })

describe("a message", () => {
  it("is a sentence, a field with its rule, or a given reason of a 401", () => {
    expect(own("The card is closed. Issue another one.")).toEqual([])
    expect(own("`amount` must be a positive integer.")).toEqual([])
    expect(own("Missing credentials")).toEqual([])
    expect(own("inviterUma: must be the address of a customer.")).toEqual([])
    expect(own("secretId: must not be the only one")).toEqual([])
    expect(own("secretId: wrong")).toHaveLength(1)
    expect(own("closed")).toEqual(['the message "closed" is neither a sentence nor a field with its rule'])
    expect(own("The card is closed")).toEqual([
      'the message "The card is closed" is neither a sentence nor a field with its rule',
    ])
  })

  it.each([
    "The account undefined is not active.",
    "The rate is NaN now.",
    "TypeError: The account has no id.",
    "The account [object Object] is not active.",
    "Failed at Cards.ts:14 of the service.",
  ])("shows no internal detail: %s", (message) => {
    expect(own(message)).toEqual([`the message "${message}" has internal detail`])
  })

  it("has at most 60 words", () => {
    expect(own(`${"Word ".repeat(59)}end.`)).toEqual([])
    expect(own(`${"Word ".repeat(60)}end.`)).toHaveLength(1)
  })

  it("of a field names its rule", () => {
    expect(ofField("must be at least 1")).toEqual([])
    for (const bare of ["is invalid", "invalid", "is not valid", "wrong."])
      expect(ofField(bare)).toEqual([`the message "${bare}" of amount names no rule`])
    expect(ofField(" ")).toEqual(['the message " " of amount is empty'])
  })

  it("is read from the body of an error, with those of its fields", () => {
    const details = { errors: [{ field: "a", message: "is required" }, { field: 1 }] }
    expect(messagesOf({ code: "INVALID_INPUT", message: "a: is required", details })).toEqual({
      message: "a: is required",
      fields: [{ field: "a", message: "is required" }],
    })
    expect([messagesOf({ id: "Card:1" }), messagesOf(undefined), messagesOf([])]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe("the texts of the sources", () => {
  const sources = messageSources()

  it("are found where a refusal is made", () => {
    const texts = sources.map(({ text }) => text)
    expect(texts).toContain("The source does not hold this amount.")
    expect(texts).toContain("must be a customer of the platform")
    expect(texts.length).toBeGreaterThan(300)
  })

  it("name a rule and show no internal detail, received or not", () => {
    const filled = (text: string) => text.replaceAll(/\$\{(?:[^{}]|\{[^}]*\})*\}?/gu, "X")
    const problems = sources.flatMap(({ path, text }) =>
      problemsOfText(filled(text)).map((problem) => `${path}: "${text}" ${problem}`),
    )
    expect(problems).toEqual([])
  })

  const template: MessageSource = {
    path: "a.ts",
    text: "No rate from the one to the other within 30 s.",
    pattern: /No rate from [\s\S]* to [\s\S]* within 0 s\./u,
  }

  it("are answered by a message with any values", () => {
    const answered = [withoutValues("No rate from USD to MXN within 30 s.")]
    expect(unansweredOf([template], answered)).toEqual([])
    expect(unansweredOf([template], ["No rate."])).toEqual([template])
    const [found] = sources.filter(({ text }) => text.startsWith("There is no rate from $"))
    expect(found?.pattern.test("There is no rate from USD to MXN now. Try again.")).toBe(true)
    expect(found?.pattern.test("There is no rate from USD to MXN.")).toBe(false)
  })

  it("that no test receives fail a complete run, unless they are excused", () => {
    const problem = `no test receives the message "${template.text}" of a.ts`
    expect(problemsOfUnanswered([template], {})).toEqual([problem])
    expect(problemsOfUnanswered([template], { "a reason": ["No rate from"] })).toEqual([])
    expect(problemsOfUnanswered([template], { "a reason": ["No rate to"] })).toEqual([problem])
  })
})
