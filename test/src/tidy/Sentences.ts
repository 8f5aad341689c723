/**
 * The length of sentences on pages in Markdown and in doc comments of the packages: a reader takes in one idea at a time.
 * Source: AGENTS.md, "Language and style". A colon or a semicolon ends a sentence here; a code span or a link is one word.
 */
import { isGenerated } from "../../scripts/Markdown.ts"
import { isPackageSource, type SourceFile } from "./Repository.ts"

/** The longest sentence of a page, in words. */
export const pageWordsMax = 25
/** The longest sentence of a doc comment, in words. */
export const commentWordsMax = 30

const blank = (part: string) => part.replaceAll(/[^\n]/g, " ")
/** One word of the same length, so that every place in the text keeps its line. */
const oneWord = (part: string) => part.replaceAll(/[^\n]/g, "x")

/** The prose of a page: what is no sentence is blank. */
const proseOf = (page: string): string =>
  page
    .replaceAll(/^( *)```[\s\S]*?^\1```/gmu, blank)
    .replaceAll(/^---\n[\s\S]*?^---$|<!--[\s\S]*?-->|^ *[|#].*$/gmu, blank)
    .replaceAll(/(?<=\n\n)(?: {4}.*\n)+/gu, blank)
    .replaceAll(/``.+?``|`[^`]+`/gu, oneWord)
    .replaceAll(/!?\[[^\]]*\]\([^)]*\)/gu, oneWord)

const paragraphEnd = /\n\s*\n|\n(?=\s*(?:[-*>]|\d+\.)\s)/gu
const sentenceEnd = /[.!?:;]["')\]*_]*\s+/gu

interface Piece {
  readonly at: number
  readonly text: string
}

/** The pieces of a text between the matches of a pattern. */
const pieces = ({ at, text }: Piece, pattern: RegExp): ReadonlyArray<Piece> => {
  const ends = [...text.matchAll(pattern)].map((match) => match.index + match[0].length)
  return [0, ...ends].map((from, index) => ({ at: at + from, text: text.slice(from, ends[index]) }))
}

const wordsOf = (sentence: string) => sentence.split(/\s+/u).filter((word) => /\w/u.test(word)).length

const longer = (path: string, text: string, prose: Piece, wordsMax: number): ReadonlyArray<string> =>
  pieces(prose, paragraphEnd)
    .flatMap((paragraph) => pieces(paragraph, sentenceEnd))
    .filter((sentence) => wordsOf(sentence.text) > wordsMax)
    .map(({ at, text: sentence }) => {
      const begin = at + sentence.search(/\S/u)
      const line = text.slice(0, begin).split("\n").length
      const start = text.slice(begin, begin + 40).replaceAll(/\s+/gu, " ")
      return `${path}:${line}: ${wordsOf(sentence)} words, more than ${wordsMax}: ${start}`
    })

/** Whether a page is written by hand for readers of this repository. */
const isOurs = ({ path, text }: SourceFile): boolean =>
  /^(?:[A-Z]+\.md|docs\/.*\.md|packages\/[^/]+\/README\.md)$/u.test(path) && !isGenerated(text)

/** Sentences of a page that are too long. */
export const problemsOfPageSentences = (page: SourceFile): ReadonlyArray<string> =>
  isOurs(page) ? longer(page.path, page.text, { at: 0, text: proseOf(page.text) }, pageWordsMax) : []

const docComment = /\/\*\*[\s\S]*?\*\//gu

/** Sentences of doc comments that are too long. */
export const problemsOfCommentSentences = ({ path, text }: SourceFile): ReadonlyArray<string> =>
  !isPackageSource(path)
    ? []
    : [...text.matchAll(docComment)].flatMap((match) => {
        const prose = match[0]
          .replaceAll(/^\/\*\*|\*\/$|^ *\*(?!\/)/gmu, blank)
          .replaceAll(/^( *)```[\s\S]*?^\1```/gmu, blank)
          .replaceAll(/`[^`]+`|\{@link [^}]+\}/gu, oneWord)
        return longer(path, text, { at: match.index, text: prose }, commentWordsMax)
      })
