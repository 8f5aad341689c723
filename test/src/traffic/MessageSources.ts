/** The messages of refusals as the sources write them: the literal texts in the places that make a refusal. */
import { sources } from "../tidy/Repository.ts"
import { viewsOf } from "../tidy/Views.ts"

/** A text of the sources, and a pattern of the answers that show it. */
export interface MessageSource {
  readonly path: string
  readonly text: string
  readonly pattern: RegExp
}

/** Where answers of the interface are made: rules and decisions, services, and the middleware. */
const answers =
  /^packages\/(?:core\/src\/(?:model|decision|operation|service)|adapter-http\/src\/(?:handlers|middleware))\//u

/** The calls whose texts a caller receives, and the member `message`. */
const places =
  /\b(?:refusal|refusalOf|conflict|scaConflict|forbidden|refuse|refused|fieldRefusal|worldInvalid|unusableAccount|proofRefusal|invalidAccount|notReplaceable|invalid|problem)\(|\bmessage:\s/gu

/** The end of the arguments, or of the member's value, that begin at `from`. */
const endOf = (code: string, from: number): number => {
  let depth = 0
  for (let at = from; at < code.length; at++) {
    const char = code[at] ?? ""
    if ("([{".includes(char)) depth += 1
    if (")]}".includes(char)) {
      if (depth === 0) return at
      depth -= 1
    }
    if (depth === 0 && (char === "," || char === ";") && code[from - 1] !== "(") return at
  }
  return code.length
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, "\\$&")

/** A template's fixed parts in their order, with anything between them, digits as the notes write them. */
const patternOf = (text: string): RegExp => {
  const parts = text
    .split(/\$\{(?:[^{}]|\{[^}]*\})*\}/u)
    .map((part) => escaped(part.replaceAll(/\\(.)/gu, "$1").replaceAll(/\d+/gu, "0")))
  return new RegExp(parts.join("[\\s\\S]*"), "u")
}

export const messageSources = (): ReadonlyArray<MessageSource> =>
  sources()
    .filter(({ path }) => answers.test(path))
    .flatMap(({ path, text }) => {
      const { code, literal } = viewsOf(text)
      const ranges = [...code.matchAll(places)].map(({ 0: found, index }) => {
        const from = index + found.length
        return [from, endOf(code, from)] as const
      })
      const texts = ranges.flatMap(([from, to]) =>
        [...literal.slice(from, to).matchAll(/(["`])((?:(?!\1)[^\\\n]|\\.)*)\1/gu)].map(([, , found = ""]) => found),
      )
      return [...new Set(texts)]
        .filter((found) => /[a-z] [a-z`$(]/u.test(found))
        .map((found) => ({ path, text: found, pattern: patternOf(found) }))
    })
