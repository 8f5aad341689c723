/**
 * A source text seen three ways, each as long as the text, so that a search finds neither words of a comment nor of a string.
 * The scanner knows strings, templates, comments and regular expressions; a test holds it against all sources.
 */

export interface Views {
  /** Comments, and what stands inside strings, templates and regular expressions, are blank. */
  readonly code: string
  /** Comments are blank. */
  readonly literal: string
  /** Everything but comments is blank. */
  readonly comments: string
}

type Mark = "code" | "comment" | "inside"

const blank = (text: string) => text.replaceAll(/[^\n]/gu, (char) => " ".repeat(char.length))

/** After these a slash begins a regular expression; after anything else it divides. */
const beforePattern = /(?:^|[(,=:[!&|?{};>+*-]|\b(?:return|typeof|case|in|of|yield|await))\s*$/u

/** The end of a literal that begins at `from`: the index after its closing delimiter. */
const endOf = (text: string, from: number, delimiter: string): number => {
  let isClass = false
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text[at]
    if (char === "\\") at += 1
    else if (delimiter === "/" && char === "[") isClass = true
    else if (delimiter === "/" && char === "]") isClass = false
    else if (char === delimiter && !isClass) return at + 1
  }
  return text.length
}

const indexAfter = (text: string, what: string, from: number): number => {
  const found = text.indexOf(what, from)
  return found < 0 ? text.length : found + what.length
}

/** The runs of one text: where each begins and what it is. */
const runsOf = (text: string): ReadonlyArray<readonly [from: number, mark: Mark]> => {
  const runs: Array<readonly [number, Mark]> = [[0, "code"]]
  /** How many braces are open inside each template expression that we are in. */
  const templates: Array<number> = []
  let at = 0
  const run = (mark: Mark, from: number, to: number) => {
    runs.push([from, mark], [to, "code"])
    at = to
  }
  /** Reads template text from `from` to its end or to the next expression. */
  const template = (from: number) => {
    let to = from
    while (to < text.length && text[to] !== "`" && !text.startsWith("${", to)) to += text[to] === "\\" ? 2 : 1
    run("inside", from, Math.min(to, text.length))
    if (text.startsWith("${", to)) {
      templates.push(0)
      at = to + 2
    } else at = to + 1
  }
  while (at < text.length) {
    const char = text[at] ?? ""
    const open = templates.at(-1)
    if (text.startsWith("//", at)) run("comment", at, text.indexOf("\n", at) < 0 ? text.length : text.indexOf("\n", at))
    else if (text.startsWith("/*", at)) run("comment", at, indexAfter(text, "*/", at + 2))
    else if (char === '"' || char === "'") {
      const end = endOf(text, at, char)
      run("inside", at + 1, Math.max(at + 1, end - 1))
      at = end
    } else if (char === "`") template(at + 1)
    else if (char === "}" && open === 0) {
      templates.pop()
      template(at + 1)
    } else if (char === "/" && beforePattern.test(text.slice(Math.max(0, at - 20), at))) {
      const end = endOf(text, at, char)
      run("inside", at + 1, Math.max(at + 1, end - 1))
      at = end
    } else {
      if (open !== undefined && (char === "{" || char === "}"))
        templates[templates.length - 1] = open + (char === "{" ? 1 : -1)
      at += 1
    }
  }
  return runs
}

/** The three views of a source text. */
export const viewsOf = (text: string): Views => {
  const runs = runsOf(text)
  const view = (shown: (mark: Mark) => boolean) =>
    runs
      .map(([from, mark], index) => {
        const part = text.slice(from, runs[index + 1]?.[0] ?? text.length)
        return shown(mark) ? part : blank(part)
      })
      .join("")
  return {
    code: view((mark) => mark === "code"),
    literal: view((mark) => mark !== "comment"),
    comments: view((mark) => mark === "comment"),
  }
}
