/** The pieces of a source that no process ran, from the coverage that V8 counts. */

/** The part of V8's coverage that is read: nested ranges, in UTF-16 units, of which the innermost counts. */
export interface FunctionCoverage {
  readonly ranges: ReadonlyArray<{ readonly startOffset: number; readonly endOffset: number; readonly count: number }>
}

/** Marks what one process ran. */
export const markRun = (isRun: Uint8Array, functions: ReadonlyArray<FunctionCoverage>): void => {
  const marks = new Uint8Array(isRun.length)
  const outermost = ({ ranges: [range] }: FunctionCoverage) =>
    [range?.startOffset ?? 0, -(range?.endOffset ?? 0)] as const
  const inOrder = functions.toSorted((a, b) => {
    const [[start, end], [otherStart, otherEnd]] = [outermost(a), outermost(b)]
    return start - otherStart || end - otherEnd
  })
  for (const { ranges } of inOrder) {
    for (const { count, endOffset, startOffset } of ranges) marks.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  }
  for (const [at, mark] of marks.entries()) if (mark === 1) isRun[at] = 1
}

export interface Piece {
  readonly line: number
  /** Without comments, its spaces collapsed. */
  readonly code: string
}

const comments = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/gu

/** The pieces that have a word and were not run. */
export const piecesOf = (source: string, isRun: Uint8Array): ReadonlyArray<Piece> => {
  const code = source.replace(comments, (comment) => comment.replace(/[^\n]/gu, " "))
  const pieces: Array<Piece> = []
  for (let start = 0; start < code.length; start += 1) {
    if (isRun[start] === 1) continue
    let end = start
    while (end < code.length && isRun[end] !== 1) end += 1
    const text = code.slice(start, end)
    const line = code.slice(0, start + (/\S/u.exec(text)?.index ?? 0)).split("\n").length
    if (/\w/u.test(text)) pieces.push({ line, code: text.replace(/\s+/gu, " ").trim() })
    start = end
  }
  return pieces
}
