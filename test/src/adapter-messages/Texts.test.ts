/**
 * The texts of messages: languages, one segment, escaping, and how long a code is valid.
 * Source: D-528.
 */
import { languageOfPhone, type MessageOptions } from "@countersign/adapter-messages"
import { Effect, Logger } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { builtInTexts } from "../../../packages/adapter-messages/src/BuiltInTexts.ts"
import { fitsSegment, septets } from "../../../packages/adapter-messages/src/Gsm7.ts"
import { problemOf, textsFor } from "../../../packages/adapter-messages/src/MessageOptions.ts"
import { emailOf, smsOf, validityOf } from "../../../packages/adapter-messages/src/Rendering.ts"

const languages = Object.entries(builtInTexts)
const purposes = ["signIn", "contact", "approval"] as const
const facts = { app: "Acme", code: "ABCDEFGHJKLM", validMillis: 300_000 }

it("exist in six languages", () => {
  expect(Object.keys(builtInTexts).toSorted()).toEqual(["de", "en", "es", "fr", "it", "pt"])
})

describe.each(languages)("the texts in %s", (language, texts) => {
  it("say the code, the application and how long it is valid, and the subject has no code", () => {
    for (const purpose of purposes) {
      const { html, subject, text } = emailOf(texts, language, purpose, facts)
      expect(subject).toContain("Acme")
      expect(subject).not.toContain(facts.code)
      for (const part of [html, text, smsOf(texts, purpose, facts)]) {
        expect(part).toContain(facts.code)
        expect(part).toContain("5 min")
        expect(part).not.toMatch(/\{\w+\}/u)
      }
      expect(html).toContain(`<html lang="${language}">`)
    }
  })

  it("warn in each e-mail, in a sentence", () => {
    expect(texts.warning).toMatch(/^\S.*\S \S.*\.$/u)
    for (const purpose of purposes) {
      const { html, text } = emailOf(texts, language, purpose, facts)
      expect([html, text].filter((part) => !part.includes(texts.warning))).toEqual([])
    }
  })

  it("are one segment of the GSM alphabet as a text message, whatever the name has of it", () => {
    const name = fc.string({ unit: fc.constantFrom(..."Acmé Bank|€äñ'ç"), maxLength: 255 })
    fc.assert(
      fc.property(name, fc.constantFrom(...purposes), (app, purpose) => {
        const text = smsOf(texts, purpose, { ...facts, app })
        expect(septets(text)).toBeLessThanOrEqual(160)
        expect(text).toContain(facts.code)
      }),
    )
  })

  it("are one segment and have the code with any name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 255 }), fc.constantFrom(...purposes), (app, purpose) => {
        const text = smsOf(texts, purpose, { ...facts, app })
        expect([text, fitsSegment(text)]).toEqual([text, true])
        expect(text).toContain(facts.code)
      }),
    )
  })
})

it("put values in once: neither markup nor a placeholder nor a line of a name has an effect", () => {
  const hostile = "<script>{code}</script>\r\nBcc: eve@example.com"
  const { html, subject, text } = emailOf(builtInTexts.en, "en", "signIn", { ...facts, app: hostile })
  expect(html).not.toContain("<script>")
  expect(html.split(facts.code)).toHaveLength(2)
  expect(text.split(facts.code)).toHaveLength(2)
  expect(subject).not.toMatch(/[\r\n]/u)
})

it("show the logo of an https address only", () => {
  const htmlWith = (logoUrl: string) => emailOf(builtInTexts.en, "en", "signIn", { ...facts, logoUrl }).html
  expect(htmlWith('https://acme.example/logo.png?a=1&b="')).toContain(
    'src="https://acme.example/logo.png?a=1&amp;b=&quot;"',
  )
  expect(htmlWith("http://acme.example/logo.png")).not.toContain("<img")
  expect(htmlWith("javascript:alert(1)")).not.toContain("<img")
})

it.each([
  [-5000, "1 s"],
  [1000, "1 s"],
  [119_999, "119 s"],
  [120_000, "2 min"],
  [599_999, "9 min"],
  [7_199_999, "119 min"],
  [7_200_000, "2 h"],
  [10_799_999, "2 h"],
  [86_400_000, "24 h"],
])("of %i ms say %s, never more than is left", (millis, text) => {
  expect(validityOf(millis)).toBe(text)
})

describe("the language", () => {
  const choose = (options: Partial<MessageOptions>, contact = "ada@example.com") =>
    Effect.runPromise(
      Effect.map(
        textsFor({ appName: "Acme", ...options }, { contact, customerId: null }),
        ({ language }) => language,
      ).pipe(Effect.provide(Logger.layer([]))),
    )

  it.each([
    ["+4915112345678", "de"],
    ["+42312345", "de"],
    ["+34600000000", "es"],
    ["+5215512345678", "es"],
    ["+59121234567", "es"],
    ["+33612345678", "fr"],
    ["+22112345678", "fr"],
    ["+39312345678", "it"],
    ["+5511912345678", "pt"],
    ["+351912345678", "pt"],
    ["+14155550100", undefined],
    ["+3221234567", undefined],
    ["+41791234567", undefined],
  ])("of %s is %s", (phone, language) => {
    expect(languageOfPhone(phone)).toBe(language)
  })

  it("is that of the embedder, of the number, or the default", async () => {
    expect(await choose({}, "+4915112345678")).toBe("de")
    expect(await choose({})).toBe("en")
    expect(await choose({ languageDefault: "fr" })).toBe("fr")
    expect(await choose({ languageOf: () => Effect.succeed("pt-BR") })).toBe("pt")
    expect(await choose({ languageOf: () => Effect.succeed("xx") })).toBe("en")
    expect(await choose({ languageOf: () => Effect.succeed("constructor") })).toBe("en")
    expect(await choose({ languageOf: () => Effect.die(new Error("no database")) })).toBe("en")
    const own = { ...builtInTexts.en, warning: "Nooit delen." }
    expect(await choose({ languageOf: () => Effect.succeed("nl"), texts: { nl: own } })).toBe("nl")
  })
})

it("of an embedder are refused with a code in a subject, or without one in a text message", () => {
  const wrong = (texts: Partial<(typeof builtInTexts)["en"]["signIn"]>) =>
    problemOf({
      appName: "Acme",
      texts: { nl: { ...builtInTexts.en, signIn: { ...builtInTexts.en.signIn, ...texts } } },
    })
  expect(wrong({})).toBeUndefined()
  expect(wrong({ subject: "{code}" })).toContain("subject")
  expect(wrong({ sms: "hello" })).toContain("{code}")
  expect(problemOf({ appName: " " })).toContain("appName")
})
