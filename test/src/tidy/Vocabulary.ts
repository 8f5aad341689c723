/**
 * The vocabulary: words that comments, names, test titles and pages do not use, and what they use instead.
 * Source: AGENTS.md, "Language". The field's own word is the name; one word has one meaning.
 */
import type { SourceFile } from "./Repository.ts"
import { viewsOf } from "./Views.ts"

interface Term {
  /** What is looked for in prose, and in names, which are split at their capitals. */
  readonly pattern: RegExp
  readonly instead: string
}

const term = (words: string, instead: string): Term => ({ pattern: new RegExp(`\\b(?:${words})\\b`, "giu"), instead })

/** Words of prose and of names. */
export const terms: ReadonlyArray<Term> = [
  term("told", "the thing itself: events, emits, auditEntries; or: reports, sends"),
  term("sought", "indexed, looked up"),
  term("merc(?:y|ies)", "leniency, leniencies"),
  term("somebody|someone|whoever", "the caller, the process, the operator"),
  term("holes?", "placeholder, placeholders"),
  term("born", "inserted"),
  term("wish(?:es|ed)?", "request, requested state"),
  term("heard", "received, observed"),
  term("dear", "expensive"),
  term("beforehand", "before"),
]

/** Phrases of prose alone: as parts of names they do not occur. */
const phrases: ReadonlyArray<Term> = [
  term("by chance|of chance", "at random, random"),
  term("(?:that|which|it) (?:is|are) none", "that does not exist, is not valid, is empty"),
  term("(?:it|that|which|they) stands? in|stood in", "is stored in, is in"),
  term("comes? in by|came in by", "is looked up by, arrives through"),
  term("held up", "blocked"),
  term("lets? through", "allowed, released"),
  term("is there already|was there before", "exists already, existed before"),
  term("at the most", "at most"),
  term("so many", "a number of, this number of, the maximum"),
  term("as (?:it|they) stands?", "unchanged, today"),
  term("cannot be meant", "is not valid"),
  term("nothing of it", "no part of it"),
  term("in vain", "without use"),
  term("the very", "the same, the exact"),
  term("simply|very|of course|easily|obviously|basically|actually|really|needless to say", "nothing, or the degree"),
  term("in order to", "to"),
  term("utili[sz]es?", "uses"),
]

/** Files in which a word is not a matter of language, and why. */
const exceptions: Readonly<Record<string, string>> = {
  "packages/adapter-postgres/src/schema/StoredTemplate.ts": "the persisted key `holes`",
  "packages/adapter-memory/src/Snapshot.ts": "the persisted key `holes`",
  "test/src/tidy/Vocabulary.ts": "the words themselves",
  "test/src/tidy/Vocabulary.test.ts": "the words themselves",
}

/** A name as words: `sendEventTold` reads `send Event Told`. */
const wordsOf = (name: string): string => name.replaceAll(/([a-z0-9])([A-Z])|_/gu, "$1 $2")

const lineOf = (text: string, at: number) => text.slice(0, at).split("\n").length

const found = (path: string, text: string, list: ReadonlyArray<Term>): ReadonlyArray<string> =>
  list.flatMap(({ instead, pattern }) =>
    [...text.matchAll(pattern)].map((match) => `${path}:${lineOf(text, match.index)}: "${match[0]}": write ${instead}`),
  )

const title = /\b(?:it|test|describe)(?:\.\w+)*(?:\([^"`]*?\))?\(\s*(["`])((?:(?!\1)[^\\]|\\.)*)\1/gu
const name = /[A-Za-z_$][\w$]*/gu

/** The titles of a test file, each at its place, and everything else blank. */
const titlesOf = (text: string): string => {
  const blank = [...text.replaceAll(/[^\n]/gu, " ")]
  for (const match of text.matchAll(title)) {
    const said = match[2] ?? ""
    const at = match.index + match[0].length - 1 - said.length
    blank.splice(at, said.length, ...said)
  }
  return blank.join("")
}

/** The words of a source's comments, names and test titles that the vocabulary replaces. */
export const problemsOfVocabulary = ({ path, text }: SourceFile): ReadonlyArray<string> => {
  if (path in exceptions) return []
  const { code, comments } = viewsOf(text)
  const names = [...code.matchAll(name)].flatMap((match) =>
    found(path, wordsOf(match[0]), terms).map((problem) => problem.replace(/:\d+:/u, `:${lineOf(code, match.index)}:`)),
  )
  const prose = [comments, ...(path.startsWith("test/") ? [titlesOf(text)] : [])]
  return [...prose.flatMap((each) => found(path, each, [...terms, ...phrases])), ...names]
}

/** The same of a page in Markdown; what it quotes as code is not looked at. */
export const problemsOfPage = ({ path, text }: SourceFile): ReadonlyArray<string> => {
  const blank = (part: string) => part.replaceAll(/[^\n]/gu, " ")
  const prose = text.replaceAll(/^```[\s\S]*?^```/gmu, blank).replaceAll(/`[^`\n]+`/gu, blank)
  return found(path, prose, [...terms, ...phrases])
}
