/**
 * The order in which postings were committed. The store orders them by time and operation; operations of one millisecond are ordered by
 * the sequences of the accounts that they share.
 * Source: D-454.
 */
import type { Posting } from "../../store/Books.ts"

/** Whether an account that both change shows that `a` was committed before `b`. */
const precedes = (a: Posting, b: Posting): boolean =>
  [a.from, a.to].some((side) =>
    [b.from, b.to].some((other) => side.account === other.account && side.sequence < other.sequence),
  )

export const inCommitOrder = (postings: ReadonlyArray<Posting>): ReadonlyArray<Posting> => {
  const left = [...postings]
  const ordered: Array<Posting> = []
  while (left.length > 0) {
    const next = left.findIndex((posting) => !left.some((other) => precedes(other, posting)))
    ordered.push(...left.splice(Math.max(next, 0), 1))
  }
  return ordered
}
