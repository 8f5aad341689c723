/**
 * The messages of the sources that no test has received over HTTP, and those of them that are excused.
 * Source: D-545.
 */
import type { MessageSource } from "./MessageSources.ts"

/** By reason: the texts that no answer of the tests shows. */
const excused: Readonly<Record<string, ReadonlyArray<string>>> = {}

export const unansweredOf = (
  written: ReadonlyArray<MessageSource>,
  answered: ReadonlyArray<string>,
): ReadonlyArray<MessageSource> => written.filter(({ pattern }) => !answered.some((text) => pattern.test(text)))

/** What a complete run lacks: an answer with each text, but those excused; and excuses that hold no longer. */
export const problemsOfUnanswered = (
  unanswered: ReadonlyArray<MessageSource>,
  excuses: Readonly<Record<string, ReadonlyArray<string>>> = excused,
): ReadonlyArray<string> => {
  const excusedTexts = new Set(Object.values(excuses).flat())
  const texts = new Set(unanswered.map(({ text }) => text))
  return [
    ...unanswered
      .filter(({ text }) => !excusedTexts.has(text))
      .map(({ path, text }) => `no test receives the message "${text}" of ${path}`),
    ...[...excusedTexts]
      .filter((text) => !texts.has(text))
      .map((text) => `excused, and received or unknown: "${text}"`),
  ]
}
