/**
 * Makes the parts of a message from its texts. A value is put into a text once, and escaped in HTML: no value can add markup or a placeholder.
 * Source: D-528.
 */

import { oneLine } from "./Addresses.ts"
import type { LanguageTexts, MessagePurpose } from "./BuiltInTexts.ts"
import { asGsm7, fitsSegment, septetsMax } from "./Gsm7.ts"

export interface MessageFacts {
  readonly app: string
  readonly code: string
  readonly validMillis: number
  /** An https address of an image. */
  readonly logoUrl?: string
}

/** The rendered parts of an e-mail: its text and its HTML say the same. */
export interface EmailContent {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** `5 min`, `45 s` or `2 h`, which all built-in languages write alike. It never says more than is left. */
export const validityOf = (millis: number): string => {
  const seconds = Math.max(1, Math.floor(millis / 1000))
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}
const escaped = (text: string): string => text.replaceAll(/[&<>"']/gu, (each) => entities[each] ?? each)

const filled = (template: string, { app, code, validMillis }: MessageFacts): string => {
  const values: Readonly<Record<string, string>> = { app, code, validity: validityOf(validMillis) }
  return template.replaceAll(/\{(\w+)\}/gu, (all, name: string) => values[name] ?? all)
}

export const emailOf = (
  texts: LanguageTexts,
  language: string,
  purpose: MessagePurpose,
  facts: MessageFacts,
): EmailContent => {
  const own = { ...facts, app: oneLine(facts.app) }
  const subject = oneLine(filled(texts[purpose].subject, own))
  const validity = filled(texts.validity, own)
  const warning = filled(texts.warning, own)
  const logo =
    facts.logoUrl?.startsWith("https://") === true
      ? `<p><img src="${escaped(facts.logoUrl)}" alt="" height="40"></p>`
      : ""
  const html = `<!doctype html><html lang="${escaped(language)}"><meta charset="utf-8"><body style="font-family:sans-serif;color:#222;max-width:32em;margin:2em auto">${logo}<h1 style="font-size:18px">${escaped(subject)}</h1><p style="font-size:28px;letter-spacing:4px"><strong>${escaped(facts.code)}</strong></p><p>${escaped(validity)}</p><p style="color:#666">${escaped(warning)}</p></body></html>`
  return { subject, text: `${subject}\n\n${facts.code}\n\n${validity}\n${warning}\n`, html }
}

/** The text message. The name of the application is shortened until the message is one segment. */
export const smsOf = (texts: LanguageTexts, purpose: MessagePurpose, facts: MessageFacts): string => {
  const name = [...asGsm7(oneLine(facts.app))].slice(0, septetsMax)
  for (let length = name.length; length >= 0; length--) {
    const app = name.slice(0, length).join("").trim()
    const text = filled(texts[purpose].sms, { ...facts, app })
    if (fitsSegment(text)) return text
  }
  return filled(texts[purpose].sms, facts)
}
