/**
 * The layout of a flow of money: accounts below one another in the order in which the money reaches them, and beside them an arc for each
 * transfer. Ends of arcs are spread along an account's edge, and no two arcs turn at the same place, so that their numbers do not overlap.
 */
import type { LedgerTransfersResponse } from "@countersign/core/models"

export type Transfer = LedgerTransfersResponse["data"][number]

export const box = { width: 190, height: 56, gap: 26, left: 2, top: 2 } as const
/** How far the first arc turns from the accounts, and each further one from the one before. */
const turn = { first: 46, next: 34 } as const
const margin = 18

export interface Arc {
  readonly path: string
  /** Where its number is. */
  readonly x: number
  readonly y: number
}

export interface Flow {
  readonly accounts: ReadonlyArray<{ readonly id: string; readonly y: number }>
  readonly arcs: ReadonlyArray<Arc>
  readonly width: number
  readonly height: number
}

export const flowOf = (transfers: ReadonlyArray<Transfer>): Flow => {
  const ids = [...new Set(transfers.flatMap(({ from, to }) => [from.ledgerAccount, to.ledgerAccount]))]
  const topOf = (id: string) => box.top + ids.indexOf(id) * (box.height + box.gap)
  const ends = transfers.flatMap(({ from, to }) => [from.ledgerAccount, to.ledgerAccount])
  /** The height of the end with this number: the ends of an account are at equal distances. */
  const endAt = (end: number): number => {
    const id = ends[end] ?? ""
    const own = ends.flatMap((each, n) => (each === id ? [n] : []))
    return topOf(id) + ((own.indexOf(end) + 1) * box.height) / (own.length + 1)
  }
  const edge = box.left + box.width
  const arcs = transfers.map((_, n) => {
    const [start, end] = [endAt(2 * n), endAt(2 * n + 1)]
    const x = edge + turn.first + turn.next * n
    // A cubic curve reaches three quarters of the way to its control points.
    const control = edge + (x - edge) / 0.75
    return {
      path: `M ${edge} ${start} C ${control} ${start}, ${control} ${end}, ${edge + 3} ${end}`,
      x,
      y: (start + end) / 2,
    }
  })
  return {
    accounts: ids.map((id) => ({ id, y: topOf(id) })),
    arcs,
    width: edge + turn.first + turn.next * Math.max(0, transfers.length - 1) + margin,
    height: box.top * 2 + ids.length * (box.height + box.gap) - box.gap,
  }
}
